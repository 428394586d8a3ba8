"""A dump says what the site shows, and an empty installation that imports it has the same standings."""

import csv
import io
import json
import random
import re
import subprocess
import sys
import warnings
from datetime import date
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.core.management import CommandError, call_command

from players.models import Player
from scoring.dataset import loading, schema, writing
from scoring.ledger.models import LedgerEntry, Standing
from scoring.transparency import leaves, publishing
from scoring.transparency import services as transparency
from scoring.transparency.models import Leaf
from tests import factories as make
from tests.folders import ROOT
from tests.scoring.dataset.conftest import empty_installation
from tests.scoring.ledger.histories import CHANGES, RandomHistory
from tournaments.models import Contestant

pytestmark = pytest.mark.django_db


def table(path: Path, file: schema.File) -> list[dict[str, str]]:
    """Return the rows of a file of a dump."""
    with ZipFile(path) as archive:
        return list(csv.DictReader(io.StringIO(archive.read(file.csv).decode(), newline="")))


def standings_in(path: Path) -> dict[str, bytes]:
    """Return {name: content} of the standings of a dump."""
    with ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.startswith("standings/")]
        return {name.removeprefix("standings/"): archive.read(name) for name in names}


def recomputed(path: Path, folder: Path) -> dict[str, bytes]:
    """Import a dump into an empty installation. Return {name: content} of the standings that it writes."""
    empty_installation()
    call_command("dataset", "load", str(path))
    call_command("dataset", "standings", "--to", str(folder))
    return {file.name: file.read_bytes() for file in folder.iterdir()}


# --- The same standings ---------------------------------------------------------------------------------
def test_an_installation_that_imports_a_dump_has_the_same_standings(history, folder):
    path = folder / "dump.zip"
    written = writing.write(path)
    lists = standings_in(path)
    kinds = set(LedgerEntry.objects.values_list("kind", flat=True))
    assert kinds == {"award", "reversal", "opening", "adjustment"}
    stored = {row.player.number: row.points for row in Standing.objects.select_related("player")}
    assert recomputed(path, folder / "lists") == lists != {}
    assert LedgerEntry.objects.count() == written.counts["awards.csv"]
    shown = {row.player.number: row.points for row in Standing.objects.select_related("player")}
    assert shown | {history.erased.number: 0} == stored | shown | {history.erased.number: 0}


@pytest.mark.parametrize("seed", range(2))
def test_any_history_gives_the_same_standings(seed, folder):
    history, path = RandomHistory(seed), folder / "dump.zip"
    for name in ["play"] * 6 + history.chance.choices([*CHANGES, "adjust", "wait"], k=40):
        getattr(history, name)()
    for player in random.Random(seed).sample(history.people, 4):  # noqa: S311 (not for secrets)
        Player.objects.filter(pk=player.pk).update(hidden=True)
    writing.write(path)
    lists = standings_in(path)
    assert recomputed(path, folder / "lists") == lists != {}


def test_standings_of_the_dump_are_those_of_the_page(history, folder):
    path = folder / "dump.zip"
    writing.write(path)
    rows = table(path, schema.standing("aeb", "2P"))
    stored = Standing.objects.filter(category__code="2P", licensed=True, points__gt=0)
    assert sorted(int(row["points"]) for row in rows) == sorted(stored.values_list("points", flat=True))
    assert {row["number"] for row in rows if row["number"]} == {
        row.player.number for row in stored.select_related("player") if row.player_id != history.erased.pk
    }


def test_another_day_can_be_recomputed(history, folder, today):
    day = date(today.year - 1, 1, 1)
    call_command("dataset", "standings", "--to", str(folder / "lists"), "--day", day.isoformat())
    assert list((folder / "lists").iterdir()) == []


def test_ids_go_on_after_those_of_the_dump(history, folder):
    path = folder / "dump.zip"
    writing.write(path)
    highest = LedgerEntry.objects.order_by("pk").last().pk
    recomputed(path, folder / "lists")
    entry = LedgerEntry.objects.create(
        kind="opening",
        player=Player.objects.first(),
        points=1,
        played_on="2026-01-01",
        online=False,
        title="T",
    )
    assert entry.pk > highest


def test_only_an_empty_installation_imports(history, folder):
    path = folder / "dump.zip"
    writing.write(path)
    with pytest.raises(CommandError, match="load a dataset into an empty one"):
        call_command("dataset", "load", str(path))
    assert LedgerEntry.objects.exclude(source_key__startswith="dataset").exists()


