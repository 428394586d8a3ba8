"""The disk of a single machine, with SQLite and `manage.py up`, is full while a director uploads."""

from pathlib import Path

from tests import servers
from tests.factories import PASSWORD
from tests.faults.conftest import full, sign_in
from tests.system.conftest import Installation
from tests.system.test_up import run_states, start


def test_a_full_disk_refuses_confirmations_and_loses_nothing(small_disk: Path, tmp_path: Path):
    site = Installation(servers.clean_environment(BAZA_VAR=str(small_disk / "var")), tmp_path)
    try:
        site.migrate()
        first, second = site.act("drafts", 2, 0)["drafts"]
        _process, reader = start(site, "--no-demo")
        sign_in(reader, PASSWORD)
        pages = [reader.get(f"/resultados/{pk}/confirmar/") for pk in (first, second)]
        with full(small_disk):
            for page in pages:
                refused = reader.submit(page, page.form("seen"))
                assert (refused.status, refused.headers["Retry-After"]) == (507, "30")
            assert reader.get("/clasificaciones/").status == 200
        for page in pages:
            assert "/recibo/" in reader.submit(page, page.form("seen")).url
        servers.wait_until(lambda: run_states(site) == {"done"}, "the worker to score")
        assert site.act("audit") == []
    finally:
        site.stop()
