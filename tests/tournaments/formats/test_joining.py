"""Files of one event are joined to what one file of the whole event would say; others are refused."""

import random
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.uploads.scored_boards import score_boards
from tests.examples import examples
from tests.tournaments.formats.bridgemates import mitchell
from tournaments.formats import read_results
from tournaments.formats.contestants import match_contestants
from tournaments.formats.joining.figures import shown
from tournaments.formats.joining.join import join
from tournaments.formats.start_list import parse_start_list
from tournaments.formats.types import (
    LINES_PER_FILE,
    BoardResult,
    Deal,
    Entry,
    EventInfo,
    ParsedResult,
    Person,
)
from tournaments.services import scorings
from tournaments.services.scorings import BUTLER, CROSS_IMPS, MATCHPOINTS

HANDS = ("AKQJ.T98.765.432", "T987.AKQJ.T98.76", "6543.7654.AKQJ.T", "2.32.432.AKQJ985")


def evening(pairs: int, numbers: Sequence[int], seed: int = 1, **event) -> ParsedResult:
    """Return an evening without a ranking in which pair 1 meets pair 2, and so on, on every board."""
    mix = random.Random(seed)
    results = tuple(
        BoardResult(board, None, (str(pair),), (str(pair + 1),), str(10 * mix.randrange(-60, 60)))
        for board in numbers
        for pair in range(1, pairs, 2)
    )
    entries = tuple(
        Entry(pair, str(pair), None, None, None, None, None, None, (Person(None, ""),) * 2, len(numbers))
        for pair in range(1, pairs + 1)
    )
    info = EventInfo(**{"kind": "pairs", "boards": len(numbers), "boards_scheduled": len(numbers), **event})
    return ParsedResult("bws", f"{seed}.bws", event=info, entries=entries, boards=results)


def named(parsed: ParsedResult, first: int = 1000) -> ParsedResult:
    """Return a result whose people have numbers from `first` on."""
    entries = tuple(
        replace(entry, people=tuple(Person(str(n), f"Gente {n}") for n in (first + 2 * k, first + 2 * k + 1)))
        for k, entry in enumerate(parsed.entries)
    )
    return replace(parsed, entries=entries)


def ranked(parsed: ParsedResult, code: str = "usebio", name: str = "a.xml") -> ParsedResult:
    """Return an evening with the ranking computed from its boards, as a scoring program writes it."""
    scored = score_boards(parsed, MATCHPOINTS)
    return replace(scored, format_name=code, file_name=name)


def only_ranking(parsed: ParsedResult, name: str = "todo.csv") -> ParsedResult:
    return replace(parsed, boards=(), format_name="csv", file_name=name)


def codes(parsed: ParsedResult, severity: str = "") -> list[str]:
    return [item.code for item in parsed.issues if severity in ("", item.severity)]


def shares(parsed: ParsedResult) -> dict[str | None, str | None]:
    return {entry.number: entry.percentage for entry in parsed.entries}


# --- Splitting the boards of an event over files and joining them gives the event -----------------------
@given(data=st.data(), pairs=st.sampled_from([4, 6, 10]), count=st.integers(2, 5))
@examples(60)
def test_boards_split_over_files_give_the_ranking_of_the_whole(data, pairs, count):
    whole = evening(pairs, range(1, 4 * count + 1), seed=data.draw(st.integers(0, 999)))
    owners = data.draw(st.permutations([k % count for k in range(4 * count)]))
    parts = []
    for k in range(count):
        boards = tuple(result for result in whole.boards if owners[result.board - 1] == k)
        entries = tuple(replace(entry, boards=4) for entry in whole.entries)
        info = replace(whole.event, boards=4, boards_scheduled=4)
        parts.append(replace(whole, file_name=f"{k}.bws", boards=boards, entries=entries, event=info))
    joined = join(parts)
    expected = score_boards(whole, MATCHPOINTS)
    assert shares(score_boards(joined, MATCHPOINTS)) == shares(expected)
    assert (joined.event.boards, {entry.boards for entry in joined.entries}) == (4 * count, {4 * count})
    # Rankings of the parts, weighted by their boards, give the same up to their rounding.
    summed = join([named(ranked(part, name=f"{k}.xml")) for k, part in enumerate(parts)])
    for number, share in shares(expected).items():
        assert float(shares(summed)[number]) == pytest.approx(float(share), abs=0.0011)


@given(seed=st.integers(0, 999), split=st.data())
@examples(40)
def test_results_split_line_by_line_stay_one_board(seed, split):
    whole = evening(8, range(1, 9), seed=seed)
    mine = split.draw(st.permutations([k % 3 > 0 for k in range(len(whole.boards))]))
    parts = [
        replace(
            whole,
            file_name=f"{side}.bws",
            boards=tuple(item for item, own in zip(whole.boards, mine, strict=True) if own is side),
        )
        for side in (True, False)
    ]
    assert shares(score_boards(join(parts), MATCHPOINTS)) == shares(score_boards(whole, MATCHPOINTS))


