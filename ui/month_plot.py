"""A chart with a bar for each month: the points that leave, or that were won."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any
from xml.sax.saxutils import escape

from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from ui.formatting import format_month, format_points, format_whole
from ui.pictures import Picture
from ui.plots import CHAR, FONT, data_points, nice_ticks

SMALL = 500  # a drawing of less width is one for telephones


@dataclass
class MonthPlot(Picture):
    """Bars of points by month: the wide drawing has the points above them, the narrow one names every third.

    months: (first day of the month, points in hundredths, number of tournaments), in order
    """

    WIDE, NARROW = (824, 240), (300, 220)

    title: str
    desc: str
    months: Sequence[tuple[date, int, int]]

    @property
    def as_table(self) -> dict[str, Any]:
        """The data as a table, as the template ui/plot.html expects it."""
        lang = get_language() or ""
        labels = [gettext("Points"), gettext("Tournaments")]
        rows = [
            {
                "head": format_month(month, lang),
                "cells": [
                    {"label": labels[0], "text": format_points(points, lang)},
                    {"label": labels[1], "text": format_whole(tournaments, lang)},
                ],
            }
            for month, points, tournaments in self.months
        ]
        return {"heads": [gettext("Month"), *labels], "rows": rows}

    def _svg(self, width: int, height: int, variant: str) -> SafeString:
        return self._framed(width, height, variant, self._values(width, height), self._parts(width, height))

    @cached_property
    def ticks(self) -> list[float]:
        """The values of the vertical axis, in hundredths."""
        totals = [points for _month, points, _count in self.months]
        return nice_ticks(min(0, *totals), max(100, *totals), 3)

    @cached_property
    def labels(self) -> list[str]:
        """The labels of the vertical axis."""
        return [format_whole(int(tick / 100), get_language() or "") for tick in self.ticks]

    def _left(self, width: int) -> float:
        """Return where the bars begin. Only a narrow drawing has labels of the axis beside them."""
        return 10 + CHAR * max(map(len, self.labels)) if width < SMALL else 1.0

    def _y(self, points: float, height: int) -> float:
        top, bottom = 1.6 * FONT, height - 1.9 * FONT
        share = (points - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])
        return round(bottom - share * (bottom - top), 1)

    def _values(self, width: int, height: int) -> str:
        """Return the values that the drawing shows on hover and focus, for `data_points`."""
        lang, left = get_language() or "", self._left(width)
        room = (width - left) / max(len(self.months), 1)
        return data_points(
            [
                (
                    left + (number + 0.5) * room,
                    self._y(points, height),
                    f"{format_month(month, lang)}: {format_points(points, lang)}",
                )
                for number, (month, points, _count) in enumerate(self.months)
            ]
        )

    def _parts(self, width: int, height: int) -> Iterator[str]:
        """Yield the grid and the bars. A wide drawing has the points above each bar, a narrow one an axis."""
        lang, small = get_language() or "", width < SMALL
        ticks, labels, left = self.ticks, self.labels, self._left(width)
        bottom = height - 1.9 * FONT
        room = (width - left) / max(len(self.months), 1)

        def y(points: float) -> float:
            return self._y(points, height)

        for tick, label in zip(ticks, labels, strict=True) if small else ():
            yield f'<path class="grid" d="M{left:.1f} {y(tick)}H{width}"/>'
            yield (
                f'<text class="axis-text" x="{left - 8:.1f}" y="{y(tick) + FONT * 0.35:.1f}" '
                f'text-anchor="end">{escape(label)}</text>'
            )
        for number, (month, points, _count) in enumerate(self.months):
            start, middle = left + number * room + room * 0.14, left + (number + 0.5) * room
            high, low = y(max(points, 0)), y(min(points, 0))
            yield f'<path class="month" d="M{start:.1f} {low}V{high}h{room * 0.72:.1f}V{low}z"/>'
            if not small:
                value = format_whole(round(points / 100), lang)
                yield (
                    f'<text class="month-text" x="{middle:.1f}" y="{high - 6:.1f}" '
                    f'text-anchor="middle">{escape(value)}</text>'
                )
            if not small or number % 3 == 0:
                name, year = format_month(month, lang).split()
                ends = not small and number in (0, len(self.months) - 1)
                words = f"{name} {year[2:]}" if ends or month.month == 1 else name
                yield (
                    f'<text class="axis-text" x="{middle:.1f}" y="{bottom + FONT * 1.4:.1f}" '
                    f'text-anchor="middle">{escape(words)}</text>'
                )
        yield f'<path class="axis" d="M{left:.1f} {y(0)}H{width}"/>'
