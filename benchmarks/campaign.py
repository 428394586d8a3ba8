"""The year-end category change at thirty times the AEB: the work of it, against bare SQL.

    DATABASE_URL=postgresql://... python -m benchmarks.campaign [rounds]

The database is that of `fill.py`; the changes are those of its last complete year. Each round opens a
campaign and carries it through, reversal and all, so that the next finds the categories as they were:
* simulate: what the page of the simulation works out, by one rule set, then by a second beside it;
* freeze: all lists read, written as texts and stored, as a worker does it;
* apply, reverse: everybody's category changed, and changed back, on a day on which it holds at once, so that
  the standings follow too. Once more for categories that hold later, which is the usual case, and once
  reversed on the day after, when the former ones have to be given back.

Against the least that could do the same:
* bare aggregate: the year's points by player, one query of the database's own cursor;
* bare read: that, and every seat of the year with its percentages, one more;
* bare change: as many rows inserted (assignments, log of changes, standings over those that are there) or
  updated, a thousand a statement, by hand with ready values, in one transaction that is taken back.

Seconds are of the wall, and so are the bars; in brackets the processor time of this process and of the
database together, which tells more on a machine that does other work.
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
BARS = [(10, ["simulate", "freeze"]), (5, ["apply"]), (5, ["reverse"])]  # seconds of the wall
RATIOS = [
    ("simulate", "bare aggregate"), ("simulate", "bare read"),
    ("simulate, two rule sets", "bare read"), ("freeze", "bare read"),
    ("apply", "bare apply"), ("reverse", "bare reverse"),
]  # fmt: skip
SEATS = """SELECT s.player_id, s.revision_id, c.boards_played, c.percentage, c.adjusted
           FROM tournaments_seat s JOIN tournaments_contestant c ON c.id = s.contestant_id
           JOIN tournaments_tournament t ON t.published_id = s.revision_id
           WHERE t.end_date BETWEEN %s AND %s AND s.player_id IS NOT NULL"""
ASSIGN = """INSERT INTO players_categoryassignment (player_id, category_id, valid_from, origin, reason,
            created_at, created_by_id, revoked_reason) VALUES """
CHANGE = """INSERT INTO promotions_campaignchange (campaign_id, player_id, category_id, target_id,
            assignment_id, problem, undone) VALUES """


@dataclass(frozen=True, slots=True)
class Stage:
    """Who does it, and by which rules."""

    year: int
    office: Any
    committee: Any
    rules: Any
    others: Any


def stage(year: int) -> Stage:
    """An account of the office and one of the committee; the year's rules, confirmed, and other ones."""
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
    return Stage(year, office, committee, rules, PromotionRuleSet.objects.exclude(pk=rules.pk).first())


def frozen(at: Stage, effective_on: date):
    """A campaign of the year, opened and frozen; late results were taken in until its last day."""
    from scoring.promotions.services import campaigns

    last = date(at.year, 12, 31)
    campaign = campaigns.open_campaign(
        at.year, at.office, rule_set=at.rules, intake_until=last, effective_on=effective_on
    )
    worked(campaign, "freeze", at)()
    return campaign


def worked(campaign, verb: str, at: Stage) -> Callable[[], None]:
    """A long step asked for: what remains is for the worker to do."""
    from scoring.promotions.models import CampaignTask
    from scoring.promotions.services import work as campaign_tasks

    task = campaign_tasks.request(campaign.pk, verb, at.office, "benchmark")

    def work() -> None:
        campaign_tasks.perform(task.pk)
        task.refresh_from_db()
        assert task.state == CampaignTask.State.DONE, task.error
        campaign.refresh_from_db()

    return work


def published(campaign, at: Stage) -> None:
    """Approve and publish the frozen lists, for today to be contested."""
    from scoring.ledger.services import standings
    from scoring.promotions.queries.campaigns import list_digest
    from scoring.promotions.services import campaigns

    campaigns.approve(campaign.pk, at.committee, list_digest(campaign))
    campaigns.publish(campaign.pk, at.office, standings.today())
    campaign.refresh_from_db()


def claims_over(campaign, at: Stage) -> None:
    """The committee ends the time for claims, so that the change can be applied at once."""
    from scoring.promotions.services import campaigns

    campaigns.close_claims(campaign.pk, at.committee, "benchmark")
    campaign.refresh_from_db()


# --- Bare SQL ----------------------------------------------------------------------------------------------
def bare_aggregate(year: int) -> None:
    """The query of the year's points alone, its rows fetched."""
    from scoring.promotions.queries.candidates import _year

    statement, parameters = _year(date(year, 12, 31)).query.sql_with_params()
    _fetched(statement, parameters)


def bare_read(year: int) -> None:
    """That, and all that averages are made of."""
    bare_aggregate(year)
    _fetched(SEATS, [date(year, 1, 1), date(year, 12, 31)])


def _fetched(statement: str, parameters) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        while cursor.fetchmany(BATCH):
            pass


@contextmanager
def taken_back(campaign, state: str) -> Iterator[Any]:
    """A cursor in a transaction that takes a campaign to this state; nothing stays, all is checked."""
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
class Moving:
    """Who moves, as rows of the tables that change."""

    day: date
    players: list[tuple[int, int, int]]  # player, category, target
    standings: list[tuple]  # to be written over themselves; none where the categories hold later


