"""The folder of real result files is passed to the tests that read them (see `tests.samples`).

pytest's summary counts the files that were tried.
"""

import pytest

from tests import samples
from tools import check


def test_the_configured_folder_of_samples_is_passed_to_the_tests(monkeypatch, tmp_path):
    (tmp_path / "real").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BAZA_SAMPLES", "real")
    monkeypatch.setenv("BAZA_FAMILIES", "egf")
    environment = check.clean_environment(tmp_path / "var")
    assert environment["BAZA_SAMPLES"] == str(tmp_path / "real")
    assert "BAZA_FAMILIES" not in environment
    monkeypatch.delenv("BAZA_SAMPLES")
    assert "BAZA_SAMPLES" not in check.clean_environment(tmp_path / "var")


def test_the_summary_counts_the_sample_files_that_were_tried(monkeypatch, tmp_path):
    monkeypatch.setenv("BAZA_SAMPLES", str(tmp_path))
    tried = [("sample", "a.xml"), ("sample", "b.pbn"), ("sample", "a.xml"), ("other", "c")]
    assert samples.summary(tried) == f"real result files: 2 tried, from {tmp_path}"
    monkeypatch.setenv("BAZA_SAMPLES", "")
    assert samples.summary([]) == "real result files: none tried, because BAZA_SAMPLES names no folder"


def test_a_missing_folder_of_samples_is_an_error(monkeypatch, tmp_path):
    monkeypatch.setenv("BAZA_SAMPLES", str(tmp_path / "nowhere"))
    with pytest.raises(NotADirectoryError, match="nowhere"):
        samples.folder()


def test_the_test_modules_for_sample_files_exist():
    for name in samples.TESTS:
        assert (check.ROOT / "tests" / name).exists()
