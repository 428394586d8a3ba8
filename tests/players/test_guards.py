"""Guards (database triggers): installed again after every migration; missing or changed ones are reported."""

import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from players import triggers
from scoring.audit import triggers as audit
from scoring.ledger import migrations
from scoring.ledger.models import LedgerEntry
from tests import factories as make

INITIAL = """from importlib import import_module

Migration = import_module("scoring.ledger.migrations.{name}").Migration
"""
ADDED = """
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "{last}")]
    operations = [migrations.AddField("ledgerentry", "note", models.TextField(default=""))]
"""


def a_guard() -> str:
    """Return the name of a guard of the ledger."""
    return next(name for name in triggers.installed(connection) if "ledgerentry_append_only" in name)


def drop(name: str) -> None:
    on = " ON ledger_ledgerentry" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {name}{on}")


@pytest.fixture
def migrations_with_a_field(tmp_path, monkeypatch):
    """Create a copy of the ledger's migrations, plus one that adds a field as `makemigrations` writes it."""
    folder = tmp_path / "ledger_and_a_field"
    folder.mkdir()
    (folder / "__init__.py").touch()
    names = sorted(path.stem for path in Path(migrations.__file__).parent.glob("[0-9]*.py"))
    for name in names:
        (folder / f"{name}.py").write_text(INITIAL.format(name=name))
    (folder / "9999_added.py").write_text(ADDED.format(last=names[-1]))
    monkeypatch.syspath_prepend(tmp_path)
    with override_settings(MIGRATION_MODULES={"ledger": folder.name}):
        yield names[-1]
    for name in [name for name in sys.modules if name.startswith(folder.name)]:
        del sys.modules[name]


@pytest.mark.django_db(transaction=True)
def test_a_migration_that_adds_a_field_keeps_the_guards_of_the_ledger(migrations_with_a_field):
    player = make.player(category="2P")
    LedgerEntry.objects.create(
        player=player,
        kind="opening",
        points=100,
        played_on="2026-01-01",
        online=False,
        source_key="x",
        title="x",
    )
    try:
        call_command("migrate", "ledger", verbosity=0)
        with connection.cursor() as cursor:
            cursor.execute("SELECT note FROM ledger_ledgerentry")
            assert cursor.fetchall() == [("",)]
        assert triggers.problems(connection) == []
        with pytest.raises(DatabaseError, match="append-only"):
            LedgerEntry.objects.update(points=1)
    finally:
        call_command("migrate", "ledger", migrations_with_a_field, verbosity=0)
    assert triggers.problems(connection) == []
    with pytest.raises(DatabaseError, match="append-only"):
        LedgerEntry.objects.all().delete()


@pytest.mark.django_db
def test_a_missing_guard_is_reported_and_installed_again():
    name = a_guard()
    drop(name)
    assert triggers.problems(connection) == [f"{name} is missing"]
    assert [(difference.code, difference.stored) for difference in audit.differences()] == [
        ("guard", f"{name} is missing")
    ]
    assert [guard.msg for guard in triggers.check_guards(databases=["default"])] == [
        f"Guard {name} is missing."
    ]
    triggers.install(connection)
    assert triggers.problems(connection) == audit.differences() == []


@pytest.mark.django_db
def test_a_changed_guard_is_reported_and_restored():
    name = a_guard()
    definition = triggers.installed(connection)[name].definition
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql "
                "AS $$ BEGIN RETURN NEW; END $$"
            )
        else:
            drop(name)
            cursor.execute(definition.replace("BEGIN SELECT RAISE", "WHEN 0 BEGIN SELECT RAISE"))
    assert triggers.problems(connection) == [f"{name} is not as declared"]
    triggers.install(connection)
    assert triggers.problems(connection) == []


@pytest.mark.django_db
def test_a_disabled_guard_is_reported():
    if connection.vendor != "postgresql":
        return  # SQLite cannot disable triggers
    name = a_guard()
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE ledger_ledgerentry DISABLE TRIGGER {name}")
    assert triggers.problems(connection) == [f"{name} is not as declared"]


@pytest.mark.django_db
def test_an_undeclared_trigger_is_reported():
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "CREATE FUNCTION sly() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN NEW.points = 1; RETURN NEW; END $$"
            )
            cursor.execute(
                "CREATE TRIGGER sly BEFORE INSERT ON ledger_ledgerentry FOR EACH ROW EXECUTE FUNCTION sly()"
            )
        else:
            cursor.execute("CREATE TRIGGER sly AFTER INSERT ON ledger_ledgerentry BEGIN SELECT 1; END")
    assert triggers.problems(connection) == ["sly is not declared"]


@pytest.mark.django_db
def test_installing_unchanged_guards_again_writes_nothing():
    with CaptureQueriesContext(connection) as queries:
        triggers.install(connection)
    assert not [query["sql"] for query in queries if query["sql"].startswith(("CREATE", "DROP"))]
