"""An upload under review, joined with the form and the register: what confirming it would store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property

from players.categories import categories_on
from players.models import Category, Licence, Player
from tournaments.boards import BoardRow, located
from tournaments.drafts import Header, Row, SeatRow
from tournaments.formats.issues import IssueList
from tournaments.formats.licence import normalise
from tournaments.formats.types import Entry, Issue, ParsedResult, Person
from tournaments.models import Contestant, ResultUpload, Tournament
from tournaments.models import Seat as StoredSeat
from tournaments.ranking import Ranked, Ranking, rank

from . import headers, matching, other_clubs, repeats
from .issues import PERSONAL, issue, tick_of
from .mending import Decision
from .people import SCORE_LIMIT, Choice, Seat, check_people, check_register, choices_of, seats_of

# What the readers found about single seats and contestants. It is looked for again on every look at the
# draft, because numbers may have been mended and the format changed since the file was read.
RECHECKED = frozenset(
    {
        "no_players", "too_many_entries", "pair_size", "individual_size", "team_size", "duplicate_player",
        "malformed_licence", "bad_percentage", "no_number", "no_name", "stand_in",
    }
)  # fmt: skip
THOUSANDTH = Decimal("0.001")
TEAM_LENGTH = Contestant._meta.get_field("team_name").max_length
LABEL_LENGTH = Contestant._meta.get_field("label").max_length
GUEST_LENGTH = StoredSeat._meta.get_field("guest_name").max_length


@dataclass(frozen=True)
class Draft:
    """What an upload would become.

    `header` is None while something of it is missing; `rows` are empty while the places make no ranking.
    `ranked` are the entries behind the rows, in the same order. `players`, `categories` and `licensed` are
    by player id and of the tournament's last day; `entries` also holds who could not be matched. `choices` is
    what the director decided about single seats.
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
    licensed: frozenset[int] = frozenset()
    choices: Mapping[Seat, Choice] = field(default_factory=dict)

    @property
    def blocking(self) -> bool:
        return any(each.severity == "error" for each in self.issues)

    @property
    def warnings(self) -> list[str]:
        """What needs a tick, as `tick_of` names it, in the order of the issues."""
        return list(self.by_tick)

    @property
    def by_tick(self) -> dict[str, list[Issue]]:
        """The warnings by what one tick settles."""
        found: dict[str, list[Issue]] = {}
        for each in self.issues:
            if each.severity == "warning":
                found.setdefault(tick_of(each), []).append(each)
        return found

    @property
    def unticked(self) -> list[str]:
        return [tick for tick in self.warnings if tick not in self.accepted]

    @property
    def persons(self) -> int:
        """Everybody in the ranking, guests included."""
        return sum(len(entry.people) for entry in self.entries)

    @property
    def recognised(self) -> int:
        return len(self.players)

    @cached_property
    def repeated(self) -> set[Seat]:
        """Seats whose number, or another of that player, is on another seat too."""
        seats: dict[str, list[Seat]] = {}
        for seat, person, _line in seats_of(self.entries):
            if person.number and (number := normalise(person.number)):
                player = self.by_number.get(number)
                seats.setdefault(player.number if player else number, []).append(seat)
        return {seat for same in seats.values() if len(same) > 1 for seat in same}

    def is_decided(self, seat: Seat, decision: str | Decision) -> bool:
        """Whether a decision about a seat is what the draft has there."""
        number = next(
            (person.number or "" for other, person, _ in seats_of(self.entries) if other == seat), None
        )
        choice = self.choices.get(seat)
        if decision == Decision.GUEST:
            return bool(choice and choice.guest)
        return choice is None if decision == Decision.AS_READ else decision == number

    def player_of(self, person: Person) -> Player | None:
        """The registered player of a seat, by number."""
        return self.by_number.get(normalise(person.number) or "") if person.number else None


def parsed_of(upload: ResultUpload) -> ParsedResult:
    """What was read, without the results of single boards: nothing here looks at those thousands."""
    return ParsedResult.from_json({**upload.parsed, "boards": ()})


def people_of(upload: ResultUpload) -> set[int]:
    """Ids of the registered players of a ranking, whatever else is wrong with it."""
    people = (person for entry in parsed_of(upload).entries for person in entry.people)
    return {player.pk for player in matching.players_by_number(person.number for person in people).values()}


def is_unread(upload: ResultUpload) -> bool:
    """Whether the file has not been read: whoever was to read it was stopped, or is still at it."""
    return bool(upload.file_name) and not upload.file_format


