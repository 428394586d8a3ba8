"""Store simulated tournaments with their runs and awards in bulk.

The stored rows are the same as if every tournament had been confirmed and scored individually.
`scoring.ledger.snapshots` and `scoring.ledger.services.posting` provide the content of runs and ledger
entries. A test scores every stored ranking again and compares.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time

from django.db.models import F, OuterRef, Subquery
from django.utils import timezone

from scoring.engine import ENGINE_VERSION
from scoring.ledger import evaluation as adapters
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.services import posting
from scoring.ledger.snapshots import digest_of, inputs_of
from tournaments.drafts import Header, Row
from tournaments.models import Contestant, Revision, Seat, Tournament

from .fixtures import Fixture
from .people import Federation

BATCH_SEATS = 5_000  # seats in memory at a time


@dataclass(frozen=True, slots=True)
class PlayedTournament:
    """A simulated tournament with its ranking. `by` is the account that uploads it."""

    fixture: Fixture
    rows: list[Row]
    by: object

    @property
    def header(self) -> Header:
        return self.fixture.header


def store_all(federation: Federation, played: Iterable[PlayedTournament]) -> Iterator[tuple[int, int]]:
    """Store tournaments in batches. Yield the numbers of tournaments and awards of each batch."""
    batch, seats = [], 0
    for tournament in played:
        batch.append(tournament)
        seats += sum(len(row.seats) for row in tournament.rows)
        if seats >= BATCH_SEATS:
            yield len(batch), store(federation, batch)
            batch, seats = [], 0
    if batch:
        yield len(batch), store(federation, batch)


def store(federation: Federation, batch: list[PlayedTournament]) -> int:
    """Store a batch of tournaments with their rankings, runs and awards. Return the number of awards."""
    tournaments = Tournament.objects.bulk_create(
        Tournament(**{name: getattr(played.header, name) for name in Header.__slots__}, created_by=played.by)
        for played in batch
    )
    revisions = Revision.objects.bulk_create(
        Revision(tournament=tournament, number=1, created_by=tournament.created_by)
        for tournament in tournaments
    )
    rankings = _store_rankings(batch, revisions)
    awards = _score(federation, batch, revisions, rankings)
    _date_back(revisions)
    first = Revision.objects.filter(tournament=OuterRef("pk")).values("pk")
    pks = [tournament.pk for tournament in tournaments]
    Tournament.objects.filter(pk__in=pks).update(published=Subquery(first))
    return awards


def _store_rankings(
    batch: list[PlayedTournament], revisions: list[Revision]
) -> list[list[tuple[Row, Contestant]]]:
    """Store the contestants and seats of a batch. Return a list of (row, contestant) for each ranking."""
    contestants = iter(
        Contestant.objects.bulk_create(
            Contestant(
                revision=revision,
                position=row.position,
                field=row.field,
                place=row.place,
                label=row.label,
                team_name=row.team_name,
                score=row.score,
                percentage=row.percentage,
            )
            for revision, played in zip(revisions, batch, strict=True)
            for row in played.rows
        )
    )
    rankings = [[(row, next(contestants)) for row in played.rows] for played in batch]
    Seat.objects.bulk_create(
        Seat(
            revision_id=contestant.revision_id,
            contestant=contestant,
            position=position,
            player_id=seat.player_id,
            guest_name=seat.guest_name,
        )
        for ranking in rankings
        for row, contestant in ranking
        for position, seat in enumerate(row.seats, start=1)
    )
    return rankings


def evaluate(federation: Federation, played: PlayedTournament) -> adapters.Evaluation:
    """Compute a tournament's points from the players in memory, without a query.

    The result is that of `scoring.ledger.evaluation.evaluate`.
    """
    day = played.header.end_date
    people = [person for entrant in played.fixture.entrants for person in entrant]
    codes = {person.pk: code for person in people if (code := federation.category_on(person, day))}
    licensed = {person.pk for person in people if day.year in person.licensed}
    return adapters.evaluate_events(
        adapters.regulation_for(played.header),
        adapters.build_events(played.header, played.rows, codes, licensed),
    )


def _date_back(revisions: list[Revision]) -> None:
    """Let rankings be uploaded when their points were computed: on the evening of the day of play."""
    pks = [revision.pk for revision in revisions]
    runs = ScoringRun.objects.filter(revision__in=pks)
    runs.update(created_at=F("finished_at"))
    computed = runs.filter(revision=OuterRef("pk")).values("finished_at")
    Revision.objects.filter(pk__in=pks).update(created_at=Subquery(computed[:1]))
    tournaments = Tournament.objects.filter(revisions__in=pks)
    tournaments.update(
        created_at=Subquery(ScoringRun.objects.filter(tournament=OuterRef("pk")).values("finished_at")[:1])
    )


def _evening_of(day: date) -> datetime:
    """Return the time at which the runs of a day's tournaments pretend to have been made.

    This is 22:00 of the day, or the current time if that is earlier. Runs with the current time would all
    appear in the office's list of the last week's runs.
    """
    return min(timezone.make_aware(datetime.combine(day, time(22))), timezone.now())


def _score(federation: Federation, batch: list[PlayedTournament], revisions: list[Revision], rankings) -> int:
    """Store the runs and awards of a batch. Return the number of awards."""
    evaluations = [evaluate(federation, played) for played in batch]
    runs = []
    for revision, evaluation in zip(revisions, evaluations, strict=True):
        run = ScoringRun(
            tournament=revision.tournament,
            revision=revision,
            regulation=evaluation.regulation.code,
            inputs=inputs_of(evaluation),
            input_digest=digest_of(evaluation),
            attempts=1,
            engine_version=ENGINE_VERSION,
            created_by=revision.created_by,
        )
        posting.complete(run, evaluation, _evening_of(revision.tournament.end_date))
        runs.append(run)
    ScoringRun.objects.bulk_create(runs)
    entries = []
    for run, evaluation, ranking in zip(runs, evaluations, rankings, strict=True):
        if evaluation.eligible:
            seats = [
                (seat.player_id, contestant.pk)
                for row, contestant in ranking
                for seat in row.seats
                if seat.player_id
            ]
            entries += posting.entries_of(run, evaluation, seats)
    LedgerEntry.objects.bulk_create(entries)
    return len(entries)
