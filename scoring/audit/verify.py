"""The audit: every award derived again from what its run stored, and compared with what the ledger says.

Nothing is written. What is checked of each tournament:

* the digest of every run's inputs, and that the engine still gives the run's outcome;
* that the latest finished run was made from the ranking and the data that are stored and shown;
* its awards, player by player: points, contestant, day, venue; and those of every earlier run;
* that the published ranking is that run's, that its awards stand and that all others are taken back;
* that an annulled tournament gives nothing, and that the last run annulled exactly those;
* that every reversal is the mirror of one entry of the same tournament;
* that an award moved to another number of the same person says the same there, and counts once.

Then, over the whole database: reversals outside tournaments, what mergings of numbers moved (`verify_moves`),
and the standings against the ledger. Opening
balances and adjustments have no inputs to derive them from; they are counted, and the standings include them.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Count

from players.models import Player
from scoring.audit.evidence import Entry, Evidence, Run, gather, loose_reversals
from scoring.engine.errors import EngineError
from scoring.ledger import evaluation as adapters
from scoring.ledger.evaluation import FAMILY, Evaluation
from scoring.ledger.isolation import consistent_read
from scoring.ledger.models import LedgerEntry, ScoringRun, StandingsState
from scoring.ledger.services import standings, year_totals
from scoring.ledger.services.sums import COLUMNS
from scoring.ledger.snapshots import evaluation_from, outcome_of, stored_digest
from scoring.ledger.source_keys import origin_of
from scoring.ledger.systems.seats import person_of
from tournaments.drafts import Header
from tournaments.models import Tournament

Kind = LedgerEntry.Kind
DONE = ScoringRun.State.DONE
ANNUL = ScoringRun.Purpose.ANNUL


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as it was derived. `player` is a federation number, "" where none is concerned.

    Codes: digest, unreadable, outcome, ranking, data, award, not_taken_back, taken_back, no_run, reversal,
    moved, published, annulled, standing, year, campaign, guard.
    """

    code: str
    tournament: int | None
    stored: str
    derived: str
    run: int | None = None
    player: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some tournaments that were checked: the id of the last of them, what was checked, what differs."""

    last: int
    tournaments: int
    runs: int
    awards: int
    differences: list[Difference]


def batches(
    only: int | None = None, since: date | None = None, after: int = 0, size: int = 200
) -> Iterator[Batch]:
    """Check tournaments in the order of their ids, `size` at a time, from the one behind `after` on.

    only: a single tournament; since: those that ended on that day or later
    Four queries a batch, and one more for the numbers of players where something differs.
    """
    while True:
        with consistent_read():
            found = gather(only, since, after, size)
        if not found:
            return
        differences = [difference for each in found for difference in check(each)]
        after = found[-1].tournament
        awards = sum(entry.kind == Kind.AWARD for each in found for entry in each.entries)
        yield Batch(after, len(found), sum(len(each.runs) for each in found), awards, numbered(differences))


def numbered(differences: list[Difference]) -> list[Difference]:
    """The same with federation numbers for the ids of players."""
    # What looks like an id may be what somebody wrote into the inputs, of any length.
    ids = {int(each.player) for each in differences if each.player.isdecimal() and len(each.player) < 19}
    if not ids:
        return differences
    numbers = {
        str(pk): number for pk, number in Player.objects.filter(pk__in=ids).values_list("pk", "number")
    }
    return [replace(each, player=numbers.get(each.player, each.player)) for each in differences]


def check(evidence: Evidence) -> Iterator[Difference]:
    """What differs in one tournament; no query."""
    done = [run for run in evidence.runs if run.state == DONE]
    latest = done[-1] if done else None
    published = latest and latest.revision
    if evidence.published != published:
        yield _difference(evidence, "published", f"ranking {evidence.published}", f"ranking {published}")
    # An annulment or a restoring that waits for the worker has marked the tournament already.
    if latest and latest is evidence.runs[-1] and evidence.annulled != (latest.purpose == ANNUL):
        stored, derived = (
            "annulled" if each else "counts" for each in (evidence.annulled, latest.purpose == ANNUL)
        )
        yield _difference(evidence, "annulled", stored, derived, latest.pk)
    for run in evidence.runs:
        yield from _check_run(evidence, run, latest)
    yield from _check_reversals(evidence, latest)
    known = {run.pk for run in done}
    for entry in evidence.entries:
        if entry.kind == Kind.AWARD and entry.run not in known:
            found = f"entry {entry.pk}: {entry.points}"
            yield _difference(evidence, "no_run", found, "nothing", entry.run, entry.player)


def _difference(evidence, code, stored, derived, run=None, player="") -> Difference:
    return Difference(code, evidence.tournament, str(stored), str(derived), run, str(player))


def _check_run(evidence: Evidence, run: Run, latest: Run | None) -> Iterator[Difference]:
    try:
        digest = stored_digest(run.inputs)
        evaluation = _derive(run) if run.state == DONE and run.purpose != ANNUL else None
    # Inputs that somebody has changed by hand may have any shape at all.
    except (EngineError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        found = f"{type(error).__name__}: {error}"
        yield _difference(evidence, "unreadable", found, "inputs of the engine", run.pk)
        return
    if digest != run.input_digest:
        yield _difference(evidence, "digest", run.input_digest, digest, run.pk)
    if run.purpose == ANNUL:
        yield from _compare_awards(evidence, run, {})
    if evaluation is None:
        return
    outcome = outcome_of(evaluation)
    if (run.eligible, _known(run.outcome, outcome)) != (evaluation.eligible, outcome):
        yield _difference(evidence, "outcome", run.outcome, outcome, run.pk)
    stored, derived = stored_ranking(evidence, run), derived_ranking(evaluation)
    if stored != derived:
        wrong = sorted(stored.items() ^ derived.items(), key=str)[0][0]
        found, wanted = stored.get(wrong), derived.get(wrong)
        yield _difference(evidence, "ranking", f"row {wrong}: {found}", f"row {wrong}: {wanted}", run.pk)
    # A correction that waits for the worker has changed the tournament's data already.
    if run is latest and run is evidence.runs[-1]:
        yield from _check_header(evidence, run, evaluation)
    yield from _check_awards(evidence, run, evaluation)


def _known(stored: Any, outcome: dict) -> Any:
    """What a stored outcome says of the same; runs of earlier versions have more in theirs."""
    return {name: stored.get(name) for name in outcome} if isinstance(stored, dict) else stored


def _derive(run: Run) -> Evaluation:
    evaluation = evaluation_from(run.regulation, run.inputs)
    if not evaluation.fields:
        raise ValueError("no inputs")
    return evaluation


def stored_ranking(evidence: Evidence, run: Run) -> dict[str, tuple]:
    """Row -> (field, place, ids of its persons) of the stored ranking, ids as the engine was given them."""
    rows: dict[str, tuple] = {}
    for seat in evidence.seats.get(run.revision, ()):
        key = str(seat.position)
        _field, _place, persons = rows.get(key, ("", 0, ()))
        person = str(seat.player) if seat.player else f"guest-{seat.position}-{len(persons) + 1}"
        rows[key] = (seat.field, seat.place, (*persons, person))
    return rows


def derived_ranking(evaluation: Evaluation) -> dict[str, tuple]:
    """The same of the run's inputs."""
    return {
        each.id: (line.field, each.place, tuple(person_of(seat.id) for seat in each.seats))
        for line in evaluation.fields
        for each in line.event.contestants
        if each.seats
    }


