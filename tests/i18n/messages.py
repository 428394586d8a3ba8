"""The messages in the source code, found without the gettext tools, and those in the catalogue."""

import ast
import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages import pofile
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from django.utils.translation.template import templatize

from tests.folders import ROOT

CATALOGUE = ROOT / "locale" / "es" / "LC_MESSAGES" / "django.po"
FOLDERS = ("federation", "players", "scoring", "templates", "tournaments", "ui")
# What makemessages looks for: names of functions, and the roles of their first arguments.
ROLES = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), ("singular",)),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), ("singular", "plural")),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ("context", "singular")),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ("context", "singular", "plural")),
}
# The same in Babel's format.
KEYWORDS = {
    name: tuple((place, "c") if role == "context" else place for place, role in enumerate(roles, start=1))
    for name, roles in ROLES.items()
}
PLACEHOLDERS = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
TAGS = re.compile(r"</?\w+[^>]*>")
Key = tuple[str | None, str, str | None]  # (context, message id, plural message id)


def key_of(message: Message) -> Key:
    """Return the key that identifies a message of the catalogue."""
    singular, plural = message.id if isinstance(message.id, tuple) else (message.id, None)
    return message.context, singular, plural


@cache
def catalogue() -> Catalog:
    """Return the Spanish catalogue as stored, including obsolete messages."""
    with CATALOGUE.open("rb") as file:
        return pofile.read_po(file)


def translations() -> Iterator[tuple[Key, tuple[str, ...]]]:
    """Yield each message of the catalogue with its translations: one, or one for each plural form."""
    for message in catalogue():
        if message.id:
            texts = message.string
            yield key_of(message), texts if isinstance(texts, tuple) else (texts,)


def source_messages() -> dict[Key, str]:
    """Return every message of Python code and templates, with the first file that contains it."""
    result: dict[Key, str] = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".py", ".html", ".txt"}:
                for key in _messages_of(path):
                    result.setdefault(key, str(path.relative_to(ROOT)))
    return result


def _messages_of(path: Path) -> Iterator[Key]:
    text = path.read_text(encoding="utf-8")
    return _of_python(text) if path.suffix == ".py" else _of_template(text)


def _of_python(text: str) -> Iterator[Key]:
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
        if name not in KEYWORDS:
            continue
        constants = [part.value if isinstance(part, ast.Constant) else None for part in node.args]
        parts = dict(zip(ROLES[name], constants, strict=False))
        if isinstance(parts.get("singular"), str):
            yield parts.get("context"), parts["singular"], parts.get("plural")


def _of_template(text: str) -> Iterator[Key]:
    # `templatize` turns tags into calls and other text into X's; without indentation that parses as Python.
    text = "\n".join(line.lstrip() for line in templatize(text).splitlines())
    source = io.BytesIO(text.encode())
    for _line, ids, _comments, context in extract("python", source, KEYWORDS, options={"encoding": "utf-8"}):
        singular, plural = ids if isinstance(ids, tuple) else (ids, None)
        if singular:
            yield context, singular, plural
