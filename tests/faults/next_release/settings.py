"""The settings with the later version's migrations."""

from federation.settings import *  # noqa: F403

MIGRATION_MODULES = {"ledger": "tests.faults.next_release.ledger"}
