"""`python -m tools.backup` makes backups and tries them in a scratch database."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import servers
from tests.system.conftest import Installation, site

__all__ = ["site"]


@pytest.fixture
def scored(site: Installation, migrated: servers.Postgres) -> Installation:
    """An installation with two runs to be scored, and a scratch database."""
    site.environment["PATH"] = f"{servers.postgres_programs()}{os.pathsep}{site.environment['PATH']}"
    site.act("confirm", 2)
    migrated.execute("DROP DATABASE IF EXISTS baza_scratch")
    migrated.create("baza_scratch")
    return site


def backup(site: Installation, *arguments: object) -> subprocess.CompletedProcess:
    return site.run(sys.executable, "-m", "tools.backup", *map(str, arguments))


def test_a_backup_is_restored_and_compared_and_one_that_differs_is_reported(
    scored: Installation, tmp_path: Path
):
    folder = tmp_path / "backups"
    for _ in range(2):
        made = backup(scored, "make", folder, "--keep", "1")
        assert made.returncode == 0, made.stderr
    dump = Path(made.stdout.strip())
    table = dump.with_suffix(".json")
    assert sorted(folder.iterdir()) == [dump, table]
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    tried = backup(scored, "try", folder, "baza_scratch")
    assert tried.returncode == 0, tried.stderr
    assert "2 runs to be scored; equal: 2 tournaments, 2 runs" in tried.stdout
    wanted = json.loads(table.read_text())
    wanted["ledger_scoringrun"][1] += "1"
    table.write_text(json.dumps(wanted))
    differs = backup(scored, "try", dump, "baza_scratch")
    assert (
        differs.returncode,
        "differs from what was backed up in: ledger_scoringrun" in differs.stderr,
    ) == (1, True)
    content = dump.read_bytes()
    dump.write_bytes(content[: len(content) // 2])
    assert backup(scored, "try", dump, "baza_scratch").returncode == 1


def test_only_a_database_with_the_name_of_a_scratch_database_is_emptied(scored: Installation, tmp_path: Path):
    refused = backup(scored, "try", tmp_path, "baza_migrated")
    assert "baza_migrated would be emptied: its name has to end with _scratch" in refused.stderr
    empty = backup(scored, "try", tmp_path, "baza_scratch")
    assert f"{tmp_path} has no backup" in empty.stderr
