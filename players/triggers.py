"""Guards: database triggers that refuse forbidden changes of rows, on PostgreSQL and SQLite.

Each app declares its guards in `guards.py`, as a function `guards(vendor)`. They are installed after every
`migrate`. This is necessary on SQLite, where Django changes a table by creating a new one, which has no
triggers. A system check and the command `verify` compare the database with the declarations.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module

from django.apps import apps
from django.core.checks import CheckMessage, Warning
from django.db import connections
from django.utils.module_loading import module_has_submodule

# The operator for "differs from" that treats NULL as a value.
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
    """A rule by which the database refuses certain changes of a table's rows. Triggers enforce it.

    operations: INSERT, UPDATE or DELETE; a table that refuses DELETE also refuses TRUNCATE
    name: distinguishes the guard from the others of the table
    condition: SQL that is true for the changes to refuse; empty to refuse all
    message: the error message
    """

    table: str
    operations: tuple[str, ...]
    name: str
    condition: str
    message: str


@dataclass(frozen=True, slots=True)
class Trigger:
    """A database trigger, described so that declared and installed triggers can be compared.

    definition: the SQL statement, as the database's catalogue returns it
    function: on PostgreSQL, the body of the function that the trigger calls
    """

    name: str
    definition: str
    function: str = ""


# --- Writing guards -------------------------------------------------------------------------------------
def changed(vendor: str, columns: list[str]) -> str:
    """Return an SQL condition that is true if an UPDATE changes any of these columns.

    vendor: "postgresql" or "sqlite"
    """
    return "(" + " OR ".join(f"OLD.{name} {DIFFERS[vendor]} NEW.{name}" for name in columns) + ")"


def quoted(values) -> str:
    """Return the values as SQL string literals, separated by commas."""
    return ", ".join(f"'{value}'" for value in values)


def not_replaced(vendor: str, table: str, *others: str) -> Iterator[Guard]:
    """Yield a guard that refuses SQLite's INSERT OR REPLACE if it would replace a row.

    INSERT OR REPLACE has to be refused because it deletes rows without running their triggers. PostgreSQL
    has no such statement, so nothing is yielded for it.

    others: SQL conditions under which the new row `NEW` would replace an existing row `old`. The condition of
        an equal id is always included. Write each condition as the unique index that it concerns, so that
        SQLite uses the index instead of scanning the table.
    """
    if vendor == "sqlite":
        same = " OR ".join(
            f"EXISTS (SELECT 1 FROM {table} old WHERE {key})"  # noqa: S608 (our own SQL, no user input)
            for key in ["old.id = NEW.id", *others]
        )
        message = "this row would take the place of one that is kept"
        yield Guard(table, ("INSERT",), "not_replaced", f"({same})", message)


# --- Declared and installed -----------------------------------------------------------------------------
def declared(vendor: str) -> Iterator[Guard]:
    """Yield the guards that the apps declare."""
    for config in apps.get_app_configs():
        if module_has_submodule(config.module, "guards"):
            yield from import_module(f"{config.name}.guards").guards(vendor)


def required(connection) -> dict[str, Trigger]:
    """Return {name: trigger} of all triggers that the declared guards need, for the tables that exist."""
    tables = set(connection.introspection.table_names())
    build = _on_postgresql if connection.vendor == "postgresql" else _on_sqlite
    triggers = (
        trigger for guard in declared(connection.vendor) if guard.table in tables for trigger in build(guard)
    )
    return {trigger.name: trigger for trigger in triggers}


def installed(connection) -> dict[str, Trigger]:
    """Return {name: trigger} of all triggers that the database has."""
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
    """Compare the database's triggers with the declared guards. Return a line of text for each difference.

    A line says that a trigger is missing, differs from its declaration, or is not declared.
    """
    have, want = installed(connection), required(connection)
    lines = []
    for name in sorted(have.keys() | want.keys()):
        if name not in have:
            lines.append(f"{name} is missing")
        elif name not in want:
            lines.append(f"{name} is not declared")
        elif have[name] != want[name]:
            lines.append(f"{name} is not as declared")
    return lines


# --- Installing -----------------------------------------------------------------------------------------
def install(connection) -> None:
    """Install missing guards, replace changed ones and drop those no longer declared."""
    have, want = installed(connection), required(connection)
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
    """Drop every guard, so that the caller can make changes that the guards would refuse."""
    if connection.in_atomic_block:
        connection.check_constraints()  # PostgreSQL drops no trigger while deferred constraints are unchecked
    with connection.cursor() as cursor:
        for name in installed(connection):
            if name.startswith(PREFIX):
                _drop(connection, cursor, name)


def _drop(connection, cursor, name: str) -> None:
    if connection.vendor == "postgresql":
        cursor.execute(f"DROP FUNCTION {name}() CASCADE")  # drops the trigger too
    else:
        cursor.execute(f"DROP TRIGGER {name}")


def install_after_migrate(sender, using: str, **kwargs) -> None:
    """Restore the guards that a migration dropped (receiver of `post_migrate`)."""
    install(connections[using])


def remove_before_migrate(sender, using: str, plan=(), **kwargs) -> None:
    """Remove the guards before migrations on SQLite (receiver of `pre_migrate`).

    SQLite cannot rename a table that a trigger names.
    """
    if plan and connections[using].vendor == "sqlite":
        remove(connections[using])


def check_guards(databases=None, **kwargs) -> list[CheckMessage]:
    """Return a warning for each difference between the installed triggers and the declared guards.

    This is a Django system check. It returns no errors, because an error would stop `migrate`, which
    installs the guards.
    """
    return [
        Warning(f"Guard {problem}.", hint="Run `manage.py migrate`.", id="players.W001")
        for alias in databases or ()
        for problem in problems(connections[alias])
    ]


# --- By database ----------------------------------------------------------------------------------------
def _on_postgresql(guard: Guard) -> Iterator[Trigger]:
    """Yield the triggers of a guard on PostgreSQL.

    A guard that refuses DELETE gets a second trigger that refuses TRUNCATE, which runs no row triggers.
    """
    message = guard.message.replace("'", "''")
    refuse = f"RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation';"
    condition = f"IF {guard.condition} THEN {refuse} END IF; RETURN NEW;" if guard.condition else refuse
    name = f"{PREFIX}{guard.table}_{guard.name}"
    # Exactly as `pg_get_triggerdef` prints it, so that the two can be compared.
    operations = " OR ".join(name for name in ("INSERT", "DELETE", "UPDATE") if name in guard.operations)
    definition = (
        f"CREATE TRIGGER {name} BEFORE {operations} ON {guard.table} FOR EACH ROW EXECUTE FUNCTION {name}()"
    )
    yield Trigger(name, definition, f" BEGIN {condition} END ")
    if "DELETE" in guard.operations:
        name = f"{PREFIX}{guard.table}_no_truncate"
        definition = (
            f"CREATE TRIGGER {name} BEFORE TRUNCATE ON {guard.table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
        )
        yield Trigger(name, definition, f" BEGIN {refuse} END ")


def _on_sqlite(guard: Guard) -> Iterator[Trigger]:
    """Yield the triggers of a guard on SQLite, one for each operation that the guard refuses."""
    message = guard.message.replace("'", "''")
    when = f"WHEN {guard.condition} " if guard.condition else ""
    for operation in guard.operations:
        name = f"{PREFIX}{guard.table}_{guard.name}_{operation.lower()}"
        definition = (
            f"CREATE TRIGGER {name} BEFORE {operation} ON {guard.table} {when}"
            f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        )
        yield Trigger(name, definition)
