"""Dumps are written at night, kept for a while, and withdrawn if they name somebody who may not be named."""

import hashlib
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.models import F
from django.urls import reverse

from players.models import Player
from players.services import persons, privacy
from players.services.changes import send_players_changed
from scoring.dataset import rows, services, storing
from scoring.dataset.models import Dump
from scoring.ledger import freshness, work
from scoring.ledger.services import queue
from scoring.office.models import OfficeImport
from scoring.office.services import merges
from scoring.ratings.models import RatedPlayer
from scoring.ratings.services import people
from tests import factories as make
from tests.pages import open_page
from tests.scoring.dataset.conftest import erase, stored
from tests.scoring.office import lists
from tests.scoring.pages.test_queries import query_count

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]


COMPLETE = {"day": make.today(), "schema": 1, "size": 1, "log_size": 1}  # what a dump that is done has


def written() -> Dump:
    """Ask for a dump and write it, like the worker."""
    services.make(services.ask().pk)
    return Dump.objects.latest("finished_at")


# --- Writing --------------------------------------------------------------------------------------------
def test_a_worker_writes_the_dump_of_the_day(client, federation):
    for chore in work.DAILY:
        if chore is services.ask_daily:
            chore(make.today())
    dump = Dump.objects.get()
    assert dump.state == Dump.State.PENDING
    work.KINDS["dataset.dump"].perform(dump.pk)
    dump.refresh_from_db()
    content = storing.opened(dump.key).read()
    assert (dump.state, dump.size, dump.sha256) == ("done", len(content), hashlib.sha256(content).hexdigest())
    client.force_login(make.user())  # an outsider
    response = client.get(reverse("dataset_file", args=[dump.pk]))
    assert b"".join(response.streaming_content) == content
    assert f"-{dump.day}.zip" in response.headers["Content-Disposition"]
    assert dump.sha256 in open_page(client, reverse("datasets")).text


def test_a_dump_that_waits_is_not_asked_for_twice(federation):
    assert services.ask() == services.ask()


def test_without_a_key_of_the_log_no_dump_is_asked_for(settings):
    settings.LOG_KEY = ""
    services.ask_daily(make.today())
    assert not Dump.objects.exists()


def test_the_command_writes_and_publishes_one(federation, capsys):
    call_command("dataset", "write")
    assert Dump.objects.get().sha256 in capsys.readouterr().out


def test_an_interrupted_attempt_leaves_nothing_behind(federation, folder):
    dump = services.ask()
    leftover = folder / storing.key_of(dump.pk)
    leftover.parent.mkdir()
    leftover.write_bytes(b"half")
    (leftover.parent / f".{dump.pk}.zip").write_bytes(b"half")
    (folder / f"dataset-{dump.pk}").mkdir()
    services.make(dump.pk)
    assert [path.name for path in folder.iterdir()] == [storing.FOLDER]
    assert [path.name for path in leftover.parent.iterdir()] == [leftover.name]
    assert leftover.stat().st_size == Dump.objects.get().size


def leftover(folder: Path, dump: Dump) -> Path:
    """Write what a worker leaves behind that is killed while it writes a dump. Return the folder."""
    left = folder / f"dataset-{dump.pk}"
    left.mkdir()
    (left / "dataset.zip").write_bytes(b"names")
    return left


@pytest.mark.parametrize("state", ["pending", "abandoned", "done", "failed", "deleted"])
def test_what_a_killed_worker_left_is_deleted(folder, state):
    dump = Dump.objects.create()
    left = leftover(folder, dump)
    if state == "abandoned":
        Dump.objects.update(state="running", lease_until=queue.now() - timedelta(seconds=1))
    elif state == "deleted":
        dump.delete()
    elif state != "pending":
        Dump.objects.update(state=state, **COMPLETE)
    assert services.delete_leftovers in work.SWEEPING
    services.delete_leftovers()
    assert not left.exists()


