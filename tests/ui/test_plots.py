"""Charts: well-formed, safe, and readable by screen readers and as a table."""

import re
from datetime import date, timedelta
from itertools import pairwise
from xml.etree import ElementTree

from django.template.loader import render_to_string
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from tests.pages import Page
from ui.plots import (
    CHAR,
    FONT,
    Chart,
    Series,
    month_ticks,
    nice_ticks,
    points_curve,
)

SVG = "{http://www.w3.org/2000/svg}"


def chart(**changes) -> Chart:
    settings = {
        "title": "A title",
        "desc": "What it says",
        "x_label": "x",
        "y_label": "y",
        "series": [Series("one", [(1, 2), (2, 4), (3, 3)])],
        "x_format": str,
        "y_format": lambda value: f"{value:g}",
    }
    return Chart(**{**settings, **changes})


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 (our own text)


def test_a_drawing_has_a_title_and_a_description_for_screen_readers():
    root = parsed(chart().wide)
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    assert (title.text, desc.text) == ("A title", "What it says")


def test_both_drawings_of_a_chart_have_different_element_ids():
    made = chart()
    ids = [item["id"] for item in Page(made.wide + made.narrow).all(id=True)]
    assert len(ids) == 4 == len(set(ids))


def test_drawing_the_same_chart_twice_gives_the_same_svg():
    assert chart().wide == chart().wide


def test_texts_in_a_chart_are_escaped():
    evil = '<script>"&'
    svg = chart(
        title=evil, desc=evil, y_label=evil, series=[Series(evil, [(1, 1)]), Series("b", [(2, 2)])]
    ).wide
    assert not Page(svg).all("script")
    assert parsed(svg).find(f"{SVG}title").text == evil


def test_charts_have_no_inline_styles_or_scripts():
    svg = chart(reference=(3, "cut")).wide
    assert not Page(svg).all(style=True)
    assert not Page(svg).all("style", "script")


def test_text_of_the_narrow_drawing_has_at_least_16_pixels_on_a_phone():
    """Text has at least 16 pixels on a screen 320 pixels wide, whose margins leave 288 for the chart."""
    assert FONT * 288 / Chart.NARROW[0] >= 16


@given(
    st.lists(st.tuples(st.integers(-1000, 1000), st.integers(-(10**6), 10**6)), min_size=1, max_size=30),
    st.sampled_from(["line", "step", "points", "dotted", "dotted-step"]),
)
def test_every_point_lies_inside_the_drawing(points, kind):
    for svg in (chart(series=[Series("one", points, kind)]).wide, chart(series=[Series("", points)]).narrow):
        root = parsed(svg)
        width, height = (float(part) for part in root.get("viewBox").split()[2:])
        for text in root.iter(f"{SVG}text"):
            assert 0 <= float(text.get("x")) <= width
        for path in root.iter(f"{SVG}path"):
            pairs = re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path.get("d"))
            assert pairs
            assert all(0 <= float(x) <= width and 0 <= float(y) <= height for x, y in pairs)


def test_a_higher_value_is_higher_on_the_page():
    path = parsed(chart().wide).find(f"{SVG}path").get("d")
    heights = [float(y) for y in re.findall(r" (-?[\d.]+)", path)]
    assert heights[1] < heights[2] < heights[0]


@given(st.floats(-1e6, 1e6), st.floats(0.001, 1e6), st.integers(2, 12))
def test_axis_ticks_cover_all_values(low, span, wanted):
    ticks = nice_ticks(low, low + span, wanted)
    step = ticks[1] - ticks[0]
    assert ticks[0] <= low + step * 1e-6
    assert ticks[-1] >= low + span - step * 1e-6
    assert len(ticks) <= wanted + 3


def test_date_ticks_are_first_days_of_months():
    days = month_ticks(date(2025, 3, 14), date(2026, 3, 14), 6)
    assert days == [date(2025, 4, 1), *(date(2025, m, 1) for m in (6, 8, 10, 12)), date(2026, 2, 1)]


@given(st.dates(date(1990, 1, 1), date(2030, 1, 1)), st.integers(40, 15000), st.integers(2, 6))
def test_long_spans_of_time_have_few_ticks_in_januaries(first, days, wanted):
    ticks = month_ticks(first, first + timedelta(days=days), wanted)
    assert len(ticks) <= wanted * 3 // 2 + 1
    if days > 366 * 2 and days / 180 > wanted:
        assert {day.month for day in ticks} == {1}


def test_the_labels_of_years_do_not_touch_on_a_telephone():
    days = [date(2020, 2, 16), date(2026, 11, 1)]
    series = [Series("r", [(days[0], 2412.39), (days[1], 2412.19)])]
    rating = chart(series=series, y_from_zero=False, y_span=20)
    texts = parsed(rating.narrow).findall(f"{SVG}text")
    years = [(float(item.get("x")), item.text) for item in texts if re.fullmatch(r"20\d\d", item.text)]
    assert [text for _x, text in years] == ["2022", "2024", "2026"]
    assert all(right - left > 4 * FONT * 0.632 for (left, _), (right, _) in pairwise(years))


def test_values_that_hardly_differ_are_not_drawn_as_a_cliff():
    flat = chart(series=[Series("r", [(1, 2412.39), (2, 2412.19)])], y_from_zero=False, y_span=20)
    labels = [item.text for item in parsed(flat.wide).findall(f"{SVG}text") if item.text.isdigit()]
    assert {"2405", "2420"} <= set(labels)