def moving(campaign) -> Moving:
    """Everybody whose category applying the campaign now changes."""
    from scoring.ledger.models import Standing
    from scoring.ledger.services import standings
    from scoring.promotions.queries import plans

    day = max(campaign.effective_on, standings.today())
    planned = [each for each in plans.grants(campaign, day) if not each.problem]
    players = [(each.player_id, each.category.pk, each.target.pk) for each in planned]
    columns = ("category_id", "licensed", "points", "points_in_person", "points_online", "tournaments")
    concerned = Standing.objects.filter(family="aeb", player__in=[player for player, *_rest in players])
    rows = concerned.order_by("player_id").values_list("family", "player_id", *columns)
    return Moving(day, players, [] if day > standings.today() else list(rows))


def bare_apply(campaign, who: Moving, by) -> None:
    """The three tables that applying writes."""
    from django.utils import timezone

    from .posting import ON_CONFLICT, STANDING, insert

    now = timezone.now()
    with taken_back(campaign, "applied") as cursor:
        for some in batches(who.players):
            grants = [(each, to, who.day, "campaign", "-", now, by.pk, "") for each, _of, to in some]
            insert(cursor, ASSIGN, grants, " RETURNING id")
            made = [pk for (pk,) in cursor.fetchall()]
            changes = [(campaign.pk, *row, pk, "", "") for row, pk in zip(some, made, strict=True)]
            insert(cursor, CHANGE, changes)
        for some in batches(who.standings):
            insert(cursor, STANDING, some, ON_CONFLICT)


def bare_reverse(campaign, who: Moving, made: list[int], by) -> None:
    """made: ids of the assignments that applying made."""
    from .posting import ON_CONFLICT, STANDING, insert

    with taken_back(campaign, "reversed") as cursor:
        for some in batches(made):
            cursor.execute(
                "UPDATE players_categoryassignment SET revoked_at = now(), revoked_by_id = %s, "
                "revoked_reason = '-' WHERE id = ANY(%s)",
                [by.pk, some],
            )
            cursor.execute(
                "UPDATE promotions_campaignchange SET undone = 'revoked' WHERE assignment_id = ANY(%s)",
                [some],
            )
        for some in batches(who.standings):
            insert(cursor, STANDING, some, ON_CONFLICT)


# --- The rounds --------------------------------------------------------------------------------------------
def simulated(at: Stage, clock: Clock) -> None:
    """The page's own path: one rule set, then two beside each other, nothing remembered before."""
    from scoring.promotions.queries.simulation import movers, simulate
    from ui import memo

    last = date(at.year, 12, 31)
    memo.forget()
    with clock("simulate"):
        movers(simulate(1, last, at.rules), {})
    memo.forget()
    with clock("simulate, two rule sets"):
        movers(simulate(1, last, at.rules), simulate(1, last, at.others))
    memo.forget()


def carried(at: Stage, clock: Clock, effective_on: date, also: str = "") -> int:
    """A campaign from its opening to its reversal; how many it moved. `also` is said of its times."""
    with clock(f"freeze{also}"):
        campaign = frozen(at, effective_on)
    published(campaign, at)
    claims_over(campaign, at)
    who = moving(campaign)
    with clock(f"bare apply{also}"):
        bare_apply(campaign, who, at.office)
    with clock(f"apply{also}"):
        worked(campaign, "apply", at)()
    made = list(campaign.changes.order_by("pk").values_list("assignment_id", flat=True))
    assert len(made) == len(who.players), "somebody's category is not that of the list"
    with clock(f"bare reverse{also}"):
        bare_reverse(campaign, who, made, at.office)
    with clock(f"reverse{also}"):
        worked(campaign, "reverse", at)()
    return len(who.players)


def given_back(at: Stage, clock: Clock) -> None:
    """A campaign applied yesterday and reversed today: the former categories have to be given back."""
    from scoring.ledger.services import standings

    yesterday = standings.today() - timedelta(days=1)
    with mock.patch("django.utils.timezone.localdate", lambda *_: yesterday):
        campaign = frozen(at, yesterday)
        published(campaign, at)
        claims_over(campaign, at)
        worked(campaign, "apply", at)()
    assert campaign.changes.filter(problem="").exists(), "categories of today are in the way: fill it anew"
    with clock("reverse, a day later"):
        worked(campaign, "reverse", at)()


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    import django

    django.setup()
    from django.db import connection

    from scoring.ledger.services import standings

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    today = standings.today()
    at = stage(today.year - 1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        clock = Clock(parent_of(cursor.fetchone()[0]))
    peaks = [peak()]
    moved = carried(at, Clock(clock.server), today)  # the first calls are not counted
    peaks.append(peak())
    for _round in range(rounds):
        simulated(at, clock)
        with clock("bare aggregate"):
            bare_aggregate(at.year)
        with clock("bare read"):
            bare_read(at.year)
        carried(at, clock, today)
    carried(at, clock, today + timedelta(days=30), ", holding later")
    given_back(at, clock)
    load = os.getloadavg()[0]
    print(f"Category change of {at.year}: {moved:,} players move, median of {rounds} rounds, load {load:.1f}")
    line("memory of the process: before, at most", f"{peaks[0]:.0f}, {peaks[1]:.0f} MB")
    told(clock)


def told(clock: Clock) -> None:
    """Print seconds of the wall (and of processors), and the ratios."""
    wall, processor = clock.wall(), clock.processor()
    for name, each in wall.items():
        line(name, f"{each:.2f} s ({processor[name]:.2f})")
    for bar, names in BARS:
        taken = sum(wall[name] for name in names)
        line(" + ".join(names), f"{taken:.1f} s", f"under {bar} s", taken < bar)
    for name, bare in RATIOS:
        ratios = f"{wall[name] / wall[bare]:.1f} ({processor[name] / processor[bare]:.1f})"
        line(f"{name} : {bare}", ratios)


if __name__ == "__main__":
    main()