def test_the_folder_of_a_worker_that_writes_stays(folder):
    dump = Dump.objects.create(state="running", lease_until=queue.now() + timedelta(seconds=30))
    left, _other = leftover(folder, dump), (folder / "dataset-mine").mkdir()
    services.ask_daily(make.today())
    assert left.exists() and (folder / "dataset-mine").exists()


def test_a_dump_that_fails_for_good_leaves_no_file(federation, folder, monkeypatch):
    monkeypatch.setattr(services, "_finish", lambda *args: 1 / 0)  # after the file was saved
    dump = services.ask()
    for attempt in range(1, queue.MAX_ATTEMPTS + 1):
        with pytest.raises(ZeroDivisionError):
            services.make(dump.pk)
        is_last = attempt == queue.MAX_ATTEMPTS
        assert (folder / storing.key_of(dump.pk)).exists() != is_last
    dump.refresh_from_db()
    assert (dump.state, dump.key) == ("failed", "")


def test_a_dump_whose_workers_are_killed_leaves_no_file(folder):
    dump = Dump.objects.create(
        state="running",
        attempts=queue.MAX_ATTEMPTS,
        lease_until=queue.now() - timedelta(seconds=1),
        key="datasets/1.zip",
    )
    (folder / "datasets").mkdir()
    (folder / dump.key).write_bytes(b"names")
    left = leftover(folder, dump)
    services.make(dump.pk)
    assert not left.exists() and not (folder / dump.key).exists()


# --- Keeping --------------------------------------------------------------------------------------------
def test_the_latest_dumps_are_kept(federation, monkeypatch, folder):
    monkeypatch.setattr(services, "KEPT", 2)
    dumps = [written() for _number in range(4)]
    assert list(Dump.objects.order_by("pk")) == dumps[2:]
    assert {path.name for path in (folder / storing.FOLDER).iterdir()} == {f"{d.pk}.zip" for d in dumps[2:]}


def make_older(**ago: float) -> None:
    """Let all that happened to dumps be this long ago."""
    span = timedelta(**ago)
    for field in ("created_at", "finished_at", "withdrawn_at"):
        Dump.objects.exclude(**{field: None}).update(**{field: F(field) - span})


def notes(client) -> str:
    """Return the notes on the page."""
    return " ".join(note.text for note in open_page(client, reverse("datasets")).all("p", class_="note"))


def test_a_late_dump_is_an_alarm(client):
    assert not age().is_late  # none was asked for
    stored()
    assert not age().is_late
    assert not notes(client)
    make_older(hours=27)
    assert age().is_late
    assert "is late" in notes(client)


def test_a_dump_that_was_never_finished_is_late_too(client):
    services.ask()
    assert not (age().is_late or notes(client))
    make_older(hours=2)
    assert age().is_late
    assert "should have been written by now" in notes(client)


def test_withdrawn_dumps_do_not_count(client):
    stored()
    make_older(hours=27)
    stored(withdrawn_at=queue.now())
    assert age().is_late
    assert "is late" in notes(client)


def test_if_all_dumps_are_withdrawn_a_new_one_is_due_soon(client):
    stored(withdrawn_at=queue.now())
    services.ask()
    assert not age().is_late
    assert "all were withdrawn" in notes(client)
    make_older(hours=2)
    assert age().is_late
    assert "should have been written by now" in notes(client)
    Dump.objects.filter(state="pending").update(state="failed")
    assert "the last attempt to write one failed" in notes(client)
    assert "valid" not in notes(client)


def age() -> freshness.Age:
    [result] = [age for age in freshness.ages() if age.of.code == "dataset"]
    return result


def test_the_page_says_that_the_last_dump_failed(client):
    stored()
    Dump.objects.create(state=Dump.State.FAILED)
    assert "could not be written" in notes(client)


def test_the_page_links_the_files_and_the_program_that_checks_them(client):
    dump, withdrawn = stored(), stored(withdrawn_at=queue.now())
    page = open_page(client, reverse("datasets"))
    links = {link.get("href"): link.text for link in page.all("a", download=True)}
    assert links[reverse("log_script")]
    text = links[reverse("dataset_file", args=[dump.pk])]
    assert text.startswith("Download (1.2\N{NO-BREAK SPACE}MB)")
    assert reverse("dataset_file", args=[withdrawn.pk]) not in links


