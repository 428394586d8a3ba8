"""A histogram as SVG, drawn on the server, with its data as a table for `ui/plot.html`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from xml.sax.saxutils import escape

from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from ui.formatting import format_whole
from ui.pictures import Picture
from ui.plots import FONT, data_points, nice_ticks

WIDTH, HEIGHT, BARS = 300, 190, 12


def bins_of(numbers: Mapping[int, int], most: int = BARS) -> tuple[int, list[int]]:
    """Return the width of the bins and the number of values in each, for values from 0 on.

    numbers: {whole number: how often it occurs}
    most: about how many bins; their width is 1, 2 or 5 times a power of ten
    """
    last = max(numbers)
    width = max(1, round(nice_ticks(0, max(last, 1), most)[1]))
    bins = [0] * (last // width + 1)
    for value, number in numbers.items():
        bins[value // width] += number
    return width, bins


@dataclass
class Histogram(Picture):
    """How many values are in each span of equal width, from 0 on.

    title, desc: texts for screen readers
    width: width of a span
    counts: number of values in each span
    head, noun: headings of the two columns of the table

    Its two drawings are alike, because it is shown in a narrow column of the page.
    """

    WIDE = NARROW = WIDTH, HEIGHT

    title: str
    desc: str
    width: int
    counts: Sequence[int]
    head: str
    noun: str

    @cached_property
    def _spans(self) -> list[str]:
        lang = get_language() or ""
        edges = [index * self.width for index in range(len(self.counts) + 1)]
        return [
            gettext("%(first)s to %(last)s")
            % {"first": format_whole(low, lang), "last": format_whole(high, lang)}
            for low, high in zip(edges, edges[1:], strict=False)
        ]

    @property
    def as_table(self) -> dict[str, Any]:
        """The data as a table, in the form of `Chart.as_table`."""
        lang = get_language() or ""
        return {
            "heads": [self.head, self.noun],
            "rows": [
                {"head": span, "cells": [{"label": self.noun, "text": format_whole(count, lang)}]}
                for span, count in zip(self._spans, self.counts, strict=True)
            ],
        }

    def _svg(self, width: int, height: int, variant: str) -> SafeString:
        lang, bottom, highest = get_language() or "", height - 1.7 * FONT, max(self.counts) or 1
        step = width / len(self.counts)
        bars, values = [], []
        for index, (count, span) in enumerate(zip(self.counts, self._spans, strict=True)):
            tall = count / highest * (bottom - 8)
            x = index * step
            bars.append(
                f'<rect class="column" x="{x + 1:.1f}" y="{bottom - tall:.1f}" '
                f'width="{step - 2:.1f}" height="{tall:.1f}"/>'
            )
            values.append((x + step / 2, bottom - tall, f"{span}: {format_whole(count, lang)}"))
        every = max(1, len(self.counts) // 4)
        labels = "".join(
            f'<text class="axis-text" x="{min(index * step, width - 34):.1f}" y="{height - 4}">'
            f"{escape(format_whole(index * self.width, lang))}</text>"
            for index in range(0, len(self.counts), every)
        )
        axis = f'<line class="axis" x1="0" x2="{width}" y1="{bottom:.1f}" y2="{bottom:.1f}"/>'
        return self._framed(width, height, variant, data_points(values), [*bars, axis, labels])
