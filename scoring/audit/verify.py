"""Compute every award again from the inputs of its run, and compare the result with the ledger.

Nothing is written. For each tournament, the audit checks that

* every run's inputs have the stored digest, and the engine still computes the stored outcome from them;
* the latest finished run used the ranking and the tournament data that are stored now;
* the awards of every run are as computed again: player, points, contestant, day, venue;
* the published ranking is that of the latest finished run; only that run's awards count, and the awards of
  all other runs are reversed;
* the tournament is marked as annulled if and only if its latest finished run annuls it; it then has no
  awards;
* every reversal belongs to the same tournament and player as its entry and has the negated points;
* an award moved by a merge equals the original and counts once.

For the whole database, it checks the reversals that belong to no tournament, and that the standings follow
from the ledger. Openings and adjustments have no inputs to compute them from: they are counted, and the
standings include them. `scoring.audit.transfers` checks the entries that merges moved.
"""

from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
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
    """A stored value that differs from the value computed again. docs/verify.md lists the codes.

    `player` is a federation number, or "" if the difference concerns no player.
    """

    code: str
    tournament: int | None
    stored: str
    derived: str
    run: int | None = None
    player: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    """The result of checking a batch of tournaments, uploads or rankings.

    last: id of the last item checked; for Go tournaments, its position in the order of rating
    counts: {field of `Position` in the command `verify`: number of items checked}
    unread: {reason: number of rankings whose file was not read again}
    """

    last: Any
    counts: dict[str, int]
    differences: list[Difference]
    unread: Counter[str] = field(default_factory=Counter)


def batches(
    tournament_id: int | None = None, since: date | None = None, after: int = 0, size: int = 200
) -> Iterator[Batch]:
    """Check tournaments in batches of `size`, in order of id, starting after `after`.

    tournament_id, since: as in `evidence.selected`

    Four queries per batch, and one more for players' numbers if there are differences.
    """
    while True:
        with consistent_read():
            batch = gather(tournament_id, since, after, size)
        if not batch:
            return
        differences = with_numbers([difference for evidence in batch for difference in check(evidence)])
        after = batch[-1].tournament
        counts = {
            "tournaments": len(batch),
            "runs": sum(len(evidence.runs) for evidence in batch),
            "awards": sum(entry.kind == Kind.AWARD for evidence in batch for entry in evidence.entries),
        }
        yield Batch(after, counts, differences)


def with_numbers(differences: list[Difference]) -> list[Difference]:
    """Replace the players' ids in the differences by their federation numbers."""
    # Tampered inputs may contain numbers too large for an id.
    ids = {
        int(difference.player)
        for difference in differences
        if difference.player.isdecimal() and len(difference.player) < 19
    }
    if not ids:
        return differences
    numbers = {
        str(pk): number for pk, number in Player.objects.filter(pk__in=ids).values_list("pk", "number")
    }
    return [
        replace(difference, player=numbers.get(difference.player, difference.player))
        for difference in differences
    ]


def check(evidence: Evidence) -> Iterator[Difference]:
    """Yield all differences in the points of a tournament. No query."""
    done = [run for run in evidence.runs if run.state == DONE]
    latest = done[-1] if done else None
    published = latest and latest.revision
    if evidence.published != published:
        yield _difference(evidence, "published", f"ranking {evidence.published}", f"ranking {published}")
    # An annulment or restoration marks the tournament at once, before the worker has processed its run.
    if latest and latest is evidence.runs[-1] and evidence.annulled != (latest.purpose == ANNUL):
        stored, derived = (
            "annulled" if annulled else "counts" for annulled in (evidence.annulled, latest.purpose == ANNUL)
        )
        yield _difference(evidence, "annulled", stored, derived, latest.pk)
    for run in evidence.runs:
        yield from _check_run(evidence, run, latest)
    yield from _check_reversals(evidence, latest)
    known = {run.pk for run in done}
    for entry in evidence.entries:
        if entry.kind == Kind.AWARD and entry.run not in known:
            stored = f"entry {entry.pk}: {entry.points}"
            yield _difference(evidence, "no_run", stored, "nothing", entry.run, entry.player)


