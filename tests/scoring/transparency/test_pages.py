"""The pages of the log, and its files as the site serves them."""

import base64
import json
import subprocess
import sys

import pytest
from django.db import connection
from django.urls import reverse

from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import posting
from scoring.transparency import publishing, services, underived
from scoring.transparency.models import Checkpoint
from scoring.transparency.notes import Checkpoint as Note
from scoring.transparency.tree import tile_path, tiles
from tests import factories as make
from tests.folders import ROOT
from tests.scoring.pages.test_queries import query_count
from tests.scoring.transparency.conftest import check
from tests.scoring.transparency.test_forgery import forge, rebuild_log

pytestmark = pytest.mark.django_db


# --- The log as files ---------------------------------------------------------------------------------------
def test_the_site_serves_the_files_that_the_command_writes(client, log, published):
    addresses = ["checkpoint", "keys"]
    for level, number, width in tiles(10):
        addresses += [f"tile/{level}/{tile_path(number, width)}", f"tile/entries/{tile_path(number, width)}"]
    for address in addresses:
        response = client.get(f"/transparencia/{address}")
        assert response.status_code == 200, address
        assert response.content == (published / address).read_bytes(), address
        assert not response.cookies


def test_files_that_never_change_may_be_kept_for_ever_and_the_checkpoint_not(client, log):
    kept = client.get("/transparencia/tile/0/000.p/10")
    assert kept["Cache-Control"] == "public, max-age=31536000, immutable"
    assert kept["Content-Type"] == "application/octet-stream"
    checkpoint = client.get("/transparencia/checkpoint")
    assert checkpoint["Cache-Control"] == "public, max-age=5"
    assert checkpoint["Content-Type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize(
    "address",
    [
        "tile/0/000",  # not full yet
        "tile/0/000.p/11",
        "tile/0/000.p/0",
        "tile/0/000.p/010",
        "tile/0/000.p/256",
        "tile/0/001.p/1",
        "tile/1/000.p/1",
        "tile/8/000",
        "tile/0/0.p/10",
        "tile/0/x000/000.p/10",
        "tile/entries/000.p/11",
        "tile/entries/x999/x999/x999/x999/x999/x999/x999/999",
        "tile/0/" + "x999/" * 400 + "999",
    ],
)
def test_tiles_that_the_log_does_not_have_are_not_there(client, log, address):
    assert client.get(f"/transparencia/{address}").status_code == 404


def test_a_log_without_a_key_has_no_checkpoint(client, db, settings):
    settings.LOG_KEY = ""
    make.scored(*make.pairs(make.players(4)))
    services.append()
    assert client.get("/transparencia/checkpoint").status_code == 404
    assert client.get("/transparencia/keys").content == b""
    assert "Not signed." in client.get("/en/transparencia/").content.decode()
    with pytest.raises(publishing.NoCheckpoint):
        publishing.publish(ROOT / "nowhere")


# --- The page -----------------------------------------------------------------------------------------------
def test_the_page_has_the_checkpoint_to_keep_and_the_key(client, log):
    response = client.get(reverse("transparency"))
    page = response.content.decode()
    note = client.get("/transparencia/checkpoint").content.decode()
    assert Note.parse(response.context["note"]) == Note.parse(note)
    assert "federation.test/transparencia" in page and str(log.key.verifier()) in page
    assert [day.size for day in response.context["days"]] == [10]


def test_the_program_that_checks_the_log_can_be_downloaded(client, db):
    response = client.get("/transparencia/verify_log.py")
    assert response.content == (ROOT / "tools" / "verify_log.py").read_bytes()
    assert response["Content-Disposition"].startswith('attachment; filename="verify_log.py"')


# --- Points that follow from no tournament ------------------------------------------------------------------
def adjustment(player, **fields) -> LedgerEntry:
    values = {"title": "Regional trophy", "reason": "Prize", "points": 500, "source_key": f"{player.pk}"}
    return LedgerEntry.objects.create(
        kind="adjustment", player=player, played_on="2026-01-02", online=False, **values | fields
    )


