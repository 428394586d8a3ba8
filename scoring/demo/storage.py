"""Stores played tournaments with their runs and awards, many in one statement a table.

The rows are those that confirming and scoring one tournament writes: what a run and its entries hold is asked
of `scoring.ledger.snapshots` and `scoring.ledger.services.posting`. A test scores every stored ranking again
and compares.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from scoring.engine import ENGINE_VERSION
from scoring.ledger import evaluation as adapters
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.services import posting
from scoring.ledger.snapshots import digest_of, inputs_of
from tournaments.drafts import Header, Row
from tournaments.models import Contestant, Revision, Seat, Session, Tournament

from .fixtures import Fixture
from .people import Federation

BATCH_SEATS = 5_000  # persons whose rows are held in memory at a time


@dataclass(frozen=True, slots=True)
class Played:
    """A tournament with its result. `by` is the account that uploaded it."""

    fixture: Fixture
    rows: list[Row]
    by: object

    @property
    def header(self) -> Header:
        return self.fixture.header


def store_all(federation: Federation, played: Iterable[Played]) -> Iterator[tuple[int, int]]:
    """Store tournaments in batches; gives after each batch how many tournaments and awards it had."""
    batch, seats = [], 0
    for each in played:
        batch.append(each)
        seats += sum(len(row.seats) for row in each.rows)
        if seats >= BATCH_SEATS:
            yield len(batch), store(federation, batch)
            batch, seats = [], 0
    if batch:
        yield len(batch), store(federation, batch)


def store(federation: Federation, batch: list[Played]) -> int:
    """Store a batch; returns the number of awards."""
    tournaments = Tournament.objects.bulk_create(
        Tournament(**{name: getattr(each.header, name) for name in Header.__slots__}, created_by=each.by)
        for each in batch
    )
    Session.objects.bulk_create(sitting for one in tournaments for sitting in sessions(one))
    revisions = Revision.objects.bulk_create(
        Revision(tournament=one, number=1, created_by=one.created_by) for one in tournaments
    )
    contestants = iter(
        Contestant.objects.bulk_create(
            Contestant(
                revision=revision, position=row.position, field=row.field, place=row.place, label=row.label,
                team_name=row.team_name, score=row.score, percentage=row.percentage,
            )
            for revision, each in zip(revisions, batch, strict=True)
            for row in each.rows
        )
    )  # fmt: skip
    stored = [[(row, next(contestants)) for row in each.rows] for each in batch]
    Seat.objects.bulk_create(
        Seat(
            revision_id=contestant.revision_id, contestant=contestant, position=position,
            player_id=seat.player_id, guest_name=seat.guest_name,
        )
        for ranking in stored
        for row, contestant in ranking
        for position, seat in enumerate(row.seats, start=1)
    )  # fmt: skip
    awards = _score(federation, batch, revisions, stored)
    first = Revision.objects.filter(tournament=OuterRef("pk")).values("pk")
    Tournament.objects.filter(pk__in=[one.pk for one in tournaments]).update(published=Subquery(first))
    return awards


def sessions(tournament: Tournament) -> Iterator[Session]:
    """One sitting a day, the boards shared out evenly."""
    days = (tournament.end_date - tournament.start_date).days + 1
    for number in range(1, days + 1):
        yield Session(
            tournament=tournament,
            number=number,
            played_on=tournament.start_date + timedelta(days=number - 1),
            boards=tournament.boards_scheduled * number // days
            - tournament.boards_scheduled * (number - 1) // days,
        )


def evaluate(federation: Federation, played: Played) -> adapters.Evaluation:
    """What `scoring.ledger.evaluation.evaluate` says, from the players in memory instead of the database."""
    day = played.header.end_date
    people = [person for entrant in played.fixture.entrants for person in entrant]
    codes = {person.pk: code for person in people if (code := federation.category_on(person, day))}
    licensed = {person.pk for person in people if day.year in person.licensed}
    events = adapters.build_events(played.header, played.rows, codes, licensed)
    return adapters.evaluate_events(adapters.regulation_for(played.header), events)


def _evening_of(day: date) -> datetime:
    """When a result of that day was scored, so that the office's week is a week and not the whole demo."""
    return min(timezone.make_aware(datetime.combine(day, time(22))), timezone.now())


def _score(federation: Federation, batch: list[Played], revisions: list[Revision], stored) -> int:
    evaluations = [evaluate(federation, each) for each in batch]
    runs = []
    for revision, evaluation in zip(revisions, evaluations, strict=True):
        run = ScoringRun(
            tournament=revision.tournament, revision=revision, regulation=evaluation.regulation.code,
            inputs=inputs_of(evaluation), input_digest=digest_of(evaluation), attempts=1,
            engine_version=ENGINE_VERSION, created_by=revision.created_by,
        )  # fmt: skip
        posting.complete(run, evaluation, _evening_of(revision.tournament.end_date))
        runs.append(run)
    ScoringRun.objects.bulk_create(runs)
    entries = []
    for run, evaluation, ranking in zip(runs, evaluations, stored, strict=True):
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
