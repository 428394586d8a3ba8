"""Refuse databases from before every feature became an app of its own; their tables are not taken over."""

from django.core.management import CommandError
from django.db import connections

GONE = "scoring_ledgerentry"


def refuse(sender, using: str, **kwargs) -> None:
    """Stop `migrate`, which would make new, empty tables beside the old ones. Raises CommandError."""
    if GONE in connections[using].introspection.table_names():
        raise CommandError(
            "This database was made by a version before the first release, whose tables are not taken over. "
            "Name another one in DATABASE_URL, or move the folder var/ away to begin again."
        )
