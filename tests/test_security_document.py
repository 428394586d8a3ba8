"""docs/security.md has every requirement of ASVS 5.0.0 up to level 2 once, and what it names exists."""

import ast
import re
from collections import Counter

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.test import Client

from federation import costly
from tests.folders import ROOT

TEXT = (ROOT / "docs/security.md").read_text(encoding="utf-8")
# How many requirements of levels 1 and 2 each chapter of the standard has, by section.
SECTIONS = {
    1: {1: 2, 2: 9, 3: 11, 4: 3, 5: 2},
    2: {1: 3, 2: 3, 3: 4, 4: 1},
    3: {2: 2, 3: 4, 4: 6, 5: 5, 7: 2},
    4: {1: 3, 2: 1, 3: 2, 4: 4},
    5: {1: 1, 2: 3, 3: 2, 4: 3},
    6: {1: 3, 2: 12, 3: 4, 4: 4, 5: 5, 6: 3, 8: 4},
    7: {1: 3, 2: 4, 3: 2, 4: 5, 5: 2, 6: 2},
    8: {1: 2, 2: 3, 3: 1, 4: 1},
    9: {1: 3, 2: 4},
    10: {1: 2, 2: 2, 3: 4, 4: 11, 5: 5, 6: 2, 7: 3},
    11: {1: 2, 2: 3, 3: 3, 4: 4, 5: 1, 6: 1},
    12: {1: 3, 2: 2, 3: 4},
    13: {1: 1, 2: 5, 3: 2, 4: 5},
    14: {1: 2, 2: 4, 3: 3},
    15: {1: 3, 2: 3, 3: 7},
    16: {1: 1, 2: 5, 3: 4, 4: 3, 5: 3},
    17: {1: 1, 2: 4, 3: 2},
}
ROW = re.compile(r"^\| ((?:\d+\.\d+\.\d+(?:, )?)+) \| ([^|]+) \| ([^|]+) \| ([^|]*) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")
FOLDERS = ("federation", "ui", "players", "tournaments", "scoring")
SCRIPTS = sorted((ROOT / "static/js").glob("*.js"))


def rows() -> list[tuple[list[str], str, str]]:
    """Return (numbers, how it is met, tests) of each row."""
    return [
        (numbers.split(", "), here.strip(), proof.strip())
        for numbers, _asks, here, proof in ROW.findall(TEXT)
    ]


def test_every_requirement_of_levels_one_and_two_is_there_once():
    counts = Counter(number for numbers, _here, _proof in rows() for number in numbers)
    assert [number for number, times in counts.items() if times > 1] == []
    by_section = Counter(tuple(map(int, number.split(".")[:2])) for number in counts)
    expected = {
        (chapter, section): count
        for chapter, sections in SECTIONS.items()
        for section, count in sections.items()
    }
    assert dict(by_section) == expected
    assert len(counts) == 253


def test_each_requirement_has_a_test_or_says_why_not():
    bare = [
        numbers
        for numbers, here, proof in rows()
        if not TEST.search(proof) and not re.match(r"left|not applicable: ", here) and "](" not in here
    ]
    assert bare == []


def test_the_tests_that_the_table_names_exist():
    named = TEST.findall(TEXT)
    assert len(named) > 150
    missing = []
    for path, name in named:
        file = ROOT / path
        if not file.exists() or (name and f"def {name}(" not in file.read_text(encoding="utf-8")):
            missing.append(f"{path}::{name}")
    assert missing == []


def test_the_counts_of_the_document_are_those_of_its_table():
    by_state = Counter()
    for numbers, here, _proof in rows():
        state = re.match(r"left|not applicable", here)
        by_state[state[0] if state else "met"] += len(numbers)
    counts = re.search(r"(\d+) are met, (\d+) are left, (\d+) do not apply", TEXT)
    assert counts and tuple(map(int, counts.groups())) == (
        by_state["met"],
        by_state["left"],
        by_state["not applicable"],
    )


def test_the_limits_named_are_those_of_the_code(settings):
    assert f"{settings.COSTLY_BURST} tokens and gets {settings.COSTLY_A_SECOND:g} back" in TEXT
    for what, cost in (
        ("a file of a list (CSV, XLSX)", costly.FILE),
        ("a whole list on one page", costly.WHOLE_LIST),
        ("a search, also within a list", costly.PAGES["search"]),
        ("events to score (`/api/v1/score`)", costly.POSTS["api:score"]),
        ("any other document for programs", costly.PAGES["api:clubs"]),
    ):
        assert f"| {what} | {cost} |" in TEXT
    assert {costly.PAGES["strength"], costly.PAGES["calendar_feed"]} == {3}
    assert {costly.PAGES["calculator"], costly.PAGES["promotion"], costly.POST, costly.PAST_DAY} == {2}
    assert costly.PAGES["search"] == costly.SEARCH
    assert {costly.PAGES["api:standing"], costly.PAGES["api:promotion"]} == {2}


