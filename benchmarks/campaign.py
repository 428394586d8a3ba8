"""Measure the background work of the year-end category change of a large federation.

    DATABASE_URL=postgresql://... python -m benchmarks.campaign [rounds]

`generate.py` fills the database; the campaigns are for the last complete year of its data. Each round opens a
campaign and carries it through to its reversal, so that the next round starts with the same categories:
* simulate: compute what the simulation page shows, as a worker does, with one rule set, then with two;
* freeze: read all lists, serialise them and store them, as a worker does;
* apply, reverse: change all categories and change them back, with immediate effect, so that the standings
  change too.

After the rounds, two more cases are measured once:
* categories that take effect at a later date, which is the usual case;
* a reversal on the following day, when the former categories have to be assigned again.

All of them are compared with the least work that could do the same:
* bare aggregate: the year's points by player, in one query with the database's own cursor;
* bare read: the bare aggregate, and a second query for every seat of the year with its percentages;
* bare apply, bare reverse: insert or update the same rows (assignments, log of changes, standings) from
  prepared values, a thousand in a statement, in one transaction that is rolled back.

Seconds and limits are wall time. In brackets is the processor time of this process and the database together,
which is more reliable on a busy machine.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from unittest import mock

from .timing import Clock, line, parent_of, peak

ROUNDS, BATCH = 3, 1000
# (wall seconds, names of the measurements that together have to take less)
BARS = [(10, ["simulate", "freeze"]), (5, ["apply"]), (5, ["reverse"])]
RATIOS = [
    ("simulate", "bare aggregate"),
    ("simulate", "bare read"),
    ("simulate, two rule sets", "bare read"),
    ("freeze", "bare read"),
    ("apply", "bare apply"),
    ("reverse", "bare reverse"),
]
SEATS = """SELECT s.player_id, s.revision_id, c.boards_played, c.percentage, c.adjusted
           FROM tournaments_seat s JOIN tournaments_contestant c ON c.id = s.contestant_id
           JOIN tournaments_tournament t ON t.published_id = s.revision_id
           WHERE t.end_date BETWEEN %s AND %s AND s.player_id IS NOT NULL"""
ASSIGN = """INSERT INTO players_categoryassignment (player_id, category_id, valid_from, origin, reason,
            created_at, created_by_id, revoked_reason) VALUES """
CHANGE = """INSERT INTO promotions_campaignchange (campaign_id, player_id, category_id, target_id,
            assignment_id, problem, undone) VALUES """


@dataclass(frozen=True, slots=True)
class Setup:
    """The year whose category change is measured, the accounts that act, and the rule sets.

    rules: the year's own rule set
    other_rules: a second rule set, for the simulation
    """

    year: int
    office: Any
    committee: Any
    rules: Any
    other_rules: Any


def set_up(year: int) -> Setup:
    """Create an office and a committee account, and confirm the year's rule set."""
    from players.models import Role
    from scoring.promotions.models import PromotionRuleSet
    from scoring.promotions.queries.candidates import rule_set_of
    from tests import factories

    committee = factories.user(f"committee-{os.getpid()}")
    factories.role(committee, Role.Kind.COMMITTEE)
    office = factories.user(f"office-{os.getpid()}")
    factories.role(office, Role.Kind.OFFICE)
    rules = rule_set_of(year)
    PromotionRuleSet.objects.filter(pk=rules.pk).update(confirmed=True)
    rules.rules.update(confirmed=True)
    rules.refresh_from_db()
    return Setup(year, office, committee, rules, PromotionRuleSet.objects.exclude(pk=rules.pk).first())


def frozen_campaign(setup: Setup, effective_on: date):
    """Open a campaign of the year, freeze its lists, and return it.

    The last day for late results is 31 December of that year.
    """
    from scoring.promotions.acts.open import Open

    last = date(setup.year, 12, 31)
    campaign = Open().perform(
        setup.year, setup.office, rule_set=setup.rules, intake_until=last, effective_on=effective_on
    )
    request_step(campaign, "freeze", setup)()
    return campaign


def request_step(campaign, verb: str, setup: Setup) -> Callable[[], None]:
    """Request a long step of a campaign. Return a function that performs it as the worker does.

    verb: "freeze", "apply" or "reverse"
    """
    from scoring.promotions.acts import act_by_verb
    from scoring.promotions.models import CampaignTask
    from scoring.promotions.services import work as campaign_tasks

    task = act_by_verb(verb).perform(campaign.pk, setup.office, "benchmark")

    def perform() -> None:
        campaign_tasks.perform(task.pk)
        task.refresh_from_db()
        assert task.state == CampaignTask.State.DONE, task.error
        campaign.refresh_from_db()

    return perform


