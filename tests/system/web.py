"""A reader of web pages without a browser: it follows redirects, submits forms and keeps cookies."""

import uuid
from dataclasses import dataclass
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, ProxyHandler, Request, build_opener

from tests.pages import Form, Page


@dataclass
class Answer:
    """The response to a request, with any HTTP status."""

    url: str
    status: int
    headers: dict[str, str]
    text: str

    def form(self, name: str, value: str | None = None) -> Form:
        """Return the first form of the main content that has a field `name`.

        value: if passed, the field must have this value
        """
        return Page(self.text).main.form(name, value)


class Stay(HTTPRedirectHandler):
    """A handler that does not follow redirects."""

    def redirect_request(self, *_args) -> None:
        return None


class Reader:
    """A client of one site, with cookies."""

    def __init__(self, base: str, *handlers) -> None:
        self.base = base
        self.opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(CookieJar()), *handlers)

    def get(self, path: str, **headers: str) -> Answer:
        return self._open(Request(urljoin(self.base, path), headers=headers))

    def submit(
        self, page: Answer, form: Form, values: dict | None = None, files: dict | None = None
    ) -> Answer:
        """Submit a form of the page, with changed values and files. Return the response.

        values: name -> text or texts, which replace the form's own values
        files: name -> (file name, bytes)
        """
        merged = dict(form.values)
        for name, value in (values or {}).items():
            merged[name] = [value] if isinstance(value, str) else list(value)
        pairs = [(name, value) for name, texts in merged.items() for value in texts]
        address = urljoin(page.url, form.action)
        if files is None:
            request = Request(address, urlencode(pairs).encode())
        else:
            boundary = uuid.uuid4().hex
            request = Request(address, multipart(boundary, pairs, files))
            request.add_header("Content-Type", f"multipart/form-data; boundary={boundary}")
        request.add_header("Referer", page.url)
        return self._open(request)

    def _open(self, request: Request) -> Answer:
        try:
            response = self.opener.open(request, timeout=60)
        except HTTPError as error:
            response = error
        with response:
            text = response.read().decode(errors="replace")
            return Answer(response.url, response.status, dict(response.headers), text)


def multipart(boundary: str, pairs: list[tuple[str, str]], files: dict[str, tuple[str, bytes]]) -> bytes:
    """Return the body of a form with files: name -> (file name, bytes)."""
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
