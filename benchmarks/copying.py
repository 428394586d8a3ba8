"""Write rows of models with PostgreSQL's COPY, and drop the indexes of large tables during the load."""

import json
from typing import Any

from django.db import connection, transaction
from django.db.models import JSONField, Model
from django.db.models.fields import AutoFieldMixin

NULL = "\\N"
_SPECIAL = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def escaped(text: str) -> str:
    """Return a text in the form that COPY reads."""
    return text.translate(_SPECIAL)


def as_json(value: Any) -> str:
    """Return a value as JSON in the form that COPY reads."""
    return escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


class Rows:
    """Rows of a model, collected as lines of text and written with one COPY.

    columns: the columns that `add` gets values for, separated by blanks. All other columns get the default of
        the model's field, and ids come from the sequence.
    """

    def __init__(self, model: type[Model], columns: str) -> None:
        chosen = columns.split()
        by_name = {field.attname: field for field in model._meta.concrete_fields}
        others = [
            name
            for name, field in by_name.items()
            if name not in chosen and not isinstance(field, AutoFieldMixin)
        ]
        names = [by_name[name].column for name in (*chosen, *others)]
        self.model = model
        self.statement = f"COPY {model._meta.db_table} ({', '.join(names)}) FROM STDIN"
        self._defaults = "".join(f"\t{_default(by_name[name])}" for name in others) + "\n"
        self._lines: list[str] = []

    def add(self, *values: object) -> None:
        """Add a row. Text has to be escaped, and None to be NULL."""
        self._lines.append("\t".join(map(str, values)) + self._defaults)

    def write(self, cursor) -> int:
        """Write the rows that were added since the last call. Return their number."""
        count = len(self._lines)
        if count:
            with cursor.copy(self.statement) as copy:
                for start in range(0, count, 5_000):
                    copy.write("".join(self._lines[start : start + 5_000]))
            self._lines.clear()
        return count


def _default(field) -> str:
    """Return the default of a field in the form that COPY reads."""
    value = field.get_default()
    if isinstance(field, JSONField):
        return as_json(value)
    return NULL if value is None else escaped(str(value))


def or_null(value: object) -> object:
    """Return the value, or NULL if it is None."""
    return NULL if value is None else value


# --- Indexes -----------------------------------------------------------------------------------------------
# Primary keys stay: rows come in the order of their ids, and each process has its own range of them.
_CONSTRAINTS = """SELECT conname, format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s',
                                         conrelid::regclass, conname, pg_get_constraintdef(oid)),
                         format('ALTER TABLE %%s DROP CONSTRAINT %%I', conrelid::regclass, conname)
                  FROM pg_constraint WHERE contype = 'u' AND conrelid = %s::regclass"""
_INDEXES = """SELECT relname, pg_get_indexdef(indexrelid), format('DROP INDEX %%I', relname)
              FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
              WHERE indrelid = %s::regclass AND NOT indisprimary"""


def drop_indexes(cursor, models: list[type[Model]]) -> None:
    """Drop the indexes of tables, and store in `bench_index` how to make them again. Call in a transaction.

    Filling an index row by row takes several times as long as making it at the end.
    """
    for model in models:
        table = model._meta.db_table
        for query in (_CONSTRAINTS, _INDEXES):
            cursor.execute(query, [table])
            for name, definition, drop in cursor.fetchall():
                cursor.execute("INSERT INTO bench_index VALUES (%s, %s)", [name, definition])
                cursor.execute(drop)


def make_indexes(report) -> None:
    """Make the indexes that `drop_indexes` dropped, one after the other. May be called again if interrupted.

    report: function to call with a line about each index
    """
    with connection.cursor() as cursor:
        cursor.execute("SET maintenance_work_mem = '256MB'")
        cursor.execute("SELECT name, definition FROM bench_index ORDER BY definition")
        for name, definition in cursor.fetchall():
            report(f"index {name}")
            with transaction.atomic():
                cursor.execute(definition)
                cursor.execute("DELETE FROM bench_index WHERE name = %s", [name])
