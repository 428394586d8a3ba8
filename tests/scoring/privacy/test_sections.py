"""Everything that is stored about a person is in the copy of their data, or excluded with a reason."""

import json
import zipfile
from io import BytesIO

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model

from players.models import Player
from scoring.privacy import copies
from scoring.privacy.person import of_account
from scoring.privacy.sections import ACTOR_FIELDS, EXCLUDED, SECTIONS
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
        csv = file.read("csv/results.csv").decode("utf-8-sig")
        words = file.read("LEEME.txt").decode()
    assert [row["number"] for row in stored["register"]] == [pair[0].number]
    assert stored["register"][0]["birth_year"] == 1950
    assert [row["revision__tournament__name"] for row in stored["results"]] == [tournament.name]
    assert [row["email"] for row in stored["account"]] == ["ana@example.org"]
    assert tournament.name in csv
    assert "register (1)" in words
    text = json.dumps(stored, ensure_ascii=False)
    assert not any(other.full_name in text or other.number in text for other in others)


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
