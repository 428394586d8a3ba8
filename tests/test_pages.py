"""The page object `tests.pages.Page` reads the parts of a page correctly."""

import pytest
from django.urls import reverse

from tests.pages import Page, open_page

HTML = """
<html lang="es"><head><title>Copa</title><style>p {}</style></head><body>
<ul class="messages"><li>Stored.</li></ul>
<main><h1>Copa &amp; <em>Liga</em></h1><p class="lead big">Ten <strong>pair</strong>s
  in&nbsp;all</p><p role="alert">Wrong</p>
<table><caption>Places of 2P</caption><thead><tr><th>Place</th><th>Pair</th></tr></thead>
<tbody><tr><td>1</td><td><a href="/a/?x=1&amp;y=2">Ana</a></td></tr>
<tr><td>2</td><td>Bea<br>Eva</td></tr></tbody></table>
<form action="/send/"><input name="token" value="t"><input name="file" type="file">
<input type="radio" name="side" value="ns"><input type="radio" name="side" value="ew" checked>
<input type="checkbox" name="sure"><textarea name="why">
a &lt;b</textarea>
<select name="club"><option value="1">A</option><option value="2" selected>B</option></select>
<select name="none"><option>first</option><option>second</option></select>
<button name="action" value="keep">Keep</button></form></main></body></html>
"""


def test_page_texts_are_read_as_a_reader_sees_them():
    page = Page(HTML)
    assert (page.language, page.title, page.lead) == ("es", "Copa", "Ten pairs in\u00a0all")
    assert (page.headings(), page.headings(2)) == (["Copa & Liga"], [])
    assert (page.messages, page.alerts, page.buttons) == (["Stored."], ["Wrong"], ["Keep"])
    assert "p {}" not in page.text


def test_tables_are_read_by_caption_heading_and_row():
    table = Page(HTML).table("Places")
    assert table.heads == ["Place", "Pair"]
    assert table.rows == [["1", "Ana"], ["2", "Bea Eva"]]
    assert table.column("Pair") == ["Ana", "Bea Eva"]
    with pytest.raises(AssertionError):
        Page(HTML).table("Points")


def test_links_are_read_by_their_text():
    page = Page(HTML)
    assert (page.link("Ana"), page.addresses) == ("/a/?x=1&y=2", ["/a/?x=1&y=2"])
    with pytest.raises(AssertionError):
        page.link("Bea")


def test_a_form_has_the_values_that_a_browser_would_submit():
    page = Page(HTML)
    form = page.form("token", "t")
    assert form.values == {"token": ["t"], "side": ["ew"], "why": ["a <b"], "club": ["2"], "none": ["first"]}
    assert (form.action, form.boxes, form.files) == ("/send/", {"side": ["ns"], "sure": ["on"]}, {"file"})
    assert form.buttons == {"action": ["keep"]}
    assert (page.values("side"), page.values("action")) == (["ns", "ew"], ["keep"])
    with pytest.raises(AssertionError):
        page.form("token", "other")


def test_elements_are_found_by_tag_class_and_attribute():
    page = Page(HTML)
    assert page.the("p", class_="big").text == page.lead
    assert [item["value"] for item in page.all("input", type="radio", checked=False)] == ["ns"]
    with pytest.raises(AssertionError):
        page.the("li", class_="absent")


def test_html_with_a_wrong_or_missing_end_tag_is_an_error():
    with pytest.raises(AssertionError, match="</p> where <b> is open"):
        Page("<p><b>a</p></b>")
    with pytest.raises(AssertionError, match="<p> is never closed"):
        Page("<main><p>a")


def test_opening_a_missing_page_is_an_error(client, db):
    assert open_page(client, reverse("help")).headings(1)
    with pytest.raises(AssertionError, match="404"):
        open_page(client, "/nada/")
