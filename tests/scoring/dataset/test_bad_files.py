"""What is no dataset, or a damaged one, is refused with its place, and nothing of it is stored."""

import json
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from players.models import Player, Region
from scoring.dataset import loading, reading, schema
from scoring.dataset.packing import Packer
from scoring.dataset.reading import BadDataset
from scoring.ledger.models import LedgerEntry

pytestmark = pytest.mark.django_db
PERSON, DAY = "a" * 32, date(2026, 3, 14)
AWARD = (
    0,
    7,
    "aeb",
    "award",
    PERSON,
    "1001",
    250,
    DAY,
    "2026-03-15T10:00:00.000000Z",
    None,
    None,
    5,
    "in_person",
)
BACK = (
    1,
    8,
    "aeb",
    "reversal",
    PERSON,
    "1001",
    -250,
    DAY,
    "2026-03-16T10:00:00.000000Z",
    7,
    None,
    5,
    "in_person",
)
ROWS = {
    schema.REGIONS: [("N", "Norte")],
    schema.CLUBS: [("C1", "Club", "N", "Villa", True)],
    schema.PLAYERS: [("1001", PERSON, "Alba", "Río", "C1", "", False, False)],
    schema.LADDER: [],
    schema.ASSIGNMENTS: [("1001", "2P", DAY)],
    schema.LICENCES: [("1001", date(2026, 1, 1), date(2026, 12, 31))],
    schema.TOURNAMENTS: [
        (5, "Pool", "C1", "aeb", "pool", "pairs", "in_person", DAY, DAY, 24, "aeb_2026", False)
    ],
    schema.AWARDS: [AWARD, BACK],
}


def dump(path: Path, **changes: list) -> Path:
    """Write a small dump. `changes` has the rows of files, by their names, in place of those above."""
    with Packer(path) as packer:
        for file, rows in ROWS.items():
            packer.add_rows(file, changes.get(file.name, rows))
        facts = {"schema": schema.VERSION, "day": "2026-03-20", "rows": packer.counts}
        packer.add_text(schema.MANIFEST, json.dumps(facts))
    return path


def rewritten(path: Path, name: str, change: Callable[[bytes], bytes | None]) -> Path:
    """Change a file inside a zip file; remove it if the function returns None."""
    with ZipFile(path) as archive:
        content = {item: archive.read(item) for item in archive.namelist()}
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for item, before in content.items():
            after = change(before) if item == name else before
            if after is not None:
                archive.writestr(item, after)
    return path


def refusal(path: Path) -> str:
    """Try to import a file. Return why it is refused, after checking that nothing was stored."""
    with pytest.raises(BadDataset) as error:
        loading.load(path)
    assert not (Region.objects.exists() or Player.objects.exists() or LedgerEntry.objects.exists())
    return str(error.value)


def test_the_small_dump_itself_is_imported(folder):
    loading.load(dump(folder / "a.zip"))
    entries = LedgerEntry.objects.order_by("pk").values_list(
        "pk", "kind", "title", "reverses", "player__number"
    )
    assert list(entries) == [(7, "opening", "Pool", None, "1001"), (8, "reversal", "", 7, "1001")]
    posted = LedgerEntry.objects.get(pk=7).posted_at
    assert posted == datetime.fromisoformat("2026-03-15T10:00:00+00:00")


def test_a_file_that_is_no_zip_file_is_refused(folder):
    path = folder / "a.zip"
    path.write_bytes(b"number,name\n")
    assert refusal(path).startswith("a.zip: is no complete zip file")


def test_a_truncated_zip_file_is_refused(folder):
    path = dump(folder / "a.zip")
    path.write_bytes(path.read_bytes()[:-100])
    assert refusal(path).startswith("a.zip: is no complete zip file")


def test_a_damaged_zip_file_is_refused(folder):
    path = dump(folder / "a.zip")
    with ZipFile(path) as archive:
        offset = archive.getinfo("awards.csv").header_offset
    content = bytearray(path.read_bytes())
    for at in range(offset + 80, offset + 90):
        content[at] ^= 0xFF
    path.write_bytes(content)
    assert refusal(path).startswith("awards.csv: is damaged")


def test_a_foreign_zip_file_is_refused(folder):
    path = folder / "a.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("letter.txt", "Hello")
    assert refusal(path) == "manifest.json: is missing: this is no dataset, or only a part of one"


@pytest.mark.parametrize(
    ("manifest", "why"),
    [
        (b"{}", "manifest.json: is not the list of a dataset's files ('schema')"),
        (b"[1]", "manifest.json: is not the list of a dataset's files"),
        (b"\xff", "manifest.json: is not the list of a dataset's files"),
        (b'{"schema": 2}', "manifest.json: schema version 2; this program reads 1"),
        (b'{"schema": 1, "rows": {}, "day": "today"}', "manifest.json: is not the list of a dataset's files"),
    ],
)
def test_a_wrong_manifest_is_refused(folder, manifest, why):
    assert refusal(rewritten(dump(folder / "a.zip"), "manifest.json", lambda _before: manifest)).startswith(
        why
    )


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("clubs.csv", lambda _before: None, "clubs.csv: is missing"),
        (
            "clubs.csv",
            lambda before: before.replace(b"code", b"id"),
            "clubs.csv, line 1: the columns have to be code,",
        ),
        (
            "clubs.csv",
            lambda before: before.replace(b",Villa", b""),
            "clubs.csv, line 2: has 4 cells instead of 5",
        ),
        (
            "clubs.csv",
            lambda before: before.replace(b"Villa", b"V\xff"),
            "clubs.csv, line 2: is not in UTF-8",
        ),
        ("clubs.csv", lambda before: before.replace(b"Villa", b'"V" x'), "clubs.csv, line 2: "),
        ("clubs.csv", lambda before: before.replace(b"Villa", b"V" * 81), "clubs.csv, line 2, column city: "),
        (
            "clubs.csv",
            lambda before: before.replace(b"Villa", b"V" * 20_000),
            "clubs.csv, line 2: has more than",
        ),
        (
            "awards.csv",
            lambda before: before[: before.rindex(b"1,8")],
            "awards.csv: has 1 rows, and manifest.json says 2",
        ),
        (
            "awards.csv",
            lambda before: before + b"2,9" + before.splitlines(True)[2][3:],
            "awards.csv: has more rows than the 2",
        ),
    ],
)
def test_a_changed_file_is_refused(folder, name, change, why):
    assert refusal(rewritten(dump(folder / "a.zip"), name, change)).startswith(why)


