"""Results computed from the boards of real files equal the results that these files contain."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from django.utils import timezone

from scoring.engine.board_changes import IMP_WAYS, MATCHPOINT_WAYS, best_way
from scoring.engine.boards import TravellerLine
from scoring.engine.printed import exact_keys, printing_of
from scoring.strength.figures import StoredResult, adjust_session, percentages_unlike_stated
from scoring.uploads.recount import recount
from scoring.uploads.scored_boards import score_boards
from tests import factories, samples
from tournaments import drafts
from tournaments.boards import IMPS, locate_results, scoring_of, store_boards, store_upload_boards
from tournaments.formats import read_results
from tournaments.formats.contestants import line_reference
from tournaments.formats.values import thousandths
from tournaments.models import Revision
from tournaments.services import board_changes
from tournaments.services.board_changes import printed_of
from tournaments.services.drafts import draft_of
from tournaments.services.scorings import MATCHPOINTS, OF_PAIRS
from tournaments.services.stored import NOBODY, stored_result

# File: (number of board results, number of contestants whose stated percentage the boards do not give).
REAL = {
    "pbn/magic_contest_ffb_open2dn1_s1.pbn": (660, 0),
    "usebio/abf_mp_pairs_mitchell.xml": (512, 0),
    "usebio/abf_mp_pairs_mitchell_03.xml": (126, 0),
    "usebio/abf_mp_pairs_mitchell_adjusted_02.xml": (567, 3),
    "usebio/ukbridgeclub_mp-pairs.xml": (242, 0),
    "usebio/ukbridgeclub_public_multi-section-pairs.xml": (335, 0),
    "usebio/ukbridgeclub_usebio-and-pbn.xml": (144, 11),
}
OKBRIDGE = "pbn/okbridge_OKB_v20.pbn"


def real(name, data):
    result = read_results(name, data)
    rows = [
        StoredResult(
            row.section, row.board, row.ns, row.ew, row.score, *(row.adjusted or (None, None)), *row.stated
        )
        for row in locate_results(result.boards, result.entries)
    ]
    percentages = {
        position: Decimal(item.percentage)
        for position, item in enumerate(result.entries, start=1)
        if item.percentage
    }
    return result, rows, adjust_session(scoring_of(result.event), rows, percentages)


@samples.parametrize(*REAL)
def test_percentages_of_real_files_follow_from_their_boards(name, sample):
    result, rows, results = real(name, sample(name))
    assert (len(rows), len(results.gaps)) == REAL[name]
    assert len(results.figures) == len(result.entries)


def as_stored(name, data):
    """Return a real file as its ranking is read again when it is stored."""
    return stored(read_results(name, data))


def stored(read):
    """Return a ranking as it is read again when it is stored."""
    lines = {entry.number: line_reference(entry.line) for entry in read.entries}
    boards = [
        replace(
            board,
            **{
                side: tuple(lines.get(number, line_reference(NOBODY)) for number in getattr(board, side))
                for side in ("ns", "ew")
            },
        )
        for board in read.boards
    ]
    entries = [
        replace(
            entry,
            place=(entry.place or "").strip("="),
            direction=entry.direction if read.event.winner_type == 2 else None,
            percentage=entry.percentage and str(thousandths(Decimal(entry.percentage))),
        )
        for entry in read.entries
    ]
    return replace(read, boards=tuple(boards), entries=tuple(entries))


def with_score(before, index, score):
    """Return a ranking after a correction of the board result at an index."""
    boards = list(before.boards)
    boards[index] = replace(boards[index], score=score, ns_points=None, ew_points=None)
    changes = {index: before.boards[index]}
    return recount(replace(before, boards=tuple(boards)), changes, printed_of(before))


def corrected(name, data, ns, score):
    """Return a real file before and after a correction of board 1 where a contestant sat North-South."""
    before = as_stored(name, data)
    line = next(line_reference(entry.line) for entry in before.entries if entry.number == ns)
    index = next(k for k, board in enumerate(before.boards) if board.board == 1 and line in board.ns)
    return before, with_score(before, index, score)


def figures(parsed) -> dict[str, Decimal]:
    return {entry.number: Decimal(entry.percentage or entry.score) for entry in parsed.entries}


def sums(parsed) -> dict[str, Decimal]:
    """Return the sums of matchpoints beside percentages."""
    return {
        entry.number: Decimal(entry.score) for entry in parsed.entries if entry.score and entry.percentage
    }


@samples.parametrize("usebio/abf_cross_imp_howell.xml")
def test_a_board_of_a_real_file_in_cross_imps_is_scored_again(name, sample):
    before, after = corrected(name, sample(name), "6", "-920")
    assert not after.issues
    imps = [float(board.ns_points) for board in after.boards if board.board == 1]
    assert [round(value, 2) for value in imps] == [9.67, 1.0, -11.0, 0.33]
    old, new = figures(before), figures(after)
    assert {number: new[number] - old[number] for number in ("6", "5")} == {"6": -20, "5": 20}


@samples.parametrize("usebio/ukbridgeclub_cross-imp-pairs.xml")
def test_penalties_of_a_real_file_in_cross_imps_stay(name, sample):
    _before, after = corrected(name, sample(name), "13", "480")
    (kept,) = after.issues
    assert (kept.code, kept.params["count"]) == ("board_difference_kept", 2)


@samples.parametrize("usebio/abf_butler_howell.xml")
def test_a_board_of_a_real_file_against_the_mean_is_scored_again(name, sample):
    _before, after = corrected(name, sample(name), "8", "-50")
    assert not after.issues
    # The mean of 140 and 150 is 145, so 150.
    assert [board.ns_points for board in after.boards if board.board == 1] == ["1", "0", "0", "-5"]


@samples.parametrize("usebio/ukbridgeclub_individual.xml")
def test_a_board_of_a_real_individual_event_is_scored_again(name, sample):
    before, after = corrected(name, sample(name), "5", "-500")
    assert not after.issues
    old, new = figures(before), figures(after)
    # Each played 22 boards with four matchpoints at most; three tables are compared.
    matchpoints = {number: round((new[number] - old[number]) * 88 / 100) for number in old}
    assert matchpoints == {"1": 4, "7": 4, "5": -4, "9": -4} | dict.fromkeys(("10", "2", "12", "11"), 2) | (
        dict.fromkeys(("8", "6", "3", "4"), -2)
    )
    assert new["1"] == Decimal("68.18")


# Real files: how many figures do not follow from the results of their boards to the last decimal.
EXACT = {
    OKBRIDGE: 0,
    "pbn/magic_contest_ffb_open2dn1_s1.pbn": 0,
    "usebio/abf_butler_howell.xml": 0,
    "usebio/abf_cross_imp_howell.xml": 0,
    "usebio/abf_mp_pairs_mitchell.xml": 0,
    "usebio/abf_mp_pairs_mitchell_03.xml": 0,
    "usebio/abf_mp_pairs_mitchell_adjusted_02.xml": 3,  # with results that the director assigned
    "usebio/ukbridgeclub_cross-imp-pairs.xml": 2,
    "usebio/ukbridgeclub_individual.xml": 0,
    "usebio/ukbridgeclub_mp-pairs.xml": 0,
    "usebio/ukbridgeclub_public_multi-section-pairs.xml": 0,
    "usebio/ukbridgeclub_usebio-and-pbn.xml": 0,
}


@samples.parametrize(*EXACT)
def test_figures_of_real_files_follow_from_their_boards_to_the_last_decimal(name, sample):
    parsed = as_stored(name, sample(name))
    is_imps = scoring_of(parsed.event) == IMPS
    rows = locate_results(parsed.boards, parsed.entries, parsed.event.kind)
    lines = [
        TravellerLine(
            row.board,
            row.score,
            row.adjusted and tuple(map(Fraction, row.adjusted)),
            tuple(own if own is None else Fraction(own) for own in row.stated) if is_imps else (None, None),
        )
        for row in rows
    ]
    seats = [((row.ns, row.ns_partner), (row.ew, row.ew_partner)) for row in rows]
    sides = [tuple(tuple(filter(None, side)) for side in both) for both in seats]
    printed = dict(enumerate(figures(parsed).values(), start=1))
    way = best_way(IMP_WAYS if is_imps else MATCHPOINT_WAYS, lines, sides, printed)
    computed = way.figures(lines, sides)
    assert len(printed.keys() - exact_keys(printed, computed, printing_of(printed, computed))) == EXACT[name]


@samples.parametrize(*EXACT)
def test_a_board_of_a_real_file_that_is_spoilt_and_corrected_leaves_its_ranking(name, sample):
    before = as_stored(name, sample(name))
    lines = {line_reference(entry.line) for entry in before.entries}
    boards = before.boards
    index = next(k for k, item in enumerate(boards) if item.board == 1 and lines & {*item.ns})
    spoilt = with_score(before, index, "1430")
    assert figures(spoilt) != figures(before)
    again = with_score(spoilt, index, boards[index].score)
    assert figures(again) == figures(before)
    assert sums(again) == sums(before)
    assert sums(spoilt).keys() == sums(before).keys()
    # A tie that was broken is not broken again, because these results have changed.
    shared = Counter(figures(before).values())
    for old, new in zip(before.entries, again.entries, strict=True):
        assert new.place == old.place or shared[figures(before)[old.number]] > 1


ONE_AFTER_THE_OTHER = [
    "pbn/magic_contest_ffb_open2dn1_s1.pbn",  # breaks ties
    "usebio/abf_mp_pairs_mitchell.xml",  # adds up rounded matchpoints
    "usebio/ukbridgeclub_cross-imp-pairs.xml",
    "usebio/ukbridgeclub_public_multi-section-pairs.xml",
    "usebio/ukbridgeclub_usebio-and-pbn.xml",  # scores the only adjusted line in a way of its own
]


@pytest.mark.django_db
@samples.parametrize(*ONE_AFTER_THE_OTHER)
def test_a_ranking_of_a_real_file_is_the_same_after_a_board_is_spoilt_and_set_back(name, sample):
    parsed = as_stored(name, sample(name))
    director = factories.director(factories.club())
    first = stored_with_guests(parsed, director)
    adjusted = [k for k, item in enumerate(first.boards.order_by("pk")) if item.score is None]
    index = adjusted[-1] if adjusted else 0
    right = stored_result(first).boards[index].score
    spoilt = corrected_by(director, first, index, "150")
    assert stored_figures(spoilt) != stored_figures(first)
    again = corrected_by(director, spoilt, index, right)
    assert (again.number, stored_figures(again)) == (3, stored_figures(first))
    points = [list(own.boards.order_by("pk").values_list("ns_points", "ew_points")) for own in (first, again)]
    assert points[0] == points[1]


def stored_with_guests(parsed, director) -> Revision:
    """Store a ranking of pairs or individuals with its boards. All people are guests."""
    club = director.roles.get().club
    seats = [[person.name for person in entry.people] for entry in parsed.entries]
    ranking = "two" if any(entry.direction for entry in parsed.entries) else "one"
    revision = factories.revision(*seats, of=club, format=parsed.event.kind, ranking=ranking)
    rows = zip(revision.contestants.order_by("position"), parsed.entries, strict=True)
    for row, entry in rows:
        row.place, row.label, row.field = int(entry.place), entry.number, entry.direction or ""
        row.percentage, row.score, row.boards = entry.percentage, entry.score, entry.boards
        row.save()
    store_boards(
        revision,
        scoring_of(parsed.event, parsed.event.kind),
        locate_results(parsed.boards, parsed.entries, parsed.event.kind),
    )
    return Revision.objects.get(pk=revision.pk)


def corrected_by(director, revision: Revision, index: int, score: str) -> Revision:
    """Store the correction of a board result as confirming does, but without points."""
    result = replace(stored_result(revision).boards[index], score=score)
    upload = board_changes.correct(director, revision, index, result, "Mal anotada")
    upload.refresh_from_db()
    draft = draft_of(upload)
    new = drafts.store(
        draft.header, draft.rows, director, corrects=revision.tournament, reason=upload.correction_reason
    )
    store_upload_boards(new, upload, [ranked.entry for ranked in draft.ranked])
    upload.state, upload.revision, upload.confirmed_at = "confirmed", new, timezone.now()
    upload.save()
    return new


def stored_figures(revision: Revision) -> dict[tuple[str, str], tuple]:
    rows = revision.contestants.values_list("label", "field", "place", "percentage", "score", "boards")
    return {(label, field): tuple(rest) for label, field, *rest in rows}


@samples.parametrize("usebio/abf_mp_pairs_mitchell_adjusted_02.xml")
def test_an_assigned_result_counts_until_it_is_corrected_itself(name, sample):
    before = as_stored(name, sample(name))
    index = next(k for k, item in enumerate(before.boards) if item.board == 3 and item.ew_points == "11")
    # Matchpoints 23 and 11 instead of 50 percent, which the score of the line says. Half of 40 is 20.
    after = with_score(before, index, "A6040")
    assert not after.issues
    old, new = figures(before), figures(after)
    moved = {number: float(new[number] - old[number]) for number in old if new[number] != old[number]}
    assert moved == {"1NS": pytest.approx(100 / 1080, abs=0.01), "1EW": pytest.approx(500 / 1080, abs=0.01)}


@samples.parametrize("usebio/*", "pbn/*")
def test_real_percentages_and_imps_of_pairs_and_individuals_can_be_scored_again(name, sample):
    before = read_results(name, sample(name))
    board = next((item for item in before.boards if item.board == 1), None)
    if board is None or not before.entries or before.event.kind == "teams":
        return
    if all(entry.percentage or entry.score for entry in before.entries):
        assert len(corrected(name, sample(name), board.ns[0], "-50")[1].entries) == len(before.entries)


@samples.parametrize("bws/12tables1section.bws")
def test_the_ranking_of_a_real_bridgemate_database_is_computed(name, sample):
    scored = score_boards(read_results(name, sample(name)), MATCHPOINTS)
    percentages = sorted((Decimal(entry.percentage) for entry in scored.entries), reverse=True)
    assert round(percentages[0], 2) == Decimal("62.52")
    assert round(sum(percentages) / 24, 2) == Decimal("50.03")  # with one board of 60-60


@pytest.mark.parametrize("score", ["1430", "-50", "A6040", None])
@pytest.mark.parametrize("method", OF_PAIRS)
@samples.parametrize("bws/12tables1section.bws")
def test_a_corrected_board_of_a_real_bridgemate_database_is_scored_as_the_others(name, sample, method, score):
    read = read_results(name, sample(name))
    boards = list(read.boards)
    boards[100] = replace(boards[100], score=score)
    expected = score_boards(replace(read, boards=tuple(boards)), method)
    after = with_score(stored(score_boards(read, method)), 100, score)
    assert not after.issues
    assert figures(after) == figures(expected)
    assert [entry.boards for entry in after.entries] == [entry.boards for entry in expected.entries]


@samples.parametrize(*(name for name in REAL if name in EXACT))
def test_percentages_that_only_neubergs_formula_makes_differ_are_not_reported(name, sample):
    parsed = read_results(name, sample(name))
    rows = locate_results(parsed.boards, parsed.entries)
    differing = percentages_unlike_stated(rows, dict(enumerate(figures(parsed).values(), start=1)))
    assert len(differing) == EXACT[name]


@samples.parametrize(OKBRIDGE)
def test_the_imp_results_of_a_real_file_with_172_pairs_are_recomputed(name, sample):
    result, rows, results = real(name, sample(name))
    assert (results.scored, len(result.boards), len(results.figures)) == (IMPS, 2187, 172)
    for position, item in enumerate(result.entries, start=1):
        mean = Fraction(results.figures[position].official)
        # The board results are rounded to two decimals, and so is the stated mean of the unrounded results.
        assert abs(mean - Fraction(item.score)) <= Fraction("0.01")
    own, met = {who: [] for who in results.figures}, {who: [] for who in results.figures}
    for row in rows:
        if row.ns_id and row.ew_id:
            for me, other, sign in ((row.ns_id, row.ew_id, 1), (row.ew_id, row.ns_id, -1)):
                own[me].append(sign * float(row.ns_points))
                met[me].append(other)
    mean = {who: sum(values) / len(values) for who, values in own.items()}
    value = dict(mean)
    for _round in range(2000):
        value = {
            me: (value[me] + mean[me] + sum(value[o] for o in met[me]) / len(met[me])) / 2 for me in mean
        }
    for who, figure in results.figures.items():
        assert abs(figure.adjusted.value - value[who]) < 1e-6