def draft_of(upload: ResultUpload) -> Draft:
    """Read nothing but the database: the same upload gives the same draft, in a fixed number of queries."""
    parsed = parsed_of(upload)
    known = headers.known_of(upload, parsed.event)
    header = headers.header_of(upload, known)
    choices = choices_of(upload)
    issues = IssueList(listed_whole=PERSONAL)
    if is_unread(upload):
        issues.extend([issue("not_read")])
    issues.extend(_lasting(upload, parsed))
    issues.extend(_changed(upload, choices))
    if parsed.entries or not issues.has_errors:
        # Of a file that could not be read nothing else needs saying.
        headers.check(upload, parsed.event, known, issues)
    if upload.file_name or parsed.entries or parsed.has_errors:
        check_people(parsed.entries, choices, known.format, issues)
    else:
        issues.extend([issue("no_ranking")])
    by_number = matching.players_by_number(
        person.number for entry in parsed.entries for person in entry.people
    )
    players = {player.pk: player for player in by_number.values()}
    ranking = _ranking(parsed, known)
    issues.extend(ranking.issues)
    categories, licensed = {}, frozenset()
    if known.end_date:
        categories = categories_on(known.end_date, players)
        valid = Licence.objects.valid_on(known.end_date).filter(player_id__in=list(players))
        licensed = frozenset(valid.values_list("player_id", flat=True))
    check_register(parsed.entries, by_number, licensed, known.end_date, issues)
    rows = _rows(ranking.rows, by_number, known.format)
    issues.extend(other_clubs.other_club(parsed.event.club_name, upload.club))
    issues.extend(_seen_before(upload, header, rows, players))
    return Draft(
        known=known,
        header=header,
        rows=rows,
        issues=list(issues.done()),
        players=players,
        accepted=tuple(upload.accepted_codes),
        entries=parsed.entries,
        ranked=ranking.rows,
        by_number=by_number,
        categories=categories,
        licensed=licensed,
        choices=choices,
    )


def _seen_before(
    upload: ResultUpload, header: Header | None, rows: list[Row], players: dict[int, Player]
) -> list[Issue]:
    """The same file, a rival correction, or the same event; of one tournament only the first that is said."""
    found = [
        *repeats.same_file(upload), *repeats.annulled(upload), *repeats.corrected_meanwhile(upload),
    ]  # fmt: skip
    if header:
        found += repeats.same_event(upload, header, rows, players)
        found += repeats.same_source(upload, header)
    said: dict[int, str] = {}
    return [
        each
        for each in found
        if "tournament" not in each.params
        or said.setdefault(each.params["tournament"], each.code) == each.code
    ]


def as_read(upload: ResultUpload, parsed: ParsedResult) -> tuple[list[Row], list[BoardRow]]:
    """The ranking and the results of boards that confirming the upload stores when `parsed` was read of it.

    Everybody is a guest here: whose a number is, the register says, and may say otherwise later. No query
    where the upload comes with the tournament that it corrects.
    """
    known = headers.known_of(upload, parsed.event)
    ranked = _ranking(parsed, known).rows
    is_pairs = known.format == Tournament.Format.PAIRS
    results = located(parsed.boards, [each.entry for each in ranked]) if is_pairs else []
    return _rows(ranked, {}, known.format), results


def _ranking(parsed: ParsedResult, known: headers.Known) -> Ranking:
    fields = "two" if known.ranking == Tournament.Ranking.TWO else "one"
    return rank(parsed.entries, fields, winner_type=parsed.event.winner_type)


def _changed(upload: ResultUpload, choices: Mapping[Seat, Choice]) -> list[Issue]:
    """What was changed on the review page: the file stays as it came, and readers should know."""
    if upload.parsed.get("numbers") == "ignored":
        return [issue("numbers_ignored")]
    return [issue("numbers_mended")] if choices and upload.file_name else []


def _lasting(upload: ResultUpload, parsed: ParsedResult) -> list[Issue]:
    """The reader's issues that mending a number, or a date on the form, cannot settle."""
    dated = "end_date" in upload.details
    return [
        each
        for each in parsed.issues
        if each.code not in RECHECKED
        and not (dated and each.code == "bad_date")
        and not (each.code == "more_like_this" and each.params.get("kind") in RECHECKED)
    ]


def _rows(ranked: Sequence[Ranked], by_number: dict[str, Player], kind: str) -> list[Row]:
    seated: set[int] = set()

    def seat(person: Person) -> SeatRow:
        player = by_number.get(normalise(person.number) or "") if person.number else None
        # A second seat of the same player is an error; the preview shows it as somebody unknown.
        if player is None or player.pk in seated:
            return SeatRow(None, person.name[:GUEST_LENGTH])
        seated.add(player.pk)
        return SeatRow(player.pk)

    return [
        Row(
            position=position,
            place=each.place,
            seats=tuple(seat(person) for person in each.entry.people),
            field=each.field,
            # A table has one column for pair numbers and team names; only teams have names.
            label=(each.entry.number or each.entry.team or "")[:LABEL_LENGTH],
            team_name=(each.entry.team or "")[:TEAM_LENGTH] if kind == "teams" else "",
            score=_thousandths(each.entry.score),
            percentage=_thousandths(each.entry.percentage),
            boards=each.entry.boards,
        )
        for position, each in enumerate(ranked, start=1)
    ]


def _thousandths(text: str | None) -> Decimal | None:
    """A score as the database keeps it; impossible ones are errors elsewhere and left out here."""
    if text is None or abs(Decimal(text)) >= SCORE_LIMIT:
        return None
    return Decimal(text).quantize(THOUSANDTH, ROUND_HALF_UP)
