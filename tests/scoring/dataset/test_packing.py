"""The process that writes the zip file: what fails there is known to the one that reads the rows."""

import os
import signal
from pathlib import Path
from zipfile import ZipFile

import pytest

from scoring.dataset import packing, schema
from scoring.dataset.packing import Packer

ROW = ("01", "Región")


def test_a_file_that_cannot_be_written_is_an_error_of_the_system(tmp_path):
    path = tmp_path / "missing" / "dump.zip"
    with pytest.raises(FileNotFoundError) as error, Packer(path) as packer:
        packer.add_rows(schema.REGIONS, [ROW])
    assert error.value.filename == str(path)


def test_a_full_disk_is_an_error_of_the_system():
    with pytest.raises(OSError, match="No space left"), Packer(Path("/dev/full")) as packer:  # noqa: PT012
        while True:
            packer.add_rows(schema.REGIONS, [ROW] * 10_000)


def test_a_writing_process_that_was_killed_is_noticed(tmp_path):
    with pytest.raises(RuntimeError, match="-9"), Packer(tmp_path / "dump.zip") as packer:
        os.kill(packer._process.pid, signal.SIGKILL)
        packer.add_rows(schema.REGIONS, [ROW])


def test_an_error_while_reading_ends_the_writing_process(tmp_path):
    with pytest.raises(ZeroDivisionError), Packer(tmp_path / "dump.zip") as packer:
        packer.add_rows(schema.REGIONS, (1 / number for number in (1, 0)))
    assert packer._process.returncode == -signal.SIGKILL


def test_a_system_that_grants_no_larger_pipe_still_writes(tmp_path, monkeypatch):
    def refuse(*_arguments: object) -> None:
        raise PermissionError(1, "the pipes of this user are too large already")

    monkeypatch.setattr(packing.fcntl, "fcntl", refuse)
    with Packer(tmp_path / "a.zip") as packer:
        packer.add_text("readme.txt", "text")
    assert ZipFile(tmp_path / "a.zip").read("readme.txt") == b"text"
