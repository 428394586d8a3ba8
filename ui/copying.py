"""Insert many rows of a model at once."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models


def copy_rows(model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows, by COPY on PostgreSQL. Other fields get the defaults of the database.

    fields: names of the fields, in the order of the values of each row
    rows: values as the database stores them
    """
    columns = ", ".join(connection.ops.quote_name(model._meta.get_field(name).column) for name in fields)
    into = f"{model._meta.db_table} ({columns})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        places = ", ".join(["%s"] * len(fields))
        cursor.executemany(f"INSERT INTO {into} VALUES ({places})", list(rows))  # noqa: S608 (no user input)
