"""`migrate` refuses a database of a version before the first release, instead of adding new tables to it."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection


@pytest.mark.django_db(transaction=True)
def test_migrate_refuses_a_database_of_an_old_version():
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE scoring_ledgerentry (id integer)")
    try:
        with pytest.raises(CommandError, match="before the first release"):
            call_command("migrate", verbosity=0)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE scoring_ledgerentry")
