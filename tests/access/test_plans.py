"""No public page reads the whole ledger: check the query plans of the database.

With millions of awards a full scan takes half a second on every visit, which a small test database cannot
show.
"""

import json
import re
from collections.abc import Iterator
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.api.reading import paging
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import standings
from scoring.office.queries import unnoticed
from scoring.pages.queries import tournaments
from tests.access import world as worlds
from tests.access.matrix import MATRIX, PUBLIC, READING
from tests.undone import rolled_back
from tournaments.models import Tournament
from ui import memo

LEDGER = LedgerEntry._meta.db_table
# Columns one of which has to restrict every access to the ledger. `source_key` counts, because keys that are
# not empty are unique.
EXACT = {"tournament_id", "run_id", "player_id", "reverses_id", "id", "rowid", "source_key"}
DAY = "played_on"
COMPARISON = re.compile(r"(\w+)\)?(?:::\w+)? ?(<=|>=|=|<|>)")
ELSEWHERE = {
    "standing": {"a": "2026-06-30"},
    "api:standing": {"as_of": "2026-06-30"},
    "promotion": {"formato": "csv"},
    "player": {"formato": "csv"},
    "player_results": {"q": "pool", "ver": "cuentan", "lugar": "en-linea"},
}


@pytest.fixture(scope="module")
def built(django_db_setup, django_db_blocker):
    with rolled_back(django_db_blocker):
        yield worlds.build()


@pytest.fixture
def world(built, db):
    return built


@pytest.fixture
def no_scans(db) -> None:
    """Make PostgreSQL use indexes wherever it can, although a test's tables are small enough to scan."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")


def statements(client: Client, address: str, query: dict) -> set[str]:
    """Return the SQL statements of a page that read the ledger, with their parameters."""
    return statements_of(client, address, LEDGER, query)


def statements_of(client: Client, address: str, table: str, query: dict | None = None) -> set[str]:
    """Return the SQL statements of a page that read a table, with their parameters."""
    reading: set[str] = set()

    def note(run, sql, params, many, context):
        result = run(sql, params, many, context)
        if table in sql:
            reading.add(connection.ops.last_executed_query(context["cursor"].cursor, sql, params))
        return result

    memo.forget()
    with connection.execute_wrapper(note):
        assert client.get(address, query).status_code < 500, address
    return reading


def readings(statement: str, table: str = LEDGER) -> Iterator[tuple[str, str]]:
    """Yield (access method, condition) of each access to a table in a statement's query plan.

    For example ("Index Scan", "(player_id = 5)"); the condition is "" if all rows are read.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
            steps, names, own = cursor.fetchall(), aliases(statement, table), indexes(table)
            for *_ids, detail in steps:
                how, name, *condition = detail.split(" ", 2)
                used = re.search(r"INDEX (\S+)", detail)
                # Two subqueries may call two tables alike: the index tells which one is read.
                of_another = used is not None and used[1] not in own
                if how in ("SCAN", "SEARCH") and name in names and not of_another:
                    yield how, "".join(condition)
        else:
            cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}")
            plan = cursor.fetchone()[0]
            plan = plan if isinstance(plan, list) else json.loads(plan)
            yield from nodes(plan[0]["Plan"], table, indexes(table))


def aliases(statement: str, table: str) -> set[str]:
    """Return the name and the aliases of a table in a statement."""
    words = statement.replace("(", " ").replace(")", " ").split()
    after = [words[at + 1] for at, word in enumerate(words[:-1]) if word.strip('"') == table]
    return {table, *(word.strip('"') for word in after)}


