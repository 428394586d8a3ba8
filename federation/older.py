"""Refuse databases of versions before the first release, which no migration converts.

In those versions all features were one Django app.
"""

from django.core.management import CommandError
from django.db import connections

OLD_TABLE = "scoring_ledgerentry"


def refuse_old_database(sender, using: str, **kwargs) -> None:
    """Stop `migrate` by a CommandError if the database has tables of an old version.

    Otherwise `migrate` would create empty tables beside them. A receiver of `pre_migrate`.
    """
    if OLD_TABLE in connections[using].introspection.table_names():
        raise CommandError(
            "This database was made by a version before the first release, whose tables are not taken over. "
            "Name another one in DATABASE_URL, or move the folder var/ away to begin again."
        )
