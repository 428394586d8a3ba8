"""Rankings of thousands of people: no page grows with them, and none fails."""

from datetime import date

import pytest
from django.urls import reverse

from players.models import CategoryAssignment, Licence, Player
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import runs
from tests import factories
from tests.pages import Page
from tests.scoring.uploads.makers import csv_of, sent, tick_and_confirm
from tournaments.models import ResultUpload, Tournament
from tournaments.services.drafts import draft_of

LARGEST = 300_000  # bytes of a page


def many_players(club, count):
    """Create players with licences and categories in few statements."""
    made = Player.objects.bulk_create(
        Player(number=str(700_000 + n), given_name="Alba", surname=f"Peña {n}", club=club)
        for n in range(count)
    )
    span = {"valid_from": date(2022, 1, 1), "valid_to": date(2099, 12, 31)}
    Licence.objects.bulk_create(Licence(player=player, **span) for player in made)
    category = factories.category("2P")
    CategoryAssignment.objects.bulk_create(
        CategoryAssignment(player=player, category=category, valid_from=date(2022, 1, 2), origin="initial")
        for player in made
    )
    return made


@pytest.fixture
def confirmed(signed_in, club):
    """Return the confirmed and scored upload of 520 pairs: SQLite has limits at a thousand people."""
    headings = "puesto;licencia;nombre;pareja;puntuación"
    data = csv_of(factories.pairs(many_players(club, 1_040)), headings)
    upload = sent(signed_in, club, data, name="Simultáneo")
    tick_and_confirm(signed_in, upload)
    runs.score(ScoringRun.objects.get().pk)
    return upload


def test_every_page_of_a_large_tournament_is_short_and_leads_to_the_others(signed_in, confirmed):
    address = Tournament.objects.get().get_absolute_url()
    for url in (reverse("upload_receipt", args=[confirmed.pk]), address, f"{address}imprimir/"):
        page = signed_in.get(url)
        assert len(page.content) < LARGEST, url
        assert "1–100" in page.content.decode(), url
        last = signed_in.get(url, {"pagina": "6"}).content.decode()
        assert "Peña 1039" in last, url
        assert "Peña 900<" not in last, url


def review_of(client, upload, query=""):
    page = client.get(reverse("upload_review", args=[upload.pk]) + query)
    assert page.status_code == 200
    assert len(page.content) < LARGEST
    return page


def sent_fields(shown, **more):
    """Return the data that a browser sends with a review page, with these changes."""
    return {**Page(shown).form("seen").values, **more}


@pytest.fixture
def names_alone(request, signed_in, club):
    """Return a draft of many pairs of whom one person has a number of the register."""
    count = getattr(request, "param", 300)
    known = factories.player(club=club)
    lines = ["puesto;licencia;nombre;pareja;puntuación"]
    for place in range(1, count + 1):
        numbers = (known.number if place == 200 else "", "")
        lines += [
            f"{place};{number};Persona {place}{side};{place};{-place}"
            for number, side in zip(numbers, "ab", strict=True)
        ]
    return sent(signed_in, club, "\r\n".join(lines).encode(), name="Simultáneo")


@pytest.mark.parametrize("names_alone", [2_500], indirect=True)
def test_the_review_of_thousands_of_people_has_pages_of_those_who_need_something(
    signed_in, names_alone, django_assert_max_num_queries
):
    with django_assert_max_num_queries(40):
        first = review_of(signed_in, names_alone)
    part = first.context["part"]
    assert (part.number, part.total, part.first) == (1, 2_500, 1)
    assert len(first.context["people"].rows) == 50
    assert first.context["pending"]["count"] == 4_999
    last = review_of(signed_in, names_alone, f"?pagina={part.count}")
    assert "Persona 2500b" in last.content.decode()
    assert review_of(signed_in, names_alone, "?pagina=99999").context["part"].number == part.count
    assert review_of(signed_in, names_alone, "?pagina=-1").context["part"].number == 1