def indexes(table: str) -> set[str]:
    """Return the names of a table's indexes."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM pragma_index_list(%s)", [table])
        else:
            cursor.execute("SELECT indexname FROM pg_indexes WHERE tablename = %s", [table])
        return {name for (name,) in cursor.fetchall()}


def nodes(plan: dict, table: str, of_table: set[str]) -> Iterator[tuple[str, str]]:
    """Yield (access method, condition) of each access to a table in a query plan of PostgreSQL.

    of_table: the names of the table's indexes
    """
    kind = plan["Node Type"]
    if plan.get("Relation Name") == table and kind == "Seq Scan" or plan.get("Index Name") in of_table:
        yield kind, plan.get("Index Cond", "")
    for child in plan.get("Plans", ()):
        yield from nodes(child, table, of_table)


def is_bounded(condition: str) -> bool:
    """Return whether a condition in a query plan selects few ledger entries.

    It does if it requires the entry's own key, one player, tournament or run, one day, or both ends of a span
    of days. "Up to today" alone is not enough. SQLite's plans write `IS NULL` as `=?`.
    """
    compared = {(column, sign[0]) for column, sign in COMPARISON.findall(re.sub("'[^']*'", "''", condition))}
    if any((column, "=") in compared for column in (*EXACT, DAY)):
        return True
    return {(DAY, "<"), (DAY, ">")} <= compared


def unbounded_reads(statement: str) -> list[tuple[str, str]]:
    """Return the accesses to the ledger that no condition limits to few rows."""
    return [
        (how, condition)
        for how, condition in readings(statement)
        if how in ("SCAN", "Seq Scan") or not is_bounded(condition)
    ]


# Its lists have an index of their own each: tests/scoring/transparency/test_pages.py.
OF_ALL_TIMES = {"underived"}


@pytest.mark.parametrize("name", sorted({*PUBLIC, *READING} - OF_ALL_TIMES))
def test_no_public_page_reads_the_whole_ledger(name, world, no_scans):
    reading, page = set(), MATRIX[name]
    for account in (None, world.accounts["player"]):
        client = Client()
        if account:
            client.force_login(account)
        for query in (page.query, ELSEWHERE.get(name, page.query)):
            reading |= statements(client, reverse(name, args=page.args(world)), query)
    assert {statement: wrong for statement in reading if (wrong := unbounded_reads(statement))} == {}


def test_the_list_of_a_past_day_reads_no_whole_table(world, index_plans):
    while not standings.fill_slice():
        pass
    address, wrong, tables = reverse("standing", args=MATRIX["standing"].args(world)), {}, set()
    for table in (LEDGER, "ledger_standing", "players_categoryassignment", "players_licence"):
        for statement in statements_of(Client(), address, table, {"a": "2026-07-04"}):
            tables.add(table)
            if parts := scans(statement, table):
                wrong[table, statement] = parts
    assert wrong == {} and len(tables) == 4


@pytest.mark.parametrize(
    "name", ["my_page", "my_results", "what_if", "my_partners", "my_partner", "my_review"]
)
def test_no_page_of_a_player_reads_the_whole_ledger(name, world, no_scans):
    page, client = MATRIX[name], Client()
    client.force_login(world.accounts["player"])
    reading = statements(client, reverse(name, args=page.args(world)), page.query)
    assert reading
    assert {statement: wrong for statement in reading if (wrong := unbounded_reads(statement))} == {}


# Tables that grow with the years, and pages that many people open or that are opened all the time.
GROWING = (
    LEDGER,
    "ledger_scoringrun",
    "letters_notice",
    "players_player",
    "tournaments_contestant",
    "tournaments_resultupload",
    "tournaments_seat",
    "tournaments_tournament",
)
HOT = {
    "player": ("player", {}),
    "my_page": ("player", {}),
    "where_points": ("player", {}),
    "notices": ("player", {}),
    "inbox": ("director", {}),
    "persons": ("office", {"q": "ana ruiz"}),
    "club_members": ("office", {}),
}


@pytest.fixture
def index_plans(no_scans) -> None:
    """Make PostgreSQL join row by row, so that a table without an index for its condition shows."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off")


def test_no_later_document_of_a_list_for_programs_reads_a_whole_table(world, index_plans, monkeypatch):
    monkeypatch.setattr(paging, "PAGE_ROWS", 1)
    client = Client()
    for name, table in {"api:tournaments": "tournaments_tournament", "api:clubs": "players_club"}.items():
        following = client.get(reverse(name)).json()["next"]
        reading = statements_of(client, following, table)
        assert [part for statement in reading for part in scans(statement, table)] == [], name
        assert reading


