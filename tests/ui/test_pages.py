"""The base template, its partials and the error pages."""

from datetime import date, datetime

import pytest
from django import forms
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import BadRequest, RequestDataTooBig, TooManyFieldsSent
from django.template import engines
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import timezone, translation

from federation.errors import bad_request
from tests.pages import Page

pytestmark = pytest.mark.urls("tests.ui.urls")
STANDALONE = [
    "400.html",
    "403_csrf.html",
    "413.html",
    "429.html",
    "500.html",
    "503.html",
    "503_files.html",
    "507.html",
    "507_database.html",
]


def request(user=None, path="/standings/?q=a%26b"):
    made = RequestFactory().get(path)
    made.user = user or AnonymousUser()
    return made


def base(user=None, lang="es", **context) -> Page:
    source = (
        '{% extends "base.html" %}{% block title %}T{% endblock %}{% block heading %}H{% endblock %}'
        '{% block lead %}<p class="lead">answer</p>{% endblock %}'
        "{% block content %}content here{% endblock %}"
    )
    with translation.override(lang):
        return Page(
            engines["django"]
            .from_string(source)
            .render({"header_waits": 0, "main_job": None, **context}, request(user))
        )


def test_a_page_begins_with_its_heading_and_its_main_answer():
    page = base()
    assert page.title == "T · Baza"
    assert page.headings(1) == ["H"]
    assert page.main.text.index("H") < page.main.text.index("answer") < page.main.text.index("content here")


@pytest.mark.parametrize(
    ("minute", "spanish", "english"),
    [
        ("2026-03-14 21:04", "Actualizado a las 21:04", "Updated at 21:04"),
        ("2026-03-14 01:09", "Actualizado a la 1:09", "Updated at 1:09"),
        ("2026-03-13 21:04", "Actualizado el 13 mar 2026, a las 21:04", "Updated on 13 Mar 2026, at 21:04"),
    ],
)
def test_a_page_says_when_its_data_changed_last(minute, spanish, english, monkeypatch):
    """A cache may show a page that is a little older, so the page itself has to say of when it is."""
    monkeypatch.setattr("ui.clock.today", lambda: date(2026, 3, 14))
    changed_at = timezone.make_aware(datetime.fromisoformat(minute))
    for lang, words in (("es", spanish), ("en", english)):
        page = base(lang=lang, changed_at=changed_at)
        assert page.the("p", class_="as-of").text == words
    assert not base().all("p", class_="as-of")


def test_the_first_link_skips_to_the_content():
    page = base()
    first = page.the("body").elements[0]
    assert (first.tag, first.classes, first["href"]) == ("a", ["skip"], "#content")
    assert page.links[0] is first
    assert page.of_id("content")


def test_the_canonical_url_has_no_query_string():
    assert base().the("link", rel="canonical")["href"] == "http://testserver/standings/"


def test_a_page_for_anonymous_readers_has_no_csrf_token():
    """A page for anonymous readers has no CSRF token, so that it is the same for all of them."""
    page = base()
    assert "csrfmiddlewaretoken" not in page.fields
    assert page.html == base().html


def test_signing_out_is_a_form_with_a_csrf_token():
    assert "csrfmiddlewaretoken" in base(User(username="ana"), jobs=[]).fields


@pytest.mark.parametrize(("lang", "other"), [("es", "en"), ("en", "es")])
def test_switching_the_language_leads_to_the_same_page_in_the_other_language(lang, other):
    versions = [{"code": code, "url": f"/{code}/standings/", "name": code} for code in ("es", "en")]
    page = base(lang=lang, languages=versions)
    assert page.language == lang
    (link,) = page.all("a", data_language=True)
    assert (link["hreflang"], link["href"]) == (other, f"/{other}/standings/")


def test_the_account_menu_has_the_links_of_the_reader_and_escapes_the_name():
    user = User(username="ana", first_name="<b>Ana")
    page = base(user, jobs=[{"label": "Upload results", "url": "/resultados/subir/"}], header_waits=3)
    assert page.the("summary").text.startswith("<b>Ana (3")
    assert page.link("Upload results") == "/resultados/subir/"
    assert not base().all("summary")


@pytest.mark.parametrize(
    ("lang", "texts"), [("es", ("(1 pendiente)", "(2 pendientes)")), ("en", ("(1 waiting for you)",))]
)
def test_the_account_menu_shows_how_many_proposals_wait(lang, texts):
    user = User(username="ana")
    for number, text in enumerate(texts, start=1):
        assert base(user, lang, jobs=[], header_waits=number).the("summary").text == f"ana {text}"
    assert base(user, lang, jobs=[]).the("summary").text == "ana"


