"""`tools/prepare.py`, the script that creates the virtual environment and installs the packages."""

import hashlib
import os
import re
import sys
import zipfile
from pathlib import Path

import pytest

from tools import prepare

PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Club"\nmsgstr "El club"\n'


def test_prepare_refuses_an_old_python_with_a_message(monkeypatch):
    monkeypatch.setattr(prepare, "OLDEST", (99, 0))
    with pytest.raises(SystemExit, match=r"Python 3\.11 or newer is needed"):
        prepare.main()


@pytest.mark.parametrize("name", prepare.LOCKS.values())
def test_a_changed_lock_file_gives_another_digest(monkeypatch, tmp_path, name):
    for lock in prepare.LOCKS.values():
        (tmp_path / lock).write_text("Django==5.2.19\n")
    monkeypatch.setattr(prepare, "HERE", str(tmp_path))
    before = prepare.digest()
    assert prepare.digest() == before
    (tmp_path / name).write_text("Django==5.2.20\n")
    assert prepare.digest() != before


def test_only_changed_translations_are_compiled(monkeypatch, tmp_path):
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


@pytest.fixture
def wheel(monkeypatch, tmp_path) -> Path:
    """Create a wheel of a package with one module, and return its path.

    pip installs only from the temporary folder, into its subfolder `there`.
    """
    path = tmp_path / "tiny-1.0-py3-none-any.whl"
    about = "tiny-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("tiny.py", "")
        archive.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    monkeypatch.setattr(prepare, "HERE", str(tmp_path))
    monkeypatch.setattr(prepare, "VENV", str(tmp_path))
    monkeypatch.setattr(prepare, "PYTHON", sys.executable)
    for name, value in {
        "NO_INDEX": "1",
        "FIND_LINKS": str(tmp_path),
        "TARGET": str(tmp_path / "there"),
    }.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    return path


def test_a_package_whose_hash_is_in_the_lock_file_is_installed(wheel):
    right = hashlib.sha256(wheel.read_bytes()).hexdigest()
    wheel.with_name("a.lock").write_text(f"tiny==1.0 --hash=sha256:{right}\n")
    stamp = wheel.with_name("installed-x")
    prepare.install("a.lock", [str(stamp)])
    assert wheel.with_name("there").joinpath("tiny.py").exists() and stamp.exists()


@pytest.mark.parametrize("line", ["tiny==1.0", f"tiny==1.0 --hash=sha256:{'0' * 64}"])
def test_a_package_with_a_missing_or_wrong_hash_is_refused(wheel, line):
    wheel.with_name("a.lock").write_text(line)
    stamp = wheel.with_name("installed-x")
    with pytest.raises(SystemExit, match="could not be installed"):
        prepare.install("a.lock", [str(stamp)])
    assert not wheel.with_name("there").exists() and not stamp.exists()


ROOT = Path(__file__).resolve().parents[2]
EVERY_LOCK = [*prepare.LOCKS.values(), prepare.TOOLS_LOCK]
PIN = re.compile(r"^([\w.-]+)(?:\[\w+\])?==([^ ;\n\\]+)", re.MULTILINE)


def pins(text: str) -> dict[str, str]:
    """Return {package: version} of the pinned requirements in a text, with normalised package names."""
    return {re.sub("[-_.]+", "-", name).lower(): version for name, version in PIN.findall(text)}


@pytest.mark.parametrize("lock", EVERY_LOCK)
def test_a_lock_file_has_every_declared_requirement(lock):
    """If this fails, run `make lock`."""
    declared = (ROOT / lock).with_suffix(".txt").read_text(encoding="utf-8")
    assert pins(declared)
    assert pins(declared).items() <= pins((ROOT / lock).read_text(encoding="utf-8")).items()


def test_tests_use_the_package_versions_of_production():
    run, dev = ((ROOT / prepare.LOCKS[kind]).read_text(encoding="utf-8") for kind in ("run", "dev"))
    assert pins(run).items() <= pins(dev).items()


@pytest.mark.parametrize("lock", EVERY_LOCK)
def test_every_locked_package_has_hashes_and_no_url(lock):
    text = (ROOT / lock).read_text(encoding="utf-8")
    packages = re.split(r"\n(?=\w)", re.sub(r"^ *#.*\n", "", text, flags=re.MULTILINE))
    bare = [package for package in packages if not re.search(r"--hash=sha256:[0-9a-f]{64}\b", package)]
    assert len(packages) == len(PIN.findall(text)) and bare == []
    assert "://" not in text and "index" not in text
