"""No page of the desk reads a whole table that grows with the federation: check the query plans."""

import json
import re
from collections.abc import Iterator

import pytest
from django.db import connection

from scoring.ledger.models import LedgerEntry, ScoringRun, Standing
from tests import factories as make
from tests.access.test_plans import no_scans, statements_of, unbounded_reads  # noqa: F401 (a fixture)
from tests.scoring.clubs.conftest import address
from tests.scoring.clubs.test_desk import confirmed
from tests.scoring.clubs.test_requests import sent
from tournaments.models import Announcement, ResultUpload, Revision, Seat, Tournament, UploadIssue

GROWING = [
    model._meta.db_table
    for model in (Announcement, ResultUpload, Revision, ScoringRun, Seat, Standing, Tournament, UploadIssue)
]
GROWING += ["players_licence", "players_proposal", "players_proposal_clubs"]
PAGES = ["club_manage", "club_members", "club_requests", "club_directors", "club_tokens"]


def whole_reads(statement: str) -> Iterator[str]:
    """Yield the growing tables that the plan of a statement reads whole."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
            aliases = dict(re.findall(r'"(\w+)"(?: "?(U?\w+)"?)? ', statement))
            tables = {alias or name: name for name, alias in aliases.items()} | {
                name: name for name in GROWING
            }
            for *_ids, detail in cursor.fetchall():
                if detail.startswith("SCAN ") and (name := tables.get(detail.split()[1])) in GROWING:
                    yield name
        else:
            cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}")
            plan = cursor.fetchone()[0]
            yield from _scanned((plan if isinstance(plan, list) else json.loads(plan))[0]["Plan"])


def _scanned(plan: dict) -> Iterator[str]:
    """Yield the growing tables that a node of a plan of PostgreSQL, and those below it, read whole."""
    if plan["Node Type"] == "Seq Scan" and plan["Relation Name"] in GROWING:
        yield plan["Relation Name"]
    for child in plan.get("Plans", ()):
        yield from _scanned(child)


@pytest.mark.parametrize("name", PAGES)
def test_no_page_of_the_desk_reads_a_growing_table_whole(administrator, club, no_scans, name):  # noqa: F811
    pair = tuple(make.players(2, club=club, category="2P", licensed=False))
    confirmed(club, administrator.account, pair, ("Una", "Otra"), issues=["no_number"], end_date=make.today())
    make.announcement(club)
    sent(administrator, club, "baja", player=pair[0].number)
    page, ledger = address(name, club), LedgerEntry._meta.db_table
    reading = set().union(*(statements_of(administrator, page, table) for table in GROWING))
    assert reading
    assert {text: whole for text in reading if (whole := list(whole_reads(text)))} == {}
    of_ledger = statements_of(administrator, page, ledger)
    assert {text: wrong for text in of_ledger if (wrong := unbounded_reads(text))} == {}


def test_the_last_award_of_a_member_is_looked_for_from_the_end(administrator, club):
    """PostgreSQL reads all awards of a member if it expects that few of them stand."""
    reading = statements_of(administrator, address("club_members", club), LedgerEntry._meta.db_table)
    (statement,) = (text for text in reading if '"reverses_id"' in text)
    assert re.search(r"CASE WHEN \(?\(?SELECT", statement)


def test_the_check_finds_a_whole_read(db, no_scans):  # noqa: F811
    assert list(whole_reads('SELECT COUNT(*) FROM "tournaments_seat" WHERE "guest_name" = \'Una\''))
