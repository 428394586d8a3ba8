"""The rows of generated tournaments: rankings, runs, awards and boards, as the product stores them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from random import Random
from uuid import UUID

from django.utils import timezone

from players.models.names import pairs_of, search_text_of
from scoring.demo import play
from scoring.demo.boards import play_boards
from scoring.demo.fixtures import Fixture
from scoring.demo.people import Federation
from scoring.demo.session import BOARDS_PER_ROUND
from scoring.demo.storage import PlayedTournament, evaluate
from scoring.engine import ENGINE_VERSION
from scoring.ledger.evaluation import Evaluation
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.snapshots import inputs_of, outcome_of, stored_digest
from scoring.strength.figures import StoredResult, adjust_session, database_figures
from tournaments.boards import MATCHPOINTS, BoardRow
from tournaments.drafts import Row
from tournaments.formats.types import Deal as PlayedDeal
from tournaments.models import BoardResult, Contestant, Deal, Revision, Seat, Tournament, TournamentPair

from .copying import NULL, Rows, as_json, escaped, or_null
from .tiers import Tier

# Tables that are filled without their indexes. The order is that of writing.
LARGE = [Tournament, TournamentPair, Revision, ScoringRun, Contestant, Seat, BoardResult, Deal, LedgerEntry]
CORRECTED_EVERY, ANNULLED_EVERY = 150, 1_500
CORRECTION, ANNULMENT = "Dos puestos estaban cambiados (generado)", "Se jugaron manos repetidas (generado)"
LATER = timedelta(days=3)  # until a correction
# How many ids a slice has for each tournament, and how many tournaments it may have.
MOST = 20_000
IDS = {Tournament: 1, Revision: 2, ScoringRun: 2, Contestant: 200, Seat: 400, LedgerEntry: 800}
FIRST, SECOND = 1, 2


@dataclass(frozen=True, slots=True)
class Stored:
    """A ranking that has rows. Its awards are (player, points, contestant, entry)."""

    revision: int
    evaluation: Evaluation
    awards: list[tuple[int, int, int, int]]


class PlayRows:
    """The rows of the tournaments of one slice.

    number: that of the slice, from 1; it decides about the ids
    office: id of the account that uploads and corrects
    """

    def __init__(self, federation: Federation, number: int, office: int, tier: Tier, until: date) -> None:
        self.federation, self.office, self.tier = federation, office, tier
        self.complete_since, self.now = tier.complete_since(until), timezone.now()
        self.tournaments = self.awards = 0
        self.next_ids = {model: number * MOST * share + 1 for model, share in IDS.items()}
        self.last_ids = {model: (number + 1) * MOST * share for model, share in IDS.items()}
        self.rows = {
            Tournament: Rows(
                Tournament,
                "id name search_text club_id event_type format venue start_date end_date boards "
                "boards_scheduled ranking regulation_override override_reason created_at created_by_id "
                "annulled_at published_id",
            ),
            TournamentPair: Rows(TournamentPair, "tournament_id stem second"),
            Revision: Rows(Revision, "id tournament_id number reason created_at created_by_id boards_scored"),
            ScoringRun: Rows(
                ScoringRun,
                "id uid tournament_id revision_id number purpose regulation reason inputs input_digest "
                "engine_version state attempts eligible outcome created_at finished_at created_by_id",
            ),
            Contestant: Rows(
                Contestant,
                "id revision_id position field place label team_name score percentage boards_played adjusted",
            ),
            Seat: Rows(Seat, "revision_id contestant_id position player_id guest_name"),
            BoardResult: Rows(
                BoardResult, "revision_id board ns_id ew_id score contract declarer lead tricks"
            ),
            Deal: Rows(Deal, "revision_id board dealer vulnerable hands"),
            LedgerEntry: Rows(
                LedgerEntry,
                "id kind player_id points played_on online tournament_id run_id contestant_id reverses_id "
                "reason posted_at posted_by_id",
            ),
        }

    def _id(self, model) -> int:
        result = self.next_ids[model]
        if result > self.last_ids[model]:
            raise OverflowError(f"a slice has too many rows of {model.__name__}: make slices of fewer days")
        self.next_ids[model] = result + 1
        return result

    def write(self, cursor) -> None:
        """Write all rows."""
        for model in LARGE:
            self.rows[model].write(cursor)

    # --- Tournaments --------------------------------------------------------------------------------------
    def add(self, fixture: Fixture, rng: Random) -> None:
        """Simulate a tournament and add its rows: in some cases with boards, a correction or an annulment."""
        complete = fixture.header.end_date >= self.complete_since
        boards = deals = ()
        if complete and _is_pool_of_pairs(fixture) and rng.randrange(self.tier.boards_every) == 0:
            fixture, rows, boards, deals = _with_boards(fixture, rng)
        else:
            rows = play.play(fixture, rng)
        tournament = self._id(Tournament)
        evening = self._evening(fixture.header.end_date)
        run = self._id(ScoringRun)
        stored = self._ranking(
            tournament, FIRST, run, fixture, rows, complete, evening, boards=boards, deals=deals
        )
        annulled = NULL
        if complete and not boards and rng.randrange(CORRECTED_EVERY) == 0:
            later = min(evening + LATER, self.now)
            run, corrected = self._id(ScoringRun), _corrected(rows, rng)
            self._reverse(stored, fixture, tournament, run, CORRECTION, later)
            stored = self._ranking(
                tournament, SECOND, run, fixture, corrected, True, later, reason=CORRECTION
            )
        elif complete and rng.randrange(ANNULLED_EVERY) == 0:
            annulled = min(evening + LATER, self.now)
            self._annul(stored, fixture, tournament, annulled)
        self._tournament(tournament, fixture, evening, annulled, stored.revision)

    def _evening(self, day: date) -> datetime:
        return min(timezone.make_aware(datetime.combine(day, time(22))), self.now)

    def _tournament(self, pk: int, fixture: Fixture, evening, annulled, published: int) -> None:
        header = fixture.header
        text = search_text_of(header.name, TournamentPair.MOST)
        for stem, second in pairs_of(text, TournamentPair.MOST):
            self.rows[TournamentPair].add(pk, stem, second)
        self.rows[Tournament].add(
            *(pk, header.name, text, header.club_id, header.event_type, header.format),
            *(header.venue, header.start_date, header.end_date, header.boards, header.boards_scheduled),
            *(header.ranking, header.regulation_override, header.override_reason, evening, self.office),
            *(annulled, published),
        )
        self.tournaments += 1

    def _ranking(
        self,
        tournament: int,
        number: int,
        run: int,
        fixture: Fixture,
        rows: list[Row],
        complete: bool,
        at: datetime,
        *,
        boards: Sequence[BoardRow] = (),
        deals: Sequence[PlayedDeal] = (),
        reason: str = "",
    ) -> Stored:
        """Add a ranking with its run and awards.

        number: of the revision
        complete: whether the run has inputs
        at: when it was confirmed and scored
        """
        revision = self._id(Revision)
        evaluation = evaluate(self.federation, PlayedTournament(fixture, rows, None))
        contestants = self._contestants(revision, rows, boards)
        self.rows[Revision].add(
            revision, tournament, number, reason, at, self.office, MATCHPOINTS if boards else ""
        )
        inputs = inputs_of(evaluation) if complete else []
        self._run(tournament, revision, run, 1, "score", evaluation, inputs, at, reason)
        self._boards(revision, contestants, boards, deals)
        awards = self._awards(tournament, run, evaluation, rows, contestants, at)
        return Stored(revision, evaluation, awards)

    def _contestants(self, revision: int, rows: list[Row], boards: Sequence[BoardRow]) -> dict[int, int]:
        """Add the contestants and seats of a ranking. Return {position: contestant id}."""
        ids = {row.position: self._id(Contestant) for row in rows}
        figures = _figures(rows, boards, ids)
        add_contestant, add_seat = self.rows[Contestant].add, self.rows[Seat].add
        for row in rows:
            pk = ids[row.position]
            played, adjusted = figures.get(pk, (None, None))
            add_contestant(
                *(pk, revision, row.position, row.field, row.place, row.label, row.team_name),
                *(or_null(row.score), or_null(row.percentage), or_null(played), or_null(adjusted)),
            )
            for position, seat in enumerate(row.seats, start=1):
                add_seat(revision, pk, position, or_null(seat.player_id), seat.guest_name)
        return ids

    def _run(self, tournament, revision, run, number, purpose, evaluation, inputs, at, reason) -> None:
        """Add a finished run. `evaluation` is also needed for an annulment, for its regulation."""
        scores = purpose == ScoringRun.Purpose.SCORE
        # Years without inputs store no digest either.
        digest = stored_digest(inputs) if inputs or not scores else ""
        self.rows[ScoringRun].add(
            *(run, UUID(int=run), tournament, revision, number, purpose, evaluation.regulation.code, reason),
            *(as_json(inputs), digest, ENGINE_VERSION, ScoringRun.State.DONE.value, 1),
            *(scores and evaluation.eligible, as_json(outcome_of(evaluation) if scores else {})),
            *(at, at, self.office),
        )

    def _boards(self, revision, contestants: dict[int, int], boards, deals) -> None:
        for row in boards:
            self.rows[BoardResult].add(
                *(revision, row.board, contestants[row.ns], contestants[row.ew], row.score),
                *(row.contract, row.declarer, row.lead, or_null(row.tricks)),
            )
        for deal in deals:
            hands = escaped(" ".join(deal.hands))
            self.rows[Deal].add(revision, deal.board, deal.dealer, deal.vulnerable, hands)

    # --- The ledger ---------------------------------------------------------------------------------------
    def _awards(self, tournament, run, evaluation: Evaluation, rows, contestants, at) -> list[tuple]:
        """Add an award for each player who earns points, as `posting.entries_of` makes them. Return them."""
        if not evaluation.eligible:
            return []
        points, event = evaluation.points_by_player, evaluation.fields[0].event
        online = event.venue != Tournament.Venue.IN_PERSON
        add, awards = self.rows[LedgerEntry].add, []
        for row in rows:
            contestant = contestants[row.position]
            for seat in row.seats:
                if seat.player_id in points:
                    pk, earned = self._id(LedgerEntry), points[seat.player_id]
                    awards.append((seat.player_id, earned, contestant, pk))
                    add(
                        *(pk, "award", seat.player_id, earned, event.date, online, tournament, run),
                        *(contestant, NULL, "", at, self.office),
                    )
        self.awards += len(awards)
        return awards

    def _reverse(self, stored: Stored, fixture: Fixture, tournament: int, run: int, reason: str, at) -> None:
        """Add the reversals of all awards of a ranking, by another run."""
        online = fixture.header.venue != Tournament.Venue.IN_PERSON
        for player, points, contestant, entry in stored.awards:
            self.rows[LedgerEntry].add(
                *(self._id(LedgerEntry), "reversal", player, -points, fixture.header.end_date, online),
                *(tournament, run, contestant, entry, reason, at, self.office),
            )

    def _annul(self, stored: Stored, fixture: Fixture, tournament: int, at: datetime) -> None:
        run = self._id(ScoringRun)
        self._run(tournament, stored.revision, run, 2, "annul", stored.evaluation, [], at, ANNULMENT)
        self._reverse(stored, fixture, tournament, run, ANNULMENT, at)


def _is_pool_of_pairs(fixture: Fixture) -> bool:
    """Return whether the results of the boards of a tournament can be simulated."""
    header = fixture.header
    one_ranking = header.ranking == Tournament.Ranking.ONE
    is_pairs = header.format == Tournament.Format.PAIRS
    return header.event_type == "pool" and is_pairs and one_ranking and len(fixture.entrants) >= 6


def _with_boards(fixture: Fixture, rng: Random):
    """Simulate a pool board by board. Return it, its ranking, the results of its boards, and the deals.

    An odd pair stays at home.
    """
    entrants = fixture.entrants[: len(fixture.entrants) // 2 * 2]
    rounds = min(fixture.header.boards // BOARDS_PER_ROUND, len(entrants) - 1)
    count = rounds * BOARDS_PER_ROUND
    rows, results, deals = play_boards(entrants, count, rng)
    header = replace(fixture.header, boards=count, boards_scheduled=count)
    return Fixture(header, entrants), rows, results, deals


def _figures(rows: list[Row], boards: Sequence[BoardRow], ids: dict[int, int]) -> dict:
    """Return {contestant id: (boards played, adjusted percentage)}; nothing without results of boards."""
    if not boards:
        return {}
    results = [
        StoredResult(row.section, row.board, ids[row.ns], ids[row.ew], row.score, None, None, None, None)
        for row in boards
    ]
    stated = {ids[row.position]: row.percentage for row in rows}
    return database_figures(adjust_session(MATCHPOINTS, results, stated))


def _corrected(rows: list[Row], rng: Random) -> list[Row]:
    """Return a ranking in which two contestants of the same field have changed their results."""
    first = rng.randrange(len(rows) - 1)
    one, other = rows[first], rows[first + 1]
    if one.field != other.field:
        return rows
    changed = rows[:]
    changed[first] = replace(one, score=other.score, percentage=other.percentage)
    changed[first + 1] = replace(other, score=one.score, percentage=one.percentage)
    return play.ranked(changed)
