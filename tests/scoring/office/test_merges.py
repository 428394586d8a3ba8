"""The office's pages to merge two numbers of one person, and how other pages treat merged numbers."""

from datetime import date
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import PlayerMerge, Role
from scoring.ledger.models import LedgerEntry
from scoring.ledger.queries.awards import effective_awards
from scoring.ledger.services import posting, standings
from scoring.office.services import merges
from scoring.pages.queries.tournaments import seats_of
from tests import factories, second
from tests.pages import open_page
from tests.scoring.office.lists import issues, sent
from tests.scoring.uploads import makers
from tournaments.models import ResultUpload
from tournaments.services.drafts import draft_of
from ui.counting import counted_points

pytestmark = pytest.mark.django_db


@pytest.fixture
def four_players():
    standings.lock_states()
    return factories.players(4, category="2P")


@pytest.fixture
def merge_pair(four_players):
    name = {"given_name": four_players[0].given_name, "surname": four_players[0].surname}
    return four_players[0], factories.player(category="2D", **name)


def merge_url(duplicate, kept) -> str:
    return f"{reverse('merges')}?cede=0{duplicate.number}&queda={kept.number}"


def html_of(response) -> str:
    return unescape(response.content.decode())


# --- Merging --------------------------------------------------------------------------------------------
def test_the_page_shows_both_numbers_side_by_side_and_writes_nothing(office, four_players, merge_pair):
    duplicate, kept = merge_pair
    factories.scored(four_players[:2], four_players[2:])
    response = office.get(merge_url(duplicate, kept))
    text = html_of(response)
    assert response.status_code == 200 and not response.context["obstacles"]
    for shown in (duplicate.full_name, kept.full_name, str(duplicate.club), "2P", "2D"):
        assert shown in text
    assert response.context["other_category"] == "2P" and response.context["category"] == "2D"
    assert not PlayerMerge.objects.exists()


def test_what_a_number_has_none_of_agrees_in_gender(office, merge_pair):
    page = open_page(office, merge_url(*merge_pair))
    none = {row["Qué"]: set(row.values()) & {"ninguno", "ninguna"} for row in page.table("Los dos").records}
    assert none["Cuenta"] == {"ninguna"} and none["Puntos"] == {"ninguno"}


def test_two_numbers_are_merged_and_the_merge_is_undone(office, four_players, merge_pair):
    duplicate, kept = merge_pair
    factories.scored(four_players[:2], four_players[2:])
    committee = second.person()
    office.post(merge_url(duplicate, kept), {"reason": "Registered twice"})
    assert not PlayerMerge.objects.exists()
    second.approve_all(committee)
    made = PlayerMerge.objects.get()
    address = reverse("merge", args=[made.pk])
    assert (made.duplicate, made.kept, made.by) == (duplicate, kept, committee)
    assert "Registered twice" in html_of(office.get(address))
    assert "0 " not in open_page(office, address).lead
    assert duplicate.number in html_of(office.get(reverse("merges")))
    assert office.post(address, {"reason": ""}).status_code == 422
    assert office.post(address, {"reason": "They are two"}).status_code == 302
    assert PlayerMerge.objects.filter(undone_at=None).exists()
    second.approve_all(committee)
    made.refresh_from_db()
    assert (made.undone_reason, made.undone_by) == ("They are two", committee)
    assert "They are two" in html_of(office.get(address))
    assert office.post(address, {"reason": "Again"}).status_code == 422


@pytest.mark.parametrize("reason", ["", "  "])
def test_merging_needs_a_reason(office, merge_pair, reason):
    assert office.post(merge_url(*merge_pair), {"reason": reason}).status_code == 422
    assert not PlayerMerge.objects.exists()


def test_pressing_the_button_twice_merges_only_once(office, four_players, merge_pair):
    factories.scored(four_players[:2], four_players[2:])
    address = merge_url(*merge_pair)
    waiting = office.post(address, {"reason": "Registered twice"}).url
    assert waiting in html_of(office.get(address))
    twice = office.post(address, {"reason": "Registered twice"})
    assert twice.status_code == 422 and waiting in html_of(twice)
    second.approve_all()
    again = office.post(address, {"reason": "Registered twice"})
    assert again.status_code == 422 and merge_pair[1].number in str(again.context["find"].errors["cede"])
    assert PlayerMerge.objects.count() == 1


def test_a_form_of_another_site_can_neither_merge_nor_undo(office, merge_pair):
    client = Client(enforce_csrf_checks=True)
    client.force_login(office.account)
    assert client.post(merge_url(*merge_pair), {"reason": "Registered twice"}).status_code == 403
    made = merges.merge(*merge_pair, "Registered twice", office.account)
    assert client.post(reverse("merge", args=[made.pk]), {"reason": "They are two"}).status_code == 403
    assert PlayerMerge.objects.filter(undone_at=None).count() == 1