def test_a_button_for_another_page_saves_this_one_and_every_button_stays_on_its_page(signed_in, names_alone):
    url = reverse("upload_review", args=[names_alone.pk])
    page = review_of(signed_in, names_alone, "?pagina=3")
    key = page.context["people"].rows[0].key
    assert 'action="' + url + '?pagina=3"' in page.content.decode()
    data = sent_fields(page, **{f"who_{key}": "guest", "page": "4"})
    assert signed_in.post(f"{url}?pagina=3", data).url == f"{url}?pagina=4#people"
    assert review_of(signed_in, names_alone).context["pending"]["count"] == 598
    data = sent_fields(review_of(signed_in, names_alone, "?pagina=4"), action="people")
    assert signed_in.post(f"{url}?pagina=4", data).url == f"{url}?pagina=4#people"
    data = sent_fields(review_of(signed_in, names_alone, "?pagina=4"), **{"rows-shown": "1"})
    assert signed_in.post(f"{url}?pagina=4", data).url == f"{url}?pendientes=1#people"


def test_a_number_that_cannot_be_stored_stays_on_the_page_where_it_was_typed(signed_in, names_alone):
    page = review_of(signed_in, names_alone, "?pagina=3")
    wrong, guest = (row.key for row in page.context["people"].rows[-2:])
    data = sent_fields(page, action="people", **{f"number_{wrong}": "12x4", f"who_{guest}": "guest"})
    again = signed_in.post(f"{reverse('upload_review', args=[names_alone.pk])}?pagina=3", data)
    assert again.context["marked"]
    assert 'value="12x4"' in again.content.decode()
    assert len(again.content) < LARGEST


@pytest.fixture
def other_names(signed_in, club):
    """Return a draft of 40 pairs, all of whom have other names in the register."""
    pairs = factories.pairs(many_players(club, 80))
    for number, player in enumerate(player for pair in pairs for player in pair):
        player.given_name, player.surname = "Zoe", f"Quintana {number}"
    return sent(signed_in, club, csv_of(pairs), name="Pool")


def test_warnings_about_names_are_ticked_some_at_a_time_and_no_tick_is_lost(signed_in, other_names):
    url = reverse("upload_review", args=[other_names.pk])
    seen = set()
    for _page in range(6):
        page = review_of(signed_in, other_names)
        (group,) = [group for group in page.context["groups"] if group["personal"]]
        ticks = [item["tick"] for item in group["items"]]
        assert (len(ticks), group["count"]) == (15, 80), page.context["groups"]
        seen.update(ticks)
        assert signed_in.post(url, sent_fields(page, action="save", accept=ticks)).status_code == 302
        assert len(draft_of(ResultUpload.objects.get()).accepted) == len(seen)
    assert len(seen) == 80
    page = review_of(signed_in, other_names)
    signed_in.post(url, sent_fields(page, action="save", accept=[]))
    assert len(draft_of(ResultUpload.objects.get()).accepted) == 65  # those of the page are taken back


def test_people_recognised_by_name_need_no_page_of_their_own(signed_in, club):
    members = factories.players(80, club=club)
    Licence.objects.filter(player__in=members[70:]).delete()
    lines = ["puesto;licencia;nombre;pareja;puntuación"]
    for place, pair in enumerate(factories.pairs(members), start=1):
        lines += [f"{place};;{player.full_name};{place};{-place}" for player in pair]
    upload = sent(signed_in, club, "\r\n".join(lines).encode(), name="Pool")
    page = review_of(signed_in, upload)
    assert page.context["part"].count == 1 and page.context["people"].rows == []
    assert "80 de 80; con licencia, 70:" in page.context["summary"]
    assert "licencias" in page.context["headline"]
    assert page.context["meter"]["words"].startswith("70 de 80")
    assert page.context["pending"]["count"] == 10
    assert {*draft_of(ResultUpload.objects.get()).players} == {player.pk for player in members}


def test_ticks_of_other_and_of_hidden_names_are_counted_and_taken_back_together(signed_in, other_names):
    hidden = [str(700_000 + n) for n in range(8)]
    Player.objects.filter(number__in=hidden).update(hidden=True, club=factories.club())
    url = reverse("upload_review", args=[other_names.pk])
    for _page in range(6):
        page = review_of(signed_in, other_names)
        groups = [group for group in page.context["groups"] if group["personal"]]
        counts = {group["code"]: group["count"] for group in groups}
        assert counts == {code: {"name_hidden": 8, "name_differs": 72}[code] for code in counts}
        ticks = [item["tick"] for group in groups for item in group["items"]]
        assert len(ticks) == 15
        signed_in.post(url, sent_fields(page, action="save", accept=ticks))
    assert len(draft_of(ResultUpload.objects.get()).accepted) == 80
    page = review_of(signed_in, other_names)
    signed_in.post(url, sent_fields(page, action="save", accept=[]))
    assert len(draft_of(ResultUpload.objects.get()).accepted) == 65