def _check_header(evidence: Evidence, run: Run, evaluation: Evaluation) -> Iterator[Difference]:
    """Whether what was scored follows from the tournament as it is stored."""
    header = evidence.header
    wanted = _regulation(header)
    if run.regulation != wanted:
        yield _difference(evidence, "data", f"regulation: {run.regulation}", f"regulation: {wanted}", run.pk)
    if header.family != evaluation.family:
        stored, derived = f"family: {header.family}", f"family: {evaluation.family}"
        yield _difference(evidence, "data", stored, derived, run.pk)
    used = {
        "event_type": "event_type", "format": "format", "venue": "venue", "end_date": "date",
        "boards": "boards", "boards_scheduled": "boards_scheduled",
    }  # fmt: skip
    said = {of_event: (name, getattr(header, name)) for name, of_event in used.items()}
    # What the tournament does not say of itself was settled by the settings of its day.
    said |= {name: (f"params.{name}", value) for name, value in header.params.items()}
    for line in evaluation.fields:
        for of_event, (name, stored) in said.items():
            # Each points system's formula looks at some of them.
            value = getattr(line.event, of_event, None)
            if value is not None and not _says(stored, value):
                yield _difference(evidence, "data", f"{name}: {stored}", f"{name}: {value}", run.pk)


def _regulation(header: Header) -> str:
    """The code of the regulation that scores such a tournament."""
    try:
        return adapters.regulation_for(header).code
    except (EngineError, KeyError) as error:
        return f"none ({error})"