def test_three_dumps_take_as_many_queries_as_one(client):
    stored()
    count = query_count(client, reverse("datasets"))
    stored(), stored(withdrawn_at=queue.now())
    assert query_count(client, reverse("datasets")) == count


# --- Withdrawing ----------------------------------------------------------------------------------------
@pytest.fixture
def withdrawing(django_capture_on_commit_callbacks):
    """Return a function that calls another one, and does what follows its commit."""

    def run(change) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            change()

    return run


def test_hiding_withdraws_the_dumps_that_name_the_player(client, federation, folder, withdrawing):
    dump, player = written(), federation.players[0]
    withdrawing(lambda: privacy.set_hidden(player.pk, True, make.office()))
    dump.refresh_from_db()
    assert dump.withdrawn_at and dump.key == ""
    assert list((folder / storing.FOLDER).iterdir()) == []
    assert client.get(reverse("dataset_file", args=[dump.pk])).status_code == 404
    page = open_page(client, reverse("datasets"))
    [record] = page.table("Data files").records
    assert (record["SHA-256 digest"], record["File"]) == (dump.sha256, "withdrawn")
    [new] = Dump.objects.filter(state=Dump.State.PENDING)
    services.make(new.pk)
    assert Dump.objects.kept().get() == new


def test_a_dump_that_does_not_name_the_player_stays(federation, withdrawing):
    player = federation.players[0]
    privacy.set_hidden(player.pk, True, make.office())
    dump = written()
    later = make.player(hidden=True)
    withdrawing(lambda: send_players_changed({player.pk, later.pk, federation.hidden.pk}))
    assert list(Dump.objects.all()) == [dump]
    withdrawing(lambda: privacy.set_hidden(player.pk, False, make.office()))
    assert list(Dump.objects.kept()) == [dump]


def test_erasing_withdraws_also_what_shows_the_number(federation, withdrawing):
    dump = written()
    withdrawing(lambda: erase(federation.hidden))
    dump.refresh_from_db()
    assert dump.withdrawn_at


def test_a_player_hidden_while_a_dump_is_written_withdraws_it(federation, monkeypatch):
    save = storing.save

    def hide_and_save(path, key) -> None:
        Player.objects.filter(pk=federation.players[0].pk).update(hidden=True)
        save(path, key)

    monkeypatch.setattr(storing, "save", hide_and_save)
    dump = services.ask()
    services.make(dump.pk)
    dump.refresh_from_db()
    assert dump.withdrawn_at and Dump.objects.filter(state=Dump.State.PENDING).exists()


# --- Every way to become hidden -------------------------------------------------------------------------
@pytest.fixture
def office(client):
    client.force_login(make.office())
    return client


def applied(client, *rows: str) -> OfficeImport:
    """Import a list of players."""
    batch = lists.sent(client, "players", *rows)
    lists.tick_all(batch, make.today())
    lists.apply(client, batch)
    batch.refresh_from_db()
    assert batch.state == "applied"
    return batch


@pytest.mark.parametrize("cell", [";sí", f";;;{date.today().year - 9}"], ids=["hidden", "minor"])
def test_a_list_that_hides_a_player_withdraws_the_dumps(office, federation, cell):
    dump, player = written(), federation.players[0]
    applied(office, f"{player.number};{player.given_name};{player.surname};{cell}")
    player.refresh_from_db()
    assert player.hidden
    assert_withdrawn(dump)


def test_a_list_that_renames_a_player_withdraws_nothing(office, federation):
    dump, player = written(), federation.players[0]
    applied(office, f"{player.number};Otra;{player.surname}")
    assert list(Dump.objects.kept()) == [dump]


