"""A page object for tests: headings, tables, links, fields and messages of an HTML page.

`open_page(client, address)` requests a page; `Page(response)` parses the response to a form. All tests read
HTML through this module.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

from django.test import Client

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
INLINE = {
    "a", "abbr", "b", "bdi", "cite", "code", "em", "i", "kbd", "label", "mark", "mi", "mn", "mo", "mtext",
    "q", "small", "span", "strong", "sub", "sup", "time", "tspan", "u", "var", "wbr",
}  # fmt: skip
UNREAD = {"script", "style", "template"}
SPACE = re.compile(r"[ \t\r\n\f]+")  # without the no-break space


class Element:
    """An element of a page, with its descendants."""

    def __init__(self, tag: str, attributes: dict[str, str]):
        self.tag = tag
        self.attributes = attributes
        self.children: list[Element | str] = []

    def __getitem__(self, attribute: str) -> str:
        return self.attributes[attribute]

    def get(self, attribute: str, default: str = "") -> str:
        return self.attributes.get(attribute, default)

    @property
    def classes(self) -> list[str]:
        return self.get("class").split()

    @property
    def elements(self) -> list["Element"]:
        """Return the child elements."""
        return [child for child in self.children if isinstance(child, Element)]

    @property
    def text(self) -> str:
        """Return the text, with character references resolved and white space reduced to single spaces."""
        return SPACE.sub(" ", "".join(self._texts())).strip(" ")

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            elif child.tag not in UNREAD:
                edge = "" if child.tag in INLINE else " "
                yield edge
                yield from child._texts()
                yield edge

    @property
    def skeleton(self) -> str:
        """Return the HTML of the descendants without attributes: `<b>a</b>`."""
        parts = (
            escape(item, quote=False) if isinstance(item, str) else item._bare() for item in self.children
        )
        return "".join(parts)

    def _bare(self) -> str:
        return f"<{self.tag}>{self.skeleton}</{self.tag}>"

    # --- Descendants --------------------------------------------------------------------------------------
    def walk(self) -> Iterator["Element"]:
        """Yield all descendants in document order."""
        for child in self.elements:
            yield child
            yield from child.walk()

    def all(self, *tags: str, **attributes: str | bool) -> list["Element"]:
        """Return the descendants with one of these tags and all of these attributes.

        `class_="lead"` matches one of the element's classes, `data_label="Points"` the attribute
        `data-label`. True matches any value, False a missing attribute.
        """
        return [
            item
            for item in self.walk()
            if (not tags or item.tag in tags)
            and all(item._has(name, value) for name, value in attributes.items())
        ]

    def _has(self, name: str, value: str | bool) -> bool:
        name = name.rstrip("_").replace("_", "-")
        if isinstance(value, bool):
            return (name in self.attributes) == value
        return value in self.classes if name == "class" else self.attributes.get(name) == value

    def the(self, *tags: str, **attributes: str | bool) -> "Element":
        """Return the only descendant with one of these tags and all of these attributes, as in `all`.

        Fails if there is none, or more than one.
        """
        items = self.all(*tags, **attributes)
        assert len(items) == 1, f"{len(items)} of {tags} {attributes} in:\n{self.text[:2000]}"
        return items[0]

    # --- Common parts of pages ------------------------------------------------------------------------------
    def headings(self, *levels: int) -> list[str]:
        """Return the texts of the headings of these levels, by default of all."""
        return [item.text for item in self.all(*(f"h{level}" for level in levels or range(1, 7)))]

    @property
    def links(self) -> list["Element"]:
        return self.all("a", href=True)

    @property
    def addresses(self) -> list[str]:
        """Return the URLs of the links."""
        return [item["href"] for item in self.links]

    def link(self, text: str) -> str:
        """Return the URL of the link with this text. All links with this text must have the same URL."""
        addresses = {item["href"] for item in self.links if item.text == text}
        assert len(addresses) == 1, (
            f"{text!r} leads to {addresses}; links: {[item.text for item in self.links]}"
        )
        return addresses.pop()

    @property
    def tables(self) -> list["Table"]:
        return [Table(item) for item in self.all("table")]

    def table(self, caption: str = "") -> "Table":
        """Return the only table whose caption starts with this text."""
        tables = [table for table in self.tables if table.caption.startswith(caption)]
        assert len(tables) == 1, (
            f"{caption!r} is none or several of {[table.caption for table in self.tables]}"
        )
        return tables[0]

    @property
    def controls(self) -> list["Element"]:
        """Return the form fields and buttons."""
        return self.all("input", "select", "textarea", "button", name=True)

    @property
    def fields(self) -> set[str]:
        """Return the names of all form fields and buttons."""
        return {item["name"] for item in self.controls}

    def values(self, name: str) -> list[str]:
        """Return the values of the fields and buttons with this name.

        For a select, these are the values of its selected options.
        """
        return [value for item in self.controls if item["name"] == name for value in values_of(item)]

    @property
    def buttons(self) -> list[str]:
        """Return the texts of the buttons."""
        return [item.text for item in self.all("button")]

    @property
    def parameters(self) -> set[str]:
        """Return the names of the query parameters in the page's links and forms."""
        own = [*self.addresses, *(form.get("action") for form in self.all("form"))]
        names = {
            name
            for address in own
            if not address.startswith("mailto:")
            for name in parse_qs(urlsplit(address).query, keep_blank_values=True)
        }
        asking = (form for form in self.all("form") if form.get("method", "get").lower() == "get")
        return names | {control["name"] for form in asking for control in form.controls}

    @property
    def forms(self) -> list["Form"]:
        outside = [item for item in self.controls if item.get("form")]
        return [
            Form.of(
                item,
                [control for control in item.controls if not control.get("form")]
                + [control for control in outside if control["form"] == item.get("id")],
            )
            for item in self.all("form")
        ]

    def form(self, name: str, value: str | None = None) -> "Form":
        """Return the first form with a field or button `name`, whose value is `value` if passed."""
        for form in self.forms:
            if name in form.files or name in form.boxes or name in form.buttons:
                return form
            if name in form.values and (value is None or value in form.values[name]):
                return form
        raise AssertionError(f"no form with {name!r} in:\n{self.text[:2000]}")


