"""The page of a tournament's results adjusted for the strength of the opponents."""

from decimal import Decimal

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.ledger.tables import by_person
from scoring.strength.figures import Strength, strength_of
from scoring.strength.queries import (
    ComparedContestant,
    Comparison,
    address,
    compared_contestants,
    nothing_to_adjust,
)
from scoring.strength.tables import DIGITS, ComparedRows, StrengthTable, rounded
from tournaments.addresses import by_slug
from tournaments.boards import MATCHPOINTS
from ui import exports
from ui.addresses import crumbs, own_player_id
from ui.formatting import format_fixed, format_whole
from ui.plots import Chart, Series
from ui.shared import shared

MOST_DOTS, GRID = 150, 50  # the grid is as fine as the dots of the chart are large


@require_safe
@shared
def strength(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    """Show official and adjusted results side by side. No points depend on them."""
    tournament = by_slug(slug)
    session = tournament.published and strength_of(tournament.published_id)
    if session is None:
        raise Http404(_("The results of the single boards of this tournament are not known."))
    if request.path != address(tournament):
        return redirect(address(tournament))
    comparison = Comparison(tournament.published_id)
    unchanged = nothing_to_adjust(comparison.rows_in_order)
    table = exports.file_or_table(
        request,
        StrengthTable,
        f"{_('strength')}-{tournament.pk}",
        ComparedRows(comparison),
        file_source=lambda: by_person(comparison.rows(0, comparison.count())),
        caption=_("Official and adjusted results"),
        own_id=own_player_id(request),
        exclude=() if session.components > 1 else ("component",),
    )
    if isinstance(table, HttpResponseBase):
        return table
    return render(
        request,
        "strength/strength.html",
        {
            "tournament": tournament,
            "session": session,
            "notes": _notes(session, unchanged),
            "nothing_to_adjust": unchanged,
            "lines": any(warning.code == "bipartite" for warning in session.warnings),
            "percent": session.scored == MATCHPOINTS,
            "chart": None if unchanged else _chart(compared_contestants(tournament.published_id), session),
            "table_html": "" if unchanged else table.as_html(request),
            "breadcrumbs": crumbs(
                (_("Tournaments"), reverse("tournaments")),
                (tournament.name, tournament.get_absolute_url()),
                (_("Strength of the opponents"), None),
            ),
        },
    )


def _notes(session: Strength, unchanged: bool) -> list[str]:
    """Return the notes on a session's adjusted results.

    unchanged: whether the adjustment changes nothing; then the engine's warnings are left out
    """
    notes = [] if unchanged else _warnings(session)
    lang = get_language() or ""
    if session.artificial:
        count = session.artificial
        text = ngettext(
            "%(count)s artificial score counts in the official result but says nothing of strength: it is "
            "left out of the adjustment.",
            "%(count)s artificial scores count in the official results but say nothing of strength: they are "
            "left out of the adjustment.",
            count,
        )
        notes.append(text % {"count": format_whole(count, lang)})
    if session.unknown:
        text = ngettext(
            "On %(count)s board the opponents are not in the ranking: it is left out of the adjustment.",
            "On %(count)s boards the opponents are not in the ranking: they are left out of the adjustment.",
            session.unknown,
        )
        notes.append(text % {"count": format_whole(session.unknown, lang)})
    if session.gaps:
        widest = max(abs(gap) for gap in session.gaps.values())
        text = ngettext(
            "For %(count)s contestant the boards give another percentage than the file states, by up to "
            "%(gap)s: a penalty, a handicap or a score changed afterwards may be behind it.",
            "For %(count)s contestants the boards give another percentage than the file states, by up to "
            "%(gap)s: a penalty, a handicap or a score changed afterwards may be behind it.",
            len(session.gaps),
        )
        gap = Decimal(widest.numerator) / Decimal(widest.denominator)
        count = format_whole(len(session.gaps), lang)
        notes.append(text % {"count": count, "gap": format_fixed(rounded(gap), lang, DIGITS)})
    return notes


def _warnings(session: Strength) -> list[str]:
    """Return a text that explains each of the engine's warnings about the session."""
    texts = {
        "bipartite": _(
            "The pairs sat in two lines that never met among themselves. Step after step the figures of such "
            "a session may swing to and fro without settling; the adjusted result is the point they swing "
            "about. How strong one line is against the other cannot be known: both count as equally "
            "strong on average."
        ),
        "disconnected": _(
            "The field falls into groups that never met each other. Results can be compared within a group "
            "only, and each group has places of its own."
        ),
        "unbalanced": _(
            "The scores of some boards do not add up to the mean, as after a lopsided ruling. Without a cure "
            "every step would drift by the surplus; it is taken off everybody alike before adjusting."
        ),
    }
    return [texts[warning.code] for warning in session.warnings]


def _chart(rows: tuple[ComparedContestant, ...], session: Strength) -> Chart | None:
    """Return the chart of adjusted against official results; None if it would have fewer than two dots.

    In large sessions nearby dots are merged, so that the page stays small.
    """
    points = sorted(
        {(rounded(row.official), rounded(row.adjusted)) for row in rows if row.adjusted is not None}
    )
    if len(points) < 2:
        return None
    low, high = points[0][0], points[-1][0]
    lang = get_language() or ""

    def formatted(value) -> str:
        return format_fixed(rounded(Decimal(str(value))), lang, DIGITS)

    gains = [adjusted - official for official, adjusted in points]
    desc = _(
        "Points above the line belong to those who met stronger opponents than the average. The adjustment "
        "moves results by between %(least)s and %(most)s."
    ) % {"least": formatted(min(gains)), "most": formatted(max(gains))}
    if len(points) > MOST_DOTS:
        points = _merged(points)
        desc += " " + _("Contestants with nearly the same results share a dot.")
    unit = "%" if session.scored == MATCHPOINTS else _("IMPs per board")
    return Chart(
        title=_("Official and adjusted results"),
        desc=desc,
        x_label=f"{_('Official result')} ({unit})",
        y_label=f"{_('Adjusted result')} ({unit})",
        series=(
            Series(_("No change"), ((low, low), (high, high)), "dotted", in_table=False),
            Series(_("Contestants"), points, "points"),
        ),
        x_format=formatted,
        y_format=formatted,
        y_from_zero=False,
    )


def _merged(points: list[tuple[Decimal, Decimal]]) -> list[tuple[Decimal, Decimal]]:
    """Move the points to the nearest crossings of a grid and drop duplicates, to have fewer dots."""
    spans = [max(values) - min(values) for values in zip(*points, strict=True)]
    step = max(spans) / GRID
    return sorted({tuple(rounded(step * round(value / step)) for value in point) for point in points})
