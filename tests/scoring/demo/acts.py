"""Run the command that creates a small demo federation."""

import io
from datetime import date

from django.core.management import call_command

# Days that include the change of regulation and championships in divisions.
DAYS = {"since": "2025-09-15", "until": "2026-01-31"}


def create_demo(**options) -> str:
    out = io.StringIO()
    small = {"players": 160, "clubs": 5, "regions": 2, "pool_pairs": 8}
    options = {**small, **DAYS, **options}
    days = {name: date.fromisoformat(options.pop(name)) for name in DAYS}
    call_command("demo", stdout=out, **options, **days)
    return out.getvalue()
