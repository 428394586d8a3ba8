"""`tools/prepare.py`, which runs before anything is installed."""

import os
import sys

import pytest

from tools import prepare

PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Club"\nmsgstr "El club"\n'


def test_an_old_python_says_so(monkeypatch):
    monkeypatch.setattr(prepare, "OLDEST", (99, 0))
    with pytest.raises(SystemExit, match=r"Python 3\.11 or newer is needed"):
        prepare.main()


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt", "constraints.txt"])
def test_another_pin_is_another_environment(monkeypatch, tmp_path, name):
    for text in ("requirements.txt", "requirements-dev.txt", "constraints.txt"):
        (tmp_path / text).write_text("Django==5.2.19\n")
    monkeypatch.setattr(prepare, "HERE", str(tmp_path))
    before = prepare.digest()
    assert prepare.digest() == before
    (tmp_path / name).write_text("Django==5.2.20\n")
    assert prepare.digest() != before


def test_only_translations_that_changed_are_compiled(monkeypatch, tmp_path):
    folder = tmp_path / "locale" / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    source, target = folder / "django.po", folder / "django.mo"
    source.write_text(PO, encoding="utf-8")
    monkeypatch.setattr(prepare, "HERE", str(tmp_path))
    monkeypatch.setattr(prepare, "PYTHON", sys.executable)
    prepare.compile_messages()
    assert b"El club" in target.read_bytes()
    target.write_bytes(b"as it was")
    prepare.compile_messages()
    assert target.read_bytes() == b"as it was"
    newer = target.stat().st_mtime + 10
    os.utime(source, (newer, newer))
    prepare.compile_messages()
    assert target.read_bytes() != b"as it was"
