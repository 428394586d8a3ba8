"""Uploaded files in a shared folder or a bucket instead of the database."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.db import IntegrityError

from federation import health
from federation.watching.logs import summary
from scoring.audit import files as audit
from scoring.office.services import retention
from tests import factories as make
from tests import servers
from tests.scoring.uploads.makers import csv_of, post_file
from tournaments.models import FurtherFile, ResultUpload, StoredFile
from tournaments.services import pipeline, stored_files, uploads
from tournaments.services.files import Sent, contents_of
from tournaments.storages.address import storage_of
from ui.clock import today

pytestmark = pytest.mark.django_db
PLACES = ["folder", "bucket"]
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def buckets() -> Iterator[servers.Buckets]:
    with servers.s3_server() as server:
        server.create("results")
        yield server


@pytest.fixture(params=PLACES)
def place(request, settings, tmp_path: Path, monkeypatch) -> str:
    """Keep uploaded files in a folder, or in a bucket."""
    if request.param == "folder":
        keep_at(settings, f"file://{tmp_path}")
    else:
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "any")
        buckets = request.getfixturevalue("buckets")
        keep_at(settings, buckets.address("results", tmp_path.name.replace("_", "-")))
    return request.param


@pytest.fixture
def folder(settings, tmp_path: Path) -> Path:
    keep_at(settings, f"file://{tmp_path}")
    return tmp_path


@pytest.fixture
def director(client):
    account = make.director(make.club())
    client.force_login(account)
    return account


def keep_at(settings, address: str) -> None:
    settings.STORAGES = {**settings.STORAGES, stored_files.ALIAS: storage_of(address)}


def keys() -> set[str]:
    """Return the names of all objects in the storage."""
    storage = storages[stored_files.ALIAS]
    return {f"{day}/{name}" for day in storage.listdir("")[0] for name in storage.listdir(day)[1]}


def put(day, name: str = "0" * 32) -> str:
    return storages[stored_files.ALIAS].save(f"{day:%Y-%m-%d}/{name}", ContentFile(b"orphan"))


def received(director, *data: bytes) -> ResultUpload:
    first, *further = (Sent(f"{place}.csv", item) for place, item in enumerate(data))
    return uploads.receive(director, director.roles.get().club, *first, {}, further=further)


def two_files() -> list[bytes]:
    pairs = make.pairs(make.players(8))
    return [csv_of(pairs), csv_of(pairs, less=1)]


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Let this process write no file beyond a size, as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


# --- Keep, read, delete ---------------------------------------------------------------------------------
def test_the_files_of_an_upload_are_in_the_storage_alone(place, director):
    data = two_files()
    upload = received(director, *data)
    assert sorted(item.data for item in contents_of(upload)) == sorted(data)
    rows = StoredFile.objects.values_list("content", "key")
    assert {content for content, _key in rows} == {None}
    assert {key for _content, key in rows} == keys()
    assert all(key.startswith(f"{today():%Y-%m-%d}/") and len(key) == 43 for key in keys())
    assert upload.state == ResultUpload.State.REVIEW


def test_the_storage_is_audited_like_the_database(place, director):
    upload = received(director, *two_files())
    assert [batch.differences for batch in audit.batches()] == [[]]
    assert [batch.differences for batch in audit.further_batches()] == [[]]
    storage = storages[stored_files.ALIAS]
    storage.delete(upload.file.key)
    storage.save(upload.file.key, ContentFile(b"other"))
    (batch,) = audit.batches()
    assert "5 bytes" in batch.differences[0].derived
    storage.delete(upload.file.key)
    (batch,) = audit.batches()
    assert batch.differences[0].derived.endswith("no file")
    with pytest.raises(pipeline.FileGone):
        pipeline.content_of(upload)


def test_retention_deletes_the_files_from_the_storage_after_the_commit(
    place, director, django_capture_on_commit_callbacks
):
    upload = received(director, *two_files())
    day = today()
    ResultUpload.objects.update(state="discarded", discarded_at=upload.created_at - timedelta(days=30))
    with django_capture_on_commit_callbacks(execute=True):
        assert retention.delete_due_files(day) == 2
        assert len(keys()) == 2
    assert not keys() and not StoredFile.objects.exists()
    assert not FurtherFile.objects.exclude(file=None).exists()


def test_nothing_is_left_in_the_storage_of_a_transaction_that_failed(place, director):
    with pytest.raises(IntegrityError), stored_files.together():
        received(director, *two_files())
        StoredFile.objects.create(content=None, key="")
    assert not keys()


# --- The storage fails ----------------------------------------------------------------------------------
def test_an_upload_is_refused_while_the_folder_is_missing(folder, director, client):
    """A share that is not mounted must not be replaced by the disk below it."""
    folder.rmdir()
    client.raise_request_exception = False
    response = post_file(client, director.roles.get().club, two_files()[0])
    assert (response.status_code, response.headers["Retry-After"]) == (503, "30")
    assert "503" in response.content.decode()
    assert not folder.exists() and not ResultUpload.objects.exists() and not StoredFile.objects.exists()


def test_an_upload_is_refused_while_the_server_of_buckets_is_away(settings, director, client, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "any")
    keep_at(settings, f"s3://results?endpoint=http://127.0.0.1:{servers.free_port()}&region=eu-south-2")
    client.raise_request_exception = False
    response = post_file(client, director.roles.get().club, two_files()[0])
    assert response.status_code == 503
    assert not ResultUpload.objects.exists() and not StoredFile.objects.exists()


def test_an_upload_is_refused_if_the_folder_has_no_room(folder, director, client):
    """Not even the first of two files is left."""
    large = b"puesto;licencia\r\n" + b"x" * 17 * MEGABYTE
    client.raise_request_exception = False
    with largest_file(16 * MEGABYTE):
        with pytest.raises(stored_files.FilesFull):
            received(director, two_files()[0], large)
        response = post_file(client, director.roles.get().club, large)
    assert response.status_code == 507
    assert not list(folder.rglob("*.*")) and not keys()
    assert not ResultUpload.objects.exists() and not StoredFile.objects.exists()


# --- Orphans --------------------------------------------------------------------------------------------
def test_old_orphans_are_deleted(place, director):
    received(director, two_files()[0])
    young = put(today() - timedelta(days=1))
    put(today() - timedelta(days=2))
    kept = StoredFile.objects.get().key
    stored_files.sweep(today())
    assert keys() == {kept, young}
    stored_files.sweep(today() + timedelta(days=2))
    assert keys() == {kept}


def test_nothing_is_deleted_from_the_storage_of_another_database(folder, caplog):
    old = today() - timedelta(days=9)
    for number in range(stored_files.MOST_ORPHANS + 1):
        put(old, f"{number:032}")
    stored_files.sweep(today())
    assert len(keys()) == stored_files.MOST_ORPHANS + 1
    assert "belong to no row" in caplog.text
    call_command("stored_files", "sweep")
    assert not keys()


# --- Move -----------------------------------------------------------------------------------------------
def test_files_are_moved_into_the_storage_and_back(
    settings, director, place, django_capture_on_commit_callbacks
):
    apart = settings.STORAGES
    settings.STORAGES = {name: value for name, value in apart.items() if name != stored_files.ALIAS}
    data = two_files()
    upload = received(director, *data)
    settings.STORAGES = apart
    call_command("stored_files", "move")
    assert not StoredFile.objects.exclude(content=None).exists() and len(keys()) == 2
    upload.refresh_from_db()
    assert sorted(item.data for item in contents_of(upload)) == sorted(data)
    with django_capture_on_commit_callbacks(execute=True):
        call_command("stored_files", "move", "--to-database")
    assert not StoredFile.objects.exclude(key="").exists() and not keys()
    upload = ResultUpload.objects.get()
    assert sorted(item.data for item in contents_of(upload)) == sorted(data)


def test_a_file_that_is_not_as_uploaded_is_not_moved(settings, director, folder, capsys):
    apart = settings.STORAGES
    settings.STORAGES = {name: value for name, value in apart.items() if name != stored_files.ALIAS}
    damaged, good = (received(director, data) for data in two_files())
    StoredFile.objects.filter(resultupload=damaged).update(content=b"other")
    settings.STORAGES = apart
    with pytest.raises(CommandError, match="1"):
        call_command("stored_files", "move")
    assert f"file {damaged.file_id} stays" in capsys.readouterr().err
    assert keys() == {StoredFile.objects.get(resultupload=good).key}
    assert bytes(StoredFile.objects.get(resultupload=damaged).content) == b"other"


def test_moving_that_was_interrupted_goes_on(settings, director, folder, tmp_path_factory):
    apart = settings.STORAGES
    settings.STORAGES = {name: value for name, value in apart.items() if name != stored_files.ALIAS}
    for data in two_files():
        received(director, data)
    settings.STORAGES = apart

    class Interrupted(Exception):
        pass

    def interrupt(*_arguments) -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        stored_files.move(True, interrupt)
    assert StoredFile.objects.filter(key="").count() == 1
    call_command("stored_files", "move")
    assert {item.key for item in StoredFile.objects.all()} == keys() and len(keys()) == 2


# --- Addresses ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "address",
    ["/srv/files", "file://host/files", "file:files", "s3:///prefix", "s3://b?key=secret", "ftp://x/y"],
)
def test_other_addresses_are_refused(address):
    with pytest.raises(ValueError, match=":|/"):
        storage_of(address)


def test_addresses():
    assert storage_of("") is None
    assert storage_of("file:///srv/a%20b")["OPTIONS"] == {"location": "/srv/a b"}
    assert storage_of("s3://b/x/y/?endpoint=https://h:9000&region=r")["OPTIONS"] == {
        "bucket_name": "b",
        "location": "x/y",
        "endpoint_url": "https://h:9000",
        "region_name": "r",
    }


def test_alarms_say_that_the_folder_is_missing_or_its_disk_nearly_full(folder, monkeypatch):
    assert health.problems() == []
    monkeypatch.setattr(health, "ROOM", stored_files.free_bytes() + 100 * MEGABYTE)
    (problem,) = health.problems()
    assert problem.key == "files-full"
    assert 0 < problem.values["megabytes"] <= stored_files.free_bytes() // MEGABYTE + 1
    folder.rename(folder.with_name("elsewhere"))
    assert [problem.key for problem in health.problems()] == ["files-missing"]


def test_files_whose_storage_the_settings_no_longer_name_are_reported_and_commands_say_it(
    folder, settings, client
):
    with stored_files.together():
        file = stored_files.keep(b"7-4")
    settings.STORAGES = {name: kept for name, kept in settings.STORAGES.items() if name != stored_files.ALIAS}
    assert [problem.key for problem in health.problems()] == ["files-lost"]
    assert client.get("/salud/").json()["files"] == "files-lost"
    assert not client.get("/listo/").json()["parts"]["files"]["ok"]
    with pytest.raises(CommandError, match="BAZA_FILES is not set"):
        call_command("stored_files", "status")
    with pytest.raises(stored_files.FilesUnavailable) as raised:
        stored_files.read(file)
    assert summary(raised.value) == "StorageLost BAZA_FILES is not set, but files are kept in a storage"


def test_no_room_is_watched_where_files_are_kept_in_the_database_or_a_bucket(settings, request, monkeypatch):
    assert stored_files.free_bytes() is None
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "any")
    keep_at(settings, request.getfixturevalue("buckets").address("results", "watched"))
    assert stored_files.free_bytes() is None
    assert health.problems() == []