def publish(campaign, setup: Setup) -> None:
    """Approve and publish the frozen lists of a campaign."""
    from scoring.promotions.acts.approve import Approve
    from scoring.promotions.acts.publish import Publish
    from scoring.promotions.queries.campaigns import list_digest

    Approve().perform(campaign.pk, setup.committee, list_digest(campaign))
    Publish().perform(campaign.pk, setup.office)
    campaign.refresh_from_db()


def close_claims(campaign, setup: Setup) -> None:
    """End the time for claims, so that the campaign can be applied immediately."""
    from scoring.promotions.acts.claims import Close

    Close().perform(campaign.pk, setup.committee, "benchmark")
    campaign.refresh_from_db()


# --- Bare SQL ----------------------------------------------------------------------------------------------
def bare_aggregate(year: int) -> None:
    """Run only the query that sums up every player's points of the year, and fetch its rows."""
    from scoring.promotions.queries.candidates import _year

    statement, parameters = _year(date(year, 12, 31)).query.sql_with_params()
    _fetch(statement, parameters)


def bare_read(year: int) -> None:
    """Run `bare_aggregate`, and fetch all rows from which modified averages are computed."""
    bare_aggregate(year)
    _fetch(SEATS, [date(year, 1, 1), date(year, 12, 31)])


def _fetch(statement: str, parameters) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        while cursor.fetchmany(BATCH):
            pass


@contextmanager
def rolled_back(campaign, state: str) -> Iterator[Any]:
    """Set a campaign's state, yield a cursor in the same transaction, then roll everything back.

    Constraints are checked before the rollback, as a commit would do.
    """
    from django.db import connection, transaction
    from django.db.models.functions import Now

    from scoring.promotions.models import PromotionCampaign

    with transaction.atomic(), connection.cursor() as cursor:
        PromotionCampaign.objects.filter(pk=campaign.pk).update(**{"state": state, f"{state}_at": Now()})
        yield cursor
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        transaction.set_rollback(True)


def batches(rows: list) -> Iterator[list]:
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


@dataclass(frozen=True, slots=True)
class Moves:
    """What applying a campaign changes: categories of players from `day` on, and rows of the standings."""

    day: date
    players: list[tuple[int, int, int]]  # player, category, target
    standings: list[tuple]  # rows to update in place; empty if the categories take effect later


def moves_of(campaign) -> Moves:
    """Return the rows that applying the campaign now would change."""
    from scoring.ledger.models import Standing
    from scoring.ledger.services import standings
    from scoring.promotions.queries import plans

    day = max(campaign.effective_on, standings.today())
    grants = [grant for grant in plans.planned_grants(campaign) if not grant.problem]
    players = [(grant.player_id, grant.category.pk, grant.target.pk) for grant in grants]
    columns = ("category_id", "licensed", "points", "points_in_person", "points_online", "tournaments")
    affected = Standing.objects.filter(family="aeb", player__in=[player for player, *_rest in players])
    rows = affected.order_by("player_id").values_list("family", "day", "player_id", *columns)
    return Moves(day, players, [] if day > standings.today() else list(rows))


def bare_apply(campaign, moves: Moves, by) -> None:
    """Write, in plain SQL, the rows that applying the campaign writes to three tables; then roll back."""
    from django.utils import timezone

    from .posting import ON_CONFLICT, STANDING, insert

    now = timezone.now()
    with rolled_back(campaign, "applied") as cursor:
        for rows in batches(moves.players):
            grants = [
                (player, target, moves.day, "campaign", "-", now, by.pk, "") for player, _from, target in rows
            ]
            insert(cursor, ASSIGN, grants, " RETURNING id")
            ids = [pk for (pk,) in cursor.fetchall()]
            changes = [(campaign.pk, *row, pk, "", "") for row, pk in zip(rows, ids, strict=True)]
            insert(cursor, CHANGE, changes)
        for rows in batches(moves.standings):
            insert(cursor, STANDING, rows, ON_CONFLICT.format(key="family"))


