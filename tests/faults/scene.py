"""The tournaments that the faults meet, and what they have to leave in the ledger."""

import json
import os
from collections import defaultdict
from dataclasses import dataclass

from tests import servers
from tests.system.conftest import Installation

FILES = 4
DRAFTS = int(os.environ.get("UPLOADS", "60")) - FILES
TEMPLATE = "baza_faults"  # the database with the drafts, which every run copies

LEDGER = """
SELECT t.name, e.player_id, e.points, e.family, e.kind, e.played_on::text, e.online
FROM ledger_ledgerentry e JOIN tournaments_tournament t ON t.id = e.tournament_id ORDER BY 1, 2, 3
"""
STANDINGS = """
SELECT day::text, family, player_id, category_id, points, points_in_person, points_online,
    rank() OVER (PARTITION BY family, day ORDER BY points DESC) FROM ledger_standing ORDER BY 1, 2, 3
"""
YEARS = """
SELECT day::text, player_id, year, points, points_in_person, points_online FROM ledger_yeartotal
ORDER BY 1, 2, 3
"""
PARKED = "SELECT error FROM ledger_scoringrun WHERE state = 'failed'"


@dataclass
class Outcome:
    """What is stored, without ids and times, so that two runs can be compared.

    ledger: name of the tournament -> its entries
    sums: totals and ranks
    errors: the errors of parked runs
    """

    ledger: dict[str, list[tuple]]
    sums: str
    errors: list[str]

    @property
    def parked(self) -> int:
        return len(self.errors)

    @classmethod
    def of(cls, site: Installation) -> "Outcome":
        ledger = defaultdict(list)
        for name, *entry in site.query(LEDGER):
            ledger[name].append(tuple(entry))
        sums = json.dumps([site.query(STANDINGS), site.query(YEARS)])
        return cls(dict(ledger), sums, [error for (error,) in site.query(PARKED)])


@dataclass
class Scene:
    """A club with drafts, and files that its director can upload.

    files: name of the tournament -> its last day, and the text of the file
    outcome: what is stored once all are scored without a fault; None until that is known
    """

    drafts: list[str]
    files: dict[str, list[str]]
    outcome: Outcome | None = None

    @classmethod
    def make(cls, site: Installation) -> "Scene":
        """Store the drafts in the database of an installation."""
        made = site.act("drafts", DRAFTS, FILES)
        return cls(made["drafts"], made["files"])


def copy_of(cluster: servers.Postgres, template: str, name: str) -> str:
    """Copy a database of the cluster. Return the URL of the copy."""
    # The other strategy copies sequences without the log of what they have handed out, so after a crash they
    # would hand it out again (PostgreSQL 15).
    cluster.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY file_copy')
    return cluster.url(name)
