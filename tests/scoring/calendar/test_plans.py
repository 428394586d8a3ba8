"""Pages read announced tournaments by an index, because the table grows by thousands a year."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from players.inbox import waiting_for
from scoring.calendar.queries import CalendarFilter, from_day, next_tournaments
from tests import factories as make
from tournaments.models import Announcement

pytestmark = pytest.mark.django_db
TABLE = Announcement._meta.db_table


def reading(action) -> list[str]:
    """Return the SQL statements of an action that read announcements."""
    statements = []

    def note(run, sql, params, many, context):
        result = run(sql, params, many, context)
        if f'FROM "{TABLE}"' in sql and sql.startswith("SELECT"):
            statements.append(connection.ops.last_executed_query(context["cursor"].cursor, sql, params))
        return result

    with connection.execute_wrapper(note):
        action()
    return statements


def scans(statement: str) -> bool:
    """Return whether the database would read the whole table."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
            lines = [row[-1] for row in cursor.fetchall()]
            return any(line.startswith(f"SCAN {TABLE}") and "INDEX" not in line for line in lines)
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}")
        plan = cursor.fetchone()[0]
    result = plan if isinstance(plan, list) else json.loads(plan)
    return any(
        node["Node Type"] == "Seq Scan" and node.get("Relation Name") == TABLE
        for node in nodes(result[0]["Plan"])
    )


def nodes(plan: dict) -> list[dict]:
    """Return a query plan of PostgreSQL and all its parts."""
    return [plan, *(node for child in plan.get("Plans", ()) for node in nodes(child))]


ACTIONS = {
    "list": lambda client, club: list(from_day(CalendarFilter(), timezone.localdate())[:50]),
    "club": lambda client, club: list(from_day(CalendarFilter(club_id=club.pk), timezone.localdate())),
    "month": lambda client, club: client.get("/calendario/?vista=mes"),
    "feed": lambda client, club: client.get("/calendario/federacion.ics"),
    "club feed": lambda client, club: client.get(reverse("calendar_club_feed", args=[club.slug])),
    "front page": lambda client, club: next_tournaments(timezone.localdate(), 4),
    "missing": lambda client, club: waiting_for(make.director(club)),
    "fitting": lambda client, club: list(Announcement.objects.fitting(club.pk, timezone.localdate(), "pool")),
}


@pytest.mark.parametrize("name", ACTIONS)
def test_announcements_are_read_by_an_index(client, name):
    club = make.club()
    for days in range(-3, 4):
        make.announcement(club, end_date=timezone.localdate() + timedelta(days=days))
    statements = reading(lambda: ACTIONS[name](client, club))
    assert statements
    assert [statement for statement in statements if scans(statement)] == []


def test_the_check_finds_a_scan():
    assert scans(f"SELECT * FROM \"{TABLE}\" WHERE name = 'x'")  # noqa: S608 (a name of ours)