def _says(stored: object, value: object) -> bool:
    """Whether a tournament's datum is what the engine was given; decimals are stored as strings."""
    try:
        return type(value)(stored) == value if isinstance(value, Decimal) else stored == value
    except (ArithmeticError, TypeError, ValueError):
        return False


def _check_awards(evidence: Evidence, run: Run, evaluation: Evaluation) -> Iterator[Difference]:
    yield from _compare_awards(evidence, run, expected_awards(evaluation))


def _compare_awards(evidence: Evidence, run: Run, derived: dict[str, tuple]) -> Iterator[Difference]:
    """Each player's award: (hundredths, row of the ranking, day, online, family)."""
    rows = {seat.contestant: str(seat.position) for seat in evidence.seats.get(run.revision, ())}
    stored = {
        str(entry.player): (
            entry.points, rows.get(entry.contestant), entry.played_on, entry.online, entry.family
        )
        for entry in evidence.entries
        if entry.run == run.pk and entry.kind == Kind.AWARD
    }  # fmt: skip
    if stored == derived:
        return
    for player in sorted(stored.keys() | derived.keys()):
        found, wanted = stored.get(player), derived.get(player)
        if found != wanted:
            yield _difference(evidence, "award", _award(found), _award(wanted), run.pk, player)


def expected_awards(evaluation: Evaluation) -> dict[str, tuple]:
    """Player id -> what the ledger has to say; guests earn nothing."""
    event = evaluation.fields[0].event
    common = (event.date, event.venue != Tournament.Venue.IN_PERSON, evaluation.family)
    paid = evaluation.points_by_player
    return {
        seat: (award.points, award.contestant, *common)
        for line in evaluation.fields
        for award in line.result.awards
        for seat in award.seats
        if seat.isdecimal() and int(seat) in paid
    }


def _award(values: tuple | None) -> str:
    if values is None:
        return "nothing"
    points, row, day, online, family = values
    return f"{points} (row {row}, {day}, {'online' if online else 'in person'}, {family})"


def _check_reversals(evidence: Evidence, latest: Run | None) -> Iterator[Difference]:
    given = {entry.pk: entry for entry in evidence.entries if entry.kind != Kind.REVERSAL}
    undone = set()
    for entry in evidence.entries:
        if entry.kind != Kind.REVERSAL:
            continue
        undoes = given.get(entry.reverses)
        if undoes is None or not mirrors(entry, undoes):
            stored, derived = f"entry {entry.pk}: {entry.points}", f"the mirror of entry {entry.reverses}"
            yield _difference(evidence, "reversal", stored, derived, entry.run, entry.player)
        undone.add(entry.reverses)
    moved = yield from _check_moved(evidence, given, undone)
    for award in (entry for entry in given.values() if entry.kind == Kind.AWARD):
        # What was moved to another number stands, or not, where it was moved to last.
        last = award
        while last.pk in moved:
            last = moved[last.pk]
        stands, current = last.pk not in undone, latest is not None and award.run == latest.pk
        if stands != current:
            code = "not_taken_back" if stands else "taken_back"
            derived = "taken back" if stands else "standing"
            stored = f"entry {award.pk}: {award.points}"
            yield _difference(evidence, code, stored, derived, award.run, award.player)