# --- What the code does not do ----------------------------------------------------------------------------
def modules() -> list[tuple[str, ast.Module]]:
    """Return (path, syntax tree) of every module of the project."""
    paths = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return [(path.relative_to(ROOT).as_posix(), ast.parse(path.read_text())) for path in paths]


MODULES = modules()


def importers(*names: str) -> set[str]:
    """Return the modules that import one of these, or a part of it."""
    result = set()
    for path, tree in MODULES:
        for node in ast.walk(tree):
            imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                imported = [f"{node.module}.{alias.name}" for alias in node.names]
            if any(f"{text}.".startswith(f"{name}.") for text in imported for name in names):
                result.add(path)
    return result


def callers(*names: str) -> set[str]:
    """Return the modules that call a function by one of these plain names."""
    return {
        path
        for path, tree in MODULES
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    }


def test_no_code_is_built_from_texts():
    assert callers("eval", "exec", "compile", "__import__") == set()


def test_pickle_reads_nothing_from_outside():
    own_files, own_process = "scoring/ratings/services/replays.py", "scoring/dataset/packing.py"
    assert importers("pickle", "marshal", "shelve", "dill") == {own_files, own_process}
    assert "tempfile" in (ROOT / own_files).read_text()
    assert "stdin=subprocess.PIPE" in (ROOT / own_process).read_text()


def test_only_named_modules_open_connections():
    """The script runs on a club's computer; the server's fork server and gunicorn listen on this machine.

    Messages to caches, witnesses and the time-stamping authority go to addresses of the settings alone.
    Those to webhooks go to servers of the
    public internet (`scoring.webhooks.addresses`).
    """
    assert importers("urllib.request", "http.client", "requests", "httpx", "smtplib", "ftplib") <= {
        "federation/purging.py",
        "scoring/api/baza_upload.py",
        "scoring/clubs/inviting.py",
        "scoring/letters/delivery.py",
        "scoring/letters/sending.py",
        "scoring/transparency/client.py",
        "scoring/webhooks/client.py",
    }


def test_secrets_come_from_the_secure_generator():
    """The demo is made of numbers that can be repeated."""
    assert {path for path in importers("random") if not path.startswith("scoring/demo/")} == set()
    assert importers("secrets") | importers("django.utils.crypto.get_random_string")


def test_weak_hashes_are_not_used_for_security():
    weak = [
        path
        for path, tree in MODULES
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in ("md5", "sha1")
        and isinstance(node.value, ast.Name)
        and node.value.id == "hashlib"
    ]
    assert weak == ["federation/password_rules.py"]
    assert "usedforsecurity=False" in (ROOT / "federation/password_rules.py").read_text()


def test_passwords_are_hashed_slowly():
    from django.conf import global_settings

    assert global_settings.PASSWORD_HASHERS[0].endswith("PBKDF2PasswordHasher")
    assert PBKDF2PasswordHasher.iterations >= 600_000
    assert "PASSWORD_HASHERS" not in (ROOT / "federation/settings.py").read_text()


def test_scripts_write_html_in_known_places_alone():
    """`innerHTML` is compared, or set to a page of this site; nothing is kept but the theme."""
    used = {
        (path.name, word)
        for path in SCRIPTS
        for word in re.findall(
            r"innerHTML\s*=(?!=)|outerHTML|insertAdjacentHTML|document\.write|postMessage|localStorage|"
            r"sessionStorage|indexedDB|__proto__|\beval\(|new Function",
            path.read_text(),
        )
    }
    assert {(name, word.split()[0].rstrip("=")) for name, word in used} == {
        ("people.js", "innerHTML"),
        ("theme.js", "localStorage"),
    }


SECRET = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY|AKIA[0-9A-Z]{16}|ghp_[A-Za-z0-9]{36}|xox[bp]-[0-9A-Za-z-]{20,}|"
    r"eyJ[A-Za-z0-9_-]{20,}\.eyJ"
)


def test_the_source_contains_no_secret():
    kinds = {".py", ".md", ".toml", ".txt", ".html", ".js", ".yml", ".yaml", ".json", ".cfg"}
    folders = [ROOT / name for name in (*FOLDERS, "tools", "docs", "templates", "static")]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in kinds]
    assert len(files) > 500
    assert [str(path) for path in files if SECRET.search(path.read_text(encoding="utf-8"))] == []
    assert SECRET.search("-----BEGIN RSA PRIVATE KEY-----")


@pytest.mark.parametrize(
    "path",
    [
        "/.git/config",
        "/manage.py",
        "/federation/settings.py",
        "/static/",
        "/static/css/",
        "/static/../federation/settings.py",
        "/static/%2e%2e/federation/settings.py",
        "/var/secret_key",
        "/requirements.lock",
    ],
)
def test_no_file_of_the_source_is_served(path, client: Client, db):
    assert client.get(path).status_code == 404


def test_trace_repeats_nothing(client: Client, db):
    for path in ("/", "/cuenta/entrar/", "/salud/", "/api/v1/openapi.json"):
        answer = client.trace(path, headers={"X-Secret": "canary-of-the-request"})
        assert b"canary-of-the-request" not in answer.content
