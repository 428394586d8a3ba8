"""Whether the database's role has the rights that this version needs: `manage.py grant_roles` gives them."""

import pytest
from django.db import connection

from federation import fitness, grants
from players import sanity


@pytest.mark.django_db
def test_the_rights_of_the_application_suffice_and_a_missing_one_is_noticed():
    if connection.vendor != "postgresql":
        assert fitness.refused_table() is None  # SQLite has no roles
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema(), current_database()")
        places = map(connection.ops.quote_name, cursor.fetchone())
        cursor.execute("CREATE ROLE fit_application")
        cursor.execute("CREATE ROLE fit_reader")
        for statement in grants.statements("fit_application", "fit_reader", *places):
            cursor.execute(statement)
        cursor.execute("SET LOCAL ROLE fit_application")
        assert fitness.refused_table() is None
        assert list(sanity._sequences()) == []  # reads all sequences
        cursor.execute("RESET ROLE")
        cursor.execute("REVOKE DELETE ON players_clubpair FROM fit_application")
        cursor.execute("SET LOCAL ROLE fit_application")
        assert fitness.refused_table() == "players_clubpair"
        cursor.execute("RESET ROLE")
