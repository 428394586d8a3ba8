"""Tests read HTML with `tests/pages.py`; no other test parses HTML by itself."""

import ast
import re

from tests.folders import ROOT

# The modules that prepare HTML for all tests, and the checks of the templates' and catalogue's sources.
ALLOWED = [
    "tests/layout.py",
    "tests/test_layout.py",
    "tests/pages.py",
    "tests/ui/test_static.py",
    "tests/i18n/messages.py",
]
MARKUP = re.compile(r"(?<!\?P)(?<!\?)</?[a-z\[]|\b(?:name|value|href|class|id|data-[a-z]+)=\\?\"")
CUTS = {"split", "partition", "rpartition", "index", "find"}


def takes_html_apart(call: ast.Call) -> bool:
    """Return whether a call searches HTML with a regular expression, or splits HTML at a tag."""
    if not isinstance(call.func, ast.Attribute):
        return False
    of_re = isinstance(call.func.value, ast.Name) and call.func.value.id == "re"
    if not of_re and call.func.attr not in CUTS:
        return False
    parts = [part for argument in call.args for part in ast.walk(argument)]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return any(MARKUP.search(text) for text in texts) or (
        of_re and any(isinstance(part, ast.Attribute) and part.attr in ("content", "html") for part in parts)
    )


def calls(source: str) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]


def test_no_test_parses_html_by_itself():
    wrong = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if path.relative_to(ROOT).as_posix() not in ALLOWED
        for call in calls(path.read_text("utf-8"))
        if takes_html_apart(call)
    ]
    assert wrong == []


def test_the_check_recognises_code_that_parses_html():
    taken_apart = [
        're.findall(r"<h1>(.*?)</h1>", page)',
        'page.split("<main")[1]',
        're.search(r\'name="seen" value="(.*?)"\', text)',
        "re.sub(r'[0-9]+', '', response.content.decode())",
        "html.partition('id=\"review\"')",
    ]
    others = ['re.search(r"(?P<year>[0-9]{4})", page.text)', 'text.split(", ")', 're.compile("(?<!a)b")']
    for source in taken_apart:
        assert any(map(takes_html_apart, calls(source))), source
    for source in others:
        assert not any(map(takes_html_apart, calls(source))), source
