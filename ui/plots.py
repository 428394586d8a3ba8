"""Line, step and point charts as SVG, drawn on the server.

Chart libraries write style attributes, which the Content-Security-Policy forbids. SVG text also prints,
needs no script and can be tested. Colours come from the style sheet by class. :class:`Chart` draws; the
functions at the end build the charts of this project.
"""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeVar
from xml.sax.saxutils import escape

from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from ui.formatting import format_decimal, format_month, format_points, language
from ui.pictures import Picture

Number = int | float | Decimal | Fraction
T = TypeVar("T")
FONT = 17  # font size in SVG units; a phone scales the narrow drawing so that a unit is about a pixel
CHAR = 0.56 * FONT  # mean width of a character, to reserve space and avoid overlaps
DIGIT = 0.632 * FONT  # width of a tabular figure, of which the labels of an axis consist
MOST_VALUES = 200  # that a drawing shows on hover and focus


@dataclass(frozen=True, slots=True)
class Series:
    """A set of (x, y) points of a chart, drawn as a line or as dots; x is a number or a date.

    kind: "line", "step" (y stays the same until the next x) or "points"; "dotted" and "dotted-step" are a
        line and steps for values that are expected rather than known
    in_table: whether `Chart.as_table` lists the points; false for a formula's curve, which is not data
    colour: number of the colour; by default the place of the series in the chart

    A series without a label is not in the legend.
    """

    label: str
    points: Sequence[tuple[Any, Number]]
    kind: str = "line"
    in_table: bool = True
    colour: int | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A highlighted point of a chart, with a label."""

    x: Any
    y: Number
    label: str


def data_points(values: Sequence[tuple[float, float, str]]) -> str:
    """Return the values of a drawing for `static/js/charts.js`, which shows them on hover and focus.

    values: (x, y, text) in SVG units, from left to right
    """
    return json.dumps([[round(x, 1), round(y, 1), text] for x, y, text in values], ensure_ascii=False)


def _plain(value: Any) -> float:
    """Convert an x or y value to a float; a date becomes its number of days."""
    return float(value.toordinal() if isinstance(value, date) else value)


def nice_ticks(low: float, high: float, wanted: int) -> list[float]:
    """Return about `wanted` values for the ticks of an axis, which cover the range from `low` to `high`.

    The values are multiples of 1, 2 or 5 times a power of ten.
    """
    if high <= low:
        high = low + 1
    rough = (high - low) / max(wanted, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [number * step for number in range(first, last + 1)]


def _without_idle_decimals(labels: list[str]) -> list[str]:
    """Return the labels of an axis, without decimals if all decimals are zeros: "5,00" -> "5"."""
    sign = "." if language(get_language()) == "en" else ","
    split = [label.partition(sign) for label in labels]
    return (
        labels if any(decimals.strip("0") for _, _, decimals in split) else [whole for whole, _, _ in split]
    )


def month_ticks(low: date, high: date, wanted: int) -> list[date]:
    """Return at most about `wanted` days for the ticks of an axis. Each is the first day of a month.

    low, high: the first and the last day of the axis

    The ticks are 1, 2, 3, 6 or 12 months apart, or several years. Those of years are Januaries.
    """
    months = [
        date(index // 12, index % 12 + 1, 1)
        for index in range(low.year * 12 + low.month - 1, high.year * 12 + high.month)
    ]
    inside = [day for day in months if low <= day <= high]
    every = next((gap for gap in (1, 2, 3, 6) if len(inside) <= gap * wanted), None)
    if every:
        return inside[::every]
    januaries = [day for day in inside if day.month == 1]
    if len(januaries) < 2:
        return inside[::12]
    most = wanted * 3 // 2  # a year alone is shorter than a month with its year
    years = next(gap for gap in (1, 2, 5, 10, 20, 50, 100, len(januaries)) if len(januaries) <= gap * most)
    return [day for day in januaries if day.year % years == 0] or januaries[:1]


@dataclass
class Chart(Picture):
    """A chart with its axes and series.

    title, desc: texts for screen readers
    x_format, y_format: functions that format a value for the axis and for the table
    reference: (value, label) of a horizontal reference line; the label is shown in the legend
    whole_x: whether to label the x axis with whole numbers only
    y_from_zero: whether the y axis always includes 0
    y_span: the least that the y axis spans, so that values that hardly differ are not drawn as a cliff
    """

    WIDE, NARROW = (800, 400), (300, 320)

    title: str
    desc: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    x_format: Callable[[Any], str]
    y_format: Callable[[Any], str]
    marks: Sequence[Mark] = ()
    reference: tuple[Number, str] | None = None
    whole_x: bool = False
    y_from_zero: bool = True
    y_span: Number = 0

    @property
    def as_table(self) -> dict[str, Any]:
        """The chart's data as a table: {"heads": [...], "rows": [{"head": x, "cells": [{"label", "text"}]}]}.

        A series with several points at one x has a row for each point.
        """
        rows_at: dict[Any, list[dict[int, Number]]] = {}
        listed = [series for series in self.series if series.in_table]
        for number, series in enumerate(listed):
            for x, y in series.points:
                rows_here = rows_at.setdefault(x, [])
                free = next((row for row in rows_here if number not in row), None)
                if free is None:
                    rows_here.append({number: y})
                else:
                    free[number] = y
        labels = [series.label for series in listed]
        rows = [
            {
                "head": self.x_format(x),
                "cells": [
                    {"label": label, "text": self.y_format(row[number]) if number in row else "—"}
                    for number, label in enumerate(labels)
                ],
            }
            for x, rows_here in sorted(rows_at.items(), key=lambda item: _plain(item[0]))
            for row in rows_here
        ]
        return {"heads": [self.x_label, *labels], "rows": rows}

    # --- Drawing ----------------------------------------------------------------------------------------

    def _svg(self, width: int, height: int, variant: str) -> SafeString:
        points = [point for series in self.series for point in series.points]
        points += [(mark.x, mark.y) for mark in self.marks]
        if not points:
            return SafeString("")
        frame = _Frame(self, points, width, height)
        parts = [
            *frame.grid(),
            *(frame.series(number, series) for number, series in enumerate(self.series)),
            *frame.reference(),
            *(frame.mark(mark) for mark in self.marks),
            *frame.legend(),
        ]
        return self._framed(width, height + frame.legend_height, variant, frame.values(), parts)


class _Frame:
    """One drawing of a chart in a fixed size. It converts values to positions and draws the parts as SVG."""

    def __init__(self, chart: Chart, points: list[tuple[Any, Number]], width: int, height: int) -> None:
        self.chart, self.width, self.height = chart, width, height
        xs, ys = [_plain(x) for x, _ in points], [float(y) for _, y in points]
        if chart.reference:
            ys.append(float(chart.reference[0]))
        low, high = min(0.0, *ys) if chart.y_from_zero else min(ys), max(ys)
        spare = max(0.0, float(chart.y_span) - (high - low)) / 2
        self.y_ticks = nice_ticks(low - spare, high + spare, height // 75)
        self.y_low, self.y_high = self.y_ticks[0], self.y_ticks[-1]
        self.x_low, self.x_high = min(xs), max(xs) if max(xs) > min(xs) else min(xs) + 1
        self.y_labels = _without_idle_decimals([chart.y_format(tick) for tick in self.y_ticks])
        self.left = 10 + DIGIT * max(map(len, self.y_labels))
        self.right, self.top, self.bottom = width - 14, 2.2 * FONT, height - 3.2 * FONT
        self.x_ticks = self._x_ticks(points)
        named = [series for series in chart.series if series.label]
        rows = len(named) + bool(chart.reference)
        self.legend_height = round(1.6 * FONT * rows) if rows > 1 else 0

    def _x_ticks(self, points: list[tuple[Any, Number]]) -> list[Any]:
        chart, room = self.chart, self.right - self.left
        if isinstance(points[0][0], date):
            days = [point[0] for point in points]
            return month_ticks(min(days), max(days), max(2, int(room / (CHAR * 10))))
        longest = max(len(chart.x_format(value)) for value in (points[0][0], points[-1][0]))
        wanted = max(2, int(room / (CHAR * (longest + 3))))
        ticks = nice_ticks(self.x_low, self.x_high, min(wanted, 10))
        if chart.whole_x:
            ticks = [int(tick) for tick in ticks if tick == int(tick)]
        return [tick for tick in ticks if self.x_low - 1e-9 <= tick <= self.x_high + 1e-9]

    def _x_labels(self) -> list[str]:
        """Return the labels of the x axis: months as such, or years alone if every tick is a January."""
        if not self.x_ticks or not isinstance(self.x_ticks[0], date):
            return [self.chart.x_format(tick) for tick in self.x_ticks]
        if len(self.x_ticks) > 1 and all(day.month == 1 for day in self.x_ticks):
            return [str(day.year) for day in self.x_ticks]
        return [format_month(day, get_language()) for day in self.x_ticks]

    def x(self, value: Any) -> float:
        """Return the horizontal position of an x value, in SVG units."""
        share = (_plain(value) - self.x_low) / (self.x_high - self.x_low)
        return round(self.left + share * (self.right - self.left), 1)

    def y(self, value: Number) -> float:
        """Return the vertical position of a y value, in SVG units from the top."""
        share = (float(value) - self.y_low) / (self.y_high - self.y_low)
        return round(self.bottom - share * (self.bottom - self.top), 1)

    def values(self) -> str:
        """Return the values of the chart's table, and its highlighted points, for the script."""
        chart = self.chart
        points = [point for series in chart.series if series.in_table for point in series.points]
        points += [(mark.x, mark.y) for mark in chart.marks]
        listed = sorted(points, key=lambda point: _plain(point[0]))
        return data_points(
            [
                (self.x(x), self.y(y), f"{chart.x_format(x)}: {chart.y_format(y)}")
                for x, y in evenly_spaced(listed, MOST_VALUES)
            ]
        )

    def text(self, x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
        """Return an SVG text element at this position, moved if necessary to stay inside the drawing."""
        length = CHAR * len(words)
        before = {"start": 0, "middle": length / 2, "end": length}[anchor]
        x = self.inside(x - before, length) + before
        return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'

    def inside(self, left: float, length: float) -> float:
        """Return where a text of this length begins, moved if necessary to stay inside the drawing."""
        return max(1, min(left, self.width - 1 - length))

    def grid(self) -> list[str]:
        """Return the SVG elements of the grid lines, and of the ticks and labels of the axes."""
        chart = self.chart
        parts = [self.text(1, FONT, chart.y_label, kind="axis-text")]
        for tick, label in zip(self.y_ticks, self.y_labels, strict=True):
            y = self.y(tick)
            kind = "axis" if tick == self.y_low else "grid"
            parts.append(f'<line class="{kind}" x1="{self.left:.1f}" x2="{self.right}" y1="{y}" y2="{y}"/>')
            parts.append(self.text(self.left - 8, y + FONT * 0.35, label, "end", "axis-text"))
        free = 0.0  # where the next label may begin: one that would touch the last is left out
        for tick, words in zip(self.x_ticks, self._x_labels(), strict=True):
            x, y = self.x(tick), self.bottom
            parts.append(f'<line class="axis" x1="{x}" x2="{x}" y1="{y:.1f}" y2="{y + 5:.1f}"/>')
            length = DIGIT * len(words)
            start = min(x - length / 2, self.width - 1 - length)
            if start >= free:
                parts.append(self.text(x, y + FONT * 1.4, words, "middle", "axis-text"))
                free = max(start, 1) + length + CHAR
        parts.append(self.text(self.right, self.height - FONT * 0.5, chart.x_label, "end", "axis-text"))
        return parts

    def series(self, number: int, series: Series) -> str:
        """Return the line or the dots of one series as SVG.

        number: the index of the series in the chart
        """
        number = number if series.colour is None else series.colour
        points = [(self.x(x), self.y(y)) for x, y in series.points]
        if series.kind == "points":
            return "".join(f'<circle class="dot s{number}" cx="{x}" cy="{y}" r="4"/>' for x, y in points)
        if series.kind.endswith("step"):
            path = "".join(f"H{x}V{y}" if index else f"M{x} {y}" for index, (x, y) in enumerate(points))
        else:
            path = "".join(f"{'L' if index else 'M'}{x} {y}" for index, (x, y) in enumerate(points))
        dotted = " dotted" if series.kind.startswith("dotted") else ""
        return f'<path class="line s{number}{dotted}" d="{path}"/>' if path else ""

    def reference(self) -> list[str]:
        """Return the horizontal reference line as SVG; an empty list if the chart has none.

        Its label is in the legend, where no curve crosses it.
        """
        if not self.chart.reference:
            return []
        y = self.y(self.chart.reference[0])
        return [f'<line class="reference" x1="{self.left:.1f}" x2="{self.right}" y1="{y}" y2="{y}"/>']

    def mark(self, mark: Mark) -> str:
        """Return a ring around a highlighted point, and its label, as SVG.

        The label is placed as near as the line of the first series and the axis title allow.
        """
        x, y = self.x(mark.x), self.y(mark.y)
        line = self.chart.series[0].points
        rises = line[-1][1] > line[0][1]
        length = CHAR * len(mark.label)
        places = [
            place
            for apart in range(0, 96, 12)
            for place in self._free_places(line, x - apart - length if rises else x + apart, y, length)
        ]
        left, base = min(places or [(x, y)], key=lambda place: abs(place[1] - y) + abs(place[0] - x))
        start = left + length if rises else left
        words = self.text(start, base, mark.label, "end" if rises else "start", "halo")
        return f'<circle class="mark" cx="{x}" cy="{y}" r="6"/>{words}'

    def _free_places(
        self, line: Sequence[tuple[Any, Number]], left: float, y: float, length: float
    ) -> Iterator[tuple[float, float]]:
        """Yield where a text above and below `y` can begin that the line and the axis title do not cross.

        left: where it begins if there is room
        """
        left = self.inside(left, length)
        heights = [y, *self._heights(line, left, left + length)]
        highest = 2.3 * FONT if left < CHAR * (len(self.chart.y_label) + 1) else FONT
        above, below = min(heights) - 14, y + FONT + 12
        if above > highest:
            yield left, above
        beside = heights[1:] or [y]
        if below < self.bottom and (min(beside) > below or max(beside) < below - FONT):
            yield left, below

    def _heights(self, line: Sequence[tuple[Any, Number]], left: float, right: float) -> Iterator[float]:
        """Yield vertical positions of a line between two horizontal ones, the highest and lowest included."""
        for (x1, y1), (x2, y2) in pairwise((self.x(x), self.y(y)) for x, y in line):
            if x1 < x2 and x1 <= right and x2 >= left:
                for x in (max(x1, left), min(x2, right)):
                    yield y1 + (y2 - y1) * (x - x1) / (x2 - x1)

    def legend(self) -> list[str]:
        """Return the legend below the drawing: a sample and label of each series and of the reference line.

        A legend of a single row is left out.
        """
        if not self.legend_height:
            return []
        samples = [
            (self._sample(number, series), series.label)
            for number, series in enumerate(self.chart.series)
            if series.label
        ]
        if self.chart.reference:
            samples.append(('<path class="reference" d="M1 {y:.1f}h34"/>', self.chart.reference[1]))
        parts = []
        for row, (sample, label) in enumerate(samples):
            y = self.height + FONT * (1.6 * row + 0.9)
            parts += [sample.format(y=y - 6), self.text(44, y, label)]
        return parts

    @staticmethod
    def _sample(number: int, series: Series) -> str:
        """Return the short line or dot that stands for a series in the legend, as SVG.

        The vertical position is left open: the result contains the placeholder `{y}`.
        """
        if series.kind == "points":
            return f'<circle class="dot s{number}" cx="18" cy="{{y:.1f}}" r="4"/>'
        dotted = " dotted" if series.kind.startswith("dotted") else ""
        return f'<path class="line s{number}{dotted}" d="M1 {{y:.1f}}h34"/>'


# --- The charts of this project -------------------------------------------------------------------------


def _points(value: Number) -> str:
    return format_points(int(value), get_language() or "")


def evenly_spaced(items: Sequence[T], most: int) -> Sequence[T]:
    """Return at most this many of the items, at equal distances, the first and the last among them."""
    if len(items) <= most:
        return items
    return [items[round(step * (len(items) - 1) / (most - 1))] for step in range(most)]


def points_curve(
    curve: Sequence[tuple[Number, int]],
    places: Sequence[tuple[Number, int]],
    *,
    desc: str,
    points: Callable[[Number], str] = _points,
    own: tuple[int, int] | None = None,
) -> Chart:
    """Return a chart of points by place, with the regulation's curve and the places of one tournament.

    The line and its dots have one colour and no legend: they say the same.

    curve, places: (place, points in integer hundredths)
    desc: one sentence that describes the chart for screen readers
    points: function that formats hundredths as points
    own: the place and the points to highlight
    """
    label = gettext("Place %(place)s: %(points)s")
    marks = () if own is None else (Mark(*own, label % {"place": own[0], "points": points(own[1])}),)
    return Chart(
        title=gettext("Points by place"),
        desc=desc,
        x_label=gettext("Place"),
        y_label=gettext("Points"),
        series=(
            Series("", curve, in_table=False),
            Series(gettext("This tournament"), places, "points", colour=0),
        ),
        marks=marks,
        x_format=lambda value: format_decimal(Decimal(str(value)), get_language() or "", 1),
        y_format=points,
        whole_x=True,
    )
