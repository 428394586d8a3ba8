"""Build the draft of an upload from the file, the form and the register of players.

The draft is what confirming the upload would store.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from players.categories import categories_on
from players.models import Category, Licence, LicenceState, Player
from tournaments.boards import APART, BoardRow, locate_results, scoring_of, unit_of
from tournaments.drafts import Header, Row, SeatRow
from tournaments.formats.issues import IssueList
from tournaments.formats.licence import normalise
from tournaments.formats.types import LINES_PER_FILE, Entry, Issue, ParsedResult, Person
from tournaments.formats.values import thousandths
from tournaments.models import Announcement, Contestant, ResultUpload, Tournament
from tournaments.models import Seat as StoredSeat
from tournaments.ranking import Ranked, Ranking, rank

from . import announcements, earlier_boards, headers, matching, repeats
from .issues import PERSONAL, issue
from .people import (
    SCORE_LIMIT,
    Choice,
    Decision,
    Seat,
    check_people,
    check_register,
    choices_of,
    is_nameless,
    seats_of,
    with_players,
)
from .pipeline import unread_issues
from .recognition import recognise
from .scorings import OF_TEAMS
from .suggestions import Suggestion
from .ticks import Ticked, valid_ticks

# Issues of the readers about single seats and contestants. Every draft checks for them again, because numbers
# may have been corrected and the format changed since the file was read.
RECHECKED = frozenset(
    {
        "no_players",
        "pair_size",
        "individual_size",
        "team_size",
        "duplicate_player",
        "malformed_licence",
        "bad_percentage",
        "percentages_of_one",
        "no_number",
        "no_name",
        "stand_in",
    }
)
TEAM_LENGTH = Contestant._meta.get_field("team_name").max_length
LABEL_LENGTH = Contestant._meta.get_field("label").max_length
GUEST_LENGTH = StoredSeat._meta.get_field("guest_name").max_length


@dataclass(frozen=True)
class Draft(Ticked):
    """What confirming an upload would store, and what the review page shows of it.

    known: the tournament's data known so far, possibly incomplete
    header: the tournament's complete data; None while any are missing or invalid
    rows: the ranking to store; empty while its places have errors
    players: {player id: player} of all registered players in the ranking
    accepted: the ticks with which the director has accepted warnings, from `valid_ticks`
    entries: the contestants as read from the file or edited by hand, with the numbers of recognised people
    ranked: the contestant from which each row was made, in the same order as `rows`
    by_number: {normalised number: player}; the number of a merged player leads to the surviving one
    categories: {player id: category on the tournament's last day}
    licences: {player id: state of the licence on that day}; empty if the day is not known
    choices: the director's decisions about single seats
    recognised: {seat: suggestion} of people without a number who are recognised by their names, as from
        `recognise`; in `entries` and `ranked` they have their numbers, which are not stored with the upload
    unit: the unit of the scores, as in `Revision.unit`
    announced: the announced tournament that the upload will be linked with, if any
    proposed: the announced tournaments about which the review asks
    """

    known: headers.Known
    header: Header | None
    rows: list[Row]
    issues: list[Issue]
    players: dict[int, Player]
    accepted: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    ranked: tuple[Ranked, ...] = ()
    by_number: dict[str, Player] = field(default_factory=dict)
    categories: dict[int, Category] = field(default_factory=dict)
    licences: Mapping[int, str] = field(default_factory=dict)
    choices: Mapping[Seat, Choice] = field(default_factory=dict)
    recognised: Mapping[Seat, Suggestion] = field(default_factory=dict)
    unit: str = ""
    announced: Announcement | None = None
    proposed: tuple[Announcement, ...] = ()

    @cached_property
    def licensed(self) -> frozenset[int]:
        """The ids of the players with a licence on the tournament's last day."""
        return frozenset(player for player, state in self.licences.items() if state == LicenceState.VALID)

    @property
    def person_count(self) -> int:
        """The number of people in the ranking, including guests."""
        return sum(len(entry.people) for entry in self.entries)

    @cached_property
    def repeated(self) -> set[Seat]:
        """The seats whose number or player occurs in another seat too."""
        by_number: dict[str, list[Seat]] = {}
        for seat, person, _line in seats_of(self.entries):
            if person.number and (number := normalise(person.number)):
                player = self.by_number.get(number)
                by_number.setdefault(player.number if player else number, []).append(seat)
        return {seat for seats in by_number.values() if len(seats) > 1 for seat in seats}

    @property
    def is_nameless(self) -> bool:
        """Whether nobody in the ranking is known, so that names have to be added first."""
        return is_nameless(self.entries, self.choices)

    def is_decided(self, seat: Seat, decision: str | Decision) -> bool:
        """Return whether the draft already has this decision about a seat.

        decision: a player number, "" for none, or a `Decision`
        """
        numbers = {key: person.number or "" for key, person, _line in seats_of(self.entries)}
        if decision == Decision.GUEST:
            return self.is_guest(seat)
        return seat not in self.choices if decision == Decision.AS_READ else decision == numbers.get(seat)

    def player_of(self, person: Person) -> Player | None:
        """Return the registered player with the person's number, or None."""
        return self.by_number.get(normalise(person.number) or "") if person.number else None

    def player_at(self, seat: Seat, person: Person) -> Player | None:
        """Return the registered player of a seat; None also if the player's number is in two seats."""
        return None if seat in self.repeated else self.player_of(person)

    def is_guest(self, seat: Seat) -> bool:
        """Return whether the director has decided that a guest sits in the seat."""
        choice = self.choices.get(seat)
        return bool(choice and choice.guest)

    def is_open(self, seat: Seat, person: Person) -> bool:
        """Return whether it is undecided who sits in the seat."""
        return self.player_at(seat, person) is None and not self.is_guest(seat)

    @cached_property
    def ranked_rows(self) -> list[int]:
        """The index in `entries` of each contestant of `ranked`."""
        index = {id(entry): row for row, entry in enumerate(self.entries)}
        return [index[id(ranked.entry)] for ranked in self.ranked]


def parsed_of(upload: ResultUpload) -> ParsedResult:
    """Return the parsed upload without its thousands of board results, which a draft does not need."""
    return ParsedResult.from_json({**upload.parsed, "boards": ()})


def player_ids_of(upload: ResultUpload) -> set[int]:
    """Return the ids of the registered players in an upload's ranking, even if the upload has errors."""
    entries = parsed_of(upload).entries
    players = matching.players_by_number(person.number for entry in entries for person in entry.people)
    recognised = recognise(entries, _decided(upload, choices_of(upload)), players, upload.club_id)
    named = (suggestion.clear for suggestion in recognised.values())
    return {player.pk for player in (*players.values(), *named)}


def _decided(upload: ResultUpload, choices: Mapping[Seat, Choice]) -> set[Seat]:
    """Return the seats that the director decided, without those whose number was ignored with all numbers."""
    is_ignored = upload.parsed.get("numbers") == "ignored"
    return {seat for seat, choice in choices.items() if choice.guest or not is_ignored}


def draft_of(upload: ResultUpload) -> Draft:
    """Build the draft of an upload without reading its file again, in a fixed number of queries.

    People without a number who are recognised by their names count as if the director had chosen them.
    """
    parsed = parsed_of(upload)
    known = headers.known_of(upload, parsed.event)
    header = headers.header_of(upload, known)
    choices = choices_of(upload)
    by_number = matching.players_by_number(
        person.number for entry in parsed.entries for person in entry.people
    )
    recognised = recognise(parsed.entries, _decided(upload, choices), by_number, upload.club_id)
    players_recognised = {seat: suggestion.clear for seat, suggestion in recognised.items()}
    parsed = with_players(parsed, players_recognised)
    by_number |= {player.number: player for player in players_recognised.values()}
    first = [*unread_issues(upload), *_reader_issues(upload, parsed), *_number_notes(upload, choices)]
    issues = IssueList(first, uncapped=PERSONAL)
    announced = announcements.result_of(upload, known.end_date, known.event_type)
    proposed = announcements.proposals(upload, known)
    if parsed.entries or not issues.has_errors:
        # A file that could not be read needs no other issues.
        awaited = () if announcements.denies(upload, proposed) else announcements.FILLED
        headers.check(upload, parsed.event, known, issues, awaited if proposed else ())
    if upload.file_name or parsed.entries or parsed.has_errors:
        check_people(parsed.entries, choices, known.format, issues)
    else:
        issues.add("no_ranking")
    players = {player.pk: player for player in by_number.values()}
    ranking = _ranking(parsed, known)
    issues.extend(_ranking_issues(parsed, ranking.issues))
    categories = categories_on(known.end_date, players) if known.end_date else {}
    licences = Licence.objects.states(known.end_date, players)
    picked = recognised.keys() | {seat for seat, choice in choices.items() if choice.picked}
    check_register(parsed.entries, by_number, licences, known.end_date, issues, upload.club_id, picked)
    rows = _rows(ranking.rows, by_number, known.format, _guests(parsed.entries, choices))
    issues.extend(headers.other_club(parsed.event.club_name, upload.club))
    issues.extend(_repeat_issues(upload, header, rows, players))
    issues.extend(earlier_boards.meanwhile(upload, parsed))
    ranked = [row.entry for row in ranking.rows]
    issues.extend(earlier_boards.going_back(upload, ranked, rows, known.format))
    issues.extend(announcements.issues_of(announced, proposed))
    all_issues = list(issues.done())
    return Draft(
        known=known,
        header=header,
        rows=rows,
        issues=all_issues,
        players=players,
        accepted=valid_ticks(all_issues, upload.ticks),
        entries=parsed.entries,
        ranked=ranking.rows,
        by_number=by_number,
        categories=categories,
        licences=licences,
        choices=choices,
        recognised=recognised,
        unit=unit_of(parsed.event, parsed.entries),
        announced=announced,
        proposed=tuple(proposed),
    )


def _repeat_issues(
    upload: ResultUpload, header: Header | None, rows: list[Row], players: dict[int, Player]
) -> list[Issue]:
    """Return the issues about tournaments that the upload may repeat, without duplicates.

    Several checks may find issues about the same tournament. Of these, only the issues with the code of the
    first one are returned.
    """
    issues = repeats.same_file(upload, rows, players)
    issues += [*repeats.annulled(upload), *repeats.corrected_meanwhile(upload)]
    if header:
        issues += repeats.same_event(upload, header, rows, players)
        issues += repeats.same_source(upload, header)
    first_codes: dict[int, str] = {}
    return [
        item
        for position, item in enumerate(issues)
        if item not in issues[:position]
        and (
            "tournament" not in item.params
            or first_codes.setdefault(item.params["tournament"], item.code) == item.code
        )
    ]


def rows_and_boards(upload: ResultUpload, parsed: ParsedResult) -> tuple[list[Row], list[BoardRow], str]:
    """Return what confirming an upload would store: the ranking, the boards, and how these are scored.

    All people are returned as guests, without looking their numbers up in the register, whose data may have
    changed since the upload was confirmed. No query if `upload.corrects` is loaded.

    parsed: what was read from the file, with its board results
    """
    known = headers.known_of(upload, parsed.event)
    ranked = _ranking(parsed, known).rows
    boards = locate_results(parsed.boards, [row.entry for row in ranked], known.format)
    scored = scoring_of(parsed.event, known.format) if boards else ""
    return _rows(ranked, {}, known.format, {}), boards, scored


def _ranking(parsed: ParsedResult, known: headers.Known) -> Ranking:
    fields = "two" if known.ranking == Tournament.Ranking.TWO else "one"
    return rank(parsed.entries, fields, winner_type=parsed.event.winner_type)


def _number_notes(upload: ResultUpload, choices: Mapping[Seat, Choice]) -> list[Issue]:
    """Return a note if the director ignored or changed player numbers of the file, or typed some.

    Choosing a player by name, or a guest, for a person without a number changes no number.
    """
    if upload.parsed.get("numbers") == "ignored":
        return [issue("numbers_ignored")]
    is_mended = any(choice.number or not (choice.picked or choice.guest) for choice in choices.values())
    return [issue("numbers_mended")] if is_mended and upload.file_name else []


def _ranking_issues(parsed: ParsedResult, issues: Iterable[Issue]) -> list[Issue]:
    """Return the issues of a ranking. That teams have no common board is said once, not for each team."""
    is_missing = not any(entry.score or entry.place for entry in parsed.entries)
    if not (is_missing and parsed.event.scoring in OF_TEAMS):
        return list(issues)
    return [issue("no_common_board"), *(item for item in issues if item.code != "place_missing")]


def _reader_issues(upload: ResultUpload, parsed: ParsedResult) -> list[Issue]:
    """Return the issues found while reading the file that are still valid.

    Issues about seats and contestants are left out, because every draft checks for them again. An unreadable
    date is left out if the form has a date, and a doubtful board result if the director decided about it.
    """
    has_date = "end_date" in upload.details
    settled = _settled(upload, parsed)
    return [
        item
        for item in parsed.issues
        if item.code not in RECHECKED
        and not (settled and _subject(item) in settled)
        and not (item.code == "bws_sections" and (parsed.event.scoring or "").endswith(APART))
        and not (has_date and item.code == "bad_date")
        and not (item.code == "more_like_this" and item.params.get("kind") in RECHECKED)
    ]


def _guests(entries: Sequence[Entry], choices: Mapping[Seat, Choice]) -> dict[tuple[int, int], Choice]:
    """Return {(id of the entry object, index of the person): decision} of guests."""
    return {
        (id(entries[row]), index): choice
        for (row, index), choice in choices.items()
        if choice.guest and row < len(entries)
    }


Subject = tuple[str, int, str | int, str | int]


def _settled(upload: ResultUpload, parsed: ParsedResult) -> set[Subject]:
    """Return the subjects of the issues about board results that the director decided (see `_subject`)."""
    decided = upload.parsed.get("changes", {})
    settled: set[Subject] = set()
    open_rounds: set[Subject] = set()
    for doubt in parsed.doubts:
        is_decided = str(doubt.index) in decided
        for code in doubt.codes:
            # Board 0 stands for all boards of the round at this table.
            of_board, of_round = ((code, doubt.file, doubt.place, board) for board in (doubt.board, 0))
            settled |= {of_board, of_round} if is_decided else set()
            open_rounds |= set() if is_decided else {of_round}
    return settled - open_rounds


def _subject(item: Issue) -> Subject:
    """Return the code, file, place and board of an issue about a board result (see `Doubt`)."""
    file = (item.line or 0) // LINES_PER_FILE
    return item.code, file, item.params.get("place", ""), item.params.get("board", 0)


def _rows(
    ranked: Sequence[Ranked],
    by_number: dict[str, Player],
    kind: str,
    guests: Mapping[tuple[int, int], Choice],
) -> list[Row]:
    """Return the rows to store.

    guests: as from `_guests`
    """
    seated: set[int] = set()

    def seat(person: Person, choice: Choice | None) -> SeatRow:
        player = by_number.get(normalise(person.number) or "") if person.number else None
        # A second seat of the same player is an error. The preview shows it as an unknown person.
        if player is None or player.pk in seated:
            name = (choice and choice.name) or person.name
            return SeatRow(None, name[:GUEST_LENGTH], choice.country if choice else "")
        seated.add(player.pk)
        return SeatRow(player.pk)

    return [
        Row(
            position=position,
            place=row.place,
            seats=tuple(
                seat(person, guests.get((id(row.entry), index)))
                for index, person in enumerate(row.entry.people)
            ),
            field=row.field,
            # A table has one column for pair numbers and team names; only teams have names.
            label=(row.entry.number or row.entry.team or "")[:LABEL_LENGTH],
            team_name=(row.entry.team or "")[:TEAM_LENGTH] if kind == "teams" else "",
            score=_thousandths(row.entry.score),
            percentage=_thousandths(row.entry.percentage),
            boards=row.entry.boards,
        )
        for position, row in enumerate(ranked, start=1)
    ]


def _thousandths(text: str | None) -> Decimal | None:
    """Cut a score off after three decimals, as the database stores it.

    Return None for an impossibly large score.
    """
    if text is None or abs(Decimal(text)) >= SCORE_LIMIT:
        return None
    return thousandths(Decimal(text))
