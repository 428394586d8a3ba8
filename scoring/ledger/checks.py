"""Check at start-up that the settings for the federation's rulings have valid values.

Without this check, a wrong value would only be noticed when a tournament is scored.
"""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error

from scoring import regulations
from scoring.engine.types import PLACE_RULES, TIES
from scoring.regulations.sbf_2019.rules import MOST_DECIMALS

LONGEST = 366  # days in which corrections need no second person


def check_rulings(app_configs: object = None, **kwargs: Any) -> list[CheckMessage]:
    """Return a Django check error for each setting that holds a ruling and has an invalid value."""
    known = {
        "TIES": (settings.TIES in TIES, ", ".join(TIES)),
        "PLACE_RULE": (settings.PLACE_RULE in PLACE_RULES, ", ".join(PLACE_RULES)),
        "MINIMUM_SHARE": (0 <= settings.MINIMUM_SHARE <= 100, "a percentage, 0 to 100"),
        "BRONZE_DECIMALS": (0 <= settings.BRONZE_DECIMALS <= MOST_DECIMALS, f"0 to {MOST_DECIMALS}"),
    }
    filings = [scheme.filing for scheme in regulations.ALL if hasattr(scheme, "filing")]
    types = {code for filing in filings for code in filing.alone}
    known["CORRECTION_DAYS"] = (
        set(settings.CORRECTION_DAYS) <= types
        and all(type(days) is int and 0 <= days <= LONGEST for days in settings.CORRECTION_DAYS.values()),
        f"for each of {', '.join(sorted(types))} a whole number of days, 0 to {LONGEST}",
    )
    return [
        Error(f"{name} is {getattr(settings, name)!r}.", hint=f"Use {values}.", id="ledger.E001")
        for name, (right, values) in known.items()
        if not right
    ]
