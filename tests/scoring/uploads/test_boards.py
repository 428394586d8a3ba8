"""Board results of uploads: to which contestants they belong, and which edits of the ranking keep them."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.urls import reverse

from players.models import Proposal
from players.services import proposals
from scoring.uploads.services import confirm
from tests import factories
from tests.scoring.uploads.makers import details, sent, tick_and_confirm, usebio_of
from tournaments.boards import TEAMS, locate_results, scoring_of, store_deals
from tournaments.formats import cards
from tournaments.formats.types import BoardResult as Read
from tournaments.formats.types import Entry, EventInfo, ParsedResult, Person
from tournaments.models import BoardResult, Deal
from tournaments.services import uploads


def entry(number, direction=None, section=None) -> Entry:
    return Entry(1, number, "1", None, None, direction, section, None, (), None)


def at(ns, ew, score="420", section=None, **fields) -> Read:
    return Read(1, section, (ns,), (ew,), score, **fields)


def sides(results, entries) -> list[tuple]:
    return [(row.ns, row.ew) for row in locate_results(results, entries)]


def test_board_results_are_matched_with_contestants_by_pair_number():
    plain = [entry("1"), entry("2NS"), entry("3")]
    assert sides([at("1", "2"), at("1ns", "3"), at("1", "9"), at("8", "9"), at("1", "1")], plain) == [
        (1, 2),
        (1, 3),
        (1, None),
        (None, None),  # the others of the board are compared with it
    ]
    assert sides([at("8", "9"), at("1", "1")], plain) == []
    lines = [entry("1", "NS"), entry("1", "EW")]
    assert sides([at("1", "1")], lines) == [(1, 2)]
    sections = [entry("1", section="A"), entry("1", section="B"), entry("2", section="A")]
    assert sides([at("1", "2", section="A"), at("2", "1", section="B")], sections) == [(1, 3), (3, 2)]
    assert sides([at("1", "2")], [entry("1"), entry("1"), entry("2")]) == [(None, 3)]


def test_scores_and_artificial_scores_of_boards_are_parsed():
    pairs = [entry("1"), entry("2")]
    result = locate_results(
        [at("1", "2", text) for text in ("-50", "a6040", "", None, "x", "99999999")], pairs
    )
    assert [(row.score, row.adjusted) for row in result] == [(-50, None), (None, (60, 40))]
    stated = locate_results([at("1", "2", ns_points="1,5", ew_points="x")], pairs)[0].stated
    assert stated == (Decimal("1.5"), None)


@pytest.mark.parametrize(
    ("scoring", "scored"),
    [
        (None, "mp"),
        ("match_points", "mp"),
        ("butler_imps", "imp"),
        ("cross_imps", "imp"),
        ("aggregate", "imp"),
    ],
)
def test_the_way_of_scoring_boards_follows_from_the_file(scoring, scored):
    assert scoring_of(EventInfo(scoring=scoring)) == scored


@pytest.fixture
def upload(signed_in, club, pairs):
    return sent(signed_in, club, usebio_of(pairs), "martes.xml")


def boards_after(signed_in, upload) -> int:
    tick_and_confirm(signed_in, upload)
    upload.refresh_from_db()
    return BoardResult.objects.filter(revision=upload.revision).count()


def edited(upload, change) -> None:
    entries = ParsedResult.from_json(upload.parsed).entries
    uploads.replace_entries(upload, change(list(entries)))
    upload.refresh_from_db()


def test_confirming_stores_the_board_results_and_adjusted_results(signed_in, upload):
    assert boards_after(signed_in, upload) == 48
    revision = upload.revision
    assert revision.boards_scored == "mp"
    assert set(revision.contestants.values_list("boards_played", "adjusted")) == {(24, Decimal(50))}


def test_board_results_are_kept_if_editing_keeps_the_pair_numbers(signed_in, upload):
    edited(upload, lambda entries: [replace(item, percentage="50") for item in entries])
    assert boards_after(signed_in, upload) == 48


def test_board_results_are_dropped_if_editing_changes_a_pair_number(signed_in, upload):
    edited(upload, lambda entries: [replace(entries[0], number="77"), *entries[1:]])
    assert boards_after(signed_in, upload) == 0
    assert upload.revision.boards_scored == ""


@pytest.mark.parametrize(("number", "kept"), [("4", 48), ("9", 0)])
def test_a_correction_by_hand_keeps_the_board_results(signed_in, director, club, upload, number, kept):
    boards_after(signed_in, upload)
    first = upload.revision
    entries = list(ParsedResult.from_json(upload.parsed).entries)
    entries[3] = replace(entries[3], number=number)
    text = {**details(boards=24), "end_date": first.tournament.end_date}
    parsed = ParsedResult("typed", "", entries=tuple(entries))
    typed = uploads.receive_typed(director, club, text, parsed, first.tournament, "Un puesto")
    uploads.save(typed, uploads.Answers(ticks=uploads.draft_of(typed).by_tick))
    run = confirm.confirm(typed, director)
    assert run.revision.boards.count() == kept
    ids = set(run.revision.contestants.values_list("pk", flat=True))
    assert set(run.revision.boards.values_list("ns", flat=True)) <= ids
    assert first.boards.count() == 48


PLAY = "<CONTRACT>3NTx</CONTRACT><PLAYED_BY>S</PLAYED_BY><LEAD>10D</LEAD><TRICKS>11</TRICKS>"
HANDS = ("KQT6.AJT.T984.65", "A2.K9876.72.9742", "J543.43.AQ5.AKJ3", "987.Q52.KJ63.QT8")


def handset(*boards: int) -> str:
    names = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
    hands = "".join(
        f"<HAND><DIRECTION>{seat}</DIRECTION>"
        + "".join(f"<{name}>{suit}</{name}>" for name, suit in zip(names, hand.split("."), strict=True))
        + "</HAND>"
        for seat, hand in zip(("North", "East", "South", "West"), HANDS, strict=True)
    )
    return "".join(
        f"<HANDSET><BOARD><BOARD_NUMBER>{board}</BOARD_NUMBER>{hands}</BOARD></HANDSET>" for board in boards
    )


@pytest.fixture
def with_hands(signed_in, club, pairs):
    # Board 99 was not played.
    return sent(signed_in, club, usebio_of(pairs, play=PLAY, hands=handset(1, 7, 99)), "martes.xml")


def test_confirming_stores_contracts_leads_tricks_and_deals(signed_in, with_hands):
    assert boards_after(signed_in, with_hands) == 48
    revision = with_hands.revision
    play = revision.boards.values_list("contract", "declarer", "lead", "tricks").distinct()
    assert list(play) == [("3NX", "S", "DT", 11)]
    deals = revision.deals.order_by("board").values_list("board", "section", "dealer", "vulnerable", "hands")
    assert list(deals) == [
        (1, "", "N", "none", " ".join(HANDS)),
        (7, "", "S", "both", " ".join(HANDS)),
    ]


def test_what_a_file_writes_about_the_play_may_be_anything():
    odd = dict.fromkeys(("contract", "declarer", "lead", "tricks"), "<script>" * 50)
    row = locate_results([at("1", "2", **odd)], [entry("1"), entry("2")])[0]
    assert (row.contract, row.declarer, row.lead, row.tricks) == ("", "", "", None)


def test_a_correction_by_hand_keeps_the_deals(signed_in, director, club, with_hands):
    boards_after(signed_in, with_hands)
    first = with_hands.revision
    parsed = ParsedResult("typed", "", entries=ParsedResult.from_json(with_hands.parsed).entries)
    text = {**details(boards=24), "end_date": first.tournament.end_date}
    typed = uploads.receive_typed(director, club, text, parsed, first.tournament, "Otro motivo")
    uploads.save(typed, uploads.Answers(ticks=uploads.draft_of(typed).by_tick))
    run = confirm.confirm(typed, director)
    assert run.revision.deals.count() == first.deals.count() == 2
    assert run.revision.boards.filter(contract="3NX", lead="DT").count() == 48


def test_an_edit_that_drops_the_boards_drops_the_deals(signed_in, with_hands):
    edited(with_hands, lambda entries: [replace(entries[0], number="77"), *entries[1:]])
    assert boards_after(signed_in, with_hands) == 0
    assert not with_hands.revision.deals.exists()


def test_deals_of_sections_with_long_names_are_stored_once(signed_in, with_hands):
    boards_after(signed_in, with_hands)
    revision = with_hands.revision
    revision.deals.all().delete()
    deals = [
        cards.make_deal(1, dict(zip("NESW", HANDS, strict=True)), section=f"Seccion larga {k}")
        for k in (1, 2)
    ]
    store_deals(revision, deals, locate_results([at("1", "2")], [entry("1"), entry("2")]))
    assert list(revision.deals.values_list("section", flat=True)) == ["Seccion la"]


def test_rankings_of_teams_keep_their_board_results(signed_in, director, club):
    four = [Person(player.number, player.full_name) for player in factories.players(8, club=club)]
    teams = [
        Entry(k, str(k), str(k), "5", None, None, None, f"Equipo {k}", tuple(four[4 * k - 4 : 4 * k]), None)
        for k in (1, 2)
    ]
    boards = (at("1", "2", round_number="3"),)
    parsed = ParsedResult("typed", "", entries=tuple(teams), boards=boards)
    typed = uploads.receive_typed(director, club, details(format="teams", boards=24), parsed)
    uploads.save(typed, uploads.Answers(ticks=uploads.draft_of(typed).by_tick))
    revision = confirm.confirm(typed, director).revision
    assert (revision.boards_scored, revision.boards.get().round) == (TEAMS, 3)


def two_tables(pairs, stated: dict[int, str], scoring: str = "MATCH_POINTS") -> bytes:
    """Return a USEBIO file of four pairs: pairs 1 and 4 score 100 percent on every board, 2 and 3 nothing.

    stated: percentages to write into the ranking instead of the usual ones, by pair number
    """
    data = usebio_of(pairs, boards=0).decode()
    lines = "".join(
        f"<BOARD><BOARD_NUMBER>{board}</BOARD_NUMBER>"
        + "".join(
            f"<TRAVELLER_LINE><NS_PAIR_NUMBER>{ns}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{ew}</EW_PAIR_NUMBER>"
            f"<SCORE>{score}</SCORE></TRAVELLER_LINE>"
            for ns, ew, score in ((1, 2, 420), (3, 4, -50))
        )
        + "</BOARD>"
        for board in range(1, 25)
    )
    for number, percentage in stated.items():
        old = f"<PERCENTAGE>{70 - number / 4:.2f}</PERCENTAGE>"
        data = data.replace(old, f"<PERCENTAGE>{percentage}</PERCENTAGE>")
    method = f"<BOARD_SCORING_METHOD>{scoring}</BOARD_SCORING_METHOD>"
    return data.replace("</PARTICIPANTS>", f"</PARTICIPANTS>{method}{lines}").encode()


def reviewed(signed_in, upload):
    page = signed_in.get(reverse("upload_review", args=[upload.pk]))
    issues = [issue for issue in page.context["review"].issues if issue.code == "percentage_differs"]
    return page.content.decode(), issues


def test_the_review_lists_percentages_that_differ_from_the_boards(signed_in, club, pairs):
    # A difference of 0.05 is taken for rounding, one of 0.06 is not.
    stated = {1: "100.00", 2: "0.05", 3: "0.06", 4: "97.50"}
    upload = sent(signed_in, club, two_tables(pairs, stated), "martes.xml")
    html, result = reviewed(signed_in, upload)
    assert [(issue.value[:5], issue.params["computed"][:6]) for issue in result] == [
        ("0,06\xa0", "0,00\xa0%"),
        ("97,50", "100,00"),
    ]
    assert [issue.severity for issue in result] == ["info", "info"] and all(issue.line for issue in result)
    assert pairs[3][0].full_name in result[1].params["name"]
    assert "97,50\xa0%" in html and "100,00\xa0%" in html
    edited(upload, lambda entries: [replace(item, percentage="50") for item in entries])
    assert len(reviewed(signed_in, upload)[1]) == 4


def test_percentages_that_cannot_be_compared_with_boards_raise_no_issue(signed_in, club, pairs):
    stated = {1: "100.00", 2: "0.00", 3: "0.00", 4: "100.00"}
    for data in (
        two_tables(pairs, stated),
        two_tables(pairs, {4: "90.00"}, "BUTLER_IMPS"),
        usebio_of(pairs, boards=0),
    ):
        upload = sent(signed_in, club, data, "martes.xml", end_date="2026-03-14")
        assert reviewed(signed_in, upload)[1] == []


def test_a_ranking_that_is_returned_takes_its_boards_and_deals_with_it(signed_in, director, club, pairs):
    data = usebio_of(pairs, play=PLAY, hands=handset(1))
    upload = sent(signed_in, club, data, "martes.xml", event_type="national")
    tick_and_confirm(signed_in, upload)
    assert Deal.objects.exists()
    proposals.withdraw(Proposal.objects.get(state="pending").pk, director)
    assert not Deal.objects.exists() and not BoardResult.objects.exists()