def test_obstacles_to_a_merge_are_shown_before_and_after_submitting(office, four_players):
    tournament = factories.scored(four_players[:2], four_players[2:], name="Copa de otoño")
    shown = office.get(merge_url(four_players[0], four_players[1]))
    assert tournament.name in " ".join(shown.context["obstacles"])
    assert "Registered" not in html_of(shown)
    refused = office.post(merge_url(four_players[0], four_players[1]), {"reason": "Registered twice"})
    assert refused.status_code == 422 and tournament.name in html_of(refused)
    assert office.get(merge_url(four_players[0], four_players[0])).context["obstacles"]
    assert not PlayerMerge.objects.exists()


def test_unknown_numbers_are_refused(office, merge_pair):
    duplicate, kept = merge_pair
    unknown = office.get(f"{reverse('merges')}?cede=99999999&queda={kept.number}")
    assert unknown.status_code == 422 and unknown.context["find"].errors["cede"]
    merges.merge(duplicate, kept, "Registered twice", None)
    merged = office.get(merge_url(duplicate, factories.player()))
    assert kept.number in str(merged.context["find"].errors["cede"])
    assert office.post(reverse("merges"), {"reason": "No numbers"}).status_code == 422


def test_auditors_can_see_merges_and_others_cannot(client, four_players, merge_pair):
    factories.scored(four_players[:2], four_players[2:])
    made = merges.merge(*merge_pair, "Registered twice", factories.office())
    another = merge_url(factories.player(), factories.player())
    auditor = factories.user()
    factories.role(auditor, Role.Kind.AUDITOR)
    for account, status in (
        (auditor, 200),
        (factories.user(), 403),
        (factories.director(merge_pair[1].club), 403),
    ):
        client.force_login(account)
        for address in (another, reverse("merge", args=[made.pk])):
            response = client.get(address)
            assert response.status_code == status
            assert b'method="post" class="form"' not in response.content
            assert client.post(address, {"reason": "No right to"}).status_code == 403
    assert PlayerMerge.objects.filter(undone_at=None).count() == 1


def test_the_number_of_queries_does_not_grow_with_listed_merges(office):
    asked = []
    for many in (1, 2):
        for _ in range(many):
            merges.merge(factories.player(), factories.player(), "Registered twice", office.account)
        with CaptureQueriesContext(connection) as queries:
            assert office.get(reverse("merges")).status_code == 200
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_the_number_of_queries_does_not_grow_with_awards_since_the_merge(office, four_players, merge_pair):
    duplicate, kept = merge_pair
    made = merges.merge(duplicate, kept, "Registered twice", office.account)
    asked = []
    for many in (1, 2):
        for _ in range(many):
            factories.scored((kept, four_players[1]), four_players[2:])
        with CaptureQueriesContext(connection) as queries:
            page = office.get(reverse("merge", args=[made.pk]))
        asked.append(len(queries))
    assert asked[0] == asked[1]
    assert html_of(page).count("/torneos/2026/") >= 3
    merges.undo(made.pk, "They are two", office.account)
    assert html_of(office.get(reverse("merge", args=[made.pk]))).count("/torneos/2026/") >= 3


# --- Public pages ---------------------------------------------------------------------------------------
def test_the_merged_number_leads_to_the_surviving_player(client, merge_pair):
    duplicate, kept = merge_pair
    merges.merge(duplicate, kept, "Registered twice", None)
    for address in (duplicate.get_absolute_url(), f"{reverse('search')}?q=00{duplicate.number}"):
        response = client.get(address)
        assert (response.status_code, response.url) == (302, kept.get_absolute_url())
    text = client.get(f"{reverse('players')}?q={duplicate.number}").content.decode()
    assert kept.get_absolute_url() in text and duplicate.get_absolute_url() not in text


def test_lists_omit_merged_numbers(client, office, four_players, merge_pair):
    duplicate, kept = merge_pair
    merges.merge(duplicate, kept, "Registered twice", None)
    for address in (
        reverse("players"),
        f"{reverse('players')}?q={duplicate.surname}",
        reverse("club", args=[duplicate.club.slug]),
        reverse("club_members", args=[duplicate.club.slug]),
    ):
        page = html_of(client.get(address))
        assert duplicate.number not in page, address
    assert four_players[1].number in page
    merges.undo(PlayerMerge.objects.get().pk, "They are two", None)
    assert duplicate.number in html_of(client.get(reverse("players")))


def test_tournaments_name_the_surviving_player_or_the_number_if_hidden(client, four_players, merge_pair):
    duplicate, kept = merge_pair
    kept.given_name = "Zoe"
    kept.save()
    tournament = factories.scored(four_players[:2], four_players[2:])
    merges.merge(duplicate, kept, "Registered twice", None)
    page = html_of(client.get(tournament.get_absolute_url()))
    assert kept.full_name in page and duplicate.full_name not in page
    seats = [person for people in seats_of(tournament.published_id).values() for person in people]
    assert kept.pk in {person["player_id"] for person in seats}
    points = effective_awards(tournament).get(player=kept).points
    assert (
        client.get(tournament.get_absolute_url())
        .context["winners"][0]
        .endswith(f": {counted_points(points)}")
    )
    kept.hidden = True
    kept.save()
    page = html_of(client.get(tournament.get_absolute_url()))
    assert kept.full_name not in page and duplicate.full_name not in page and kept.number in page