def scans(statement: str, table: str) -> list[tuple[str, str]]:
    """Return the accesses to a table that read all its rows."""
    return [
        (how, condition)
        for how, condition in readings(statement, table)
        if how in ("SCAN", "Seq Scan") or not condition
    ]


@pytest.mark.parametrize("name", HOT)
def test_no_hot_page_scans_a_table_that_grows(name, world, index_plans):
    role, query = HOT[name]
    client = Client()
    client.force_login(world.accounts[role])
    address, wrong = reverse(name, args=MATRIX[name].args(world)), {}
    for table in GROWING:
        for statement in statements_of(client, address, table, query):
            if parts := scans(statement, table):
                wrong[table, statement] = parts
    assert wrong == {}


@pytest.mark.parametrize("name", ["player", "my_page"])
def test_the_latest_results_of_a_player_are_read_by_their_ids(name, world):
    """With so many tables PostgreSQL would join all results of the player before it takes the latest."""
    client = Client()
    client.force_login(world.accounts["player"])
    reading = statements(client, reverse(name, args=MATRIX[name].args(world)), {})
    (latest,) = (text for text in reading if '"tournaments_seat"' in text and '"position"' in text)
    assert re.search(r'WHERE "ledger_ledgerentry"."id" IN \(\d', latest)


