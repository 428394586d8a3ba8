"""The boards of teams and of individual events: traveller, card, matches, units, and their correction."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse

from tests import factories as make
from tests.pages import open_page
from tests.scoring.pages.test_queries import query_count
from tournaments.boards import INDIVIDUAL, TEAMS, BoardRow, store_boards
from tournaments.models import ResultUpload, Tournament
from tournaments.services.drafts import draft_of

pytestmark = pytest.mark.django_db


def result(board: int, ns: int, ew: int, score: int, **fields) -> BoardRow:
    return BoardRow(board, "", ns, ew, score, **{"contract": "4S", "declarer": "N", "tricks": 10, **fields})


# Teams 1 and 2 play boards 1 and 2, and teams 1 and 3 board 3: 10 IMPs for team 1, none, and 3 against it.
MATCHES = (
    result(1, 1, 2, 420, round=1),
    result(1, 2, 1, -50, round=1, tricks=9),
    result(2, 1, 2, 420, round=1),
    result(2, 2, 1, 420, round=1),
    result(3, 1, 3, -100, round=2, tricks=8),
    result(3, 3, 1, 0, round=2, contract="PASS", declarer="", tricks=None),
)
# Four players, who change partners.
CHANGES = (
    result(1, 1, 3, 420, ns_partner=2, ew_partner=4),
    result(1, 5, 7, -50, ns_partner=6, ew_partner=8, tricks=9),
    result(2, 1, 2, 450, ns_partner=3, ew_partner=4, tricks=11),
)


@pytest.fixture
def stored(today):
    """Return a function that stores and scores a tournament of teams or individuals with boards."""

    def made(kind: str, rows, scores, size: int, **fields) -> Tournament:
        people = make.players(size * len(scores), category="2P")
        contestants = [people[k * size : k * size + size] for k in range(len(scores))]
        places = [1 + sum(other > score for other in scores) for score in scores]
        tournament = make.scored(
            *contestants, places=places, format=kind, end_date=today - timedelta(days=5), **fields
        )
        revision = tournament.published
        is_team = kind == "teams"
        for score, contestant in zip(scores, revision.contestants.order_by("position"), strict=True):
            setattr(contestant, "score" if is_team else "percentage", Decimal(score))
            contestant.label = str(contestant.position)
            contestant.save()
        store_boards(revision, TEAMS if is_team else INDIVIDUAL, rows)
        if is_team:
            revision.unit = "imps"
            revision.save()
        return Tournament.objects.get(pk=tournament.pk)

    return made


@pytest.fixture
def teams(stored):
    return stored("teams", MATCHES, [7, -10, 3], 4)


@pytest.fixture
def individual(stored):
    return stored("individual", CHANGES, [75, 75, 25, 25, 0, 0, 100, 100], 1)


def rows_of(client, url: str, table: int = 0) -> list[str]:
    return [" ".join(row) for row in open_page(client, url).tables[table].rows]


def test_a_teams_card_shows_its_matches_and_both_rooms(client, teams):
    url = f"{teams.get_absolute_url()}tarjetas/1/"
    matches = rows_of(client, url)
    assert "2 10,00 0,00 10,00" in matches[0] and "1 0,00 3,00 −3,00" in matches[1]
    boards = rows_of(client, url, 1)
    assert len(boards) == 6
    assert "420" in boards[0] and "10,00" in boards[0] and "50" in boards[1] and "10,00" in boards[1]
    page = open_page(client, url)
    assert "7 IMP" in page.text


def test_a_traveller_of_teams_has_the_imps_of_both_rooms(client, teams):
    rows = rows_of(client, f"{teams.get_absolute_url()}manos/1/")
    assert "420" in rows[0] and "10,00" in rows[0] and "−50" in rows[1] and "−10,00" in rows[1]
    ranking = open_page(client, teams.get_absolute_url())
    assert "IMP" in ranking.table("Puestos y puntos").heads
    assert f"{teams.get_absolute_url()}tarjetas/1/" in ranking.addresses
    assert f"{teams.get_absolute_url()}fuerza/" not in ranking.addresses
    assert client.get(f"{teams.get_absolute_url()}fuerza/").status_code == 404


def test_an_individual_card_shows_the_partners(client, individual):
    page = open_page(client, f"{individual.get_absolute_url()}tarjetas/1/")
    assert ": tarjeta del jugador 1" in page.title
    assert "Compañero" in page.table().heads
    rows = [" ".join(row) for row in page.table().rows]
    assert "100,00" in rows[0] and "50,00" in rows[1]
    cards = f"{individual.get_absolute_url()}tarjetas/"
    assert {f"{cards}2/", f"{cards}3/", f"{cards}4/"} <= set(page.addresses)


def test_a_traveller_of_an_individual_event_names_all_four(client, individual):
    page = open_page(client, f"{individual.get_absolute_url()}manos/1/")
    cards = f"{individual.get_absolute_url()}tarjetas/"
    assert {f"{cards}{position}/" for position in range(1, 9)} <= set(page.addresses)


@pytest.mark.parametrize("path", ["manos/", "manos/1/", "tarjetas/1/"])
def test_more_boards_need_no_more_queries(client, stored, path):
    one = stored("teams", MATCHES[:2], [10, -10, 0], 4)
    more = stored("teams", MATCHES, [7, -10, 3], 4)
    assert query_count(client, one.get_absolute_url() + path) == query_count(
        client, more.get_absolute_url() + path
    )


def correct(client, tournament: Tournament, index: int, **values) -> ResultUpload:
    client.force_login(make.director(tournament.club))
    pk = tournament.published.boards.order_by("pk")[index].pk
    form = {"kind": "contract", "level": "4", "strain": "S", "doubled": "", "declarer": "N", "reason": "Mal"}
    assert client.post(reverse("upload_correct_board", args=[pk]), {**form, **values}).status_code == 302
    return ResultUpload.objects.get()


def test_a_board_of_teams_is_corrected_in_imps(client, teams):
    upload = correct(client, teams, 1, tricks="10")
    figures = {row.label: row.score for row in draft_of(upload).rows}
    assert figures == {"1": -3, "2": 0, "3": 3}


def test_a_board_of_an_individual_event_is_corrected(client, individual):
    upload = correct(client, individual, 1, tricks="11")
    figures = {row.label: row.percentage for row in draft_of(upload).rows}
    # On board 1 the four of the second table now do better; board 2 was played once.
    assert figures == {"1": 25, "2": 25, "3": 75, "4": 75, "5": 100, "6": 100, "7": 0, "8": 0}
