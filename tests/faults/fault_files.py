"""The disk of uploaded files is full (fault 21): uploads are refused, and nothing of them is left."""

from pathlib import Path

from tests import servers
from tests.faults.conftest import full
from tests.hosts import Club, Web
from tests.system.conftest import Installation


def test_uploads_are_refused_while_the_disk_of_files_is_full(site: Installation, small_disk: Path):
    folder = small_disk / "files"
    folder.mkdir()
    site.environment["BAZA_FILES"] = f"file://{folder}"
    made = site.act("club_token", 3)
    club = Club(made["club"], made["token"], made["files"])
    web = Web(site, "127.0.0.1", {})
    web.start()
    assert club.post(web, 0) == 201
    with full(small_disk):
        assert club.post(web, 1) == 507
        assert web.get("/clasificaciones/").status == 200
    assert stored(site, folder) == (1, 1, 1)
    assert [club.post(web, number) for number in (1, 2)] == [201, 201]
    assert stored(site, folder) == (3, 3, 3)
    servers.wait_until(lambda: site.act("audit") == [], "an audit without a difference")


def stored(site: Installation, folder: Path) -> tuple[int, int, int]:
    """Return how many uploads, rows of files, and files in the folder (hidden ones too) there are."""
    ((uploads,),) = site.query("SELECT count(*) FROM tournaments_resultupload")
    ((rows,),) = site.query("SELECT count(*) FROM tournaments_storedfile")
    return uploads, rows, sum(path.is_file() for path in folder.rglob("*"))
