"""A reader without a browser: follows links, fills in forms as they stand on the page, keeps cookies."""

import uuid
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, ProxyHandler, Request, build_opener


@dataclass
class Form:
    """A form of a page with the values that stand in it."""

    action: str
    values: dict[str, list[str]] = field(default_factory=dict)
    boxes: dict[str, list[str]] = field(default_factory=dict)  # unticked: name -> values
    files: set[str] = field(default_factory=set)


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.form: Form | None = None
        self.select: str | None = None

    def handle_starttag(self, tag: str, attrs: list) -> None:
        have = dict(attrs)
        if tag == "form":
            self.form = Form(have.get("action") or "")
            self.forms.append(self.form)
        elif self.form is None:
            return
        elif tag == "input" and have.get("name"):
            self._input(have["name"], have.get("type", "text"), have)
        elif tag == "select":
            self.select = have.get("name")
        elif tag == "option" and self.select and "selected" in have:
            self.form.values[self.select] = [have.get("value", "")]

    def _input(self, name: str, kind: str, have: dict) -> None:
        if kind == "file":
            self.form.files.add(name)
        elif kind in {"checkbox", "radio"} and "checked" not in have:
            self.form.boxes.setdefault(name, []).append(have.get("value", "on"))
        elif kind not in {"submit", "button", "image", "reset"}:
            unsaid = "on" if kind in {"checkbox", "radio"} else ""
            self.form.values.setdefault(name, []).append(have.get("value") or unsaid)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        elif tag == "select":
            self.select = None


@dataclass
class Page:
    """What came back; `status` is never an exception."""

    url: str
    status: int
    headers: dict[str, str]
    text: str

    def form(self, name: str, value: str | None = None) -> Form:
        """The form of the page's content that has a field `name`, with `value` in it if given."""
        parser = _Forms()
        parser.feed(self.text.partition("<main")[2])
        for item in parser.forms:
            if name in item.files or name in item.boxes:
                return item
            if name in item.values and (value is None or value in item.values[name]):
                return item
        raise AssertionError(f"no form with {name!r} on {self.url}:\n{self.text[:2000]}")


class Stay(HTTPRedirectHandler):
    """Leaves redirects unfollowed."""

    def redirect_request(self, *_args) -> None:
        return None


class Reader:
    """One person at one site."""

    def __init__(self, base: str, *handlers) -> None:
        self.base = base
        self.opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(CookieJar()), *handlers)

    def get(self, path: str, **headers: str) -> Page:
        return self._open(Request(urljoin(self.base, path), headers=headers))

    def submit(self, page: Page, form: Form, values: dict | None = None, files: dict | None = None) -> Page:
        """Send a form with `values` (name -> text or texts) and `files` (name -> (file name, bytes))."""
        merged = dict(form.values)
        for name, value in (values or {}).items():
            merged[name] = [value] if isinstance(value, str) else list(value)
        pairs = [(name, value) for name, texts in merged.items() for value in texts]
        address = urljoin(page.url, form.action)
        if files is None:
            request = Request(address, urlencode(pairs).encode())
        else:
            boundary = uuid.uuid4().hex
            request = Request(address, _multipart(boundary, pairs, files))
            request.add_header("Content-Type", f"multipart/form-data; boundary={boundary}")
        request.add_header("Referer", page.url)
        return self._open(request)

    def _open(self, request: Request) -> Page:
        try:
            response = self.opener.open(request, timeout=60)
        except HTTPError as error:
            response = error
        with response:
            text = response.read().decode(errors="replace")
            return Page(response.url, response.status, dict(response.headers), text)


def _multipart(boundary: str, pairs: list[tuple[str, str]], files: dict[str, tuple[str, bytes]]) -> bytes:
    parts = []
    for name, value in pairs:
        parts += [
            f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        ]
    for name, (file_name, content) in files.items():
        head = f'Content-Disposition: form-data; name="{name}"; filename="{file_name}"\r\n'
        parts += [f"--{boundary}\r\n{head}Content-Type: application/octet-stream\r\n\r\n".encode(), content]
        parts += [b"\r\n"]
    return b"".join([*parts, f"--{boundary}--\r\n".encode()])
