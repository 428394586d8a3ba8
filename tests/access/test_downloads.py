"""The downloads of the project: which URLs offer one, and the name of each file."""

import re
from pathlib import Path
from urllib.parse import urljoin

import pytest
from django.conf import settings

from tests.access.matrix import ACTORS, IN, MATRIX
from tests.access.test_matrix import NAMES, address, client_of, outcome_of
from tests.languages import speak
from tests.pages import Page
from ui import exports
from ui.shared import is_shared

# RFC 6266: an ASCII file name for old programs, and the actual name in UTF-8 for all others.
NAMED = re.compile(r"attachment; filename=\"[A-Za-z0-9._-]+\"; filename\*=UTF-8''[A-Za-z0-9._~%-]+")
FILE_LINK = re.compile(rf"[?&]formato=({'|'.join(exports.FORMATS)})\b")
FILES = {
    "log_receipt",
    "log_script",
    "announcement_feed",
    "club_members_file",
    "upload_template",
    "upload_file",
    "upload_script",
    "office_import_template",
}
LISTS = {
    "standing",
    "tournament",
    "strength",
    "corrections",
    "players",
    "player",
    "player_results",
    "promotion",
    "go_ratings",
    "underived",
    "campaign_simulation",
    "campaign_review",
    "changeover",
    "club_members",
    "boards",
    "board",
    "card",
}
NO_LISTS_YET = {"campaign_report"}  # only applied campaigns have a list
OWN_MEANING = {"calculator"}  # here `formato` is the format of the tournament, not of a file


def downloads(client, world, query: dict) -> dict[str, str]:
    """Request all URLs. Return {URL name: Content-Disposition} of those that respond with a file.

    query: parameters added to every request
    """
    result = {}
    for name in NAMES:
        response = client.get(address(name, world), {**MATRIX[name].query, **query})
        if "Content-Disposition" in response.headers:
            result[name] = response.headers["Content-Disposition"]
    return result


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("kind", ["", *exports.FORMATS])
def test_every_download_has_a_file_name_that_old_and_new_browsers_understand(world, kind, language):
    client = client_of(world, "office")
    speak(client, language)
    files = downloads(client, world, {"formato": kind} if kind else {})
    assert {name: header for name, header in files.items() if not NAMED.fullmatch(header)} == {}
    assert set(files) == (FILES | LISTS if kind else FILES)
    assert all(f".{kind}" in files[name] for name in LISTS if kind)


@pytest.mark.parametrize("name", sorted(LISTS | NO_LISTS_YET))
def test_the_file_of_a_list_is_for_those_who_may_open_its_page(name, world, short_refusals):
    """The file of a shared page has the same bytes for everybody (test_shared.py)."""
    url = address(name, world)
    for actor in ["nobody"] if is_shared(url) else ACTORS:
        client, expected = client_of(world, actor), MATRIX[name].get[actor]
        for kind in exports.FORMATS:
            response = client.get(url, {**MATRIX[name].query, "formato": kind})
            got = "file" if "Content-Disposition" in response.headers else outcome_of(response)
            let_in = 404 if name in NO_LISTS_YET else "file"
            assert got == (let_in if expected == IN else expected), (actor, kind)


def test_every_link_to_the_file_of_a_list_leads_to_a_file(world):
    client = client_of(world, "office")
    linking = set()
    for name in NAMES:
        page = address(name, world)
        response = client.get(page, MATRIX[name].query)
        if response.streaming or response.status_code != 200 or b"formato=" not in response.content:
            continue
        files = [urljoin(page, link) for link in Page(response).addresses if FILE_LINK.search(link)]
        assert all("Content-Disposition" in client.get(file).headers for file in files), name
        if files:
            linking.add(name)
    # The adjustment for strength changes nothing, no tournament was corrected, and the changeover has the
    # totals of the old list: these pages have no table.
    assert linking == LISTS - {"strength", "corrections", "changeover"}


def test_an_unknown_download_format_gives_404(world):
    client = client_of(world, "office")
    for name in LISTS | NO_LISTS_YET:
        for kind in ("pdf", "CSV", "xlsx2"):
            assert client.get(address(name, world), {"formato": kind}).status_code == 404, name
    for name in NO_LISTS_YET:
        assert client.get(address(name, world), {"formato": "csv"}).status_code == 404, name


# Columns that programs reading the files depend on. test_pages_lists.py tests the report of a campaign.
HEADINGS = {
    "changeover": "Number,Name,Old list,Files,Difference",
    "boards": "Board,Most often played,Best N-S,Best E-W",
    "board": "N-S,E-W,Contract,Lead,Tricks,Score N-S,Adjusted score in percent,% N-S",
    "card": "Board,Side,Partner,Opponents,Contract,Lead,Tricks,Score,Adjusted score in percent,%",
    "underived": "Date,Number,Player,Points,What for,Reason,Prepared by,Approved by",
    "club_members": "Player,Number,Category,Licence,Licence until,Next licence from,Last played,Points",
    "standing": "Place,Federation number,Player,Club,Category,Tournaments,In person,Online,Points",
    "tournament": "Line,Place,Number,Federation number,Player,Team,Percentage,Result,Points",
    "strength": "Line,Place,Pair,Federation number,Player,Boards,Official result,Step 0,Place 0,"
    "Step 1,Place 1,Step 2,Place 2,Adjusted result,Adjusted place,Group",
    "corrections": "Date,Tournament,Club,Decision,What changed,Players with another place,"
    "Players with other points,Largest difference,Reason,Decided by",
    "players": "Player,Federation number,Category,Club,Points of 12 months,Licence",
    "player": "Date,Kind,Tournament,Club,Place,Contestants,Points,Leaves on,Reason",
    "player_results": "Date,Kind,Tournament and partner,Club,Partner,Place,Contestants,Percentage,"
    "Points,Leaves on,Reason",
    "promotion": "Place,Federation number,Player,Club,Points of the year,To the cut,State,Moves to",
    "go_ratings": "Player,Country,Grade,Rating,Tournaments,Last played",
    "campaign_simulation": "Category,Federation number,Player,Club,Points of the year,In person,Online,"
    "Tournaments,Boards,Modified average,AEB 2026: State,AEB 2026: Moves to",
    "campaign_review": "Place,Federation number,Player,Club,Region,In person,Online,Points,Tournaments,"
    "Boards,Modified average,To the cut,State,Moves to",
}


@pytest.mark.parametrize("name", sorted(LISTS))
def test_a_download_has_the_expected_column_headings(world, name):
    client = client_of(world, "office")
    speak(client, "en")
    body = b"".join(client.get(address(name, world), {"formato": "csv"}).streaming_content)
    # The list of promotions is of this year. Under the rules of some years, players can only move up.
    headings = body.decode("utf-8-sig").splitlines()[0].replace("Moves up to", "Moves to")
    assert headings == HEADINGS[name]


def test_only_one_module_sets_the_content_disposition_header():
    result = set()
    for folder in ("ui", "players", "tournaments", "scoring", "federation"):
        for path in Path(settings.BASE_DIR, folder).rglob("*.py"):
            if re.search(r"Content.Disposition|as_attachment", path.read_text(encoding="utf-8"), re.I):
                result.add(path.relative_to(settings.BASE_DIR).as_posix())
    # The club's script names the file inside the form that it sends.
    assert result == {"ui/exports.py", "scoring/api/baza_upload.py"}
