"""Refuse databases of old versions, in which all features were one app: no migration converts them."""

from django.core.management import CommandError
from django.db import connections

OLD_TABLE = "scoring_ledgerentry"


def refuse_old_database(sender, using: str, **kwargs) -> None:
    """Stop `migrate`, which would create empty tables beside the old ones. Raises CommandError."""
    if OLD_TABLE in connections[using].introspection.table_names():
        raise CommandError(
            "This database was made by a version before the first release, whose tables are not taken over. "
            "Name another one in DATABASE_URL, or move the folder var/ away to begin again."
        )
