"""Which event types are valid for a points system in a span of days, for forms and filters.

The types are declared by the regulations, and the day decides which regulation is in force. Systems without
such tables declare theirs in `scoring.ledger.systems`.
"""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.utils.translation import get_language, gettext

from scoring import regulations
from scoring.ledger import systems
from scoring.ledger.systems.aeb import FAMILY
from scoring.ledger.wording import regulation_name
from scoring.regulations.aeb.scheme import Scheme
from ui.formatting import format_date

Kinds = list[tuple[str, str]]  # (code, name) of event types
Groups = list[tuple[str, Kinds]]  # event types by heading; the heading of the first group is often blank


def in_force_between(first: date | None = None, last: date | None = None) -> list[Scheme]:
    """Return the federation's regulations in force on some day of a span, the latest first.

    first, last: the span; None leaves it open
    """
    return [
        regulation
        for regulation in reversed(regulations.of_family(FAMILY))
        if not (last and last < regulation.valid_from)
        and not (first and (until := regulations.valid_to(regulation)) and until < first)
    ]


def own_groups(first: date | None = None, last: date | None = None) -> Groups:
    """Return the types of the federation's own regulations in force on some day of a span.

    The types of the latest regulation come first, without a heading. Types that only an earlier one has are
    below a heading that says until when they are valid.
    """
    groups: Groups = []
    seen: set[str] = set()
    for regulation in in_force_between(first, last):
        rows = [row for row in regulation.event_types.rows if row.code not in seen]
        seen |= {row.code for row in rows}
        if rows:
            until = regulations.valid_to(regulation)
            title = _only_until(regulation, until) if groups and until else ""
            groups.append((title, [(row.code, gettext(row.label)) for row in rows]))
    return groups


def groups_of(family: str = "", first: date | None = None, last: date | None = None) -> Groups:
    """Return the types of a points system, or of all that this installation offers, in a span of days.

    family: the code of the points system; "" for all
    """
    offered = systems.offered()
    groups: Groups = []
    for system in offered:
        if family not in ("", system.family):
            continue
        own = [("", [(code, str(name)) for code, name in system.kinds])] if system.kinds else None
        for title, kinds in own or own_groups(first, last):
            alone = family or len(offered) == 1
            groups.append((title if alone or title else str(system.label), kinds))
    return groups


def flat(groups: Groups) -> dict[str, str]:
    """Return {code: name} of the event types of all groups."""
    return {code: name for _title, kinds in groups for code, name in kinds}


def only(groups: Groups, codes: Iterable[str]) -> Groups:
    """Return the groups with these event types alone, without those that become empty."""
    kept = [(title, [kind for kind in kinds if kind[0] in codes]) for title, kinds in groups]
    return [(title, kinds) for title, kinds in kept if kinds]


def as_choices(groups: Groups) -> list[Any]:
    """Return the groups as the choices of a field of a Django form."""
    choices: list[Any] = []
    for title, kinds in groups:
        choices += [(title, kinds)] if title else kinds
    return choices


def _only_until(regulation: Scheme, day: date) -> str:
    return gettext("Only until %(day)s (%(regulation)s)") % {
        "day": format_date(day, get_language() or ""),
        "regulation": regulation_name(regulation.code),
    }
