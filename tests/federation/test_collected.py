"""A start without the static files of the version says so in the log."""

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage

from federation import collected


def test_files_that_were_not_collected_are_in_the_log(monkeypatch, tmp_path, caplog):
    storage = ManifestStaticFilesStorage(location=tmp_path)
    monkeypatch.setattr(collected, "staticfiles_storage", storage)
    collected.warn()
    assert "run manage.py collectstatic" in caplog.text
    storage.hashed_files = {name: name for name in collected.missing()}
    caplog.clear()
    collected.warn()
    assert caplog.text == ""


def test_nothing_is_collected_outside_production():
    assert collected.missing() == []