def test_the_receipt_says_from_which_merged_number_points_came(client, four_players, merge_pair):
    duplicate, kept = merge_pair
    factories.scored(four_players[:2], four_players[2:])
    origin = LedgerEntry.objects.get(player=duplicate)
    merges.merge(duplicate, kept, "Registered twice", None)
    moved = LedgerEntry.objects.get(player=kept)
    page = html_of(client.get(reverse("award", args=[kept.number, moved.pk])))
    old = reverse("award", args=[duplicate.number, origin.pk])
    assert old in page and duplicate.number in page
    receipt = client.get(old)
    assert receipt.context["receipt"].agrees and receipt.context["name"] == kept.full_name
    reversal = reverse("award", args=[duplicate.number, origin.reversed_by.pk])
    assert reversal in html_of(receipt)
    assert "Registered twice" in html_of(client.get(reversal))
    page = html_of(client.get(kept.get_absolute_url()))
    assert reverse("award", args=[kept.number, moved.pk]) in page


def test_the_surviving_players_page_lists_tournaments_that_did_not_count(client, four_players, merge_pair):
    tournament = factories.scored(four_players[:2], four_players[2:], boards=10, name="Pool corto")
    merges.merge(*merge_pair, "Registered twice", None)
    assert tournament.name in html_of(client.get(merge_pair[1].get_absolute_url()))


# --- Uploads and imports --------------------------------------------------------------------------------
def test_a_merged_number_in_a_file_means_the_surviving_player(client):
    club = factories.club()
    pairs = factories.pairs(factories.players(8, club=club, category="2P"))
    duplicate, kept = pairs[0][0], factories.player(category="2P")
    merges.merge(duplicate, kept, "Registered twice", None)
    client.force_login(factories.director(club))
    upload = makers.sent(client, club, makers.csv_of(pairs))
    response = upload.issues.get(code="merged_number")
    assert (response.severity, response.line, response.value) == ("info", 2, duplicate.number)
    assert response.params["kept"] == kept.number
    makers.tick_and_confirm(client, upload)
    upload.refresh_from_db()
    seated = set(upload.revision.seats.values_list("player", flat=True))
    assert kept.pk in seated and duplicate.pk not in seated


def test_a_file_with_both_numbers_of_one_player_is_an_error(client):
    club = factories.club()
    pairs = factories.pairs(factories.players(8, club=club, category="2P"))
    duplicate, kept = pairs[0][0], pairs[3][1]
    merges.merge(duplicate, kept, "Registered twice", None)
    client.force_login(factories.director(club))
    upload = makers.sent(client, club, makers.csv_of(pairs))
    response = upload.issues.get(code="same_person")
    assert (response.severity, response.value, response.params["first"]) == (
        "error",
        kept.number,
        duplicate.number,
    )
    assert draft_of(upload).repeated == {(0, 0), (3, 1)}
    client.post(reverse("upload_confirm", args=[upload.pk]))
    upload.refresh_from_db()
    assert upload.state == ResultUpload.State.REVIEW


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        ("players", "{};Ana;Prado Gil;;no"),
        ("licences", "{};2026;;;;"),
        ("categories", "{};2♠;01/01/2026;Acta 3"),
        ("opening", "{};14/03/2026;Pool de marzo;Presencial;12,5"),
    ],
)
def test_imported_lists_refuse_a_merged_number_and_name_the_surviving_one(office, merge_pair, kind, row):
    duplicate, kept = merge_pair
    merges.merge(duplicate, kept, "Registered twice", None)
    batch = sent(office, kind, row.format(duplicate.number))
    assert issues(batch) == [("number_merged", 2)]
    page = office.get(reverse("office_import_review", args=[batch.pk]))
    assert kept.number in html_of(page)


def test_a_merged_number_cannot_get_a_category(office, merge_pair):
    duplicate, kept = merge_pair
    merges.merge(duplicate, kept, "Registered twice", None)
    response = office.get(f"{reverse('category_assign')}?numero={duplicate.number}")
    assert response.status_code == 422 and kept.number in html_of(response)


def test_opening_points_move_with_a_merge_too(office, merge_pair):
    duplicate, kept = merge_pair
    posting.post_opening(
        [posting.OpeningRow(duplicate.pk, date(2025, 10, 1), "Old points", False, 500)], None
    )
    merges.merge(duplicate, kept, "Registered twice", None)
    moved = LedgerEntry.objects.get(player=kept)
    assert (moved.title, moved.points, moved.tournament) == ("Old points", 500, None)
    origin = LedgerEntry.objects.get(player=duplicate, kind="opening")
    page = html_of(office.get(reverse("award", args=[kept.number, moved.pk])))
    assert reverse("award", args=[duplicate.number, origin.pk]) in page