# --- What is in it --------------------------------------------------------------------------------------
def test_awards_are_the_leaves_of_the_log(history, folder):
    path = folder / "dump.zip"
    written = writing.write(path)
    rows = table(path, schema.AWARDS)
    assert len(rows) == written.counts["awards.csv"] == LedgerEntry.objects.count()
    for row in rows:
        index, number = int(row.pop("leaf")), row.pop("number")
        data = {
            name: int(value) if name in leaves_numbers() else value for name, value in row.items() if value
        }
        [leaf] = leaves.data_of(Leaf.objects.filter(pk=index))
        assert leaves.canonical({"leaf": "entry", **data}) == leaf
        player = LedgerEntry.objects.get(pk=data["entry"]).player
        assert number == ("" if player.erased_on else player.number)


def leaves_numbers() -> set[str]:
    return {"entry", "points", "reverses", "tournament"}


def checked(folder: Path, *arguments: object) -> tuple[int, str]:
    """Publish the log and let `verify_log.py` compare a dump with it. Return its exit status and output."""
    publishing.publish(folder / "log")
    command = [sys.executable, ROOT / "tools" / "verify_log.py", folder / "log", *arguments]
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert not result.stderr
    return result.returncode, result.stdout.strip()


def test_the_published_program_finds_no_difference(history, folder):
    writing.write(folder / "dump.zip")
    assert checked(folder, "--dataset", folder / "dump.zip") == (0, f"equal: {Leaf.objects.count()} entries")


def without_last(text: str) -> str:
    return "".join(text.splitlines(keepends=True)[:-1])


def doubled(text: str) -> str:
    """Return a table with a second column of points, the true one, beside a false one."""
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    at, result = head.index("points"), io.StringIO(newline="")
    csv.writer(result).writerows(
        [[*head, "points"], *([*row[:at], "99999", *row[at + 1 :], row[at]] for row in rows)]
    )
    return result.getvalue()


def exchanged(text: str) -> str:
    """Return the table of players with the numbers of two of them exchanged."""
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    one, other = [row for row in rows if row[0] and row[1]][:2]
    one[0], other[0] = other[0], one[0]
    result = io.StringIO(newline="")
    csv.writer(result).writerows([head, *rows])
    return result.getvalue()


def with_a_second_number(text: str) -> str:
    """Return the table of players with another number for the code of the last one, in front of the true."""
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    result = io.StringIO(newline="")
    csv.writer(result).writerows([head, ["999999", *rows[-1][1:]], *rows])
    return result.getvalue()


def with_false_numbers(text: str) -> str:
    """Return the awards, as CSV or JSON, with false as the number of those who have none."""
    if text.startswith("["):
        return text.replace('"number":null', '"number":false')
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    at, result = head.index("number"), io.StringIO(newline="")
    csv.writer(result).writerows([head, *([*row[:at], row[at] or "False", *row[at + 1 :]] for row in rows)])
    return result.getvalue()


def with_a_second_value(text: str) -> str:
    return text.replace('"points":', '"points":77777,"points":', 1)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {
                "checkpoint": lambda text: re.sub(r"\n\d+\n", "\n0\n", text, count=1),
                "awards.csv": lambda text: text.splitlines(keepends=True)[0],
                "json/awards.json": lambda _text: "[\n]\n",
            },
            "not signed",
        ),
        ({"checkpoint": lambda text: text.partition("\n\n")[0] + "\n\n"}, "not signed"),
        ({"awards.csv": without_last}, "differ"),
        ({"json/awards.json": lambda _text: "[\n]\n"}, "differ"),
        ({"awards.csv": doubled}, "a column twice"),
        ({"players.csv": exchanged}, "players.csv has another number"),
        ({"players.csv": with_a_second_number}, "players.csv has a code twice"),
        ({"json/awards.json": with_false_numbers, "awards.csv": with_false_numbers}, "another number"),
        ({"json/awards.json": with_a_second_value}, "an object of JSON has a key twice"),
    ],
)
def test_a_dump_with_another_story_than_the_log_is_caught(history, folder, changes, problem):
    writing.write(folder / "dump.zip")
    with ZipFile(folder / "dump.zip") as archive, ZipFile(folder / "other.zip", "w") as other:
        for name in archive.namelist():
            text = archive.read(name).decode()
            other.writestr(name, changes[name](text) if name in changes else text)
    status, output = checked(folder, "--dataset", folder / "other.zip")
    assert status == 1 and problem in output


