"""The check of pinned packages against a folder of advisories, with small advisories of our own."""

import json

import pytest
import yaml

from tools import advisories
from tools.advisories import Unjudged, affects, main, pins


def advisory(name: str = "Django", **changes) -> dict:
    """Return an advisory about a package: introduced in 4.0, fixed in 99."""
    events = [{"introduced": "4.0"}, {"fixed": "99"}]
    entry = {
        "package": {"ecosystem": "PyPI", "name": name},
        "ranges": [{"type": "ECOSYSTEM", "events": events}],
    }
    return {"id": "TEST-1", "affected": [entry], **changes}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    def write(*documents: dict, suffix: str = ".json"):
        for number, document in enumerate(documents):
            text = json.dumps(document) if suffix == ".json" else yaml.safe_dump(document)
            (tmp_path / f"{number}{suffix}").write_text(text)
        return str(tmp_path)

    monkeypatch.delenv("BAZA_ADVISORIES", raising=False)
    return write


def test_without_a_folder_the_check_says_that_it_did_not_run(folder, capsys):
    assert main([]) == 0
    printed = capsys.readouterr().out
    assert "not run" in printed and "clean" not in printed


@pytest.mark.parametrize("suffix", [".json", ".yaml"])
def test_an_affected_pin_fails_the_check_under_any_spelling_of_its_name(folder, capsys, suffix):
    assert main([folder(advisory("DJANGO"), suffix=suffix)]) == 1
    assert "django 5.2" in capsys.readouterr().out


def test_other_packages_ecosystems_and_withdrawn_advisories_pass(folder, capsys):
    elsewhere = advisory()
    elsewhere["affected"][0]["package"]["ecosystem"] = "npm"
    documents = [advisory("a-package-of-nobody"), elsewhere, advisory(withdrawn="2026-01-01T00:00:00Z")]
    assert main([folder(*documents)]) == 0
    assert "2 advisories name none" in capsys.readouterr().out


def test_one_fault_with_several_names_is_reported_once(folder, capsys):
    same = advisory(id="TEST-2", aliases=["TEST-1"])
    assert main([folder(advisory(aliases=["CVE-1"]), same)]) == 1
    printed = capsys.readouterr().out
    assert printed.count("django") == 1 and "CVE-1, TEST-1" in printed and "fixed in 99" in printed


@pytest.mark.parametrize("text", ["{", "[]", '{"id": "X"}', "\x00"])
def test_a_file_that_cannot_be_read_fails_the_check(folder, capsys, tmp_path, text):
    path = folder(advisory("a-package-of-nobody"))
    (tmp_path / "broken.json").write_text(text)
    assert main([path]) == 1
    assert "broken.json" in capsys.readouterr().out


def test_an_empty_folder_fails_the_check(folder, capsys):
    assert main([folder()]) == 1
    assert "no advisory" in capsys.readouterr().out


def test_a_pin_that_cannot_be_judged_fails_the_check(folder, capsys):
    unclear = advisory()
    unclear["affected"][0]["ranges"] = [{"type": "GIT", "events": [{"introduced": "0"}]}]
    assert main([folder(unclear)]) == 1
    assert "was skipped" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("events", "affected"),
    [
        ([{"introduced": "0"}], "1.0 1.9 2.0 2.0rc1 2.1 3.0"),
        ([{"introduced": "0"}, {"fixed": "2.0"}], "1.0 1.9 2.0rc1"),
        ([{"introduced": "0"}, {"last_affected": "2.0"}], "1.0 1.9 2.0 2.0rc1"),
        (
            [{"introduced": "1.9"}, {"fixed": "2.0"}, {"introduced": "2.1"}, {"fixed": "2.2"}],
            "1.9 2.0rc1 2.1",
        ),
        ([{"introduced": "2.1"}, {"introduced": "0"}, {"fixed": "1.9"}], "1.0 2.1 3.0"),
    ],
)
def test_ranges_are_compared_as_versions_and_not_as_texts(events, affected):
    entry = {"ranges": [{"type": "ECOSYSTEM", "events": events}]}
    versions = ["1.0", "1.9", "2.0", "2.0rc1", "2.1", "3.0"]
    assert [version for version in versions if affects(entry, version)] == affected.split()


def test_a_version_may_be_listed_in_another_spelling():
    assert affects({"versions": ["1.0"]}, "1.0.0")
    assert not affects({"versions": ["1.0"]}, "1.1")
    with pytest.raises(Unjudged):
        affects({"versions": ["1.0"]}, "no version")


def test_the_pins_are_those_of_both_locks():
    pinned = pins()
    assert {"django", "celery", "psycopg", "pytest"} <= set(pinned) and len(pinned) > 60
    named = sum(line[:1].isalnum() and "==" in line for path in advisories.LOCKS for line in path.open())
    assert named >= len(pinned)
