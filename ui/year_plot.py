"""The chart of a player's points: the last 12 months, and what they become while no more is played.

It is drawn by itself, not by `ui.plots.Chart`, because its labels stand on the drawing: today's points, the
year's estimated promotion cut, and what is left on 31 December. Labels are placed where no line crosses them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any
from xml.sax.saxutils import escape

from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from ui.formatting import format_date, format_month, format_points, format_whole
from ui.pictures import Picture
from ui.plots import CHAR, DIGIT, FONT, MOST_VALUES, data_points, evenly_spaced, month_ticks, nice_ticks

Point = tuple[date, int]
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass
class YearPlot(Picture):
    """The chart of one player, with a drawing for wide screens, one for telephones, and a table.

    past: (day, 12-month total in hundredths) of each change up to today; the last is today
    ahead: the same from today on, if no more is played; the last is the end of the drawing
    year_end: 31 December of this year, and the total on it; None if today is that day
    cut: the estimated promotion cut of this year, in hundredths, if there is one
    """

    WIDE, NARROW = (824, 330), (300, 250)

    past: Sequence[Point]
    ahead: Sequence[Point]
    desc: str
    year_end: Point | None = None
    cut: int | None = None

    @property
    def title(self) -> str:
        return gettext("Points of the last 12 months")

    @property
    def today(self) -> Point:
        return self.past[-1]

    @property
    def year(self) -> int:
        """The calendar year that the cut is about."""
        return self.today[0].year

    @property
    def as_table(self) -> dict[str, Any]:
        """The data as a table: the last change of each month, today, and the last day of the drawing.

        In the form that the template ui/plot.html expects.
        """
        lang = get_language() or ""
        day = self.today[0]
        labels = [gettext("Points"), gettext("If nothing more is played")]
        rows = []
        for at, total in _at_month_ends([*self.past, *self.ahead[1:]], day):
            text = format_points(total, lang)
            cells = (text, "—") if at <= day else ("—", text)
            rows.append(
                {
                    "head": format_date(at, lang),
                    "cells": [
                        {"label": label, "text": cell} for label, cell in zip(labels, cells, strict=True)
                    ],
                }
            )
        return {"heads": [gettext("Day"), *labels], "rows": rows}

    def _svg(self, width: int, height: int, variant: str) -> SafeString:
        drawing = _Drawing(self, width, height)
        return self._framed(width, height, variant, drawing.values(), drawing.parts())


def _at_month_ends(steps: Sequence[Point], day: date) -> Iterator[Point]:
    """Yield the last point of a step line in each month, the one of `day`, and the last of all."""
    for (at, total), (following, _total) in pairwise(steps):
        if at == day or (at.year, at.month) != (following.year, following.month):
            yield at, total
    yield steps[-1]


class _Drawing:
    """One drawing of the chart in a fixed size."""

    def __init__(self, plot: YearPlot, width: int, height: int) -> None:
        self.plot, self.width, self.height = plot, width, height
        self.small = width < 500
        self.first, self.last = plot.past[0][0], plot.ahead[-1][0]
        totals = [total for _day, total in (*plot.past, *plot.ahead)]
        self.ticks = nice_ticks(min(0, *totals), max(*totals, plot.cut or 0, 100), 3)
        self.y_labels = [self._tick_label(tick) for tick in self.ticks]
        self.left = 10 + DIGIT * max(map(len, self.y_labels))
        self.right, self.top, self.bottom = width - 6, 2.4 * FONT, height - 1.9 * FONT
        self.past_at = self._corners(plot.past)
        self.ahead_at = self._corners(plot.ahead)
        self.taken: list[Box] = []

    @staticmethod
    def _tick_label(tick: float) -> str:
        lang = get_language() or ""
        return format_whole(int(tick / 100), lang) if tick % 100 == 0 else format_points(int(tick), lang)

    def x(self, day: date) -> float:
        share = (day - self.first).days / max((self.last - self.first).days, 1)
        return round(self.left + share * (self.right - self.left), 1)

    def y(self, total: float) -> float:
        share = (total - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])
        return round(self.bottom - share * (self.bottom - self.top), 1)

    def _corners(self, steps: Sequence[Point]) -> list[tuple[float, float]]:
        """Return the positions of a step line, without steps narrower than half a unit."""
        positions: list[tuple[float, float]] = []
        for day, total in steps:
            x, y = self.x(day), self.y(total)
            if len(positions) > 1 and x - positions[-1][0] < 0.5:
                positions[-1] = positions[-1][0], y
            else:
                positions.append((x, y))
        return positions

    @staticmethod
    def _path(positions: Sequence[tuple[float, float]]) -> str:
        return "".join(
            f"H{x:g}V{y:g}" if index else f"M{x:g} {y:g}" for index, (x, y) in enumerate(positions)
        )

    # --- Labels -------------------------------------------------------------------------------------------
    def _crossed(self, box: Box) -> bool:
        """Return whether a line or another label crosses a box."""
        left, top, right, bottom = box
        if left < 0 or right > self.width or top < 0 or bottom > self.bottom:
            return True
        if any(left < r and at < right and top < b and t < bottom for at, t, r, b in self.taken):
            return True
        for line in (self.past_at, self.ahead_at):
            for (x1, y1), (x2, y2) in pairwise(line):
                if x1 < right and left < x2 and top < y1 < bottom:
                    return True
                if left < x2 < right and min(y1, y2) < bottom and top < max(y1, y2):
                    return True
        return False

    def _label(self, lines: Sequence[str], kind: str, places: Sequence[tuple[float, float]]) -> str:
        """Return a text of one or two lines at the first place where nothing crosses it, as SVG.

        places: the left end and the base line of the first line, in order of preference; if everything is
            crossed, the text stands as near the first place as the drawing allows, readable by its halo
        """
        width, deep = CHAR * max(map(len, lines)), 1.2 * FONT
        boxes = [(x - 3, y - FONT, x + width + 3, y + (len(lines) - 1) * deep + 5) for x, y in places]
        chosen = next((at for at, box in enumerate(boxes) if not self._crossed(box)), 0)
        self.taken.append(boxes[chosen])
        x, y = places[chosen]
        x = max(1.0, min(x, self.width - width - 1))
        y = max(FONT, min(y, self.bottom - (len(lines) - 1) * deep - 5))
        return "".join(
            f'<text class="{kind} halo" x="{x:.1f}" y="{y + index * deep:.1f}">{escape(line)}</text>'
            for index, line in enumerate(lines)
        )

    # --- The parts ----------------------------------------------------------------------------------------
    def _grid(self) -> Iterator[str]:
        for tick, label in zip(self.ticks, self.y_labels, strict=True):
            y = self.y(tick)
            kind = "axis" if tick == self.ticks[0] else "grid"
            yield f'<path class="{kind}" d="M{self.left:.1f} {y}H{self.right}"/>'
            yield (
                f'<text class="axis-text" x="{self.left - 8:.1f}" y="{y + FONT * 0.35:.1f}" '
                f'text-anchor="end">{escape(label)}</text>'
            )
        lang = get_language() or ""
        step = 12 if self.small else 3
        for day in month_ticks(self.first, self.last, 99):
            if (day.month - 1) % step:
                continue
            x = self.x(day)
            month, year = format_month(day, lang).split()
            words = f"{month} {year}" if day.month == 1 else month
            middle = max(CHAR * len(words) / 2, min(x, self.width - CHAR * len(words) / 2))
            yield f'<path class="axis" d="M{x} {self.bottom:.1f}v5"/>'
            yield (
                f'<text class="axis-text" x="{middle:.1f}" y="{self.bottom + FONT * 1.4:.1f}" '
                f'text-anchor="middle">{escape(words)}</text>'
            )

    def _today(self) -> Iterator[str]:
        """Yield the vertical line of today with its label at the top, above all other lines."""
        plot, lang = self.plot, get_language() or ""
        x, y = self.x(plot.today[0]), self.y(plot.today[1])
        words = gettext("Today")
        if not self.small:
            words = f"{words} {format_points(plot.today[1], lang)}"
        width = CHAR * len(words)
        start = x + 6 if x + 6 + width < self.width else x - 6 - width
        yield f'<path class="today" d="M{x} {FONT * 0.4:.1f}V{self.bottom:.1f}"/>'
        yield f'<text class="strong" x="{start:.1f}" y="{FONT}">{escape(words)}</text>'
        yield f'<circle class="mark" cx="{x}" cy="{y}" r="6"/>'

    def _cut(self) -> Iterator[str]:
        """Yield the line of the estimated cut from 1 January to 31 December, and its label."""
        plot, lang = self.plot, get_language() or ""
        if plot.cut is None:
            return
        start = self.x(max(date(plot.year, 1, 1), self.first))
        end, y = self.x(min(date(plot.year, 12, 31), self.last)), self.y(plot.cut)
        yield f'<path class="reference" d="M{start} {y}H{end}"/>'
        values = {"cut": format_points(plot.cut, lang), "year": plot.year}
        # A telephone has no room for more words beside the line of today.
        text = gettext("Cut: %(cut)s") if self.small else gettext("Estimated cut of %(year)s: %(cut)s")
        words = text % values
        width = CHAR * len(words)
        above, below = y - 8, y + FONT + 4
        starts = (start, (start + end - width) / 2, end - width)
        today = self.x(plot.today[0])
        self.taken += [(start, y - 2, end, y + 2), (today - 1, 0, today + 1, self.bottom)]
        heights = [above, below]
        for far in (1.2 * FONT, 2.4 * FONT, 3.6 * FONT):
            heights += [above - far, below + far]
        places = [(x, height) for height in heights for x in starts]
        yield self._label([words], "cut-text", places)

    def _year_end(self) -> Iterator[str]:
        """Yield the dot of 31 December; on wide screens with the points that are left then."""
        plot, lang = self.plot, get_language() or ""
        if plot.year_end is None:
            return
        x, y = self.x(plot.year_end[0]), self.y(plot.year_end[1])
        yield f'<circle class="dot s0" cx="{x}" cy="{y}" r="5"/>'
        if self.small:
            return
        left = gettext("%(points)s on 31 Dec") % {"points": format_points(plot.year_end[1], lang)}
        lines = [gettext("If you play no more:"), left]
        places = [(x + 10, y + lift) for lift in (-2.4 * FONT, -3.6 * FONT, 1.6 * FONT, 2.6 * FONT)]
        places += [(x + 60, y - 2.4 * FONT), (x + 20, self.top + FONT), (x + 10, self.bottom - 2 * FONT)]
        yield self._label(lines, "axis-text", places)

    def values(self) -> str:
        """Return the values that the drawing shows on hover and focus, for `data_points`."""
        lang = get_language() or ""
        steps = evenly_spaced([*self.plot.past, *self.plot.ahead[1:]], MOST_VALUES)
        return data_points(
            [
                (self.x(day), self.y(total), f"{format_date(day, lang)}: {format_points(total, lang)}")
                for day, total in steps
            ]
        )

    def parts(self) -> list[str]:
        """Return the elements of the drawing, the first one below all others."""
        end, area = self.past_at[-1][0], self._path(self.past_at)
        first = self.past_at[0][0]
        return [
            f'<path class="area" d="{area}H{end:g}V{self.bottom:.1f}H{first:g}z"/>',
            *self._grid(),
            f'<path class="line s0" d="{area}"/>',
            f'<path class="line s0 dotted" d="{self._path(self.ahead_at)}"/>',
            *self._cut(),
            *self._year_end(),
            *self._today(),
        ]
