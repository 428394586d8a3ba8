"""Every download of the project: where there is one, and what its file is called."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from tests.access.matrix import MATRIX
from tests.access.test_matrix import NAMES, address, client_of
from ui import exports

# RFC 6266: a name in plain letters for old programs, and the name as it is for all others.
NAMED = re.compile(r"attachment; filename=\"[A-Za-z0-9._-]+\"; filename\*=UTF-8''[A-Za-z0-9._~%-]+")
FILES = {"upload_template", "upload_file", "office_import_template"}
LISTS = {
    "standing",
    "tournament",
    "strength",
    "players",
    "player",
    "promotion",
    "go_ratings",
    "campaign_simulation",
    "campaign_review",
}
NO_LISTS_YET = {"campaign_report"}  # applied campaigns have one
OWN_MEANING = {"calculator"}  # its `formato` is the tournament's


def downloads(client, world, query: dict) -> dict[str, str]:
    """Name of each address that answers with a file -> its Content-Disposition."""
    result = {}
    for name in NAMES:
        response = client.get(address(name, world), {**MATRIX[name].query, **query})
        if "Content-Disposition" in response.headers:
            result[name] = response.headers["Content-Disposition"]
    return result


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("kind", ["", *exports.FORMATS])
def test_every_file_has_a_name_that_every_program_reads(world, kind, language):
    client = client_of(world, "office")
    client.cookies["django_language"] = language
    files = downloads(client, world, {"formato": kind} if kind else {})
    assert {name: header for name, header in files.items() if not NAMED.fullmatch(header)} == {}
    assert set(files) == (FILES | LISTS if kind else FILES)
    assert all(f".{kind}" in files[name] for name in LISTS if kind)


def test_a_format_that_does_not_exist_is_not_answered_with_the_page(world):
    client = client_of(world, "office")
    for name in LISTS | NO_LISTS_YET:
        for kind in ("pdf", "CSV", "xlsx2"):
            assert client.get(address(name, world), {"formato": kind}).status_code == 404, name
    for name in NO_LISTS_YET:
        assert client.get(address(name, world), {"formato": "csv"}).status_code == 404, name


def test_only_one_place_makes_the_header():
    result = set()
    for folder in ("ui", "players", "tournaments", "scoring", "federation"):
        for path in Path(settings.BASE_DIR, folder).rglob("*.py"):
            if re.search(r"Content.Disposition|as_attachment", path.read_text(encoding="utf-8"), re.I):
                result.add(path.relative_to(settings.BASE_DIR).as_posix())
    assert result == {"ui/exports.py"}