def _difference(evidence, code, stored, derived, run=None, player="") -> Difference:
    return Difference(code, evidence.tournament, str(stored), str(derived), run, str(player))


def _check_run(evidence: Evidence, run: Run, latest: Run | None) -> Iterator[Difference]:
    try:
        digest = stored_digest(run.inputs)
        evaluation = _derive(run) if run.state == DONE and run.purpose != ANNUL else None
    # Tampered inputs may have any shape.
    except (EngineError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        text = f"{type(error).__name__}: {error}"
        yield _difference(evidence, "unreadable", text, "inputs of the engine", run.pk)
        return
    if digest != run.input_digest:
        yield _difference(evidence, "digest", run.input_digest, digest, run.pk)
    if run.purpose == ANNUL:
        yield from _compare_awards(evidence, run, {})
    if evaluation is None:
        return
    outcome = outcome_of(evaluation)
    if (run.eligible, _same_keys(run.outcome, outcome)) != (evaluation.eligible, outcome):
        yield _difference(evidence, "outcome", run.outcome, outcome, run.pk)
    stored, derived = stored_ranking(evidence, run), derived_ranking(evaluation)
    if stored != derived:
        row = sorted(stored.items() ^ derived.items(), key=str)[0][0]
        texts = (f"row {row}: {ranking.get(row)}" for ranking in (stored, derived))
        yield _difference(evidence, "ranking", *texts, run.pk)
    # A correction changes the tournament's data at once, before the worker has scored it.
    if run is latest and run is evidence.runs[-1]:
        yield from _check_header(evidence, run, evaluation)
    yield from _compare_awards(evidence, run, expected_awards(evaluation))


def _same_keys(stored: Any, outcome: dict) -> Any:
    """Return only those items of a stored outcome whose keys are in `outcome`.

    Earlier versions of the application stored more keys.
    """
    return {name: stored.get(name) for name in outcome} if isinstance(stored, dict) else stored


def _derive(run: Run) -> Evaluation:
    evaluation = evaluation_from(run.regulation, run.inputs)
    if not evaluation.fields:
        raise ValueError("no inputs")
    return evaluation


def stored_ranking(evidence: Evidence, run: Run) -> dict[str, tuple]:
    """Return {row number: (field, place, seat ids)} of the stored ranking that a run scored.

    Seat ids are formed as in the run's inputs, so that both rankings can be compared.
    """
    rows: dict[str, tuple] = {}
    for seat in evidence.seats.get(run.revision, ()):
        key = str(seat.position)
        _field, _place, players = rows.get(key, ("", 0, ()))
        player = str(seat.player) if seat.player else f"guest-{seat.position}-{len(players) + 1}"
        rows[key] = (seat.field, seat.place, (*players, player))
    return rows


def derived_ranking(evaluation: Evaluation) -> dict[str, tuple]:
    """Return the ranking that a run's inputs contain, as {row number: (field, place, seat ids)}.

    The caller compares it with the result of `stored_ranking`. Seat ids lose the prefix "short-".

    evaluation: the result of running the engine on the run's inputs
    """
    return {
        contestant.id: (
            scored.field,
            contestant.place,
            tuple(person_of(seat.id) for seat in contestant.seats),
        )
        for scored in evaluation.fields
        for contestant in scored.event.contestants
        if contestant.seats
    }


def _check_header(evidence: Evidence, run: Run, evaluation: Evaluation) -> Iterator[Difference]:
    """Yield the differences between the tournament data in a run's inputs and the stored tournament.

    evaluation: the result of running the engine on the run's inputs
    """
    header = evidence.header
    derived = _regulation(header)
    if run.regulation != derived:
        yield _difference(evidence, "data", f"regulation: {run.regulation}", f"regulation: {derived}", run.pk)
    if header.family != evaluation.family:
        stored, derived = f"family: {header.family}", f"family: {evaluation.family}"
        yield _difference(evidence, "data", stored, derived, run.pk)
    used = {
        "event_type": "event_type",
        "format": "format",
        "venue": "venue",
        "end_date": "date",
        "boards": "boards",
        "boards_scheduled": "boards_scheduled",
    }
    stored_values = {attribute: (name, getattr(header, name)) for name, attribute in used.items()}
    # Skip parameters that the tournament does not store: they came from the settings at that time.
    stored_values |= {name: (f"params.{name}", value) for name, value in header.params.items()}
    for scored in evaluation.fields:
        for attribute, (name, stored) in stored_values.items():
            # The event classes of the points systems have different attributes.
            value = getattr(scored.event, attribute, None)
            if value is not None and not _equal(stored, value):
                yield _difference(evidence, "data", f"{name}: {stored}", f"{name}: {value}", run.pk)


def _regulation(header: Header) -> str:
    """Return the code of the regulation that applies to the tournament, or a text if there is none."""
    try:
        return adapters.regulation_for(header).code
    except (EngineError, KeyError) as error:
        return f"none ({error})"


def _equal(stored: object, value: object) -> bool:
    """Return whether a stored value equals a value of the engine's input. Decimals are stored as strings."""
    try:
        return type(value)(stored) == value if isinstance(value, Decimal) else stored == value
    except (ArithmeticError, TypeError, ValueError):
        return False


def _compare_awards(evidence: Evidence, run: Run, derived: dict[str, tuple]) -> Iterator[Difference]:
    """Yield the differences between the stored awards of a run and the derived ones.

    derived: {player id: (hundredths, row in the ranking, last day, online, family)}
    """
    rows = {seat.contestant: str(seat.position) for seat in evidence.seats.get(run.revision, ())}
    stored = {
        str(entry.player): (
            entry.points,
            rows.get(entry.contestant),
            entry.played_on,
            entry.online,
            entry.family,
        )
        for entry in evidence.entries
        if entry.run == run.pk and entry.kind == Kind.AWARD
    }
    if stored == derived:
        return
    for player in sorted(stored.keys() | derived.keys()):
        values = stored.get(player), derived.get(player)
        if values[0] != values[1]:
            yield _difference(evidence, "award", *map(_award, values), run.pk, player)


def expected_awards(evaluation: Evaluation) -> dict[str, tuple]:
    """Return {player id: (hundredths, row in the ranking, last day, online, family)}.

    These are the awards that the ledger must have.
    """
    event = evaluation.fields[0].event
    common = (event.date, event.venue != Tournament.Venue.IN_PERSON, evaluation.family)
    paid = evaluation.points_by_player
    return {
        seat: (award.points, award.contestant, *common)
        for scored in evaluation.fields
        for award in scored.result.awards
        for seat in award.seats
        if seat.isdecimal() and int(seat) in paid
    }


def _award(values: tuple | None) -> str:
    if values is None:
        return "nothing"
    points, row, day, online, family = values
    return f"{points} (row {row}, {day}, {'online' if online else 'in person'}, {family})"


def _check_reversals(evidence: Evidence, latest: Run | None) -> Iterator[Difference]:
    entries = {entry.pk: entry for entry in evidence.entries if entry.kind != Kind.REVERSAL}
    reversed_ids = set()
    for entry in evidence.entries:
        if entry.kind != Kind.REVERSAL:
            continue
        origin = entries.get(entry.reverses)
        if origin is None or not mirrors(entry, origin):
            stored, derived = f"entry {entry.pk}: {entry.points}", f"the mirror of entry {entry.reverses}"
            yield _difference(evidence, "reversal", stored, derived, entry.run, entry.player)
        reversed_ids.add(entry.reverses)
    moved = yield from _check_moved(evidence, entries, reversed_ids)
    for award in (entry for entry in entries.values() if entry.kind == Kind.AWARD):
        # Merges take an award back and post it again for another player, so use the last of these entries.
        last = award
        while last.pk in moved:
            last = moved[last.pk]
        stands, current = last.pk not in reversed_ids, latest is not None and award.run == latest.pk
        if stands != current:
            code = "not_taken_back" if stands else "taken_back"
            derived = "taken back" if stands else "standing"
            stored = f"entry {award.pk}: {award.points}"
            yield _difference(evidence, code, stored, derived, award.run, award.player)


def mirrors(reversal: Entry, entry: Entry) -> bool:
    """Return whether the reversal takes back exactly this entry.

    It does if it has the same player, the same tournament and the negated points.
    """
    same = reversal.player == entry.player and _same_event(reversal, entry)
    return same and reversal.points == -entry.points


def same_award(entry: Entry, origin: Entry) -> bool:
    """Return whether two entries award the same points for the same event. The players may differ."""
    return entry.points == origin.points and _same_event(entry, origin)


def _same_event(entry: Entry, origin: Entry) -> bool:
    names = ("tournament", "family", "played_on", "online", "contestant")
    return all(getattr(entry, name) == getattr(origin, name) for name in names)


def _origin_id(entry: Entry) -> int | None:
    """Return the id of the original entry if a merge moved it and this entry is the copy, else None."""
    origin = origin_of(entry.source_key)
    return origin[2] if origin and origin[2] < entry.pk else None


def _check_moved(
    evidence: Evidence, entries: dict[int, Entry], reversed_ids: set[int]
) -> Generator[Difference, None, dict[int, Entry]]:
    """Check the copies of awards that were posted when players were merged or a merge was undone.

    Both take an award back from one player and post a copy of it to another. The copy is an opening entry.
    The tournament must not have any other opening entries.

    Yield a difference for each wrong copy. Return {id of the entry that was copied: its correct copy}.

    entries: {id: entry} of the tournament's entries that are not reversals
    reversed_ids: ids of the entries that are reversed
    """
    moved: dict[int, Entry] = {}
    for entry in (entry for entry in entries.values() if entry.kind == Kind.OPENING):
        origin = entries.get(_origin_id(entry))
        if origin and origin.pk not in moved and origin.pk in reversed_ids and same_award(entry, origin):
            moved[origin.pk] = entry
        else:
            stored, derived = f"entry {entry.pk}: {entry.points}", "an award that was taken back for it"
            yield _difference(evidence, "moved", stored, derived, None, entry.player)
    return moved


def unmatched_reversals() -> list[Difference]:
    """Return a difference for each reversal that belongs to no tournament and does not match its entry."""
    with consistent_read():
        pairs = loose_reversals()
    differences = [
        Difference(
            "reversal",
            None,
            f"entry {reversal.pk}: {reversal.points}",
            f"the mirror of entry {entry.pk}",
            reversal.run,
            str(reversal.player),
        )
        for reversal, entry in pairs
        if entry.kind == Kind.REVERSAL or not mirrors(reversal, entry)
    ]
    return with_numbers(differences)


def compare_standings() -> tuple[date | None, list[Difference]]:
    """Compare all standings and year totals with the ledger, those of kept days included.

    Return the day of the standings and the differences. The day is None if standings were never computed.
    """
    with consistent_read():
        states = {state.family: state for state in StandingsState.objects.order_by("family")}
        state = states.get(FAMILY)
        day = state.as_of if state else standings.today()
        rows = [row for family in {FAMILY: None, **states} for row in standings.compare(day, family)]
        rows += standings.compare_kept()
        compared = {"standing": rows, "year": list(year_totals.compare_all(day))}
    differences = [
        Difference(code, None, _sums(row.stored), _sums(row.computed), None, str(row.player_id))
        for code, rows in compared.items()
        for row in rows
    ]
    return state and state.as_of, with_numbers(differences)


def _sums(row) -> str:
    if row is None:
        return "nothing"
    names = [*(["year"] if hasattr(row, "year") else []), *COLUMNS]
    return ", ".join(f"{name}={getattr(row, name)}" for name in names)


def count_underivable() -> dict[str, int]:
    """Return {kind: number} of the openings and adjustments, which cannot be computed from stored inputs.

    Entries moved by merges are left out.
    """
    kinds = [Kind.OPENING, Kind.ADJUSTMENT]
    entries = LedgerEntry.objects.filter(kind__in=kinds).exclude(source_key__contains=":")
    rows = entries.order_by().values_list("kind")
    return dict(rows.annotate(number=Count("pk")))
