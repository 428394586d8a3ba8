"""A director corrects the result of a single board: the ranking and the points follow."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.services import proposals
from scoring.annulments import annulment_act
from scoring.ledger.services import runs
from scoring.strength.services import store_figures
from scoring.uploads.services.review import review_of
from tests import factories
from tests.pages import client_of, open_page
from tests.scoring.uploads.makers import codes, sent, tick_and_confirm, usebio_of
from tournaments import drafts
from tournaments.boards import (
    IMPS,
    MATCHPOINTS,
    BoardRow,
    store_boards,
    store_deals,
    store_upload_boards,
)
from tournaments.formats import cards
from tournaments.formats.contestants import line_reference
from tournaments.formats.types import BoardResult, Entry
from tournaments.models import ResultUpload, Tournament
from tournaments.services import board_changes, uploads
from tournaments.services.board_origin import erased_of
from tournaments.services.stored import stored_result

pytestmark = pytest.mark.django_db
HANDS = dict(
    zip("NESW", ["KQT6.AJT.T984.65", "A2.K9876.72.9742", "J543.43.AQ5.AKJ3", "987.Q52.KJ63.QT8"], strict=True)
)


def played(board: int, ns: int, ew: int, score: int, tricks: int) -> BoardRow:
    return BoardRow(board, "", ns, ew, score, contract="4S", declarer="N", tricks=tricks)


# Pair 1 wins both boards, pair 2 loses both.
ROWS = (played(1, 1, 2, 420, 10), played(1, 3, 4, -50, 9), played(2, 1, 2, 450, 11), played(2, 3, 4, 420, 10))
PERCENTAGES = ("100", "0", "0", "100")


@pytest.fixture
def make_session(club, pairs):
    """Return a function that stores and scores a pool of four pairs whose ranking follows from its boards."""

    def made(figures=PERCENTAGES, rows=ROWS, scored=MATCHPOINTS, column="percentage") -> Tournament:
        values = [Decimal(figure) for figure in figures]
        places = [1 + sum(other > value for other in values) for value in values]
        tournament = factories.scored(*pairs, of=club, places=places)
        revision = tournament.published
        for position, contestant in enumerate(revision.contestants.order_by("position"), start=1):
            assert contestant.position == position
            setattr(contestant, column, values[position - 1])
            contestant.label = str(position)
            contestant.save()
        store_boards(revision, scored, rows)
        store_deals(revision, [cards.make_deal(1, HANDS)], rows)
        store_figures(revision)
        return Tournament.objects.get(pk=tournament.pk)

    return made


def address(tournament: Tournament, index: int) -> str:
    return reverse("upload_correct_board", args=[tournament.published.boards.order_by("pk")[index].pk])


def form(**values) -> dict[str, str]:
    """Return form data for 4 spades by North with ten tricks. `values` replace fields."""
    play = {"kind": "contract", "level": "4", "strain": "S", "doubled": "", "declarer": "N", "tricks": "10"}
    return {**play, "reason": "Mal anotada", **values}


def ranking(upload: ResultUpload) -> list[tuple[int, str, Decimal]]:
    rows = review_of(upload).draft.rows
    return [(row.place, row.label, row.score if row.percentage is None else row.percentage) for row in rows]


def test_a_correction_ranks_and_scores_again_and_shows_the_difference(signed_in, make_session):
    tournament = make_session()
    url = tournament.get_absolute_url()
    assert address(tournament, 1) in open_page(signed_in, f"{url}manos/1/", yo=1).addresses
    assert "4 picas por Norte, 9 bazas, −50" in open_page(signed_in, address(tournament, 1)).text
    # Pair 3 made eleven tricks, not nine: better than pair 1 on that board.
    response = signed_in.post(address(tournament, 1), form(tricks="11"))
    upload = ResultUpload.objects.get()
    assert response.url == reverse("upload_confirm", args=[upload.pk])
    assert ranking(upload) == [(1, "1", 50), (1, "2", 50), (1, "3", 50), (1, "4", 50)]
    rows = {row[0][0]: " ".join(row) for row in open_page(signed_in, response.url).table().rows}
    assert "100,00\xa0% → 50,00\xa0%" in rows["1"] and "0,00\xa0% → 50,00\xa0%" in rows["3"]
    signed_in.post(response.url)
    upload.refresh_from_db()
    runs.score(upload.revision.runs.get().pk)
    revision = Tournament.objects.get(pk=tournament.pk).published
    assert (revision.number, revision.reason) == (2, "Mal anotada")
    stored = revision.boards.order_by("pk")[1]
    assert (stored.contract, stored.tricks, stored.score) == ("4S", 11, 450)
    assert revision.deals.count() == 1
    page = open_page(signed_in, f"{url}manos/1/")
    assert "450" in " ".join(page.table().rows[0])


def test_a_penalty_stays_and_only_the_difference_of_the_board_is_added(signed_in, make_session):
    tournament = make_session(figures=("97.5", "0", "0", "100"))
    signed_in.post(address(tournament, 1), form(tricks="11"))
    upload = ResultUpload.objects.get()
    assert ranking(upload)[-1] == (4, "1", Decimal("47.5"))
    assert "board_difference_kept" in codes(upload)


@pytest.mark.parametrize(
    ("values", "stored"),
    [
        ({"kind": "score", "score": "-100"}, (-100, None, None, "")),
        ({"kind": "adjusted", "ns": "60", "ew": "40"}, (None, 60, 40, "")),
        ({"level": "PASS"}, (0, None, None, "PASS")),
        ({"doubled": "X", "tricks": "8", "declarer": "E"}, (300, None, None, "4SX")),
    ],
)
def test_a_result_is_a_score_a_percentage_or_a_contract(signed_in, make_session, values, stored):
    signed_in.post(address(make_session(), 0), form(**values))
    upload = ResultUpload.objects.get()
    tick_and_confirm(signed_in, upload)
    upload.refresh_from_db()
    result = upload.revision.boards.earliest("pk")
    assert (result.score, result.adjusted_ns, result.adjusted_ew, result.contract) == stored


def test_a_line_is_erased_and_its_pairs_exchanged(signed_in, make_session):
    tournament = make_session()
    signed_in.post(address(tournament, 0), form(kind="none"))
    signed_in.post(address(tournament, 2), form(exchanged="on", tricks="11"))
    upload = ResultUpload.objects.get()
    assert len(board_changes.changes_of(upload)) == 2
    tick_and_confirm(signed_in, upload)
    upload.refresh_from_db()
    results = upload.revision.boards.order_by("pk").select_related("ns", "ew")
    assert [(item.board, item.ns.label, item.ew.label) for item in results] == [
        (1, "3", "4"),
        (2, "2", "1"),
        (2, "3", "4"),
    ]


def test_undoing_the_change_leaves_the_ranking_as_it_was(signed_in, make_session):
    tournament = make_session(figures=("97.5", "0", "0", "100"))
    signed_in.post(address(tournament, 1), form(tricks="11"))
    upload = ResultUpload.objects.get()
    board_changes.change(upload, 1, None)
    upload.refresh_from_db()
    assert sorted(ranking(upload), key=lambda row: row[1]) == [
        (2, "1", Decimal("97.5")),
        (3, "2", 0),
        (3, "3", 0),
        (1, "4", 100),
    ]
    assert codes(upload) == {"boards_assumed"}


@pytest.mark.parametrize(
    "figures",
    [("10.5", "-10.5", "-10.5", "10.5"), ("40", "30", "20", "10")],
    ids=["from the boards", "not from the boards"],
)
def test_undoing_a_change_gives_all_results_of_its_board_their_points_again(signed_in, make_session, figures):
    # The lines of board 1 state 9.5 for the 10 IMPs that follow from its scores, as another scale might give.
    stated = [Decimal(points) for points in ("9.5", "-9.5", "1", "-1")]
    rows = [replace(row, stated=(own, -own)) for row, own in zip(ROWS, stated, strict=True)]
    tournament = make_session(figures, rows, IMPS, "score")
    before = stored_result(tournament.published)
    signed_in.post(address(tournament, 1), form(tricks="10"))
    upload = ResultUpload.objects.get()
    board_changes.change(upload, 3, replace(before.boards[3], score="400"))
    upload.refresh_from_db()
    twice = ranking(upload)
    for again in ("450", "400"):
        board_changes.change(upload, 3, replace(before.boards[3], score=again))
    upload.refresh_from_db()
    assert ranking(upload) == twice
    board_changes.change(upload, 1, None)
    board_changes.change(upload, 3, None)
    upload.refresh_from_db()
    assert tuple(map(BoardResult.from_json, upload.parsed["boards"])) == before.boards


def test_sums_of_matchpoints_beside_percentages_follow_if_they_are_those_of_the_boards(
    signed_in, make_session
):
    tournament = make_session()
    for contestant, points in zip(
        tournament.published.contestants.order_by("position"), (4, 0, 0, 4), strict=True
    ):
        contestant.score = points
        contestant.save()
    signed_in.post(address(tournament, 1), form(tricks="11"))
    upload = ResultUpload.objects.get()
    assert [entry["score"] for entry in upload.parsed["entries"]] == ["2", "2", "2", "2"]


def test_other_scores_beside_percentages_are_left_out(signed_in, make_session):
    tournament = make_session()
    tournament.published.contestants.update(score=Decimal("12.5"))
    signed_in.post(address(tournament, 1), form(tricks="11"))
    upload = ResultUpload.objects.get()
    assert {entry["score"] for entry in upload.parsed["entries"]} == {None}


def test_another_contract_with_the_same_score_leaves_the_ranking_as_it_was(signed_in, make_session):
    tournament = make_session(figures=("97.5", "0", "0", "100"))
    contestants = tournament.published.contestants
    # Neither places nor scores follow from the boards.
    contestants.filter(position=1).update(place=1, score=Decimal("12.5"))
    contestants.filter(position=4).update(place=2)
    before = stored_result(tournament.published).entries
    signed_in.post(address(tournament, 0), form(strain="H"))
    upload = ResultUpload.objects.get()
    assert upload.parsed["boards"][0]["contract"] == "4H"
    assert tuple(map(Entry.from_json, upload.parsed["entries"])) == before
    assert "board_places_computed" not in codes(upload)


def test_imps_are_those_of_the_way_in_which_the_others_were_computed(signed_in, make_session):
    # Cross-IMPs: 470 and 30 points of difference are 10 and 1 IMPs, added up.
    tournament = make_session(("11", "-11", "-11", "11"), scored=IMPS, column="score")
    signed_in.post(address(tournament, 1), form(tricks="10"))
    assert dict(row[1:] for row in ranking(ResultUpload.objects.get())) == {"1": 1, "2": -1, "3": -1, "4": 1}


def test_a_ranking_that_does_not_follow_from_its_boards_stays_or_is_edited_by_hand(signed_in, make_session):
    tournament = make_session(("400", "300", "200", "100"), scored=IMPS, column="score")
    response = signed_in.post(address(tournament, 1), form(tricks="10"))
    upload = ResultUpload.objects.get()
    assert response.url == reverse("upload_review", args=[upload.pk])
    assert "boards_not_ranked" in codes(upload)
    assert ranking(upload) == [(1, "1", 400), (2, "2", 300), (3, "3", 200), (4, "4", 100)]
    entries = [replace(entry, place=None, score="250") for entry in review_of(upload).draft.entries[:1]]
    uploads.replace_entries(upload, [*entries, *review_of(upload).draft.entries[1:]])
    confirmed(signed_in, upload)
    assert scores(tournament) == [420, 420, 450, 420]
    assert [row.score for row in tournament.revisions.get(number=2).contestants.all()] == [300, 250, 200, 100]


def test_results_in_imps_follow_the_scores_although_the_lines_state_other_imps(signed_in, make_session):
    # 470 and 30 points of difference are 10 and 1 IMPs; the lines of board 2 state 2.
    stated = [Decimal(imps) for imps in (10, -10, 2, -2)]
    rows = [replace(row, stated=(own, -own)) for row, own in zip(ROWS, stated, strict=True)]
    tournament = make_session(("11", "-11", "-11", "11"), rows, IMPS, "score")
    signed_in.post(address(tournament, 1), form(tricks="10"))
    upload = ResultUpload.objects.get()
    assert dict(row[1:] for row in ranking(upload)) == {"1": 1, "2": -1, "3": -1, "4": 1}
    assert "boards_not_ranked" not in codes(upload)


def test_percentages_that_do_not_follow_from_the_boards_stay_and_are_asked_about(signed_in, make_session):
    tournament = make_session(("90", "80", "20", "10"))
    response = signed_in.post(address(tournament, 1), form(tricks="11"))
    upload = ResultUpload.objects.get()
    assert response.url == reverse("upload_review", args=[upload.pk])
    assert "boards_not_ranked" in codes(upload)
    assert ranking(upload) == [(1, "1", 90), (2, "2", 80), (3, "3", 20), (4, "4", 10)]


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ({"tricks": ""}, "tricks"),
        ({"strain": "Z"}, "strain"),
        ({"kind": "score", "score": "99999999"}, "score"),
        ({"kind": "adjusted", "ns": "60"}, "ew"),
        ({"kind": "?"}, "kind"),
        ({"reason": ""}, "reason"),
    ],
)
def test_what_is_missing_or_impossible_is_asked_for(signed_in, make_session, values, wrong):
    response = signed_in.post(address(make_session(), 0), form(**values))
    assert set(response.context["form"].errors) == {wrong}
    assert not ResultUpload.objects.exists()


def test_only_who_may_correct_the_tournament_sees_the_links(client, make_session):
    tournament = make_session()
    board = f"{tournament.get_absolute_url()}manos/1/"
    assert address(tournament, 1) not in open_page(client, board).addresses
    near, far = factories.director(tournament.club), factories.director(factories.club())
    offered = {
        user: address(tournament, 1) in open_page(client_of(user), board, yo=1).addresses
        for user in (near, far)
    }
    assert offered == {near: True, far: False}
    client.force_login(far)
    assert client.post(address(tournament, 1), form()).status_code == 403


def test_no_board_is_offered_while_an_annulment_waits(signed_in, director, make_session):
    tournament = make_session()
    board = f"{tournament.get_absolute_url()}manos/1/"
    assert address(tournament, 1) in open_page(signed_in, board, yo=1).addresses
    annulment_act.request(tournament, "annulled", "Repetido", director)
    assert address(tournament, 1) not in open_page(signed_in, board, yo=1).addresses


def test_a_board_is_not_corrected_while_an_annulment_waits(signed_in, director, make_session):
    tournament = make_session()
    proposal = annulment_act.request(tournament, "annulled", "Repetido", director)
    signed_in.post(address(tournament, 1), form(tricks="11"))
    upload = ResultUpload.objects.get()
    tick_and_confirm(signed_in, upload)
    upload.refresh_from_db()
    assert upload.state == ResultUpload.State.REVIEW and tournament.revisions.count() == 1
    page = open_page(signed_in, upload.get_absolute_url())
    assert proposal.get_absolute_url() in page.addresses
    proposals.withdraw(proposal.pk, director)
    tick_and_confirm(signed_in, upload)
    assert tournament.revisions.count() == 2


def test_a_board_of_an_older_ranking_is_not_corrected(signed_in, make_session):
    tournament = make_session()
    old = address(tournament, 1)
    signed_in.post(old, form(tricks="11"))
    tick_and_confirm(signed_in, ResultUpload.objects.get())
    assert signed_in.get(old).url == tournament.get_absolute_url()


@pytest.mark.parametrize("pk", [0, 10**18, 10**30])
def test_a_board_result_that_does_not_exist_is_not_found(signed_in, pk):
    assert signed_in.get(reverse("upload_correct_board", args=[pk])).status_code == 404


def test_a_correction_takes_as_many_queries_for_more_boards(signed_in, make_session):
    counts = []
    for rows in (ROWS, [*ROWS, played(3, 1, 2, 420, 10), played(3, 3, 4, 420, 10)]):
        tournament = make_session(figures=("100", "0", "0", "100"), rows=rows)
        with CaptureQueriesContext(connection) as queries:
            signed_in.get(address(tournament, 1))
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 25


# --- Several corrections of one tournament ----------------------------------------------------------------
def confirmed(client, upload: ResultUpload) -> None:
    """Confirm a draft, and score it."""
    tick_and_confirm(client, upload)
    upload.refresh_from_db()
    runs.score(upload.revision.runs.get().pk)


def scores(tournament: Tournament) -> list[int | None]:
    revision = tournament.revisions.order_by("number").last()
    return [result.score for result in revision.boards.order_by("board", "pk")]


@pytest.fixture
def colleague(client, club):
    """Return a signed-in client of a second director of the club."""
    other = Client()
    other.force_login(factories.director(club))
    return other


def test_boards_that_a_colleague_corrected_meanwhile_stay_corrected(signed_in, colleague, make_session):
    tournament = make_session()
    signed_in.post(address(tournament, 1), form(tricks="11", reason="Mano 1"))
    colleague.post(address(tournament, 3), form(tricks="12", reason="Mano 2"))
    mine, theirs = ResultUpload.objects.order_by("created_at")
    confirmed(colleague, theirs)
    now = Tournament.objects.get(pk=tournament.pk).published
    shares = {row.label: f"{row.percentage:.2f}".replace(".", ",") for row in now.contestants.all()}
    page = open_page(signed_in, reverse("upload_confirm", args=[mine.pk]))
    for row in page.table().rows:
        assert f"{shares[row[0][0]]}\xa0% →" in row[1]
    mine.refresh_from_db()
    assert "corrections_joined" in codes(mine)
    confirmed(signed_in, mine)
    assert scores(tournament) == [420, 450, 450, 680]
    assert tournament.revisions.order_by("number").last().reason == "Mano 1"


def test_a_board_that_two_correct_differently_is_asked_about(signed_in, colleague, make_session):
    tournament = make_session()
    signed_in.post(address(tournament, 1), form(tricks="11"))
    colleague.post(address(tournament, 1), form(tricks="10"))
    mine, theirs = ResultUpload.objects.order_by("created_at")
    confirmed(colleague, theirs)
    page = open_page(signed_in, reverse("upload_review", args=[mine.pk]))
    assert "la otra corrección da 420 y esta 450, que contaría" in page.text
    colleague.post(address(Tournament.objects.get(), 3), form(tricks="9"))
    confirmed(colleague, ResultUpload.objects.exclude(pk__in=[mine.pk, theirs.pk]).get())
    assert "y esta 450, que contaría" in open_page(signed_in, reverse("upload_review", args=[mine.pk])).text
    mine.refresh_from_db()
    board_changes.change(mine, 1, None)
    mine.refresh_from_db()
    assert "board_corrected_twice" not in codes(mine) and scores(tournament) == [420, 420, 450, -100]


def test_what_a_colleague_corrected_in_the_same_way_is_left_to_discard(signed_in, colleague, make_session):
    tournament = make_session()
    for client in (signed_in, colleague):
        client.post(address(tournament, 1), form(tricks="11"))
    mine, theirs = ResultUpload.objects.order_by("created_at")
    confirmed(colleague, theirs)
    open_page(signed_in, reverse("upload_review", args=[mine.pk]))
    mine.refresh_from_db()
    assert board_changes.changes_of(mine) == {} and not review_of(mine).ready


def test_a_line_that_a_colleague_erased_is_asked_about(signed_in, colleague, make_session):
    tournament = make_session()
    signed_in.post(address(tournament, 1), form(tricks="11"))
    colleague.post(address(tournament, 1), form(kind="none"))
    mine, theirs = ResultUpload.objects.order_by("created_at")
    confirmed(colleague, theirs)
    assert scores(tournament) == [420, 450, 420]
    open_page(signed_in, reverse("upload_review", args=[mine.pk]))
    mine.refresh_from_db()
    assert "board_corrected_twice" in codes(mine)
    confirmed(signed_in, mine)
    assert sorted(scores(tournament)) == [420, 420, 450, 450]


def test_corrected_data_of_the_tournament_stay_corrected(signed_in, colleague, make_session):
    tournament = make_session()
    signed_in.post(address(tournament, 1), form(tricks="11"))
    colleague.post(address(tournament, 3), form(tricks="12"))
    mine, theirs = ResultUpload.objects.order_by("created_at")
    theirs.details = {**theirs.details, "name": "Pool del martes"}
    theirs.save()
    confirmed(colleague, theirs)
    confirmed(signed_in, mine)
    assert Tournament.objects.get(pk=tournament.pk).name == "Pool del martes"


def test_boards_of_another_ranking_are_not_corrected(signed_in, colleague, make_session):
    tournament = make_session()
    signed_in.post(address(tournament, 1), form(tricks="11"))
    colleague.post(address(tournament, 3), form(tricks="12"))
    mine, theirs = ResultUpload.objects.order_by("created_at")
    theirs.parsed["entries"][0]["number"] = "9"
    theirs.save()
    confirmed(colleague, theirs)
    page = open_page(signed_in, reverse("upload_review", args=[mine.pk]))
    assert "no se pueden corregir en la nueva" in page.text
    assert [item.code for item in review_of(mine).issues if item.severity == "error"] == [
        "correction_outdated"
    ]


def test_a_correction_whose_boards_are_all_undone_is_refused(signed_in, make_session):
    signed_in.post(address(make_session(), 1), form(tricks="11"))
    upload = ResultUpload.objects.get()
    board_changes.change(upload, 1, None)
    upload.refresh_from_db()
    assert upload.errors == 1
    response = tick_and_confirm(signed_in, upload)
    assert response.url == reverse("upload_review", args=[upload.pk])
    page = open_page(signed_in, response.url)
    assert "no cambia nada" in page.text and "Descartar esta corrección" in page.text


def test_the_reason_is_that_of_the_boards_still_corrected(signed_in, make_session):
    tournament = make_session()
    for index, reason in ((3, "Mano 2: contrato."), (1, "Mano 1: bazas."), (0, "Mano 1: pareja.")):
        signed_in.post(address(tournament, index), form(tricks="12", reason=reason))
    upload = ResultUpload.objects.get()
    assert upload.correction_reason == "Mano 1: pareja. Mano 1: bazas. Mano 2: contrato."
    board_changes.change(upload, 1, None)
    upload.refresh_from_db()
    assert upload.correction_reason == "Mano 1: pareja. Mano 2: contrato."


def test_the_director_edits_the_reason_before_confirming(signed_in, make_session):
    tournament = make_session()
    response = signed_in.post(address(tournament, 1), form(tricks="11", reason="Mano 1: bazas."))
    upload = ResultUpload.objects.get()
    assert "Mano 1: bazas." in open_page(signed_in, response.url).text
    refused = signed_in.post(response.url, {"reason": " "})
    assert refused.status_code == 200 and "reason" in refused.context["reason"].errors
    uploads.change_reason(upload, "Reclamación aceptada. Mano 1: bazas.")
    signed_in.post(address(tournament, 3), form(tricks="12", reason="Mano 2: contrato."))
    upload.refresh_from_db()
    assert upload.correction_reason == "Reclamación aceptada. Mano 1: bazas. Mano 2: contrato."
    board_changes.change(upload, 1, None)
    signed_in.post(response.url, {"reason": "Reclamación aceptada."})
    assert tournament.revisions.get(number=2).reason == "Reclamación aceptada."


def test_a_file_that_takes_back_corrected_boards_says_which(signed_in, club, pairs, make_session):
    rows = [played(board, ns, ns + 1, 420, 10) for board in (1, 2) for ns in (1, 3)]
    tournament = make_session(figures=["50"] * 4, rows=rows)
    signed_in.post(address(tournament, 1), form(tricks="11"))
    confirmed(signed_in, ResultUpload.objects.get())
    file = usebio_of(pairs, boards=2)
    upload = sent(signed_in, club, file, "martes.xml", f"?corrige={tournament.pk}", reason="Faltaba")
    issue = upload.issues.get(code="boards_go_back")
    assert issue.value == "1"


# --- What the form of a board takes ----------------------------------------------------------------------
def test_a_score_that_no_contract_gives_is_asked_about(signed_in, make_session):
    tournament = make_session()
    values = {"kind": "score", "score": "4200"}  # board 1 has a deal: nobody is vulnerable
    page = signed_in.post(address(tournament, 1), form(**values))
    assert (
        "Ningún contrato da 4.200" in page.content.decode()
        and "420" in page.context["form"].errors["score"][0]
    )
    assert not ResultUpload.objects.exists()
    signed_in.post(address(tournament, 1), form(**values, sure="on"))
    assert ResultUpload.objects.get().parsed["boards"][1]["score"] == "4200"


def test_the_vulnerability_of_a_known_deal_decides_which_scores_are_possible(signed_in, make_session):
    tournament = make_session()
    values = {"kind": "score", "score": "620"}
    assert signed_in.post(address(tournament, 1), form(**values)).status_code == 200
    assert signed_in.post(address(tournament, 3), form(**values)).status_code == 302


def test_a_score_that_is_no_multiple_of_ten_is_refused_in_words_of_bridge(signed_in, make_session):
    page = signed_in.post(address(make_session(), 1), form(kind="score", score="37"))
    assert page.context["form"].errors["score"] == ["Las puntuaciones del bridge son múltiplos de 10."]


def test_an_adjusted_score_may_be_all_of_it(signed_in, make_session):
    tournament = make_session()
    signed_in.post(address(tournament, 1), form(kind="adjusted", ns="100", ew="0"))
    confirmed(signed_in, ResultUpload.objects.get())
    result = tournament.revisions.get(number=2).boards.order_by("pk")[1]
    assert (result.adjusted_ns, result.adjusted_ew) == (100, 0)
    signed_in.post(address(Tournament.objects.get(), 1), form(kind="adjusted", ns="0", ew="100"))
    stored = ResultUpload.objects.get(state="review").parsed["changes"]["1"]
    assert stored["score"] == "A10000"


def test_boards_corrected_are_listed_by_board(signed_in, make_session):
    tournament = make_session()
    for index in (2, 0, 3, 1):
        signed_in.post(address(tournament, index), form(tricks="12"))
    page = open_page(signed_in, reverse("upload_review", args=[ResultUpload.objects.get().pk]))
    assert [line.index for line in page.context["board_lines"]] == [0, 1, 2, 3]


def test_the_form_shows_the_other_tables_and_the_hands(signed_in, make_session):
    page = open_page(signed_in, address(make_session(), 1))
    assert [row[:2] for row in page.table().rows] == [["1", "2"], ["3", "4"]]
    assert "Cartas" in page.text and "nadie vulnerable" in page.text


def test_guests_stay_guests_of_their_federation_in_a_correction(signed_in, make_session):
    tournament = make_session()
    seat = tournament.published.seats.latest("pk")
    seat.player, seat.guest_name, seat.guest_country = None, "Ana Gil", "PT"
    seat.save()
    response = signed_in.post(address(tournament, 1), form(tricks="11"))
    assert response.url == reverse("upload_confirm", args=[ResultUpload.objects.get().pk])
    signed_in.post(response.url)
    guest = tournament.revisions.get(number=2).seats.get(player=None)
    assert (guest.guest_name, guest.guest_country) == ("Ana Gil", "PT")


# --- Corrections one after the other ------------------------------------------------------------------------
def correct(client, tournament: Tournament, index: int, **values) -> Tournament:
    """Correct the board result at an index, confirm and score it. Return the corrected tournament."""
    tournament = Tournament.objects.get(pk=tournament.pk)
    client.post(address(tournament, index), form(**values))
    confirmed(client, ResultUpload.objects.drafts().get(corrects=tournament))
    return Tournament.objects.get(pk=tournament.pk)


def stored_ranking(tournament: Tournament) -> dict[str, tuple]:
    rows = tournament.published.contestants.order_by("position")
    return {row.label: (row.place, row.percentage, row.score, row.boards) for row in rows}


def stored_points(tournament: Tournament) -> list[tuple]:
    return list(tournament.published.boards.order_by("pk").values_list("board", "ns_points", "ew_points"))


@pytest.fixture
def uneven_session(make_session):
    """Return a session of ten boards whose ranking says more than its scores.

    The tie of the first two is broken, and the director assigned three quarters of board 10.
    """
    shares = [("2", "0"), ("0", "2")] * 9 + [("1.5", "0.5"), ("0.5", "1.5")]
    rows = [
        replace(row, board=board, stated=tuple(map(Decimal, shares[2 * board - 2 + table])))
        for board in range(1, 11)
        for table, row in enumerate(ROWS[:2])
    ]
    tournament = make_session(("97.5", "2.5", "2.5", "97.5"), rows)
    tournament.published.contestants.filter(label="4").update(place=2)
    return tournament


BACK = {"kind": "score", "score": "-50", "sure": "on"}  # as on all odd lines of these sessions


@pytest.mark.parametrize("index", [1, 19], ids=["a score", "an assigned result"])
def test_a_board_that_gets_its_first_result_again_gives_the_first_ranking(signed_in, uneven_session, index):
    first = stored_ranking(uneven_session), stored_points(uneven_session)
    corrected = correct(signed_in, uneven_session, index, tricks="11")
    assert stored_ranking(corrected) != first[0]
    again = correct(signed_in, corrected, index, **BACK)
    assert again.published.number == 3
    assert (stored_ranking(again), stored_points(again)) == first


def test_boards_corrected_one_after_the_other_give_the_same_as_one_alone(signed_in, uneven_session):
    one = correct(signed_in, uneven_session, 3, tricks="11")
    expected = stored_ranking(one), stored_points(one)
    both = correct(signed_in, one, 19, tricks="11")
    assert stored_ranking(both) != expected[0]
    again = correct(signed_in, both, 19, **BACK)
    assert (stored_ranking(again), stored_points(again)) == expected


def renamed(tournament: Tournament, **percentages: Decimal) -> Tournament:
    """Store the ranking again as when a name is corrected. Return the tournament.

    percentages: other percentages, by number
    """
    rows = drafts.rows_of(tournament.published)
    rows = [replace(row, percentage=percentages.get(f"p{row.label}", row.percentage)) for row in rows]
    header = drafts.header_of(tournament)
    revision = drafts.store(header, rows, None, corrects=tournament, reason="Otro nombre")
    upload = ResultUpload.objects.filter(corrects=tournament).latest("created_at")
    for name in ("boards", "changes", "printed", "revision"):
        upload.parsed.pop(name)
    store_upload_boards(revision, upload, stored_result(revision).entries)
    runs.score(runs.create_run(revision, None, "Otro nombre").pk)
    return Tournament.objects.get(pk=tournament.pk)


def test_a_correction_of_a_name_between_two_of_a_board_makes_no_difference(signed_in, uneven_session):
    first = stored_ranking(uneven_session)
    corrected = correct(signed_in, uneven_session, 1, tricks="11")
    named = renamed(corrected)
    assert stored_ranking(named) == stored_ranking(corrected) and named.published.number == 3
    assert stored_ranking(correct(signed_in, named, 1, **BACK)) == first


def test_a_penalty_between_two_corrections_of_a_board_stays(signed_in, make_session):
    corrected = correct(signed_in, make_session(), 1, tricks="11")
    penalised = renamed(corrected, p1=stored_ranking(corrected)["1"][1] - 2)
    again = stored_ranking(correct(signed_in, penalised, 1, **BACK))
    assert {label: row[1] for label, row in again.items()} == {"1": 98, "2": 0, "3": 0, "4": 100}


def test_an_erased_line_can_be_entered_again_and_then_the_ranking_is_the_first(signed_in, uneven_session):
    first = stored_ranking(uneven_session)
    assert "se puede volver a anotar" in open_page(signed_in, address(uneven_session, 1)).text
    erased = correct(signed_in, uneven_session, 1, kind="none")
    assert len(scores(erased)) == 19 and stored_ranking(erased) != first
    list_url = f"{erased.get_absolute_url()}manos/"
    (url,) = {url for url in open_page(signed_in, list_url, yo=1).addresses if "borrada=" in url}
    assert url in open_page(signed_in, f"{list_url}1/", yo=1).addresses
    assert url not in open_page(signed_in, f"{list_url}2/", yo=1).addresses
    assert url not in open_page(Client(), list_url).addresses
    page = open_page(signed_in, url)
    assert "3" in page.text and "sin resultado" in page.text
    signed_in.post(url, form(**BACK))
    confirmed(signed_in, ResultUpload.objects.drafts().get())
    again = Tournament.objects.get(pk=uneven_session.pk)
    assert sorted(scores(again)) == sorted([420, -50] * 10) and stored_ranking(again) == first
    assert not any("borrada=" in other for other in open_page(signed_in, list_url, yo=1).addresses)
    assert signed_in.get(f"{address(again, 0)}?borrada=3").status_code == 404


def test_of_two_results_of_the_same_pairs_the_erased_one_can_be_entered_again(signed_in, make_session):
    # As of two teams, in both rooms.
    rows = [played(1, 1, 2, 420, 10), played(1, 2, 1, 450, 11), *ROWS[1:]]
    tournament = correct(signed_in, make_session(("50", "50", "0", "100"), rows), 0, kind="none")
    (line,) = erased_of(tournament.published)
    assert (line.board, line.ns, line.ew) == (1, "1", "2")


def entering_again(client, tournament: Tournament) -> list[str]:
    """Return the addresses that the list of boards offers for erased results."""
    addresses = open_page(client, f"{tournament.get_absolute_url()}manos/", yo=1).addresses
    return [url for url in addresses if "borrada=" in url]


@pytest.mark.parametrize(("index", "seats"), [(0, ("1", "2")), (1, ("2", "1"))])
def test_of_two_rooms_with_the_same_pairs_the_erased_one_is_entered_again(
    signed_in, make_session, index, seats
):
    rows = (played(1, 1, 2, 420, 10), played(1, 2, 1, -50, 9), *ROWS[2:])
    erased = correct(signed_in, make_session(rows=rows), index, kind="none")
    (url,) = entering_again(signed_in, erased)
    signed_in.post(url, form(tricks="11"))
    upload = ResultUpload.objects.drafts().get(corrects=erased)
    numbers = {line_reference(entry["line"]): entry["number"] for entry in upload.parsed["entries"]}
    result = next(
        BoardResult.from_json(row)
        for row in upload.parsed["boards"]
        if row["score"] == "450" and row["board"] == 1
    )
    assert (numbers[result.ns[0]], numbers[result.ew[0]]) == seats


def test_a_change_of_one_room_stays_in_it_although_a_colleague_erased_the_other(
    signed_in, colleague, make_session
):
    rows = (played(1, 1, 2, 420, 10), played(1, 2, 1, -50, 9), *ROWS[2:])
    tournament = make_session(rows=rows)
    signed_in.post(address(tournament, 1), form(tricks="8"))
    colleague.post(address(tournament, 0), form(kind="none"))
    mine, theirs = ResultUpload.objects.order_by("created_at")
    confirmed(colleague, theirs)
    confirmed(signed_in, mine)
    newest = tournament.revisions.latest("number")
    assert list(newest.boards.filter(board=1).values_list("ns__label", "score")) == [("2", -100)]


def test_a_board_all_of_whose_results_are_erased_is_entered_again_from_the_list(signed_in, uneven_session):
    for index in (0, 1):
        signed_in.post(address(uneven_session, index), form(kind="none"))
    confirmed(signed_in, ResultUpload.objects.drafts().get(corrects=uneven_session))
    boards = f"{uneven_session.get_absolute_url()}manos/"
    assert signed_in.get(f"{boards}1/").status_code == 404
    urls = entering_again(signed_in, uneven_session)
    assert len(urls) == 2
    assert f"{boards}1/" not in open_page(signed_in, urls[0]).addresses


def test_the_list_of_uploads_tells_corrections_apart(signed_in, make_session):
    once = correct(signed_in, make_session(), 1, tricks="11")
    twice = correct(signed_in, once, 1, tricks="10")
    signed_in.post(address(twice, 1), form(tricks="8"))
    text = open_page(signed_in, reverse("uploads")).text
    for note in ("corrección", "corrección 1", "corrección 2"):
        assert f"{twice.name} ({note})" in text