def test_a_chart_without_points_is_empty():
    assert chart(series=[Series("one", [])]).wide == ""


def test_each_of_several_points_at_one_x_has_its_own_table_row():
    table = chart(series=[Series("a", [(1, 10), (1, 12), (2, 20)]), Series("b", [(1, 5)])]).as_table
    cells = [(row["head"], *(cell["text"] for cell in row["cells"])) for row in table["rows"]]
    assert cells == [("1", "10", "5"), ("1", "12", "—"), ("2", "20", "—")]


def test_the_table_of_a_chart_has_one_row_for_each_x():
    table = chart(series=[Series("a", [(2, 20), (1, 10)]), Series("b", [(2, 5)])]).as_table
    assert table["heads"] == ["x", "a", "b"]
    assert [row["head"] for row in table["rows"]] == ["1", "2"]
    assert [[cell["text"] for cell in row["cells"]] for row in table["rows"]] == [["10", "—"], ["20", "5"]]


def test_the_table_of_a_points_curve_lists_only_places_of_the_tournament():
    with translation.override("es"):
        made = points_curve([(1, 1200), (1.5, 900), (2, 700)], [(1, 1200), (2, 700)], desc="d")
        assert [row["head"] for row in made.as_table["rows"]] == ["1", "2"]
        assert made.as_table["rows"][0]["cells"][0]["text"] == "12,00"
        # one for each place, and none for a sample in a legend
        assert len(list(parsed(made.wide).iter(f"{SVG}circle"))) == 2
        marked = points_curve([(1, 1200), (2, 700)], [(1, 1200), (2, 700)], desc="d", own=(2, 700))
        assert "Puesto 2: 7,00" in {text.text for text in parsed(marked.wide).iter(f"{SVG}text")}


def test_the_label_of_a_place_leaves_the_title_of_the_axis_free():
    with translation.override("es"):
        curve = [(place, 3100 - 100 * place) for place in range(1, 11)]
        for place, points in curve[:3]:
            made = points_curve(curve, curve, desc="d", own=(place, points))
            texts = {text.text: text for text in parsed(made.narrow).iter(f"{SVG}text")}
            title = texts["Puntos"]
            label = next(text for words, text in texts.items() if words.startswith(f"Puesto {place}:"))
            apart = float(label.get("x")) > CHAR * (len(title.text) + 1)
            assert apart or float(label.get("y")) - FONT >= float(title.get("y"))


def test_the_curve_does_not_cross_the_label_of_a_place():
    with translation.override("es"):
        curve = [(place, 2400 // place**2) for place in range(1, 13)]
        for own in curve:
            made = points_curve(curve, curve, desc="d", own=own)
            assert crossings(made.wide) == crossings(made.narrow) == [], own


def test_the_label_of_the_last_place_stands_just_above_the_curve():
    curve = [(place, 1300 - 100 * place) for place in range(1, 13)]
    root = parsed(points_curve(curve, curve, desc="d", own=curve[-1]).wide)
    label = next(text for text in root.iter(f"{SVG}text") if text.get("class") == "halo")
    dots = [circle for circle in root.iter(f"{SVG}circle") if "dot" in circle.get("class")]
    beside = [float(dot.get("cy")) for dot in dots if float(dot.get("cx")) >= float(label.get("x"))]
    assert min(beside) - 40 < float(label.get("y")) < min(beside) + 40


def crossings(svg: str) -> list[tuple[float, float]]:
    """Return points of the curve that lie in the label of the highlighted place."""
    root = parsed(svg)
    label = next(text for text in root.iter(f"{SVG}text") if text.get("class") == "halo")
    x, y, length = float(label.get("x")), float(label.get("y")), CHAR * len(label.text)
    left = x - length if label.get("text-anchor") == "end" else x
    dots = [circle for circle in root.iter(f"{SVG}circle") if "dot" in circle.get("class")]
    ends = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in dots]
    line = [
        (x1 + (x2 - x1) * part / 50, y1 + (y2 - y1) * part / 50)
        for (x1, y1), (x2, y2) in pairwise(ends)
        for part in range(51)
    ]
    return [(x, height) for x, height in line if left <= x <= left + length and y - FONT <= height <= y]


def test_an_axis_of_whole_points_has_no_decimals():
    with translation.override("es"):
        made = points_curve([(1, 1200), (2, 700)], [(1, 1200), (2, 700)], desc="d")
        labels = {text.text for text in parsed(made.wide).iter(f"{SVG}text")}
        assert {"0", "5", "10"} <= labels
        low = points_curve([(1, 120), (2, 70)], [(1, 120), (2, 70)], desc="d")
        assert "0,50" in {text.text for text in parsed(low.wide).iter(f"{SVG}text")}
        thousands = points_curve([(1, 200000), (2, 0)], [(1, 200000), (2, 0)], desc="d")
        assert "1.000" in {text.text for text in parsed(thousands.wide).iter(f"{SVG}text")}


def test_the_chart_template_shows_both_drawings_and_the_table():
    page = Page(render_to_string("ui/plot.html", {"chart": chart()}))
    assert len(page.all("svg")) == 2
    assert len(page.table("A title").rows) == 3
    assert page.table("A title").heads