def mirrors(reversal: Entry, entry: Entry) -> bool:
    """Whether a reversal takes back exactly the entry it points at."""
    same = reversal.player == entry.player and alike(reversal, entry)
    return same and reversal.points == -entry.points


def alike(one: Entry, other: Entry) -> bool:
    """Whether two entries are of the same tournament, day and place, whosever they are."""
    same = ("tournament", "family", "played_on", "online", "contestant")
    return all(getattr(one, name) == getattr(other, name) for name in same)


def origin_id(entry: Entry) -> int | None:
    """The earlier entry that an entry says it was moved from, if any."""
    said = origin_of(entry.source_key)
    return said[2] if said and said[2] < entry.pk else None


def _check_moved(
    evidence: Evidence, given: dict[int, Entry], undone: set
) -> Generator[Difference, None, dict[int, Entry]]:
    """The openings of a tournament, by the id of what each was moved from: nothing else has one here."""
    moved: dict[int, Entry] = {}
    for entry in (each for each in given.values() if each.kind == Kind.OPENING):
        origin = given.get(origin_id(entry))
        if origin and origin.pk not in moved and origin.pk in undone and moved_rightly(entry, origin):
            moved[origin.pk] = entry
        else:
            stored, derived = f"entry {entry.pk}: {entry.points}", "an award that was taken back for it"
            yield _difference(evidence, "moved", stored, derived, None, entry.player)
    return moved


def moved_rightly(entry: Entry, origin: Entry) -> bool:
    """Whether a moved entry gives what the one it comes from gave."""
    return entry.points == origin.points and alike(entry, origin)


def loose() -> list[Difference]:
    """Reversals outside tournaments that are not the mirror of an entry outside tournaments."""
    with consistent_read():
        pairs = loose_reversals()
    return numbered(
        [
            Difference(
                "reversal", None, f"entry {entry.pk}: {entry.points}", f"the mirror of entry {undone.pk}",
                entry.run, str(entry.player),
            )
            for entry, undone in pairs
            if undone.kind == Kind.REVERSAL or not mirrors(entry, undone)
        ]
    )  # fmt: skip


def compared_standings() -> tuple[date | None, list[Difference]]:
    """The day of the standings, and every player whose standing or year is not what the ledger gives.

    None for a database whose standings were never computed.
    """
    with consistent_read():
        states = {state.family: state for state in StandingsState.objects.order_by("family")}
        state = states.get(FAMILY)
        day = state.as_of if state else standings.today()
        rows = [row for family in {FAMILY: None, **states} for row in standings.compare(day, family)]
        found = {"standing": rows, "year": list(year_totals.differences(day))}
    wrong = [
        Difference(code, None, _sums(row.stored), _sums(row.computed), None, str(row.player_id))
        for code, rows in found.items()
        for row in rows
    ]
    return state and state.as_of, numbered(wrong)


def _sums(row) -> str:
    if row is None:
        return "nothing"
    names = [*(["year"] if hasattr(row, "year") else []), *COLUMNS]
    return ", ".join(f"{name}={getattr(row, name)}" for name in names)


def underivable() -> dict[str, int]:
    """Entries that have no inputs, by kind: opening balances and adjustments; not what was moved."""
    kinds = [Kind.OPENING, Kind.ADJUSTMENT]
    found = LedgerEntry.objects.filter(kind__in=kinds).exclude(source_key__contains=":")
    rows = found.order_by().values_list("kind")
    return dict(rows.annotate(number=Count("pk")))
