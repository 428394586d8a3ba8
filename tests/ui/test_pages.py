"""The base template, its partials and the error pages."""

import pytest
from django import forms
from django.contrib.auth.models import AnonymousUser, User
from django.template import engines
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from tests.pages import Page

pytestmark = pytest.mark.urls("tests.ui.urls")
STANDALONE = ["400.html", "403_csrf.html", "429.html", "500.html", "503.html"]


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
            engines["django"].from_string(source).render({"header_waits": 0, **context}, request(user))
        )


def test_the_page_opens_with_heading_and_answer():
    page = base()
    assert page.title == "T · Baza"
    assert page.headings(1) == ["H"]
    assert page.main.text.index("H") < page.main.text.index("answer") < page.main.text.index("content here")


def test_the_first_link_skips_to_the_content():
    page = base()
    first = page.the("body").elements[0]
    assert (first.tag, first.classes, first["href"]) == ("a", ["skip"], "#content")
    assert page.links[0] is first
    assert page.of_id("content")


def test_the_canonical_address_has_no_query():
    assert base().the("link", rel="canonical")["href"] == "http://testserver/standings/"


def test_the_page_of_an_anonymous_reader_holds_no_token():
    """A page for anonymous readers has no CSRF token, so that it is the same for all of them."""
    page = base()
    assert "csrfmiddlewaretoken" not in page.fields
    assert page.html == base().html


def test_signing_out_is_a_post_with_a_token():
    assert "csrfmiddlewaretoken" in base(User(username="ana"), jobs=[]).fields


@pytest.mark.parametrize(("lang", "other"), [("es", "en"), ("en", "es")])
def test_the_other_language_is_offered_with_the_way_back(lang, other):
    page = base(lang=lang)
    assert page.language == lang
    assert page.values("language") == [other]
    assert page.form("language").values["next"] == ["/standings/?q=a%26b"]


def test_the_menu_holds_the_reader_s_jobs_and_escapes_the_name():
    user = User(username="ana", first_name="<b>Ana")
    page = base(user, jobs=[{"label": "Upload results", "url": "/resultados/subir/"}], header_waits=3)
    assert page.the("summary").text.startswith("<b>Ana (3")
    assert page.link("Upload results") == "/resultados/subir/"
    assert not base().all("summary")


@pytest.mark.parametrize(
    ("lang", "texts"), [("es", ("(1 pendiente)", "(2 pendientes)")), ("en", ("(1 waiting for you)",))]
)
def test_the_menu_counts_what_waits(lang, texts):
    user = User(username="ana")
    for number, text in enumerate(texts, start=1):
        assert base(user, lang, jobs=[], header_waits=number).the("summary").text == f"ana {text}"
    assert base(user, lang, jobs=[]).the("summary").text == "ana"


@pytest.mark.parametrize(("theme", "written"), [("dark", "dark"), ("auto", None), ("x", None)])
def test_the_server_writes_a_theme_only_where_one_was_chosen(theme, written):
    assert base(theme=theme).the("html").attributes.get("data-bs-theme") == written


def test_breadcrumbs_end_where_one_is():
    page = base(breadcrumbs=[{"label": "Start", "url": "/"}, {"label": "Here", "url": ""}])
    assert page.link("Start") == "/"
    assert page.the("span", aria_current="page").text == "Here"


@pytest.mark.parametrize("name", STANDALONE)
def test_errors_need_neither_context_nor_database(name):
    page = Page(render_to_string(name))
    assert len(page.headings(1)) == 1
    assert page.the("a", class_="brand")["href"] == "/"
    assert len(page.lead) >= 20


def test_not_allowed_leads_a_stranger_to_sign_in_and_back():
    page = Page(render_to_string("403.html", request=request()))
    assert "/account_login/?next=/standings/%3Fq%3Da%2526b" in page.addresses


def test_not_allowed_tells_a_member_which_account_it_is():
    user = User(username="ana")
    page = Page(render_to_string("403.html", {"jobs": [], "header_waits": 0}, request=request(user)))
    assert "ana" in page.lead
    assert not [address for address in page.main.addresses if "next=" in address]


def test_not_found_is_not_indexed():
    page = Page(render_to_string("404.html", request=request()))
    assert page.the("meta", name="robots")["content"] == "noindex"


# --- Partials ---------------------------------------------------------------------------------------------


def progress(**changes) -> Page:
    state = {"stage": "Scoring", "done": 1034, "total": 2000, "elapsed": 7, "url": "/p/"}
    with translation.override("es"):
        return Page(render_to_string("ui/progress.html", {"progress": {**state, **changes}}))


def test_progress_asks_for_itself_each_second():
    page = progress(page_url="/r/")
    assert page.the(hx_get="/p/")["hx-trigger"] == "every 1s"
    assert page.the("noscript").addresses == ["/r/"]


def test_progress_gives_people_groups_and_machines_plain_digits():
    page = progress()
    assert "1.034" in page.text
    bar = page.the("progress")
    assert (bar["max"], bar["value"]) == ("2000", "1034")


def test_progress_of_unknown_length_shows_no_share():
    assert "max" not in progress(total=None).the("progress").attributes


class Form(forms.Form):
    place = forms.IntegerField(label="Place <1>")
    secret = forms.IntegerField(widget=forms.HiddenInput)

    def clean(self):
        raise forms.ValidationError("Twice the <same> pair")


def test_the_summary_leads_to_each_field():
    page = Page(render_to_string("ui/form_errors.html", {"form": Form({"place": "x"})}))
    assert page.link("Place <1>") == "#id_place"
    assert "Twice the <same> pair" in page.text
    assert "#id_secret" not in page.addresses
    assert len(page.all("li")) == 3


def test_crispy_forms_show_the_summary_by_themselves():
    source = "{% load crispy_forms_tags %}{% crispy form %}"
    wrong = Page(engines["django"].from_string(source).render({"form": Form({})}))
    assert wrong.the(class_="error-summary")
    assert wrong.all(class_="is-invalid")
    assert not Page(engines["django"].from_string(source).render({"form": Form()})).all(
        class_="error-summary"
    )


def test_steps_mark_where_one_is():
    steps = [
        {"label": "File", "url": "/1/"},
        {"label": "Review", "url": "/2/", "current": True},
        {"label": "End"},
    ]
    page = Page(render_to_string("ui/steps.html", {"steps": steps}))
    assert [item.text for item in page.all("li")] == ["File", "Review", "End"]
    assert page.link("File") == "/1/"
    assert page.the("li", aria_current="step").text == "Review"
