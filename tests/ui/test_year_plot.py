"""The chart of a player's year: labels that no line crosses, dates and figures in both drawings."""

import re
from datetime import date, timedelta
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from django.utils import translation
from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import examples
from ui.month_plot import MonthPlot
from ui.plots import CHAR, FONT
from ui.year_plot import YearPlot

SVG = "{http://www.w3.org/2000/svg}"
TODAY = date(2026, 11, 21)


def plot(past, ahead, cut=None) -> YearPlot:
    return YearPlot(past, ahead, "d", (date(2026, 12, 31), ahead[-1][1]), cut)


def steady(points: int) -> list[tuple[date, int]]:
    return [(TODAY - timedelta(days=365), points), (TODAY, points)]


@st.composite
def histories(draw):
    """Return steps of a total of a year, and of its fall in the next half year."""
    days = sorted(draw(st.sets(st.integers(1, 364), max_size=30)))
    totals = draw(st.lists(st.integers(0, 60_000), min_size=len(days) + 2, max_size=len(days) + 2))
    past = [
        (TODAY - timedelta(days=365 - at), total) for at, total in zip([0, *days, 365], totals, strict=True)
    ]
    after = sorted(draw(st.sets(st.integers(1, 180), max_size=10)))
    falling = sorted(draw(st.lists(st.integers(0, 60_000), min_size=len(after), max_size=len(after))))[::-1]
    ahead = [
        past[-1],
        *((TODAY + timedelta(days=at), total) for at, total in zip(after, falling, strict=True)),
    ]
    return past, [*ahead, (TODAY + timedelta(days=183), ahead[-1][1])]


LEAP = date(2027, 1, 5)


@examples(60)
@example((steady(0), [(TODAY, 0), (LEAP, 9_999), (TODAY + timedelta(days=183), 9_999)]), None, "en")
@given(histories(), st.one_of(st.none(), st.integers(0, 60_000)), st.sampled_from(["es", "en"]))
def test_every_drawing_is_valid_and_its_texts_are_inside(history, cut, language):
    with translation.override(language):
        made = plot(*history, cut)
        drawings = [made.wide, made.narrow]
    for drawing in drawings:
        svg = ElementTree.fromstring(drawing)
        width, height = (float(value) for value in svg.get("viewBox").split()[2:])
        for text in svg.iter(f"{SVG}text"):
            length = CHAR * len(text.text)
            shift = {"end": length, "middle": length / 2}.get(text.get("text-anchor"), 0)
            assert float(text.get("x")) - shift > -2 and 0 < float(text.get("y")) < height
            assert float(text.get("x")) - shift + length < width + 4
        for path in svg.iter(f"{SVG}path"):
            for y in re.findall(r"[MV][\d.]+ ?([\d.]*)", path.get("d")):
                assert not y or 0 <= float(y) <= height


@pytest.mark.parametrize("points", [5_000, 20_000, 23_000, 24_500, 40_000])
def test_no_line_crosses_the_labels_of_a_usual_year(points):
    history = [(TODAY - timedelta(days=365 - 30 * at), points + 300 * at) for at in range(13)]
    ahead = [history[-1], (TODAY + timedelta(days=20), points), (TODAY + timedelta(days=183), points // 2)]
    with translation.override("es"):
        svg = ElementTree.fromstring(plot(history, ahead, 23_010).wide)
    line = next(path.get("d") for path in svg.iter(f"{SVG}path") if path.get("class") == "line s0")
    numbers = re.findall(r"(?:M([\d.]+) ([\d.]+))|(?:H([\d.]+)V([\d.]+))", line)
    corners = [tuple(float(value) for value in match if value) for match in numbers]
    for text in svg.iter(f"{SVG}text"):
        if "cut-text" not in text.get("class"):
            continue
        x, y = float(text.get("x")), float(text.get("y"))
        right, top, bottom = x + CHAR * len(text.text), y - FONT * 0.8, y + 4
        for (x1, y1), (x2, _y2) in pairwise(corners):
            assert not (x1 < right and x < x2 and top < y1 < bottom)


def test_the_labels_say_today_the_cut_and_the_end_of_the_year():
    with translation.override("es"):
        made = plot(steady(21_435), [(TODAY, 21_435), (TODAY + timedelta(days=183), 19_239)], 23_010)
        words = [text.text for text in ElementTree.fromstring(made.wide).iter(f"{SVG}text")]
        rows = made.as_table["rows"]
    assert {"Hoy 214,35", "Corte de ascenso estimado de 2026: 230,10", "192,39 el 31 dic"} <= set(words)
    assert [word for word in ("100", "200", "ene 2026", "abr") if word in words] == [
        "100",
        "200",
        "ene 2026",
        "abr",
    ]
    assert [row["head"] for row in rows][-1] == "23 may 2027"
    assert {"head": "21 nov 2026"}.items() <= rows[1].items()


def test_the_bars_of_months_have_a_table():
    months = [(date(2026, 11, 1), 250, 2), (date(2026, 12, 1), 0, 0), (date(2027, 1, 1), -50, 0)]
    with translation.override("es"):
        made = MonthPlot("t", "d", months)
        rows = made.as_table["rows"]
        assert [(row["head"], row["cells"][0]["text"]) for row in rows] == [
            ("nov 2026", "2,50"),
            ("dic 2026", "0,00"),
            ("ene 2027", "−0,50"),
        ]
        for drawing in (made.wide, made.narrow):
            bars = [
                p for p in ElementTree.fromstring(drawing).iter(f"{SVG}path") if p.get("class") == "month"
            ]
            assert len(bars) == 3