def test_a_dump_with_a_file_twice_is_refused(history, folder):
    """Some programs that unpack it take the first, others the last."""
    writing.write(folder / "dump.zip")
    with warnings.catch_warnings(), ZipFile(folder / "dump.zip", "a") as archive:
        warnings.simplefilter("ignore")  # Python warns who writes such a file
        archive.writestr("awards.csv", archive.read("awards.csv"))
    status, output = checked(folder, "--dataset", folder / "dump.zip")
    assert status == 1 and "has a file twice" in output


def test_a_dump_that_is_older_than_the_log_says_how_far_it_reaches(history, folder):
    size = writing.write(folder / "dump.zip").log_size
    make.scored(*make.pairs(history.players[:4]), of=history.players[0].club)
    transparency.append()
    status, output = checked(folder, "--dataset", folder / "dump.zip")
    assert status == 0 and output.endswith(f"The dataset has the awards of the first {size} entries alone.")


def encrypted(entry: re.Match[bytes]) -> bytes:
    """Return the start of an entry in a zip file's directory that says that the file is encrypted."""
    return entry[1] + b"\x01\x00"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[: len(data) // 2],
        lambda data: re.sub(rb"(PK\x01\x02.{4})..", encrypted, data, flags=re.DOTALL),
        lambda data: spoilt(data, "awards.csv"),
        lambda data: spoilt(data, "players.csv"),
        lambda _data: zipped({"checkpoint": b"[" * 100_000}),
        lambda _data: zipped({"checkpoint": bytes(2**26)}),
        lambda data: zipped(changed(data, {"players.csv": b"number,person,x\r\n" + b"1" * 200_000})),
        lambda data: zipped(changed(data, {"json/awards.json": b"[\n" + b"[" * 100_000})),
    ],
)
def test_a_file_that_cannot_be_read_is_a_message(history, folder, spoil):
    writing.write(folder / "dump.zip")
    (folder / "dump.zip").write_bytes(spoil((folder / "dump.zip").read_bytes()))
    status, output = checked(folder, "--dataset", folder / "dump.zip")
    assert status in (1, 2) and output and "equal" not in output


def spoilt(data: bytes, name: str) -> bytes:
    """Return a zip file in which some compressed bytes of a file are others."""
    with ZipFile(io.BytesIO(data)) as archive:
        at = archive.getinfo(name).header_offset + 60
    return data[:at] + bytes(20) + data[at + 20 :]