def test_undoing_a_list_that_showed_a_player_withdraws_the_dumps(office, federation):
    player = federation.players[0]
    privacy.set_hidden(player.pk, True, make.office())
    batch = applied(office, f"{player.number};{player.given_name};{player.surname};;no")
    dump = written()
    url = reverse("office_import_undo", args=[batch.pk])
    digest = office.get(url).context["undoing"].digest
    office.post(url, {"reason": "Wrong", "evidence": "Letter 4", "digest": digest})
    lists.approve_all()
    player.refresh_from_db()
    assert player.hidden
    assert_withdrawn(dump)


def test_merging_a_shown_number_into_a_hidden_one_withdraws_the_dumps(federation):
    twin, later = make.player(), make.player(hidden=True)
    dump = written()
    merges.merge(twin, later, "Registered twice", make.office())
    assert_withdrawn(dump)


def test_hiding_a_player_withdraws_the_dumps_that_name_a_number_merged_since(federation):
    twin = make.player()
    dump = written()
    kept = make.player()  # in no dump
    merges.merge(twin, kept, "Registered twice", make.office())
    assert list(Dump.objects.kept()) == [dump]
    values = {"hidden": True}
    persons.change(kept.pk, values, make.office(), "Asked for", persons.fingerprint(kept))
    assert_withdrawn(dump)


def assert_withdrawn(dump: Dump) -> None:
    """Check that a dump is withdrawn, and that a new one is asked for."""
    dump.refresh_from_db()
    assert dump.withdrawn_at and Dump.objects.filter(state=Dump.State.PENDING).exists()


# --- Go players -----------------------------------------------------------------------------------------
def countries() -> list[str]:
    """Return the countries in the ratings of a dump written now."""
    return [row[2] for row in rows.ratings()]


def test_hiding_a_go_player_withdraws_the_dumps_with_the_country(federation, go_is_rated):
    rated = RatedPlayer.objects.create(name="Gil Ada", country="ES", rating=1500)
    dump = written()
    people.change_data(rated, {"name": "Gil Ida"}, "Typo", make.office())
    assert list(Dump.objects.kept()) == [dump]
    people.change_data(rated, {"hidden": True}, "Asked for", make.office())
    assert countries() == [""]
    assert_withdrawn(dump)
    dump = written()
    people.change_data(rated, {"name": "Gil Isa"}, "Typo", make.office())
    assert list(Dump.objects.kept()) == [dump]


def test_hiding_a_go_player_withdraws_the_dumps_of_an_earlier_version(go_is_rated):
    dump = stored()  # which did not note who was hidden
    rated = RatedPlayer.objects.create(name="Gil Ada", country="ES", rating=1500)
    people.change_data(rated, {"hidden": True}, "Asked for", make.office())
    assert_withdrawn(dump)


def test_a_go_player_whose_number_was_merged_into_a_hidden_one_has_no_country(federation, go_is_rated):
    twin, kept = make.player(hidden=False), make.player(hidden=True)
    RatedPlayer.objects.create(name="Gil Eva", country="ES", rating=1500, player=kept)
    rated = RatedPlayer.objects.create(name="Gil Ada", country="ES", rating=1400, player=twin)
    assert countries() == ["", "ES"]
    merges.merge(twin, kept, "Registered twice", make.office())
    rated.refresh_from_db()
    assert (rated.player, countries()) == (twin, ["", ""])


def test_linking_a_go_player_to_a_hidden_player_withdraws_the_dumps_with_the_country(federation, go_is_rated):
    rated = RatedPlayer.objects.create(name="Gil Ada", country="ES", rating=1500)
    dump = written()
    people.change_data(rated, {"player": make.player(hidden=True)}, "Asked for", make.office())
    assert_withdrawn(dump)


# --- The digest -----------------------------------------------------------------------------------------
def test_the_digest_of_a_withdrawn_dump_stays_longer_than_the_file(federation, monkeypatch):
    monkeypatch.setattr(services, "KEPT", 1)
    stored(withdrawn_at=queue.now(), sha256="cd" * 32)
    written(), written()
    assert Dump.objects.filter(sha256="cd" * 32).exists()
    assert Dump.objects.kept().count() == 1
