"""A player reports a missing tournament; the director answers; the player reads it and closes the case."""

from datetime import timedelta

import pytest
from django.urls import reverse

from scoring.cases.models import Case
from tests import factories
from tests.browser.conftest import follow, page_problems
from ui.clock import today


@pytest.mark.django_db(transaction=True)
def test_a_missing_tournament_is_reported_answered_and_closed(page, live_url, sign_in):
    club = factories.club(name="Club del Faro")
    director = factories.director(club)
    members = factories.players(8, category="2P", club=club)
    members[0].user = factories.user()
    members[0].save()
    day = today() - timedelta(days=3)
    factories.announcement(club, by=director, end_date=day, name="Pool sin resultado")
    pairs = factories.pairs(members)
    factories.scored(*pairs, of=club, end_date=day - timedelta(days=7), name="Pool de los jueves")

    sign_in(members[0].user)
    page.goto(live_url + reverse("where_points"))
    page.locator("summary", has_text="Pool de los jueves").click()
    page.locator("summary", has_text="Pool sin resultado").click()
    assert page_problems(page) == []
    page.fill("[name=dia]", (day + timedelta(days=1)).isoformat())
    follow(page.get_by_role("button", name="Buscar", exact=True).last)
    assert "No consta ningún torneo" in page.locator("main").inner_text()
    follow(page.get_by_role("link", name="Falta un torneo"))
    assert page.input_value("[name=day]") == (day + timedelta(days=1)).isoformat()
    assert page.input_value("[name=club]") == club.slug
    assert page_problems(page) == []
    page.fill("[name=text]", "Jugué con mi pareja de siempre.")
    follow(page.locator("main form.form button[type=submit]"))
    assert "Enviada a Club del Faro" in page.locator("main").inner_text()
    assert page_problems(page) == []
    follow(page.get_by_role("navigation", name="Mis páginas").get_by_role("link", name="Mis consultas"))
    assert page_problems(page) == []

    sign_in(director)
    page.goto(live_url + reverse("inbox"))
    follow(page.locator("main").get_by_role("link", name="Leer y contestar"))
    assert "Jugué con mi pareja de siempre." in page.locator("main").inner_text()
    page.fill("[name=text]", "Mañana subimos el resultado.")
    assert page_problems(page) == []
    follow(page.get_by_role("button", name="Enviar la respuesta"))
    page.goto(live_url + reverse("club_cases", args=[club.slug]))
    assert page_problems(page) == []

    sign_in(members[0].user)
    page.goto(live_url + reverse("inbox"))
    follow(page.locator("main").get_by_role("link", name="Leer la respuesta"))
    assert "Mañana subimos el resultado." in page.locator("main").inner_text()
    assert page_problems(page) == []
    follow(page.get_by_role("button", name="Está bien: cerrar la consulta"))
    assert Case.objects.get().state == "closed"
    assert page_problems(page) == []

    sign_in(factories.office())
    page.goto(live_url + reverse("office_cases"))
    assert page_problems(page) == []
