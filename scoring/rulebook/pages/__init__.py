"""The page of each regulation, built from the tables and functions of the engine."""

from collections.abc import Callable
from datetime import date

from scoring import regulations
from scoring.ledger.evaluation import FAMILY

from . import acbl_club, acbl_overall, aeb, egf_2021, egf_classic, sbf_bronze, sbf_silver, strength
from .blocks import Page

PAGES: dict[str, Callable[[date], Page]] = {
    **{scheme.code: lambda day, code=scheme.code: aeb.page(code) for scheme in regulations.of_family(FAMILY)},
    "sbf-2019-bronze": lambda day: sbf_bronze.page(),
    "sbf-2019-silver": lambda day: sbf_silver.page(),
    "acbl-overall": acbl_overall.page,
    "acbl-club": acbl_club.page,
    "egf-classic": lambda day: egf_classic.page(),
    "egf-2021": lambda day: egf_2021.page(),
    "strength-mp": lambda day: strength.page("strength-mp"),
    "strength-imp": lambda day: strength.page("strength-imp"),
}


def page_of(code: str, day: date) -> Page:
    """Return a regulation's page in the active language, with the office's factors in force on the day.

    At most one query. Raise KeyError for a code without a page.
    """
    return PAGES[code](day)
