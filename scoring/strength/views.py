"""A session adjusted for the strength of the opponents: one page beside the tournament's own."""

from decimal import Decimal
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django_tables2 import RequestConfig

from scoring.ledger.wording import FIELD_NAMES
from scoring.strength.figures import Strength, strength_of
from scoring.strength.queries import Compared, Comparison, address, compared, level
from scoring.strength.tables import DIGITS, ComparedRows, StrengthTable, figure
from tournaments.addresses import by_slug
from tournaments.boards import MATCHPOINTS
from tournaments.models import Tournament
from ui import exports
from ui.addresses import crumbs, own_player_id
from ui.formatting import format_fixed, format_whole
from ui.paging import PAGE, ROWS, SORT
from ui.plots import Chart, Series

MOST_DOTS, GRID = 150, 50  # a dot is about as large as a step of the grid


def strength(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    """Official and adjusted results side by side. It changes nobody's points."""
    found = by_slug(slug)
    session = found.published and strength_of(found.published_id)
    if session is None:
        raise Http404(_("The results of the single boards of this tournament are not known."))
    if request.path != address(found):
        return redirect(address(found))
    comparison = Comparison(found.published_id)
    same = level(comparison.rows_in_order)
    kind = exports.asked(request)
    if kind:
        return _download(kind, found, comparison)
    context = {
        "tournament": found,
        "session": session,
        "notes": _notes(session, same),
        "level": same,
        "lines": any(warned.code == "bipartite" for warned in session.warnings),
        "percent": session.scored == MATCHPOINTS,
        "chart": None if same else _chart(compared(found.published_id), session),
        "table_html": "" if same else _table(request, comparison, session).as_html(request),
        "breadcrumbs": crumbs(
            (_("Tournaments"), reverse("tournaments")),
            (found.name, found.get_absolute_url()),
            (_("Strength of the opponents"), None),
        ),
    }
    return render(request, "strength/strength.html", context)


def _table(request: HttpRequest, comparison: Comparison, session: Strength) -> StrengthTable:
    table = StrengthTable(
        ComparedRows(comparison),
        caption=_("Official and adjusted results"),
        own_id=own_player_id(request),
        exclude=() if session.components > 1 else ("component",),
        page_field=PAGE,
        order_by_field=SORT,
    )
    RequestConfig(request, paginate={"per_page": ROWS}).configure(table)
    return table


def _notes(session: Strength, same: bool) -> list[str]:
    """What the reader must know of this session, a sentence or two each.

    same: nothing is adjusted, so that how the adjustment goes says nothing
    """
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
    lang = get_language() or ""
    notes = [] if same else [texts[warned.code] for warned in session.warnings]
    if session.artificial:
        count = session.artificial
        said = ngettext(
            "%(count)s artificial score counts in the official result but says nothing of strength: it is "
            "left out of the adjustment.",
            "%(count)s artificial scores count in the official results but say nothing of strength: they are "
            "left out of the adjustment.",
            count,
        )
        notes.append(said % {"count": format_whole(count, lang)})
    if session.unknown:
        said = ngettext(
            "On %(count)s board the opponents are not in the ranking: it is left out of the adjustment.",
            "On %(count)s boards the opponents are not in the ranking: they are left out of the adjustment.",
            session.unknown,
        )
        notes.append(said % {"count": format_whole(session.unknown, lang)})
    if session.gaps:
        widest = max(abs(gap) for gap in session.gaps.values())
        said = ngettext(
            "For %(count)s contestant the boards give another percentage than the file states, by up to "
            "%(gap)s: a penalty, a handicap or a score changed afterwards may be behind it.",
            "For %(count)s contestants the boards give another percentage than the file states, by up to "
            "%(gap)s: a penalty, a handicap or a score changed afterwards may be behind it.",
            len(session.gaps),
        )
        gap = Decimal(widest.numerator) / Decimal(widest.denominator)
        notes.append(
            said
            % {"count": format_whole(len(session.gaps), lang), "gap": format_fixed(figure(gap), lang, DIGITS)}
        )
    return notes


def _chart(rows: tuple[Compared, ...], session: Strength) -> Chart | None:
    """Adjusted by official result, with the line on which nothing changes; None for one point or none.

    However many contestants there are, the page has a few hundred dots at the most.
    """
    points = sorted(
        {(figure(row.official), figure(row.adjusted)) for row in rows if row.adjusted is not None}
    )
    if len(points) < 2:
        return None
    low, high = points[0][0], points[-1][0]
    lang = get_language() or ""

    def written(value) -> str:
        return format_fixed(figure(Decimal(str(value))), lang, DIGITS)

    gains = [adjusted - official for official, adjusted in points]
    desc = _(
        "Points above the line belong to those who met stronger opponents than the average. The adjustment "
        "moves results by between %(least)s and %(most)s."
    ) % {"least": written(min(gains)), "most": written(max(gains))}
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
        x_format=written,
        y_format=written,
        y_from_zero=False,
    )


def _merged(points: list[tuple[Decimal, Decimal]]) -> list[tuple[Decimal, Decimal]]:
    """The points moved to the nearest crossing of a grid, each crossing once."""
    spans = [max(values) - min(values) for values in zip(*points, strict=True)]
    step = max(spans) / GRID
    return sorted({tuple(figure(step * round(value / step)) for value in point) for point in points})


def _download(kind: str, tournament: Tournament, comparison: Comparison) -> HttpResponse:
    heads = [
        _("Line"), _("Place"), _("Pair"), _("Federation number"), _("Player"), _("Boards"),
        _("Official result"), _("Step 0"), _("Place 0"), _("Step 1"), _("Place 1"), _("Step 2"), _("Place 2"),
        _("Adjusted result"), _("Adjusted place"), _("Group"),
    ]  # fmt: skip
    rows = (
        [
            str(FIELD_NAMES[row["field"]]), row["place"], row["label"],
            person["number"] and int(person["number"]), person["name"], row["boards"],
            figure(row["official"]), *_steps(row), _cell(row["adjusted"]), row["new_place"], row["component"],
        ]
        for row in comparison.rows(0, comparison.count())
        for person in row["people"]
    )  # fmt: skip
    name = f"{_('strength')}-{tournament.pk}"
    return exports.download(kind, name, heads, rows, get_language() or "")


def _steps(row: dict[str, Any]) -> list[Any]:
    cells = []
    for name in ("step0", "step1", "step2"):
        value, place = row.get(name, (None, None))
        cells += [_cell(value), place]
    return cells


def _cell(value: float | None) -> Decimal | None:
    return None if value is None else figure(value)