def test_adjustments_are_listed_with_who_and_why(client, log):
    adjustment(log.players[0], posted_by=make.office(), source_key="x")
    [record] = client.get(reverse("underived")).context["table"].data
    assert (record["points"], record["title"], record["reason"]) == (500, "Regional trophy", "Prize")
    assert record["by"].username and record["second"] is None
    assert "nobody" in client.get("/en/transparencia/a-mano/").content.decode()
    file = b"".join(client.get("/en/transparencia/a-mano/", {"formato": "csv"}).streaming_content).decode()
    assert file.splitlines()[1].endswith("nobody")


def test_every_day_has_a_checkpoint_to_compare_a_kept_one_with(client, log):
    page = client.get(reverse("transparency")).content.decode()
    checkpoint = Checkpoint.objects.get()
    assert f'href="/transparencia/sellos/{checkpoint.pk}.txt"' in page
    assert client.get(f"/transparencia/sellos/{checkpoint.pk}.txt").content.decode() == checkpoint.note


def test_points_by_hand_have_a_receipt_that_leads_to_the_log(client, log):
    entry = adjustment(log.players[0], posted_by=make.office(), source_key="x")
    services.append()
    page = client.get(f"/en{reverse('award', args=[entry.player.number, entry.pk])}").content.decode()
    assert f"In the transparency log, entry {entry.leaf.pk}." in page
    assert reverse("log_receipt", args=[entry.pk]) in page and "/transparencia/a-mano/" in page


def test_openings_are_listed_by_the_day_on_which_they_were_brought_in(client, log):
    rows = [posting.OpeningRow(player.pk, log.first.end_date, "Old", False, 5) for player in log.players]
    posting.post_opening(rows, make.office())
    page = client.get("/en/transparencia/a-mano/")
    assert "0.20" in page.content.decode()


def test_three_adjustments_take_as_many_queries_as_one(client, log):
    adjustment(log.players[0])
    count = query_count(client, reverse("underived"))
    adjustment(log.players[1]), adjustment(log.players[2])
    assert query_count(client, reverse("underived")) == count


def test_the_lists_are_read_by_their_own_indexes(log):
    """SQLite uses no index with a condition for a statement with parameters."""
    if connection.vendor == "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert "ledger_adjustments" in underived.adjustments().explain()
    rows = LedgerEntry.objects.filter(kind="opening").order_by("-posted_at")
    assert "ledger_openings" in rows.values_list("posted_at").explain()


def test_hidden_players_have_no_name_in_the_list(client, log):
    player = log.players[0]
    player.hidden = True
    player.save()
    adjustment(player)
    page = client.get(reverse("underived")).content.decode()
    assert player.number in page and player.surname not in page


# --- Receipts -----------------------------------------------------------------------------------------------
def receipt(client, entry, tmp_path):
    response = client.get(reverse("log_receipt", args=[entry.pk]))
    path = tmp_path / "receipt.json"
    path.write_bytes(response.content)
    return path, response.json()


def test_a_receipt_is_proven_and_scored_again_without_the_site(client, log, published, tmp_path):
    entry = LedgerEntry.objects.filter(tournament=log.first).latest("pk")
    path, data = receipt(client, entry, tmp_path)
    assert json.loads(data["leaf"])["entry"] == entry.pk
    assert data["digest"] == json.loads(data["run"]["leaf"])["inputs"] == entry.run.input_digest
    assert check(published, "--receipt", path) == (0, "equal: 10 entries")
    event = json.dumps(data["event"])
    command = [sys.executable, str(ROOT / "manage.py"), "score"]
    result = subprocess.run(command, input=event, capture_output=True, text=True, check=True, timeout=60)
    points = {award["contestant"]: award["points"] for award in json.loads(result.stdout)["awards"]}
    assert points[data["contestant"]] == f"{entry.points / 100:.2f}"