def changed(data: bytes, others: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files of a zip file, some of them exchanged for others."""
    with ZipFile(io.BytesIO(data)) as archive:
        return {name: others.get(name, archive.read(name)) for name in archive.namelist()}


def zipped(files: dict[str, bytes]) -> bytes:
    result = io.BytesIO()
    with ZipFile(result, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return result.getvalue()


def test_a_kept_dump_is_compared_with_another_one(history, folder):
    command = [sys.executable, ROOT / "tools" / "verify_log.py", folder, "--kept-dataset", "dump.zip"]
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert result.returncode == 2 and "--kept-dataset needs --dataset" in result.stderr


def test_who_kept_a_dump_sees_that_two_people_were_exchanged(history, folder):
    """Nothing in the log has a number, and the database follows from itself."""
    writing.write(folder / "before.zip")
    one, other = Player.objects.filter(erased_on=None, merged_into=None).exclude(pseudonym=None)[:2]
    numbers = one.number, other.number
    for player, number in ((one, "999999"), (other, numbers[0]), (one, numbers[1])):
        Player.objects.filter(pk=player.pk).update(number=number)
    writing.write(folder / "now.zip")
    assert checked(folder, "--dataset", folder / "now.zip")[0] == 0
    status, output = checked(folder, "--dataset", folder / "now.zip", "--kept-dataset", folder / "before.zip")
    assert status == 1 and f"who had the number {numbers[0]} has {numbers[1]} now" in output


def test_json_has_the_rows_of_csv(history, folder):
    path = folder / "dump.zip"
    written = writing.write(path)
    with ZipFile(path) as archive:
        names = {name for name in archive.namelist() if name.endswith(".csv")}
        assert set(written.counts) == names
        for name in names:
            texts = list(csv.DictReader(io.StringIO(archive.read(name).decode(), newline="")))
            objects = json.loads(archive.read(f"json/{name.removesuffix('.csv')}.json"))
            assert len(texts) == written.counts[name]
            plain = [
                {key: "" if value is None else str(value) for key, value in row.items()} for row in objects
            ]
            assert plain == texts


def test_nobody_hidden_or_erased_has_a_name(history, folder):
    path = folder / "dump.zip"
    writing.write(path)
    players = {row["number"]: row for row in table(path, schema.PLAYERS)}
    hidden = players[history.hidden.number]
    assert (hidden["given_name"], hidden["surname"], hidden["club"], hidden["hidden"]) == ("", "", "", "1")
    assert history.erased.number not in players
    assert players[""]["person"] and players[""]["erased"] == "1"
    assert players[history.merged.number]["merged_into"] == history.twin.number
    with ZipFile(path) as archive:
        for name in archive.namelist():
            content = archive.read(name).decode()
            assert not any(word in content for word in ("Secundina", "Ocultada", "Erasmo", "Borrado")), name
            if not name.startswith(("checkpoint", "json/", "awards")):
                assert history.erased.number not in content.replace("\r\n", ",").split(","), name


def test_labels_and_teams_name_nobody_hidden_or_erased(history, folder):
    names = {history.hidden: "Secundina Ocultada", history.erased: "Erasmo Borrado"}
    for player, name in names.items():
        rows = Contestant.objects.filter(seats__player=player)
        assert rows.update(label=name[:20], team_name=f"Equipo {name}")
    writing.write(folder / "dump.zip")
    texts = {(row["label"], row["team_name"]) for row in table(folder / "dump.zip", schema.RANKINGS)}
    assert ("", "") in texts
    assert not any(word in str(texts) for word in ("Secundina", "Ocultada", "Erasmo", "Borrado", "Equipo"))


def test_guests_have_no_names(federation, folder):
    player = federation.players[0]
    make.scored((player, "Gaspar Invitado"), ("Una Guest", "Otra Guest"), of=federation.club)
    path = folder / "dump.zip"
    writing.write(path)
    with ZipFile(path) as archive:
        assert not any(b"Gaspar" in archive.read(name) for name in archive.namelist())
    assert {row["guest"] for row in table(path, schema.RANKINGS)} == {"0", "1"}


def test_equal_data_give_equal_bytes(history, folder):
    first, second = writing.write(folder / "a.zip"), writing.write(folder / "b.zip")
    assert first == second
    assert (folder / "a.zip").read_bytes() == (folder / "b.zip").read_bytes()


def test_entries_that_are_not_in_the_log_are_not_in_the_dump(history, folder, monkeypatch):
    writing.write(folder / "a.zip")
    monkeypatch.setattr(writing.services, "append", lambda: 0)  # as if it was posted after that
    LedgerEntry.objects.create(
        kind="opening",
        player=history.players[0],
        points=99_999,
        played_on=date(2026, 11, 1),
        online=False,
        title="Later",
    )
    writing.write(folder / "b.zip")
    assert (folder / "a.zip").read_bytes() == (folder / "b.zip").read_bytes()


def test_without_a_key_of_the_log_there_is_no_dump(db, folder, settings):
    settings.LOG_KEY = ""
    with pytest.raises(CommandError, match="BAZA_LOG_KEY"):
        call_command("dataset", "write", "--to", str(folder / "a.zip"))
    assert list(folder.iterdir()) == []


def test_the_document_names_every_file_and_column():
    sections = (ROOT / "docs" / "dataset.md").read_text(encoding="utf-8").split("\n### ")
    text = {section.split("\n")[0]: section for section in sections}
    files = [file for file, _rows in writing.tables(0)]
    for file, name in [
        *((file, file.csv) for file in files),
        (schema.standing("aeb", ""), "standings/*.csv"),
    ]:
        missing = [head for head in file.heads if f"`{head}`" not in text[name]]
        assert missing == [], name


def test_the_latest_change_of_the_format_is_the_version():
    assert [change.version for change in schema.CHANGES] == list(range(1, schema.VERSION + 1))


def test_loading_says_how_many_rows_it_stored(history, folder, capsys):
    path = folder / "dump.zip"
    written = writing.write(path)
    empty_installation()
    counts = loading.load(path)
    assert counts == {name: written.counts[name] for name in counts}