# --- Sessions -------------------------------------------------------------------------------------------
def test_sessions_with_the_same_board_numbers_keep_their_deals_apart():
    first, second = evening(6, range(1, 25), 1), evening(6, range(1, 25), 2)
    joined = join([first, second])
    assert {item.board for item in joined.boards} == {*range(1, 25), *range(33, 57)}
    assert "joined_boards_numbered" in codes(joined)
    # A slow way: the mean of what each session gives alone.
    alone = [shares(score_boards(part, MATCHPOINTS)) for part in (first, second)]
    for number, share in shares(score_boards(joined, MATCHPOINTS)).items():
        mean = (float(alone[0][number]) + float(alone[1][number])) / 2
        assert float(share) == pytest.approx(mean, abs=0.0011)


def test_pairs_with_other_numbers_in_the_second_session_are_found_by_their_people():
    first = named(ranked(evening(6, range(1, 13), 1), name="1.xml"))
    second = named(ranked(evening(6, range(13, 25), 2), name="2.xml"))
    order = second.entries[::-1]
    turned = {entry.number: str(k) for k, entry in enumerate(order, start=1)}
    entries = tuple(replace(entry, number=turned[entry.number]) for entry in order)
    boards = tuple(
        replace(item, ns=(turned[item.ns[0]],), ew=(turned[item.ew[0]],)) for item in second.boards
    )
    joined = join([first, replace(second, entries=entries, boards=boards)])
    straight = join([first, second])
    assert shares(joined) == shares(straight)
    assert sorted(map(repr, joined.boards)) == sorted(map(repr, straight.boards))


def test_sessions_of_two_days_are_asked_about_and_give_both_days():
    parts = [
        named(ranked(evening(4, range(1, 9), k, date=f"2026-03-{13 + k}"), name=f"{k}.xml")) for k in (1, 2)
    ]
    joined = join(parts)
    assert (joined.event.start_date, joined.event.date) == ("2026-03-14", "2026-03-15")
    assert "joined_sessions" in codes(joined, "warning")


def test_sessions_with_other_pairs_are_refused_with_the_people_in_common():
    first = named(ranked(evening(6, range(1, 13), 1), name="1.xml"))
    second = named(ranked(evening(6, range(13, 25), 2), name="2.xml"), first=1002)
    refused = join([first, second])
    assert (refused.entries, codes(refused)) == ((), ["joined_other_people"])
    assert refused.issues[0].params["common"] == 10


def test_scores_of_sessions_are_added_up_and_asked_about():
    parts = []
    for k in (1, 2):
        part = named(evening(4, (), k), 1000)
        entries = tuple(replace(entry, score=str(k * int(entry.number)), boards=10) for entry in part.entries)
        parts.append(replace(part, entries=entries, format_name="csv"))
    joined = join(parts)
    assert [entry.score for entry in joined.entries] == ["3", "6", "9", "12"]
    assert "joined_sums" in codes(joined, "warning")


# --- Sections -------------------------------------------------------------------------------------------
def sections(**second) -> list[ParsedResult]:
    first = named(evening(6, range(1, 13), 1, date="2026-03-14"))
    return [first, named(evening(6, range(1, 13), 2, **{"date": "2026-03-14", **second}), first=5000)]