def test_the_page_of_a_receipt_says_where_it_stands_in_the_log(client, log):
    entry = LedgerEntry.objects.filter(tournament=log.first).latest("pk")
    page = client.get(f"/en{reverse('award', args=[entry.player.number, entry.pk])}").content.decode()
    assert f"In the transparency log, entry {entry.leaf.pk}." in page


def test_lists_that_are_printed_whole_and_sheets_have_the_checkpoint(client, log):
    note = Note.parse(client.get("/transparencia/checkpoint").content.decode())
    line = f"{note.size} {base64.b64encode(note.root).decode()}"
    for address in (f"{reverse('players')}?entera=1", f"{log.first.get_absolute_url()}imprimir/"):
        assert line in client.get(address).content.decode(), address
    assert line not in client.get(reverse("players")).content.decode()


def test_a_receipt_names_nobody(client, log, tmp_path):
    path, _data = receipt(client, LedgerEntry.objects.latest("pk"), tmp_path)
    text = path.read_text()
    for player in log.players:
        assert player.surname not in text and player.number not in text


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda data: data.update(index=4), "the proof does not lead to its checkpoint"),
        (lambda data: data.update(leaf=data["leaf"].replace('"points":', '"points":1')), "does not lead"),
        (lambda data: data["proof"].pop(), "does not lead"),
        (lambda data: data["event"].update(boards=20), "the engine gives"),
        (lambda data: data["event"].update(boards=20), "not the one of the run"),
        (lambda data: data.pop("event"), "the data from which the award follows are missing"),
        (lambda data: data.update(digest="0" * 64), "not the one of the run"),
        (lambda data: data.update(inputs=[]), "not the one of the run"),
        (lambda data: data["inputs"][0]["event"].update(boards=20), "not the one of the run"),
        (lambda data: data["run"].update(leaf=data["run"]["leaf"].replace("aeb-", "aeb+")), "does not lead"),
        (lambda data: data.update(checkpoint=data["checkpoint"].replace("\n10\n", "\n11\n")), "not signed"),
    ],
)
def test_a_changed_receipt_is_caught(client, log, published, tmp_path, change, problem):
    path, data = receipt(client, LedgerEntry.objects.filter(tournament=log.first).latest("pk"), tmp_path)
    change(data)
    path.write_text(json.dumps(data))
    status, output = check(published, "--receipt", path)
    assert status == 1 and problem in output


def test_a_receipt_is_kept_evidence_like_a_checkpoint(client, log, tmp_path):
    """Its checkpoint is signed: the log has to begin with it."""
    path, _data = receipt(client, LedgerEntry.objects.latest("pk"), tmp_path)
    rebuild_log(LedgerEntry.objects.latest("pk"))
    publishing.publish(tmp_path / "cut")
    assert check(tmp_path / "cut", "--receipt", path) == (1, f"entries 9 to 9 are missing: {path} had them")
    forge(log)
    rebuild_log()
    make.scored(*log.pairs)
    services.append()
    publishing.publish(tmp_path / "forged")
    status, output = check(tmp_path / "forged", "--receipt", path)
    assert status == 1 and f"the first 10 entries are not those of {path}" in output


def test_an_entry_that_no_checkpoint_has_yet_has_no_receipt(client, log):
    make.scored(*log.pairs)
    entry = LedgerEntry.objects.latest("pk")
    assert client.get(reverse("log_receipt", args=[entry.pk])).status_code == 404
    services.append()
    assert client.get(reverse("log_receipt", args=[entry.pk])).status_code == 200
    assert client.get(reverse("log_receipt", args=[entry.pk + 1000])).status_code == 404


def test_receipts_of_adjustments_have_a_proof_and_no_event(client, log, published, tmp_path):
    entry = adjustment(log.players[0])
    services.append()
    path, data = receipt(client, entry, tmp_path)
    assert "event" not in data
    publishing.publish(published)
    assert check(published, "--receipt", path) == (0, "equal: 11 entries")
