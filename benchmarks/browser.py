"""A minimal HTTP client with cookies, redirects and forms."""

import http.cookiejar
import uuid
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, Request, build_opener


@dataclass
class Form:
    """A form of a page: its target, its current values and the names of its file fields.

    boxes: values of the boxes that are not ticked, by name
    """

    action: str = ""
    values: dict[str, str] = field(default_factory=dict)
    boxes: dict[str, list[str]] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.select = ""

    def handle_starttag(self, tag: str, attrs) -> None:
        attributes = dict(attrs)
        name, value = attributes.get("name"), attributes.get("value") or ""
        if tag == "form":
            self.forms.append(Form(attributes.get("action") or ""))
        elif not self.forms:
            return
        elif tag == "input" and name:
            kind = attributes.get("type", "text")
            if kind == "file":
                self.forms[-1].files.add(name)
            elif kind not in ("checkbox", "radio", "submit") or "checked" in attributes:
                self.forms[-1].values[name] = value
            elif kind == "checkbox":
                self.forms[-1].boxes.setdefault(name, []).append(value)
        elif tag == "select" and name:
            self.select = name
        elif tag == "option" and self.select and "selected" in attributes:
            self.forms[-1].values[self.select] = value
        elif tag == "button" and name:
            self.forms[-1].values.setdefault(name, value)

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self.select = ""


class Browser:
    """A minimal web browser: keeps the cookies and the current page, and follows redirects."""

    def __init__(self, base: str) -> None:
        self.url, self.page = base, ""
        self.opener = build_opener(HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def get(self, path: str) -> str:
        return self._open(Request(urljoin(self.url, path)))

    def form(self, having: str) -> Form:
        """Return the page's last form that has this field. Forms of the site's header come first in the page.

        Raises LookupError if no form has the field.
        """
        parser = _Forms()
        parser.feed(self.page)
        for form in reversed(parser.forms):
            if having in form.values or having in form.files or having in form.boxes:
                return form
        raise LookupError(f"{self.url} has no form with {having}")

    def submit(
        self, form: Form, file: tuple[str, str, bytes] | None = None, **values: str | list[str]
    ) -> str:
        """Submit a form with some of its values changed, and return the page that follows.

        file: (name of the form's field, file name, content)
        """
        values = {**form.values, **values}
        target = urljoin(self.url, form.action)
        if file is None:
            data, kind = urlencode(values, doseq=True).encode(), "application/x-www-form-urlencoded"
        else:
            data, kind = _multipart(values, file)
        return self._open(Request(target, data, {"Content-Type": kind, "Referer": self.url}))

    def _open(self, request: Request) -> str:
        with self.opener.open(request, timeout=30) as response:
            self.url = response.url
            self.page = response.read().decode()
        return self.page


def _multipart(values: dict[str, str], file: tuple[str, str, bytes]) -> tuple[bytes, str]:
    boundary = uuid.uuid4().hex
    name, file_name, content = file
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in values.items()
    ]
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{file_name}"\r\n'
    parts += [f"{head}Content-Type: application/octet-stream\r\n\r\n".encode(), content, b"\r\n"]
    return b"".join([*parts, f"--{boundary}--\r\n".encode()]), f"multipart/form-data; boundary={boundary}"
