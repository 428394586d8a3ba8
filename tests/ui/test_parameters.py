"""The names of query parameters: one table of Spanish names, and redirects from the former ones."""

import pytest
from django.http import QueryDict

from scoring import regulations
from scoring.calculator.views import form_for
from ui.clock import today
from ui.parameters import FORMER, is_known, renamed


@pytest.mark.parametrize(
    ("former", "query"),
    [
        ("page=2&q=a+b&q=c", "q=a+b&q=c&pagina=2"),
        ("sort=-points&sort=name", "orden=-points&orden=name"),
        ("page=2&pagina=3", "pagina=3"),
        ("page=", "pagina="),
        ("q=page", None),
        ("", None),
    ],
)
def test_a_former_name_is_replaced_by_that_of_today(former, query):
    result = renamed(QueryDict(former))
    assert (result and result.urlencode()) == query


def test_names_of_today_are_known_and_former_ones_are_not():
    assert all(is_known(name) for name in [*FORMER.values(), "q", "2-orden", "n_ME-D", "rival_3"])
    assert not any(is_known(name) for name in [*FORMER, "category", "2-page", "n_", "rival_x"])


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("start", ["", "/en"])
def test_bookmarks_with_former_names_lead_to_the_page_for_good(method, start, client, db):
    response = getattr(client, method)(f"{start}/torneos/?page=2&tipo=pool")
    assert (response.status_code, response.url) == (301, f"{start}/torneos/?tipo=pool&pagina=2")
    assert "Cookie" not in response.headers.get("Vary", "")


def test_other_requests_keep_their_parameters(client, db):
    assert client.post("/idioma/?page=2").status_code != 301
    assert client.get("/api/v1/openapi.json?page=2").status_code == 200
    assert client.get("/admin/login/?page=2").status_code != 301


def test_all_fields_of_the_calculators_are_in_the_table(db, settings):
    settings.FAMILIES = ["aeb", "sbf-bronze", "sbf-silver", "acbl", "go"]
    for regulation in regulations.ALL:
        for query in ({}, {"comparar": "x"}):
            form = form_for({"reglamento": regulation.code, **query}, today())
            assert [name for name in form.fields if not is_known(name)] == []
