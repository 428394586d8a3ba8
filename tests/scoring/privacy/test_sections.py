"""Everything that is stored about a person is in the copy of their data, or excluded with a reason."""

import json
import zipfile
from datetime import UTC, datetime
from io import BytesIO

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.utils import translation

from players.models import Player
from scoring.privacy import copies
from scoring.privacy.person import of_account
from scoring.privacy.sections import ACTOR_FIELDS, EXCLUDED, SECTIONS
from scoring.privacy.spreadsheet import csv_of, heading
from tests import factories

OURS = ("players", "tournaments", "scoring", "federation", "allauth")


def personal_fields() -> set[tuple[str, str]]:
    """Return (model label, field name) of every relation to a player or an account."""
    return {
        (model._meta.label, field.name)
        for model in apps.get_models()
        if model.__module__.split(".")[0] in OURS
        for field in model._meta.get_fields()
        if field.concrete and field.is_relation and field.related_model in (Player, get_user_model())
    }


def test_every_relation_to_a_person_is_copied_or_excluded():
    copied = {
        (section.model._meta.label, path)
        for section in SECTIONS
        for path in (section.player, section.account)
        if path
    }
    models = {label for label, _path in copied}
    unknown = {
        (label, name)
        for label, name in personal_fields()
        if (label, name) not in copied and label not in EXCLUDED and name not in ACTOR_FIELDS
    }
    # The second number of a merge, and the link from the player to the account, are fields of copied rows.
    assert unknown == {
        ("players.Player", "merged_into"),
        ("players.Player", "user"),
        ("players.PlayerMerge", "duplicate"),
    }
    assert not models & EXCLUDED.keys()


@pytest.mark.django_db
def test_the_copy_has_the_own_rows_and_no_row_of_others():
    account = factories.user("ana", email="ana@example.org")
    pair = factories.players(2)
    others = factories.players(6)
    pair[0].user, pair[0].birth_year = account, 1950
    pair[0].save()
    everybody = [*pair, *others]
    tournament = factories.scored(*factories.pairs(everybody))
    with zipfile.ZipFile(BytesIO(copies.zip_of(of_account(account)))) as file:
        stored = json.loads(file.read("datos.json"))
        results = file.read("csv/results.csv").decode("utf-8-sig")
        points = [line.split(";") for line in file.read("csv/points.csv").decode("utf-8-sig").splitlines()]
        words = file.read("LEEME.txt").decode()
    assert [row["number"] for row in stored["register"]] == [pair[0].number]
    assert stored["register"][0]["birth_year"] == 1950
    assert [row["revision__tournament__name"] for row in stored["results"]] == [tournament.name]
    assert [row["email"] for row in stored["account"]] == ["ana@example.org"]
    assert tournament.name in results
    assert results.splitlines()[0].startswith("Torneo;Último día;Club;Versión;Puesto;Línea;Porcentaje;")
    entry = pair[0].entries.get()
    assert stored["points"][0]["points"] == entry.points and stored["points"][0]["kind"] == "award"
    cells = dict(zip(*points, strict=True))
    assert cells["Puntos"] == f"{entry.points / 100:.2f}".replace(".", ",")
    assert cells["Clase"] == entry.get_kind_display() != "award"
    assert cells["Último día del torneo"] == tournament.end_date.isoformat()
    assert cells["En línea"] in ("sí", "no")
    assert "register (1)" in words and "centésimas" in words
    text = json.dumps(stored, ensure_ascii=False)
    assert not any(other.full_name in text or other.number in text for other in others)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.name)
def test_headings_are_in_the_readers_language_and_differ(section):
    with translation.override("es"):
        heads = [heading(section.model, path) for path in section.fields]
    assert len(set(heads)) == len(heads)


def test_cells_are_words_and_times_those_of_the_clock():
    section = next(section for section in SECTIONS if section.name == "register_changes")
    at = datetime(2026, 1, 5, 20, 30, tzinfo=UTC)
    row = {"number": "7", "kind": "edit", "before": {"hidden": False}, "after": {}, "reason": "=1", "at": at}
    with translation.override("es"):
        lines = csv_of(section, [row]).decode("utf-8-sig").splitlines()
    assert "nombre oculto: no" in lines[1]
    assert ";'=1;" in lines[1]
    assert lines[1].endswith("2026-01-05 21:30:00")
    with translation.override("en"):
        assert csv_of(section, [row]).decode("utf-8-sig").splitlines()[0].count(",") == 5


@pytest.mark.django_db
def test_every_column_of_every_section_can_be_read():
    """The sections name their columns as text: read them all once."""
    account = factories.user()
    player = factories.player(user=account)
    factories.scored(*factories.pairs([player, *factories.players(7)]))
    person = of_account(account)
    assert {section.name: section.rows(person) for section in SECTIONS}.keys() == {
        section.name for section in SECTIONS
    }
