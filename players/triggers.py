"""Triggers on PostgreSQL and SQLite alike, for migrations of tables whose rows are kept as they are.

A check is (table, acts, name, condition of refusal, message); without a condition the act is always refused.
A migration keeps `CREATE` and `DROP`, by vendor, so that tests can take its triggers off (tests/triggers.py).
"""

from collections.abc import Callable, Iterator

# How each database says that two values differ, empty ones too.
DIFFERS = {"postgresql": "IS DISTINCT FROM", "sqlite": "IS NOT"}
Check = tuple[str, list[str], str, str, str]


def changed(vendor: str, columns: list[str]) -> str:
    """A condition: the update changes any of these columns."""
    return "(" + " OR ".join(f"OLD.{name} {DIFFERS[vendor]} NEW.{name}" for name in columns) + ")"


def not_replaced(vendor: str, table: str, *others: str) -> Iterator[Check]:
    """Refuse INSERT OR REPLACE of SQLite, which deletes rows past their triggers.

    others: besides its id, what makes a new row take the place of an `old` one
    """
    if vendor == "sqlite":
        same = " OR ".join(f"({key})" for key in ["old.id = NEW.id", *others])
        condition = f"EXISTS (SELECT 1 FROM {table} old WHERE {same})"  # noqa: S608 (a trigger of ours)
        message = "this row would take the place of one that is kept"
        yield table, ["INSERT"], "not_replaced", condition, message


def postgresql(checks) -> tuple[list[str], list[str]]:
    """Statements that create the triggers of these checks, and that drop them."""
    create, drop = [], []
    for table, acts, name, condition, message in checks:
        text = message.replace("'", "''")
        refuse = f"RAISE EXCEPTION '{text}' USING ERRCODE = 'integrity_constraint_violation';"
        body = f"IF {condition} THEN {refuse} END IF; RETURN NEW;" if condition else refuse
        function = f"{table}_{name}"
        create += [
            f"CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$",
            f"CREATE TRIGGER {function} BEFORE {' OR '.join(acts)} ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {function}()",
        ]
        drop += [f"DROP TRIGGER {function} ON {table}", f"DROP FUNCTION {function}()"]
        if "DELETE" in acts:  # TRUNCATE would get round a row trigger
            create.append(
                f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
                f"FOR EACH STATEMENT EXECUTE FUNCTION {function}()"
            )
            drop.insert(-1, f"DROP TRIGGER {table}_no_truncate ON {table}")
    return create, drop


def sqlite(checks) -> tuple[list[str], list[str]]:
    """The same for SQLite."""
    create, drop = [], []
    for table, acts, name, condition, message in checks:
        for act in acts:
            trigger = f"{table}_{name}_{act.lower()}"
            when = f"WHEN {condition} " if condition else ""
            text = message.replace("'", "''")
            create.append(
                f"CREATE TRIGGER {trigger} BEFORE {act} ON {table} {when}"
                f"BEGIN SELECT RAISE(ABORT, '{text}'); END"
            )
            drop.append(f"DROP TRIGGER {trigger}")
    return create, drop


def run(statements: dict[str, list[str]]) -> Callable:
    """The function of a `RunPython` that executes the statements of the database at hand."""

    def apply(apps, schema_editor):
        for statement in statements[schema_editor.connection.vendor]:
            schema_editor.execute(statement)

    return apply