class Page(Element):
    """A page, parsed from HTML or from a response."""

    def __init__(self, source):
        super().__init__("", {})
        self.response = None if isinstance(source, str) else source
        self.html: str = source if isinstance(source, str) else source.content.decode()
        _Builder(self).build(self.html)

    @property
    def context(self):
        """Return the template's context."""
        return self.response.context

    @property
    def language(self) -> str:
        return self.the("html").get("lang")

    @property
    def title(self) -> str:
        return self.the("title").text

    @property
    def main(self) -> Element:
        """Return the main content, without the frame common to all pages."""
        return self.the("main")

    @property
    def lead(self) -> str:
        """Return the sentence below the main heading."""
        return self.the(class_="lead").text

    @property
    def messages(self) -> list[str]:
        """Return the texts of Django's messages, which say what the form submitted before has done."""
        return [item.text for part in self.all("ul", class_="messages") for item in part.all("li")]

    @property
    def alerts(self) -> list[str]:
        return [item.text for item in self.all(role="alert")]

    def of_id(self, name: str) -> Element:
        return self.the(id=name)


class Table:
    """A table of a page. Tests read its caption, its headings and the texts of its cells."""

    def __init__(self, element: Element):
        self.element = element

    @property
    def caption(self) -> str:
        return " ".join(item.text for item in self.element.all("caption"))

    @property
    def heads(self) -> list[str]:
        """Return the texts of the header row."""
        return [cell.text for part in self.element.all("thead") for cell in part.all("th", "td")]

    @property
    def lines(self) -> list[Element]:
        """Return the rows of the body as elements."""
        return [row for part in self.element.all("tbody") for row in part.all("tr")]

    @property
    def rows(self) -> list[list[str]]:
        """Return the texts of the cells, row by row."""
        return [[cell.text for cell in row.all("th", "td")] for row in self.lines]

    @property
    def records(self) -> list[dict[str, str]]:
        """Return the rows of the body as dicts, by the texts of the header row."""
        return [dict(zip(self.heads, row, strict=True)) for row in self.rows]

    def column(self, head: str) -> list[str]:
        return [record[head] for record in self.records]


@dataclass
class Form:
    """A form with the values that a browser would submit."""

    action: str
    values: dict[str, list[str]] = field(default_factory=dict)
    boxes: dict[str, list[str]] = field(default_factory=dict)  # values of unticked boxes, by name
    files: set[str] = field(default_factory=set)
    buttons: dict[str, list[str]] = field(default_factory=dict)  # values of its buttons, by name

    @classmethod
    def of(cls, element: Element, controls: list[Element]) -> "Form":
        """Return the form of an element.

        controls: its fields and buttons, which may be outside of it
        """
        form = cls(element.get("action"))
        for control in controls:
            name, kind = control["name"], control.get("type")
            if control.tag == "button" or kind in {"submit", "button", "image", "reset"}:
                form.buttons.setdefault(name, []).extend(values_of(control))
            elif kind == "file":
                form.files.add(name)
            elif kind in {"checkbox", "radio"} and "checked" not in control.attributes:
                form.boxes.setdefault(name, []).extend(values_of(control))
            else:
                form.values.setdefault(name, []).extend(values_of(control))
        return form


def values_of(control: Element) -> list[str]:
    """Return the values that a field or button submits."""
    if control.tag == "select":
        options = control.all("option")
        chosen = [item for item in options if "selected" in item.attributes] or options[:1]
        return [item.get("value", item.text) for item in chosen]
    if control.tag == "textarea":
        return ["".join(child for child in control.children if isinstance(child, str)).removeprefix("\n")]
    return [control.get("value", "on" if control.get("type") in {"checkbox", "radio"} else "")]


def client_of(account) -> Client:
    """Return a new client in which the account is signed in."""
    client = Client()
    client.force_login(account)
    return client


def open_page(client: Client, address: str, **query) -> Page:
    """Request a page, which must exist."""
    response = client.get(address, query)
    assert response.status_code == 200, f"{address}: {response.status_code}"
    return Page(response)


class _Builder(HTMLParser):
    """A parser that builds the tree of elements."""

    def __init__(self, root: Element):
        super().__init__(convert_charrefs=True)
        self.open = [root]

    def build(self, html: str) -> None:
        self.feed(html)
        self.close()
        assert len(self.open) == 1, f"<{self.open[-1].tag}> is never closed"

    def handle_starttag(self, tag: str, attrs: list) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        closed = self.open[-1].tag
        assert closed == tag, f"</{tag}> where <{closed}> is open, on line {self.getpos()[0]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)