def test_the_sums_of_players_are_read_from_an_index_alone(world, no_scans):
    """At each posting: looking up each entry of twelve months in a large table takes ten times as long."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # In a small table, days select as few entries as players.
            cursor.execute("SET LOCAL enable_bitmapscan = off; DROP INDEX ledger_by_day_posted")
    with CaptureQueriesContext(connection) as queries:
        list(LedgerEntry.objects.sums(date(2026, 1, 1), date(2026, 12, 31), "aeb", [1, 2]))
    ((how, condition),) = readings(queries[0]["sql"])
    # SQLite's indexes have no columns beside their key.
    assert how == "Index Only Scan" or connection.vendor == "sqlite" and "ledger_of_player" in condition


def test_the_list_of_tournaments_asks_for_the_runs_of_its_page_alone():
    """PostgreSQL may answer EXISTS by reading the runs of all tournaments at once."""
    assert "EXISTS" not in str(tournaments.list_rows(Tournament.objects.all()).query)


def test_runs_without_points_are_read_by_the_day_on_which_they_were_scored(world, index_plans):
    client, table = Client(), "ledger_scoringrun"
    client.force_login(world.accounts["office"])
    pages = statements_of(client, reverse("office"), table, {})
    reading = [
        sql for sql in pages if '"eligible" IN' in sql and "annulled_at" in sql and "LIMIT 20" not in sql
    ]
    with CaptureQueriesContext(connection) as captured:
        unnoticed.short_of_licences(date(2026, 1, 1))
    reading += [query["sql"] for query in captured.captured_queries]
    assert len(reading) == 2  # the number of those of the last days, and those that may count by now
    assert [part for statement in reading for part in scans(statement, table)] == []


@pytest.mark.parametrize("name", ["office", "inbox", "oversight", "my_place"])
def test_no_page_with_the_offices_inbox_reads_who_took_part_in_tournaments(name, world):
    """Which tournaments could count now is searched by workers."""
    client = Client()
    client.force_login(world.accounts["office"])
    assert statements_of(client, reverse(name), "tournaments_seat", {}) == set()


def test_oversight_reads_categories_by_the_day_on_which_they_were_given_or_revoked(world, index_plans):
    client, table = Client(), "players_categoryassignment"
    client.force_login(world.accounts["office"])
    reading = {
        statement
        for statement in statements_of(client, reverse("oversight"), table, {})
        if '"created_at" >' in statement or '"revoked_at" >' in statement
    }
    assert len(reading) >= 2
    assert [part for statement in reading for part in scans(statement, table)] == []


OF_ONE_FAMILY = f"SELECT SUM(points) FROM {LEDGER} WHERE family = 'aeb'"


@pytest.mark.parametrize(
    "statement",
    [
        f"SELECT SUM(points) FROM {LEDGER} WHERE kind = 'award'",
        f"SELECT SUM(points) FROM {LEDGER} WHERE source_key > 'a'",
        OF_ONE_FAMILY,
        f"{OF_ONE_FAMILY} AND played_on <= '2026-06-30'",
        f"{OF_ONE_FAMILY} AND played_on > '1990-01-01'",
        f"SELECT MIN(played_on) FROM {LEDGER} WHERE family = 'aeb' AND played_on <= '2026-06-30'",
        f"SELECT SUM(points) FROM {LEDGER} WHERE id > 0",
        f"SELECT SUM(points) FROM {LEDGER} WHERE id BETWEEN 0 AND 5000000",
        f"SELECT SUM(points) FROM {LEDGER} WHERE tournament_id > 0",
        f"SELECT SUM(points) FROM {LEDGER} WHERE player_id >= 0",
        f"SELECT SUM(points) FROM {LEDGER} WHERE id = 5 OR played_on <= '2026-06-30'",
    ],
)
def test_the_check_finds_statements_that_read_the_whole_ledger(statement, no_scans):
    assert unbounded_reads(statement) != []


@pytest.mark.parametrize(
    "statement",
    [
        f"SELECT SUM(points) FROM {LEDGER} WHERE tournament_id = 5",
        f"SELECT SUM(points) FROM {LEDGER} WHERE id = 5",
        f"SELECT SUM(points) FROM {LEDGER} WHERE id IN (5, 6, 7)",
        f"SELECT SUM(points) FROM {LEDGER} WHERE id IN (5, 6, 7) AND played_on <= '2026-06-30'",
        f"{OF_ONE_FAMILY} AND played_on = '2026-06-30'",
        f"{OF_ONE_FAMILY} AND played_on BETWEEN '2025-07-01' AND '2026-06-30'",
        f"{OF_ONE_FAMILY} AND played_on > '2025-06-30' AND played_on < '2026-07-01'",
        f"SELECT a.points FROM {LEDGER} a JOIN {LEDGER} b ON b.id = a.reverses_id WHERE a.tournament_id = 5",
    ],
)
def test_the_check_accepts_statements_that_read_few_ledger_entries(statement, no_scans):
    assert list(readings(statement)) != []
    assert unbounded_reads(statement) == []


@pytest.mark.parametrize(
    "condition",
    [
        "(played_on <= '2026-06-30'::date)",
        "((family = 'aeb'::text) AND (played_on >= '2026-06-30'::date))",
        "(id >= 5)",
        "(id IS NOT NULL)",
        "(reverses_id IS NULL)",
        "((source_key)::text > 'a'::text)",
        "(kind = 'AND id = 5'::text)",
        "(grid = 5)",
        "USING INDEX ledger_by_day_posted (family=? AND played_on<?)",
        "USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
        "",
    ],
)
def test_open_ended_conditions_do_not_count_as_bounded(condition):
    assert not is_bounded(condition)


@pytest.mark.parametrize(
    "condition",
    [
        "(id = ANY ('{5,6,7}'::bigint[]))",
        "((source_key)::text = 'back:29'::text)",
        "(id = ledger_ledgerentry.reverses_id)",
        "((family = 'aeb'::text) AND (played_on = '2026-06-30'::date))",
        "((played_on >= '2025-07-01'::date) AND (played_on <= '2026-06-30'::date))",
        "USING INTEGER PRIMARY KEY (rowid=?)",
        "USING INDEX ledger_by_day_posted (family=? AND played_on>? AND played_on<?)",
    ],
)
def test_conditions_that_select_few_entries_count_as_bounded(condition):
    assert is_bounded(condition)


def test_reading_one_entry_by_its_unique_key_is_not_reported_as_a_scan(no_scans):
    if connection.vendor == "sqlite":
        narrowed = f"{LEDGER} WHERE source_key = 'back:29' AND NOT source_key = ''"
    else:
        narrowed = f"{LEDGER} WHERE source_key IN ('back:29')"
    assert unbounded_reads(f"SELECT points FROM {narrowed}") == []