def test_sections_are_one_ranking_with_letters():
    joined = join(sections())
    assert [(entry.section, entry.number) for entry in joined.entries] == [
        (letter, str(number)) for letter in "AB" for number in range(1, 7)
    ]
    assert {item.section for item in joined.boards} == {"A", "B"}
    assert {item.board for item in joined.boards} == set(range(1, 13))
    assert "joined_sections" in codes(joined, "warning")
    assert {entry.line // LINES_PER_FILE for entry in joined.entries} == {1, 2}


def test_sections_that_played_other_deals_are_scored_apart():
    first, second = sections()
    dealt = [
        replace(part, deals=tuple(Deal(k, None, "N", "none", hands) for k in range(1, 13)))
        for part, hands in ((first, HANDS), (second, HANDS[::-1]))
    ]
    joined = join(dealt)
    assert {item.board for item in joined.boards if item.section == "B"} == set(range(17, 29))
    scored = score_boards(joined, MATCHPOINTS)
    for part, letter in ((first, "A"), (second, "B")):
        alone = score_boards(part, MATCHPOINTS)
        assert [e.percentage for e in scored.entries if e.section == letter] == [
            e.percentage for e in alone.entries
        ]
    same = join([dealt[0], replace(second, deals=dealt[0].deals)])
    assert {item.board for item in same.boards} == set(range(1, 13)) and len(same.deals) == 12


def test_sections_without_names_are_told_apart_by_their_letters():
    first, second = (evening(6, range(1, 13), k, section=letter) for k, letter in enumerate("BC", start=1))
    joined = join([first, second])
    assert {entry.section for entry in joined.entries} == {"B", "C"}


def test_other_people_on_another_day_are_another_event():
    assert codes(join(sections(date="2026-03-21"))) == ["joined_other_day"]


def test_the_same_results_with_other_people_are_refused():
    first = named(ranked(evening(6, range(1, 13), 1), name="1.xml"))
    other = named(ranked(evening(6, range(1, 13), 1), "pbn", name="2.pbn"), first=5000)
    assert codes(join([first, other])) == ["joined_other_people"]


# --- A ranking of the whole, and results of boards ------------------------------------------------------
def test_a_ranking_of_the_whole_counts_and_sessions_add_their_boards():
    parts = [named(ranked(evening(4, range(8 * k + 1, 8 * k + 9), k), name=f"{k}.xml")) for k in (1, 2)]
    whole = only_ranking(join(parts))
    moved = replace(whole, entries=tuple(replace(e, percentage="50", boards=16) for e in whole.entries))
    for order in ([moved, *parts], [*parts, moved]):
        joined = join(order)
        assert set(shares(joined).values()) == {"50"}
        assert (len(joined.entries), len(joined.boards)) == (4, 32)
        assert [part.role for part in joined.files].count("ranking") == 1


def test_cumulative_files_count_once():
    parts = [
        named(ranked(evening(4, range(8 * k + 1, 8 * k + 9), k, session=k, session_count=2), "pbn"))
        for k in (1, 2)
    ]
    entries = tuple(replace(entry, percentage="50") for entry in parts[1].entries)
    last = replace(parts[1], entries=entries, event=replace(parts[1].event, boards=16))
    joined = join([last, parts[0]])
    assert set(shares(joined).values()) == {"50"} and len(joined.boards) == 32


def test_a_ranking_as_a_sheet_takes_the_boards_of_another_file():
    boards = ranked(evening(6, range(1, 13)), "pbn", "a.pbn")
    joined = join([only_ranking(named(boards)), replace(boards, entries=())])
    assert joined.format_name == "csv" and len(joined.boards) == len(boards.boards)
    assert joined.entries[0].people[0].number == "1000"
    unnamed = evening(6, range(1, 13))
    assert shares(join([only_ranking(named(boards)), unnamed])) == shares(boards)


def test_deals_of_another_file_are_added():
    result = ranked(evening(6, range(1, 13)))
    deals = tuple(Deal(k, None, "N", "none", HANDS) for k in range(1, 25))
    hands = ParsedResult("pbn", "manos.pbn", deals=deals)
    joined = join([result, hands])
    assert len(joined.deals) == 24 and [part.role for part in joined.files] == ["ranking", "hands"]
    assert codes(join([result, replace(hands, deals=deals[6:])])) == ["joined_other_boards"]


def test_boards_of_another_day_are_refused_and_hands_of_another_day_asked_about():
    result = named(ranked(evening(6, range(1, 13), date="2026-11-13")))
    boards = replace(evening(6, range(1, 13), date="2026-11-12"), entries=(), format_name="pbn")
    assert codes(join([only_ranking(result), boards])) == ["joined_other_day"]
    deals = tuple(Deal(k, None, "N", "none", HANDS) for k in range(1, 25))
    hands = ParsedResult("pbn", "manos.pbn", event=EventInfo(date="2026-11-12"), deals=deals)
    joined = join([result, hands])
    assert codes(joined, "warning") == ["joined_other_day_dealt"] and len(joined.deals) == 24
    for event in (EventInfo(date="2026-11-13"), EventInfo()):
        assert codes(join([result, replace(hands, event=event)])) == []
    longer = replace(result, event=replace(result.event, start_date="2026-11-12"))
    assert codes(join([longer, hands])) == []


def test_boards_of_two_days_go_to_the_ranking_of_their_day():
    days = ("2026-11-13", "2026-11-14")
    evenings = [evening(6, range(1, 13), seed, date=day) for seed, day in enumerate(days)]
    tables = [
        named(replace(only_ranking(ranked(part)), file_name=f"{day}.csv"))
        for part, day in zip(evenings, days, strict=True)
    ]
    loose = [replace(part, entries=(), format_name="pbn") for part in evenings]
    joined = join([*tables, *reversed(loose)])
    assert codes(joined, "error") == [] and len(joined.boards) == 72


def test_two_formats_of_the_same_session_are_not_doubled():
    usebio = named(ranked(evening(6, range(1, 13))))
    pbn = replace(ranked(evening(6, range(1, 13)), "pbn", "a.pbn"), entries=named(usebio).entries)
    joined = join([pbn, usebio])
    assert (len(joined.entries), len(joined.boards)) == (6, 36)
    wrong = tuple(replace(item, score="9990") if k == 5 else item for k, item in enumerate(pbn.boards))
    assert codes(join([usebio, replace(pbn, boards=wrong)])) == ["joined_other_scores"]


def test_travellers_with_other_pair_numbers_are_refused():
    result = only_ranking(named(ranked(evening(4, range(1, 13)))))
    boards = replace(evening(6, range(1, 13)), entries=())
    refused = join([result, boards])
    assert codes(refused) == ["joined_other_pairs"] and refused.issues[0].value == "5, 6"
    assert codes(join([result, evening(6, range(1, 13))])) == ["joined_other_pairs"]


def test_a_ranking_with_fewer_boards_than_its_sessions_is_refused():
    part = named(ranked(evening(4, range(1, 13)), name="1.xml"))
    whole = only_ranking(part)
    fewer = replace(whole, event=replace(whole.event, boards=6))
    assert codes(join([fewer, part])) == ["joined_other_boards"]


# --- Files that repeat or contradict others ---------------------------------------------------------------
def some(parsed: ParsedResult, count: int, name: str) -> ParsedResult:
    """Return a copy of an evening with the first results only."""
    return replace(parsed, boards=parsed.boards[:count], file_name=name)


@pytest.mark.parametrize("order", [1, -1])
def test_a_copy_saved_before_the_end_does_not_count(order):
    final = evening(6, range(1, 13), date="2026-11-18")
    joined = join([some(final, 20, "antes.bws"), final][::order])
    assert sorted(map(repr, joined.boards)) == sorted(map(repr, final.boards))
    assert [item.params["name"] for item in joined.issues if item.code == "joined_part_of"] == ["antes.bws"]
    assert codes(joined, "warning") == []


@pytest.mark.parametrize("order", [1, -1])
def test_the_ranking_of_a_section_is_a_part_of_the_whole(order):
    section = named(evening(6, range(1, 13), 1, date="2026-03-14"))
    other = named(evening(6, range(1, 13), 2, date="2026-03-14"), first=5000)
    whole = ranked(join([section, other]), name="whole.xml")
    whole = replace(whole, issues=(), files=())
    joined = join([ranked(section), whole][::order])
    assert shares(joined) == shares(whole) and len(joined.boards) == len(whole.boards)
    assert codes(joined) == ["joined_part_of"] and joined.issues[0].params["other"] == "whole.xml"


def test_results_of_the_same_play_that_do_not_count_are_asked_about():
    whole = evening(6, range(1, 13), date="2026-11-18")
    late = replace(whole, boards=whole.boards[10:], file_name="tarde.bws")
    joined = join([some(whole, 24, "antes.bws"), late])
    assert codes(joined, "warning") == ["joined_more_results"] and joined.issues[-1].value == "10"


def test_a_part_still_adds_its_hands():
    result = ranked(evening(6, range(1, 13)))
    deals = tuple(Deal(k, None, "N", "none", HANDS) for k in range(1, 13))
    joined = join([result, replace(some(result, 35, "a.pbn"), deals=deals)])
    assert len(joined.deals) == 12 and len(joined.boards) == 36


def test_two_rooms_without_names_are_asked_about():
    rooms = [evening(14, range(1, 13), seed, date="2026-11-18") for seed in (1, 2)]
    assert "joined_sessions" in codes(join(rooms), "warning")
    people = [named(ranked(room, name=f"{k}.xml")) for k, room in enumerate(rooms)]
    assert codes(join(people), "warning") == []


def test_rankings_of_one_session_that_contradict_each_other_are_asked_about():
    xml = named(ranked(evening(6, range(1, 13))))
    sheet = only_ranking(xml)
    near, far = (
        replace(e, percentage=str(float(e.percentage) + more))
        for e, more in ((sheet.entries[0], 0.04), (sheet.entries[1], 0.06))
    )
    close = replace(sheet, entries=(near, *sheet.entries[1:]))
    assert codes(join([xml, close])) == []
    other = replace(sheet, entries=(near, far, *sheet.entries[2:]))
    joined = join([xml, other])
    assert codes(joined, "warning") == ["joined_other_percentages"]
    assert joined.issues[-1].value == far.number and joined.entries[1].percentage == far.percentage
    twice = join([xml, replace(other, boards=xml.boards)])
    assert codes(twice, "warning") == ["joined_other_percentages"]


def scored(parsed: ParsedResult, name: str, unit: str | None, more: str = "0") -> ParsedResult:
    """Return a ranking with scores instead of percentages, that of its second pair raised by `more`."""
    entries = [
        replace(entry, percentage=None, score=f"{30 - 7 * k}.25") for k, entry in enumerate(parsed.entries)
    ]
    entries[1] = replace(entries[1], score=str(Decimal(entries[1].score) + Decimal(more)))
    event = replace(parsed.event, unit=unit)
    return replace(parsed, entries=tuple(entries), event=event, file_name=name)


@pytest.mark.parametrize("unit", ["imps", "vp", None])
def test_scores_of_one_session_that_contradict_each_other_are_asked_about(unit):
    xml = named(ranked(evening(6, range(1, 13))))
    pbn = scored(xml, "a.pbn", unit)
    assert codes(join([scored(xml, "a.xml", unit, "0.04"), pbn])) == []
    joined = join([pbn, scored(xml, "a.xml", unit, "-0.5")])
    assert codes(joined, "warning") == ["joined_other_percentages"]
    issue = joined.issues[-1]
    assert (issue.value, issue.params["first"], issue.params["second"]) == ("2", "23.25", "22.75")
    sheet = only_ranking(scored(xml, "a.xml", unit, "3"))
    assert codes(join([pbn, sheet]), "warning") == ["joined_other_percentages"]


def test_scores_in_other_units_and_whole_numbers_do_not_contradict():
    xml = named(ranked(evening(6, range(1, 13))))
    assert codes(join([scored(xml, "a.xml", "imps"), scored(xml, "a.pbn", "vp", "3")])) == []
    whole = scored(xml, "a.pbn", "imps")
    entries = tuple(replace(entry, score=entry.score[:-3]) for entry in whole.entries)
    assert codes(join([scored(xml, "a.xml", "imps"), replace(whole, entries=entries)])) == []


@pytest.mark.parametrize("method", [MATCHPOINTS, CROSS_IMPS, BUTLER])
@pytest.mark.parametrize("is_sum", [False, True], ids=["means", "sums"])
def test_a_ranking_is_compared_with_what_its_boards_give_in_every_way_of_scoring(method, is_sum):
    boards = evening(8, range(1, 13))
    scored = named(score_boards(boards, method))
    entries = [
        replace(entry, place=None, score=entry.score and str(Decimal(entry.score) * (12 if is_sum else 1)))
        for entry in scored.entries
    ]
    sheet = replace(only_ranking(scored), event=EventInfo(kind="pairs"), entries=tuple(entries))
    assert codes(scorings.scored(join([sheet, boards]), {})) == []
    name = "percentage" if method == MATCHPOINTS else "score"
    wrong = str(Decimal(getattr(entries[4], name)) + 1)
    entries[4] = replace(entries[4], **{name: wrong})
    joined = scorings.scored(join([replace(sheet, entries=tuple(entries)), boards]), {})
    (issue,) = joined.issues
    assert (issue.code, issue.value, issue.params["count"]) == ("joined_other_computed", "5", 1)
    figure = f"{Decimal(wrong):.2f}%" if method == MATCHPOINTS else wrong
    assert (issue.params["first"], issue.params["other"]) == (figure, "1.bws")
    chosen = scorings.scored(joined, {"scoring": method})
    assert [getattr(entry, name) for entry in chosen.entries] == [
        getattr(entry, name) for entry in scored.entries
    ]
    assert chosen.issues == () and scorings.scored(chosen, {}) == joined


def test_a_ranking_of_more_boards_or_in_victory_points_is_not_compared():
    boards = evening(8, range(1, 13))
    sheet = scored(only_ranking(named(ranked(boards))), "todo.csv", "vp")
    assert codes(scorings.scored(join([sheet, boards]), {})) == []
    more = replace(sheet, event=replace(sheet.event, boards=24, unit="imps"))
    assert codes(scorings.scored(join([more, boards]), {})) == ["joined_boards_missing"]
    assert ParsedResult.from_json(join([sheet, boards]).to_json()) == join([sheet, boards])


def test_what_the_ranking_lacks_is_taken_from_the_other_file():
    info = {"title": "Pool", "club_name": "Club Roble", "club_number": "7"}
    xml = named(ranked(evening(6, range(1, 13), **info)))
    bare = tuple(
        replace(e, people=tuple(replace(person, number=None) for person in e.people)) for e in xml.entries
    )
    unnamed = tuple(replace(e, people=(Person(None, ""),) * 2) for e in xml.entries)
    plain = replace(only_ranking(xml), event=EventInfo(kind="pairs"))
    for entries in (bare, unnamed):
        joined = join([xml, replace(plain, entries=entries)])
        assert joined.format_name == "csv"
        assert [[p.number for p in e.people] for e in joined.entries] == [
            [p.number for p in e.people] for e in xml.entries
        ]
        assert {key: getattr(joined.event, key) for key in info} == info


# --- Lists of names -------------------------------------------------------------------------------------
def test_a_list_of_names_fills_the_pairs_and_keeps_its_lines():
    names = parse_start_list("lista.csv", b"1;Ana Roble;Luis Haya\n2;1234;Eva Tilo\n99;Sol;Mar")
    joined = join([names, evening(4, range(1, 9))])
    assert [person.name for person in joined.entries[0].people] == ["Ana Roble", "Luis Haya"]
    assert joined.entries[1].people[0].line == LINES_PER_FILE + 2
    assert codes(joined, "warning") == ["joined_list_unknown"]
    assert joined.issues[-1].value == "99"


@pytest.mark.parametrize(("first", "shown"), [(3, "1 → 3, 2 → 4"), (1, "1 → 1, 2 → 2")])
def test_a_list_of_tables_names_the_pairs_of_both_lines(first, shown):
    names = parse_start_list("mesas.csv", b"Mesa;Norte;Sur;Este;Oeste\n1;Ana;Luis;Eva;Mar\n2;Sol;Teo;Luz;Max")
    evening_of_lines = evening(4, range(1, 9))
    seats = [("1", "NS"), ("2", "NS"), (str(first), "EW"), (str(first + 1), "EW")]
    entries = [
        replace(entry, number=number, direction=side)
        for entry, (number, side) in zip(evening_of_lines.entries, seats, strict=True)
    ]
    joined = join([names, replace(evening_of_lines, entries=tuple(entries), boards=())])
    assert [[person.name for person in entry.people] for entry in joined.entries] == [
        ["Ana", "Luis"], ["Sol", "Teo"], ["Eva", "Mar"], ["Luz", "Max"],
    ]  # fmt: skip
    (numbers,) = [item for item in joined.issues if item.code == "joined_list_numbers"]
    assert (numbers.severity, numbers.value) == ("warning", shown)


def changing_lines(*met: tuple[str, str]) -> ParsedResult:
    """Return an evening of four pairs that change lines: each (North-South, East-West) of a board."""
    boards = tuple(
        BoardResult(board, None, (ns,), (ew,), "420") for board, (ns, ew) in enumerate(met, start=1)
    )
    return replace(evening(4, range(1, 9)), boards=boards)


def test_a_list_of_tables_does_not_name_pairs_of_which_any_two_meet():
    names = parse_start_list("mesas.csv", b"Mesa;Norte;Sur;Este;Oeste\n1;Ana;Luis;Eva;Mar\n2;Sol;Teo;Luz;Max")
    howell = changing_lines(("1", "3"), ("2", "4"), ("1", "2"), ("3", "4"), ("4", "1"), ("3", "2"))
    assert codes(join([howell, names])) == ["joined_list_tables"]


def test_a_list_of_tables_names_pairs_that_change_lines_but_meet_no_pair_of_their_own():
    names = parse_start_list("mesas.csv", b"Mesa;Norte;Sur;Este;Oeste\n1;Ana;Luis;Eva;Mar\n2;Sol;Teo;Luz;Max")
    mitchell = changing_lines(("1", "3"), ("2", "4"), ("4", "1"), ("3", "2"))
    joined = join([mitchell, names])
    assert [[person.name for person in entry.people] for entry in joined.entries] == [
        ["Ana", "Luis"], ["Sol", "Teo"], ["Eva", "Mar"], ["Luz", "Max"],
    ]  # fmt: skip
    (numbers,) = [item for item in joined.issues if item.code == "joined_list_numbers"]
    assert (numbers.severity, numbers.value) == ("warning", "1 → 3, 2 → 4")


def test_a_list_without_lines_does_not_name_pairs_of_one_number_in_both_lines():
    plain = evening(4, range(1, 9))
    seats = [("1", "NS"), ("2", "NS"), ("1", "EW"), ("2", "EW")]
    entries = tuple(
        replace(entry, number=number, direction=side)
        for entry, (number, side) in zip(plain.entries, seats, strict=True)
    )
    of_lines = replace(plain, entries=entries, boards=())
    (refused,) = join([of_lines, parse_start_list("lista.csv", b"1;Ana\n2;Luis\n3;Eva\n4;Mar")]).issues
    assert (refused.code, refused.value) == ("joined_list_several", "1, 2")
    joined = join([of_lines, parse_start_list("lista.csv", b"1 NS;Ana\n1 EW;Luis\n2;Eva\n4;Mar")])
    assert [entry.people[0].name for entry in joined.entries] == ["Ana", "", "Luis", ""]
    warned = {item.code: item.value for item in joined.issues if item.severity == "warning"}
    assert warned == {"joined_list_some_several": "2", "joined_list_unknown": "4"}


def test_a_list_of_other_pairs_is_refused():
    names = parse_start_list("lista.csv", b"77;Ana Roble;Luis Haya")
    assert codes(join([evening(4, range(1, 9)), names])) == ["joined_list_unused"]
    assert codes(join([names, names])) == ["joined_only_names"]


def test_a_file_that_cannot_be_read_refuses_all_and_says_which():
    broken = ParsedResult("unknown", "roto.xml", issues=())
    refused = join([evening(4, range(1, 9)), broken])
    assert codes(refused) == ["joined_unreadable"]
    assert refused.issues[0].params["name"] == "roto.xml"


def test_people_with_numbers_of_two_registers_are_compared_by_name():
    first = named(ranked(evening(4, range(1, 9), 1), name="1.xml"))
    second = named(ranked(evening(4, range(9, 17), 2), name="2.xml"))
    own = tuple(
        replace(entry, people=tuple(replace(person, number=f"9{person.number}") for person in entry.people))
        for entry in second.entries
    )
    assert len(join([first, replace(second, entries=own)]).entries) == 4


def test_a_substitute_is_asked_about():
    first = named(ranked(evening(4, range(1, 9), 1), name="1.xml"))
    second = named(ranked(evening(4, range(9, 17), 2), name="2.xml"))
    entry = second.entries[0]
    changed = replace(entry, people=(entry.people[0], Person("77", "Otra Persona")))
    joined = join([first, replace(second, entries=(changed, *second.entries[1:]))])
    assert "joined_substitute" in codes(joined, "warning") and len(joined.entries) == 4


def test_names_match_in_any_order_and_a_number_decides():
    def entry(*people):
        return Entry(1, "1", None, None, None, None, None, None, tuple(people), None)

    first = [entry(Person("12", "Ana Gómez"), Person(None, "Luis Pérez"))]
    second = [entry(Person("0012", ""), Person(None, "PEREZ, LUIS"))]
    assert match_contestants(first, second).is_whole


# --- A ranking of the whole beside those of its sessions ------------------------------------------------
def tables(counts: Sequence[int], seed: int, is_score: bool = False) -> list[ParsedResult]:
    """Return the rankings of sessions with these numbers of boards, and that of the whole, as tables."""
    mix = random.Random(seed)
    blank = named(evening(12, range(1, 5)))
    shares = [[Decimal(mix.randrange(3000, 7000)) / 100 for _ in range(12)] for _ in counts]
    total = [sum(share[k] * n for share, n in zip(shares, counts, strict=True)) for k in range(12)]
    whole = [sum(share[k] for share in shares) if is_score else total[k] / sum(counts) for k in range(12)]
    result = []
    for index, (figures, boards) in enumerate([*zip(shares, counts, strict=True), (whole, sum(counts))]):
        texts = [f"{figure:.2f}" for figure in figures]
        entries = tuple(
            replace(entry, score=text, boards=boards)
            if is_score
            else replace(entry, percentage=text, boards=boards)
            for entry, text in zip(blank.entries, texts, strict=True)
        )
        event = replace(blank.event, boards=boards, boards_scheduled=boards)
        result.append(
            replace(
                blank, format_name="csv", file_name=f"{index}.csv", entries=entries, boards=(), event=event
            )
        )
    return result


def results(parsed: ParsedResult) -> dict[str | None, tuple[str | None, str | None]]:
    return {entry.number: (entry.percentage, entry.score) for entry in parsed.entries}


@given(
    seed=st.integers(0, 999),
    counts=st.lists(st.integers(6, 30), min_size=2, max_size=4),
    is_score=st.booleans(),
    data=st.data(),
)
@examples(30)
def test_a_ranking_of_the_whole_beside_its_sessions_counts_in_any_order(seed, counts, is_score, data):
    parts = tables(counts, seed, is_score)
    whole = parts[-1]
    joined = join(data.draw(st.permutations(parts)))
    assert results(joined) == results(whole)
    assert joined.event.boards == sum(counts)
    assert codes(joined, "error") == []
    assert "joined_other_combined" not in codes(joined)


def test_a_ranking_of_the_whole_that_differs_from_its_sessions_is_asked_about():
    *sessions, whole = tables([24, 12], 3)
    first = replace(whole.entries[2], percentage="99.00")
    whole = replace(whole, entries=(*whole.entries[:2], first, *whole.entries[3:]))
    joined = join([*sessions, whole])
    assert shares(joined) == shares(whole)
    (item,) = (item for item in joined.issues if item.code == "joined_other_combined")
    assert (item.value, item.params["count"], item.params["first"]) == ("3", 1, "99.00%")


def test_a_ranking_after_some_sessions_does_not_count_as_one():
    first, second, both = tables([24, 12], 4)
    third = replace(tables([24, 12], 5)[0], file_name="third.csv")
    joined = join([first, both, second, third])
    assert shares(joined) == shares(join([first, second, third]))
    assert "joined_part_of" in codes(joined)


def rounded(parsed: ParsedResult, decimals: int, **event) -> ParsedResult:
    """Return a ranking whose percentages have this many decimals, as another file has it."""
    entries = tuple(
        replace(entry, percentage=f"{Decimal(entry.percentage):.{decimals}f}") for entry in parsed.entries
    )
    return replace(parsed, file_name="b.xlsx", entries=entries, event=replace(parsed.event, **event))


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("decimals", [1, 2, 3])
def test_the_same_ranking_in_two_files_counts_once(order, decimals):
    ranking = tables([24], 3)[0]
    copy = rounded(ranking, decimals, boards=None, boards_scheduled=None, venue="online")
    joined = join([ranking, copy][::order])
    assert {number: Decimal(share) for number, share in shares(joined).items()} == {
        number: Decimal(share) for number, share in shares(ranking).items()
    }
    assert (joined.event.boards, joined.event.session_count, joined.event.venue) == (24, None, "online")
    assert codes(joined) == ["joined_same_ranking"]


def test_the_same_ranking_with_a_penalty_is_asked_about_and_counts_once():
    ranking = tables([24], 3)[0]
    entries = list(ranking.entries)
    entries[4] = replace(entries[4], percentage=f"{Decimal(entries[4].percentage) - 2:.2f}")
    joined = join([ranking, replace(ranking, file_name="b.csv", entries=tuple(entries))])
    assert (shares(joined), joined.event.boards) == (shares(ranking), 24)
    assert codes(joined, "warning") == ["joined_other_percentages"]


@pytest.mark.parametrize(("pairs", "penalties", "is_asked"), [(4, 1, True), (5, 2, True), (4, 2, False)])
def test_a_small_ranking_with_a_penalty_beside_its_copy_is_asked_about(pairs, penalties, is_asked):
    ranking = tables([24], 3)[0]
    ranking = replace(ranking, entries=ranking.entries[:pairs])
    fined = (
        replace(entry, percentage=f"{Decimal(entry.percentage) - 2:.2f}")
        for entry in ranking.entries[:penalties]
    )
    copy = replace(ranking, file_name="b.csv", entries=(*fined, *ranking.entries[penalties:]))
    joined = join([ranking, copy])
    items = [item for item in joined.issues if item.code == "joined_equal_results"]
    assert [(item.severity, item.params["count"], item.params["total"]) for item in items] == [
        ("warning", pairs - penalties, pairs)
    ] * is_asked


def test_the_same_ranking_with_two_days_is_refused():
    ranking = tables([24], 3)[0]
    files = [rounded(ranking, 2, date=f"2026-11-{day}") for day in (12, 19)]
    assert codes(join(files)) == ["joined_other_day"]


def test_places_alone_are_the_same_ranking_only_if_all_are_equal():
    ranking = tables([24], 3)[0]

    def placed(name, shift):
        entries = tuple(
            replace(entry, place=str((k + shift) % 12 + 1), percentage=None)
            for k, entry in enumerate(ranking.entries)
        )
        return replace(ranking, file_name=name, entries=entries)

    assert codes(join([placed("a.csv", 0), placed("b.csv", 0)])) == ["joined_same_ranking"]
    assert codes(join([placed("a.csv", 0), placed("b.csv", 1)])) == ["joined_not_summed"]


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("pairs", [3, 4, 12])
@pytest.mark.parametrize("has_scores", [False, True])
def test_rankings_without_a_result_in_common_are_one_if_enough_places_are_equal(order, pairs, has_scores):
    whole = tables([24], 3)[0]
    numbered = enumerate(whole.entries[:pairs], start=1)
    entries = [replace(entry, place=str(k), percentage=str(70 - k)) for k, entry in numbered]
    ranking = replace(whole, entries=tuple(entries))
    others = (replace(entry, percentage=None) for entry in entries)
    if has_scores:
        others = (replace(entry, score=f"{500 - int(entry.place)}.25") for entry in others)
    joined = join([ranking, replace(ranking, file_name="b.csv", entries=tuple(others))][::order])
    if pairs < 4:
        assert codes(joined, "error") == ["joined_not_summed"]
    else:
        assert codes(joined) == ["joined_same_ranking"] and shares(joined) == shares(ranking)


@pytest.mark.parametrize("name", ["general.csv", "x.csv"])
def test_what_only_seems_to_be_the_ranking_of_the_whole_is_asked_about(name):
    first, second, _whole = tables([24, 12], 6)
    other = replace(tables([24, 12], 7)[-1], file_name=name)
    joined = join([first, second, other])
    assert shares(joined) == shares(other)
    assert joined.event.boards == 36
    assert "joined_overall_perhaps" in codes(joined, "warning")


def ranking_numbered(heading: str) -> ParsedResult:
    """Return a ranking by names of the four pairs of an evening, with their numbers below a heading."""
    order = [3, 1, 4, 2]
    rows = [
        f"{place};{number};Ana {'ABCD'[number - 1]};Luis {'ABCD'[number - 1]};{65 - 10 * place}"
        for place, number in enumerate(order, start=1)
    ]
    text = "\n".join([f"Puesto;{heading};Nombre 1;Nombre 2;%", *rows])
    return read_results("lista.csv", text.encode())


def test_unread_numbers_of_pairs_are_asked_about_with_the_columns_that_may_have_them():
    boards = read_results("martes.bws", mitchell(2, 6).data())
    refused = join([ranking_numbered("Inicial"), boards])
    (issue,) = refused.issues
    assert (issue.code, issue.value) == ("joined_no_numbers", "Inicial")
    assert [(layout.file, layout.meanings[1]) for layout in refused.layouts] == [(1, "")]
    assert codes(join([ranking_numbered("Pareja"), boards]))[:1] != ["joined_no_numbers"]


def test_usual_words_for_the_number_of_a_pair_are_asked_about_at_once():
    for heading in ("Pr", "Pja", "NP"):
        (layout,) = ranking_numbered(heading).layouts
        assert layout.meanings[1] == "number"


def test_messages_round_percentages_as_pages_do():
    assert [shown(figure, is_share=True) for figure in ("62.285", "62.2")] == ["62.29%", "62.20%"]