def with_value(row: tuple, column: str, value: object) -> tuple:
    at = schema.AWARDS.heads.index(column)
    return (*row[:at], value, *row[at + 1 :])


@pytest.mark.parametrize(
    ("column", "value", "why"),
    [
        ("points", "2,5", "'2,5' is no whole number from -2147483647 to 2147483647"),
        ("points", 2**31, "is no whole number"),
        ("points", None, "'' is empty"),
        ("played_on", "2026-02-30", "'2026-02-30' is no day YYYY-MM-DD"),
        ("posted_at", "yesterday", "'yesterday' is no time in UTC"),
        ("person", "b" * 32, f"'{'b' * 32}' is not in the dataset"),
        ("person", "Alba", "'Alba' is no pseudonym of 32 hexadecimal digits"),
        ("kind", "present", "'present' is none of award, reversal, opening, adjustment"),
        ("venue", "moon", "'moon' is none of in_person, online"),
        ("family", "egf", "'egf' is none of aeb, sbf-bronze, sbf-silver, acbl"),
        ("reverses", 7, "reversals, and only they, take an entry back"),
        ("tournament", 6, "6 is not in tournaments.csv"),
        ("leaf", -1, "'-1' is no whole number from 0"),
    ],
)
def test_a_wrong_award_is_refused_with_line_and_column(folder, column, value, why):
    rows = [with_value(AWARD, column, value)]
    refused = refusal(dump(folder / "a.zip", awards=rows))
    assert refused.startswith(f"awards.csv, line 2, column {column}: ") and why in refused


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"awards": [BACK]}, "awards.csv: entry 8 takes back entry 7, which is not there"),
        ({"awards": [AWARD, AWARD]}, "awards.csv, line 3, column leaf: comes after leaf 0"),
        ({"awards": [AWARD, with_value(AWARD, "leaf", 1)]}, "awards.csv, line 3: this row or one before it"),
        ({"licences": [("9", DAY, DAY)]}, "licences.csv, line 2, column player: '9' is not in the dataset"),
        ({"licences": [("1001", DAY, date(2026, 1, 1))]}, "licences.csv, line 2: this row or one before it"),
        (
            {"category_assignments": [("1001", "9Z", DAY)]},
            "category_assignments.csv, line 2, column category: ",
        ),
        (
            {"categories": [("2P", 1, False, DAY, None, None)]},
            "categories.csv, line 2, column order: 2P is another",
        ),
        ({"regions": [("N", "Norte"), ("N", "Sur")]}, "regions.csv, line 3, column code: 'N' is there twice"),
        ({"players": [("", "", "", "", "", "", False, True)]}, "players.csv, line 2, column number: "),
        (
            {"players": [("1", "", "", "", "", "2", False, False)]},
            "players.csv, line 2, column merged_into: '2'",
        ),
    ],
)
def test_rows_that_contradict_each_other_are_refused(folder, changes, why):
    assert refusal(dump(folder / "a.zip", **changes)).startswith(why)


def test_a_zip_file_that_unpacks_to_too_much_is_refused(folder, monkeypatch):
    path = rewritten(dump(folder / "a.zip"), "manifest.json", lambda before: before + b" " * 20_000_000)
    assert path.stat().st_size < 50_000
    assert refusal(path) == "manifest.json: has more than 1048576 bytes"
    monkeypatch.setattr(reading, "MOST_BYTES", 60)
    assert refusal(dump(folder / "b.zip")) == "players.csv: has more than 60 bytes"


def test_a_zip_file_of_very_many_files_is_refused(folder, monkeypatch):
    monkeypatch.setattr(reading, "MOST_ENTRIES", 5)
    assert refusal(dump(folder / "a.zip")) == "a.zip: has more than 5 files"


# --- Cells ----------------------------------------------------------------------------------------------
LOOSE = {
    "points": ["0_1", "+5", " 5", "5 ", "5\n", "-0", "07", "1e3", "1.0", "٥", "\N{FULLWIDTH DIGIT FIVE}"],
    "played_on": ["20260314  ", "2026-W11-6", "2026-3-14", "٢٠٢٦-03-14", " 2026-03-1"],
    "posted_at": [
        "2026-03-14 20:04:11.514997Z",
        "20260314T200411Z",
        "2026-W11-6T00:00Z",
        "2026-03-14T20:04:11Z",
    ],
}


@pytest.mark.parametrize(("name", "cell"), [(name, cell) for name, cells in LOOSE.items() for cell in cells])
def test_a_value_has_one_way_of_writing(name, cell):
    [column] = [column for column in schema.AWARDS.columns if column.name == name]
    with pytest.raises(ValueError, match="is no"):
        column.value(cell)