def bare_reverse(campaign, moves: Moves, assignment_ids: list[int], by) -> None:
    """Write, in plain SQL, the rows that reversing the campaign writes to three tables; then roll back.

    assignment_ids: the assignments that applying created
    """
    from .posting import ON_CONFLICT, STANDING, insert

    with rolled_back(campaign, "reversed") as cursor:
        for ids in batches(assignment_ids):
            cursor.execute(
                "UPDATE players_categoryassignment SET revoked_at = now(), revoked_by_id = %s, "
                "revoked_reason = '-' WHERE id = ANY(%s)",
                [by.pk, ids],
            )
            cursor.execute(
                "UPDATE promotions_campaignchange SET undone = 'revoked' WHERE assignment_id = ANY(%s)",
                [ids],
            )
        for rows in batches(moves.standings):
            insert(cursor, STANDING, rows, ON_CONFLICT.format(key="family"))


# --- The rounds --------------------------------------------------------------------------------------------
def run_simulations(setup: Setup, clock: Clock) -> None:
    """Measure what a worker computes for the simulation page, with one rule set and with two."""
    from scoring.promotions.queries.simulation import simulate

    last = date(setup.year, 12, 31)
    with clock("simulate"):
        simulate(last, setup.rules)
    with clock("simulate, two rule sets"):
        simulate(last, setup.rules, setup.other_rules)


def run_campaign(setup: Setup, clock: Clock, effective_on: date, suffix: str = "") -> int:
    """Carry a campaign from opening to reversal, and measure its long steps. Return how many players moved.

    suffix: added to the names of the measurements
    """
    with clock(f"freeze{suffix}"):
        campaign = frozen_campaign(setup, effective_on)
    publish(campaign, setup)
    close_claims(campaign, setup)
    moves = moves_of(campaign)
    with clock(f"bare apply{suffix}"):
        bare_apply(campaign, moves, setup.office)
    with clock(f"apply{suffix}"):
        request_step(campaign, "apply", setup)()
    made = campaign.changes.filter(assignment__isnull=False).order_by("pk")
    assignment_ids = list(made.values_list("assignment_id", flat=True))
    assert len(assignment_ids) == len(moves.players), "others moved than were planned"
    with clock(f"bare reverse{suffix}"):
        bare_reverse(campaign, moves, assignment_ids, setup.office)
    with clock(f"reverse{suffix}"):
        request_step(campaign, "reverse", setup)()
    return len(moves.players)


def run_late_reversal(setup: Setup, clock: Clock) -> None:
    """Measure reversing today a campaign applied yesterday: the former categories must be assigned again."""
    from scoring.ledger.services import standings

    yesterday = standings.today() - timedelta(days=1)
    with mock.patch("django.utils.timezone.localdate", lambda *_: yesterday):
        campaign = frozen_campaign(setup, yesterday)
        publish(campaign, setup)
        close_claims(campaign, setup)
        request_step(campaign, "apply", setup)()
    assert campaign.changes.filter(problem="").exists(), (
        "today's categories are in the way: fill a new database"
    )
    with clock("reverse, a day later"):
        request_step(campaign, "reverse", setup)()


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    import django

    django.setup()
    from django.db import connection

    from scoring.ledger.services import standings

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    today = standings.today()
    setup = set_up(today.year - 1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        clock = Clock(parent_of(cursor.fetchone()[0]))
    peaks = [peak()]
    moved = run_campaign(setup, Clock(clock.server), today)  # the first calls are not counted
    peaks.append(peak())
    for _round in range(rounds):
        run_simulations(setup, clock)
        with clock("bare aggregate"):
            bare_aggregate(setup.year)
        with clock("bare read"):
            bare_read(setup.year)
        run_campaign(setup, clock, today)
    run_campaign(setup, clock, today + timedelta(days=30), ", holding later")
    run_late_reversal(setup, clock)
    load = os.getloadavg()[0]
    print(f"Category change of {setup.year}: {moved:,} moves, median of {rounds} rounds, load {load:.1f}")
    line("memory of the process: before, at most", f"{peaks[0]:.0f}, {peaks[1]:.0f} MB")
    print_times(clock)


def print_times(clock: Clock) -> None:
    """Print the wall seconds of every measurement, the processor seconds in brackets, and the ratios."""
    wall, processor = clock.wall(), clock.processor()
    for name, wall_seconds in wall.items():
        line(name, f"{wall_seconds:.2f} s ({processor[name]:.2f})")
    for bar, names in BARS:
        total = sum(wall[name] for name in names)
        line(" + ".join(names), f"{total:.1f} s", f"under {bar} s", total < bar)
    for name, bare in RATIOS:
        ratios = f"{wall[name] / wall[bare]:.1f} ({processor[name] / processor[bare]:.1f})"
        line(f"{name} : {bare}", ratios)


if __name__ == "__main__":
    main()
