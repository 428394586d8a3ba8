"""Guards: triggers that refuse what no row may suffer, on PostgreSQL and SQLite alike.

Each app declares its guards in `guards.py`, as a function `guards(vendor)`. They are installed after every
`migrate`, because Django makes a table anew on SQLite to change it and leaves its triggers behind. A system
check and `verify` compare the database with the declarations.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module

from django.apps import apps
from django.core.checks import CheckMessage, Warning
from django.db import connections
from django.utils.module_loading import module_has_submodule

# How each database says that two values differ, empty ones too.
DIFFERS = {"postgresql": "IS DISTINCT FROM", "sqlite": "IS NOT"}
PREFIX = "guard_"
ON_POSTGRESQL = """
    SELECT t.tgname, pg_get_triggerdef(t.oid, true), p.prosrc, t.tgenabled
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
"""
ON_SQLITE = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"


@dataclass(frozen=True, slots=True)
class Guard:
    """What a table refuses.

    acts: INSERT, UPDATE or DELETE; a table that refuses DELETE refuses TRUNCATE too
    condition: of the refusal, in SQL; empty where the act is always refused
    """

    table: str
    acts: tuple[str, ...]
    name: str
    condition: str
    message: str


@dataclass(frozen=True, slots=True)
class Trigger:
    """One trigger as its database describes it: equal texts, equal guards.

    function: the body of its function on PostgreSQL, where the trigger only calls it
    """

    name: str
    definition: str
    function: str = ""


# --- Writing guards -------------------------------------------------------------------------------------
def changed(vendor: str, columns: list[str]) -> str:
    """A condition: the update changes any of these columns."""
    return "(" + " OR ".join(f"OLD.{name} {DIFFERS[vendor]} NEW.{name}" for name in columns) + ")"


def quoted(values) -> str:
    """A list of SQL texts."""
    return ", ".join(f"'{value}'" for value in values)


def not_replaced(vendor: str, table: str, *others: str) -> Iterator[Guard]:
    """Refuse SQLite's INSERT OR REPLACE, which deletes rows without asking their triggers.

    others: what makes a new row take the place of an `old` one besides its id, in the words of the table's
    unique indexes, so that every condition is looked up and none walks through the table.
    """
    if vendor == "sqlite":
        same = " OR ".join(
            f"EXISTS (SELECT 1 FROM {table} old WHERE {key})"  # noqa: S608 (a trigger of ours)
            for key in ["old.id = NEW.id", *others]
        )
        message = "this row would take the place of one that is kept"
        yield Guard(table, ("INSERT",), "not_replaced", f"({same})", message)


# --- Declared and present -------------------------------------------------------------------------------
def declared(vendor: str) -> Iterator[Guard]:
    """The guards of every app."""
    for config in apps.get_app_configs():
        if module_has_submodule(config.module, "guards"):
            yield from import_module(f"{config.name}.guards").guards(vendor)


def wanted(connection) -> dict[str, Trigger]:
    """The triggers there must be, by name, of the tables there are."""
    tables = set(connection.introspection.table_names())
    build = _on_postgresql if connection.vendor == "postgresql" else _on_sqlite
    triggers = (
        trigger for guard in declared(connection.vendor) if guard.table in tables for trigger in build(guard)
    )
    return {trigger.name: trigger for trigger in triggers}


def present(connection) -> dict[str, Trigger]:
    """The triggers there are, by name."""
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            cursor.execute(ON_SQLITE)
            return {name: Trigger(name, sql) for name, sql in cursor}
        cursor.execute(ON_POSTGRESQL)
        return {
            name: Trigger(name, definition if enabled == "O" else "disabled", function)
            for name, definition, function, enabled in cursor
        }


def problems(connection) -> list[str]:
    """Return a line for each guard that is missing or changed and for each trigger that is not declared."""
    have, want = present(connection), wanted(connection)
    found = []
    for name in sorted(have.keys() | want.keys()):
        if name not in have:
            found.append(f"{name} is missing")
        elif name not in want:
            found.append(f"{name} is not declared")
        elif have[name] != want[name]:
            found.append(f"{name} is not as declared")
    return found


# --- Installing -----------------------------------------------------------------------------------------
def install(connection) -> None:
    """Make the guards of the database those declared; does nothing where they are."""
    have, want = present(connection), wanted(connection)
    ours = [name for name in have if name.startswith(PREFIX)]
    stale = [name for name in ours if name not in want or have[name] != want[name]]
    missing = [trigger for name, trigger in want.items() if name not in have or name in stale]
    with connection.cursor() as cursor:
        for name in stale:
            _drop(connection, cursor, name)
        for trigger in missing:
            if trigger.function:
                cursor.execute(
                    f"CREATE OR REPLACE FUNCTION {trigger.name}() RETURNS trigger "
                    f"LANGUAGE plpgsql AS $${trigger.function}$$"
                )
            cursor.execute(trigger.definition)


def remove(connection) -> None:
    """Take every guard off, for whoever has to write what they refuse."""
    if connection.in_atomic_block:
        connection.check_constraints()  # PostgreSQL takes no trigger off a table with checks still to come
    with connection.cursor() as cursor:
        for name in present(connection):
            if name.startswith(PREFIX):
                _drop(connection, cursor, name)


def _drop(connection, cursor, name: str) -> None:
    if connection.vendor == "postgresql":
        cursor.execute(f"DROP FUNCTION {name}() CASCADE")  # and the trigger with it
    else:
        cursor.execute(f"DROP TRIGGER {name}")


def install_after_migrate(sender, using: str, **kwargs) -> None:
    """Put the guards back that a change of tables left behind."""
    install(connections[using])


def remove_before_migrate(sender, using: str, plan=(), **kwargs) -> None:
    """Remove the guards before a migration on SQLite, which cannot rename a table that a trigger names."""
    if plan and connections[using].vendor == "sqlite":
        remove(connections[using])


def check_guards(databases=None, **kwargs) -> list[CheckMessage]:
    """Compare the guards with the database. Only warn: an error would stop `migrate`, which mends them."""
    return [
        Warning(f"Guard {problem}.", hint="Run `manage.py migrate`.", id="players.W001")
        for alias in databases or ()
        for problem in problems(connections[alias])
    ]


# --- By database ----------------------------------------------------------------------------------------
def _on_postgresql(guard: Guard) -> Iterator[Trigger]:
    """The row trigger, and for a table that refuses DELETE one for TRUNCATE, which asks no row."""
    message = guard.message.replace("'", "''")
    refuse = f"RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation';"
    condition = f"IF {guard.condition} THEN {refuse} END IF; RETURN NEW;" if guard.condition else refuse
    name = f"{PREFIX}{guard.table}_{guard.name}"
    # In the order and the words of `pg_get_triggerdef`.
    acts = " OR ".join(act for act in ("INSERT", "DELETE", "UPDATE") if act in guard.acts)
    definition = (
        f"CREATE TRIGGER {name} BEFORE {acts} ON {guard.table} FOR EACH ROW EXECUTE FUNCTION {name}()"
    )
    yield Trigger(name, definition, f" BEGIN {condition} END ")
    if "DELETE" in guard.acts:
        name = f"{PREFIX}{guard.table}_no_truncate"
        definition = (
            f"CREATE TRIGGER {name} BEFORE TRUNCATE ON {guard.table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
        )
        yield Trigger(name, definition, f" BEGIN {refuse} END ")


def _on_sqlite(guard: Guard) -> Iterator[Trigger]:
    """A trigger an act."""
    message = guard.message.replace("'", "''")
    when = f"WHEN {guard.condition} " if guard.condition else ""
    for act in guard.acts:
        name = f"{PREFIX}{guard.table}_{guard.name}_{act.lower()}"
        definition = (
            f"CREATE TRIGGER {name} BEFORE {act} ON {guard.table} {when}"
            f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        )
        yield Trigger(name, definition)
