"""The base template, its partials and the error pages."""

import re

import pytest
from django import forms
from django.contrib.auth.models import AnonymousUser, User
from django.template import engines
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from tests.layout import squeezed

pytestmark = pytest.mark.urls("tests.ui.urls")
STANDALONE = ["400.html", "403_csrf.html", "429.html", "500.html", "503.html"]


def request(user=None, path="/standings/?q=a%26b"):
    made = RequestFactory().get(path)
    made.user = user or AnonymousUser()
    return made


def base(user=None, lang="es", **context) -> str:
    source = (
        '{% extends "base.html" %}{% block title %}T{% endblock %}{% block heading %}H{% endblock %}'
        '{% block lead %}<p class="lead">answer</p>{% endblock %}'
        "{% block content %}content here{% endblock %}"
    )
    with translation.override(lang):
        return squeezed(engines["django"].from_string(source).render({"waits": 0, **context}, request(user)))


def test_the_page_opens_with_heading_and_answer():
    text = base()
    assert "<title>T · Baza</title>" in text
    assert text.count("<h1>") == 1
    assert text.index("<h1>H</h1>") < text.index("answer") < text.index("content here")


def test_the_first_link_skips_to_the_content():
    text = base()
    assert re.search(r"<body>\s*<a class=\"skip\" href=\"#content\"", text)
    assert 'id="content"' in text


def test_the_canonical_address_has_no_query():
    assert '<link rel="canonical" href="http://testserver/standings/">' in base()


def test_the_page_of_an_anonymous_reader_holds_no_token():
    """A token would make the page different for every reader."""
    text = base()
    assert "csrfmiddlewaretoken" not in text
    assert text == base()


def test_signing_out_is_a_post_with_a_token():
    assert "csrfmiddlewaretoken" in base(User(username="ana"), jobs=[])


@pytest.mark.parametrize(("lang", "other"), [("es", "en"), ("en", "es")])
def test_the_other_language_is_offered_with_the_way_back(lang, other):
    text = base(lang=lang)
    assert f'<html lang="{lang}"' in text
    assert re.findall(r'name="language" value="(\w+)"', text) == [other]
    assert 'name="next" value="/standings/?q=a%26b"' in text


def test_the_menu_holds_the_reader_s_jobs_and_escapes_the_name():
    user = User(username="ana", first_name="<b>Ana")
    text = base(user, jobs=[{"label": "Upload results", "url": "/resultados/subir/"}], waits=3)
    assert "&lt;b&gt;Ana (3<span" in text
    assert '<a href="/resultados/subir/">Upload results</a>' in text
    assert "<summary>" not in base()


@pytest.mark.parametrize(("theme", "attribute"), [("dark", ' data-bs-theme="dark"'), ("auto", ""), ("x", "")])
def test_the_server_writes_a_theme_only_where_one_was_chosen(theme, attribute):
    assert f'<html lang="es"{attribute}>' in base(theme=theme)


def test_breadcrumbs_end_where_one_is():
    text = base(breadcrumbs=[{"label": "Start", "url": "/"}, {"label": "Here", "url": ""}])
    assert '<a href="/">Start</a>' in text
    assert '<span aria-current="page">Here</span>' in text


@pytest.mark.parametrize("name", STANDALONE)
def test_errors_need_neither_context_nor_database(name):
    text = squeezed(render_to_string(name))
    assert text.count("<h1>") == 1
    assert '<a class="brand" href="/">' in text
    assert re.search(r'<p class="lead">[^<]{20,}', text)


def test_not_allowed_leads_a_stranger_to_sign_in_and_back():
    text = render_to_string("403.html", request=request())
    assert 'href="/account_login/?next=/standings/%3Fq%3Da%2526b"' in text


def test_not_allowed_tells_a_member_which_account_it_is():
    text = render_to_string("403.html", {"jobs": [], "waits": 0}, request=request(User(username="ana")))
    assert "ana" in re.search(r'<p class="lead">(.*?)</p>', text, re.S)[1]
    assert "next=" not in text[text.index("<main") :]


def test_not_found_is_not_indexed():
    assert 'content="noindex"' in render_to_string("404.html", request=request())


# --- Partials ---------------------------------------------------------------------------------------------


def progress(**changes) -> str:
    state = {"stage": "Scoring", "done": 1034, "total": 2000, "elapsed": 7, "url": "/p/"}
    with translation.override("es"):
        return squeezed(render_to_string("ui/progress.html", {"progress": {**state, **changes}}))


def test_progress_asks_for_itself_each_second():
    text = progress(page_url="/r/")
    assert 'hx-get="/p/" hx-trigger="every 1s"' in text
    assert '<noscript><p><a href="/r/">' in text


def test_progress_gives_people_groups_and_machines_plain_digits():
    text = progress()
    assert "1.034" in text
    assert 'max="2000" value="1034"' in text


def test_progress_of_unknown_length_shows_no_share():
    text = progress(total=None)
    assert "<progress" in text
    assert "max=" not in text


class Form(forms.Form):
    place = forms.IntegerField(label="Place <1>")
    secret = forms.IntegerField(widget=forms.HiddenInput)

    def clean(self):
        raise forms.ValidationError("Twice the <same> pair")


def test_the_summary_leads_to_each_field():
    text = squeezed(render_to_string("ui/form_errors.html", {"form": Form({"place": "x"})}))
    assert '<a href="#id_place">Place &lt;1&gt;</a>' in text
    assert "Twice the &lt;same&gt; pair" in text
    assert "#id_secret" not in text
    assert text.count("<li>") == 3


def test_crispy_forms_show_the_summary_by_themselves():
    source = "{% load crispy_forms_tags %}{% crispy form %}"
    wrong = engines["django"].from_string(source).render({"form": Form({})})
    assert wrong.count("error-summary") == 1
    assert "is-invalid" in wrong
    assert "error-summary" not in engines["django"].from_string(source).render({"form": Form()})


def test_steps_mark_where_one_is():
    steps = [
        {"label": "File", "url": "/1/"},
        {"label": "Review", "url": "/2/", "current": True},
        {"label": "End"},
    ]
    text = squeezed(render_to_string("ui/steps.html", {"steps": steps}))
    assert text.count("<li") == 3
    assert '<a href="/1/">File</a>' in text
    assert re.search(r'<li aria-current="step">Review</li>', text)