def test_the_page_leaves_the_theme_to_the_browser():
    """Otherwise it would differ between readers."""
    assert "data-bs-theme" not in base(theme="dark").the("html").attributes


def test_breadcrumbs_end_with_the_current_page():
    page = base(breadcrumbs=[{"label": "Start", "url": "/"}, {"label": "Here", "url": ""}])
    assert page.link("Start") == "/"
    assert page.the("span", aria_current="page").text == "Here"


@pytest.mark.parametrize("name", STANDALONE)
def test_standalone_error_pages_need_neither_context_nor_database(name):
    page = Page(render_to_string(name))
    assert len(page.headings(1)) == 1
    assert page.the("a", class_="brand")["href"] == "/home/"
    assert len(page.lead) >= 20
    assert f"Error {name[:3]}" in page.main.text
    assert page.main.links, "no way on"


def test_what_is_too_much_at_once_is_said_as_such():
    for fault, status in ((RequestDataTooBig(), 413), (TooManyFieldsSent(), 413), (BadRequest(), 400)):
        response = bad_request(RequestFactory().post("/x/"), fault)
        assert response.status_code == status
        assert f"Error {status}" in Page(response.content.decode()).main.text


def test_the_page_for_403_offers_anonymous_readers_to_sign_in_and_come_back():
    page = Page(render_to_string("403.html", request=request()))
    assert "/account_login/?next=/standings/%3Fq%3Da%2526b" in page.addresses


def test_the_page_for_403_names_the_signed_in_account():
    user = User(username="ana")
    page = Page(
        render_to_string("403.html", {"jobs": [], "main_job": None, "header_waits": 0}, request=request(user))
    )
    assert "ana" in page.lead
    assert not [address for address in page.main.addresses if "next=" in address]


def test_the_page_for_404_is_not_indexed():
    page = Page(render_to_string("404.html", request=request()))
    assert page.the("meta", name="robots")["content"] == "noindex"


# --- Partials ---------------------------------------------------------------------------------------------


def progress(**changes) -> Page:
    state = {"stage": "Scoring", "done": 1034, "total": 2000, "elapsed": 7, "url": "/p/"}
    with translation.override("es"):
        return Page(render_to_string("ui/progress.html", {"progress": {**state, **changes}}))


def test_a_progress_bar_reloads_itself_every_second():
    page = progress(page_url="/r/")
    assert page.the(hx_get="/p/")["hx-trigger"] == "every 1s"
    assert page.the("noscript").addresses == ["/r/"]


def test_progress_has_separators_in_its_text_but_not_in_its_attributes():
    page = progress()
    assert "1.034" in page.text
    bar = page.the("progress")
    assert (bar["max"], bar["value"]) == ("2000", "1034")


def test_progress_of_unknown_length_has_no_maximum():
    assert "max" not in progress(total=None).the("progress").attributes


class Form(forms.Form):
    place = forms.IntegerField(label="Place <1>")
    secret = forms.IntegerField(widget=forms.HiddenInput)

    def clean(self):
        raise forms.ValidationError("Twice the <same> pair")


def test_the_error_summary_links_to_every_visible_field():
    page = Page(render_to_string("ui/form_errors.html", {"form": Form({"place": "x"})}))
    assert page.link("Place <1>") == "#id_place"
    assert "Twice the <same> pair" in page.text
    assert "#id_secret" not in page.addresses
    assert len(page.all("li")) == 3


def test_crispy_forms_show_the_error_summary():
    source = "{% load crispy_forms_tags %}{% crispy form %}"
    wrong = Page(engines["django"].from_string(source).render({"form": Form({})}))
    assert wrong.the(class_="error-summary")
    assert wrong.all(class_="is-invalid")
    assert not Page(engines["django"].from_string(source).render({"form": Form()})).all(
        class_="error-summary"
    )


def test_the_list_of_steps_marks_the_current_step():
    steps = [
        {"label": "File", "url": "/1/"},
        {"label": "Review", "url": "/2/", "current": True},
        {"label": "End"},
    ]
    page = Page(render_to_string("ui/steps.html", {"steps": steps}))
    assert [item.text for item in page.all("li")] == ["File", "Review", "End"]
    assert page.link("File") == "/1/"
    assert page.the("li", aria_current="step").text == "Review"
