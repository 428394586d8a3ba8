"""Names are in Spanish alphabetical order: in both databases, and in every sorted table."""

import django_tables2 as tables
import pytest
from django.utils.translation import gettext_lazy

from players.models import Club, Player, Region
from tests import factories
from ui.tables import BaseTable
from ui.text import sort_key

NAMES = [
    "Álvaro", "Ana", "Ana María", "Anabel", "Beatriz", "Díaz", "Durán", "Lacalle", "Nadal", "Núñez", "Nuza",
    "Ñíguez", "Óscar", "Ozores", "Zúñiga", "Zuzu",
]  # fmt: skip


def test_names_sort_as_in_a_spanish_dictionary():
    assert sorted(reversed(NAMES), key=sort_key) == NAMES


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Cano", "Caño"), ("Caño", "Capa"), ("Peña", "Peñas"), ("García López", "Garcíaz"),
        ("de la Torre", "Delgado"), ("Club 2", "Club A"), ("O'Brien", "Obrist"), ("Łukasz", "Mato"),
        ("Zuzu", "Яна"),
    ],
)  # fmt: skip
def test_the_first_name_of_each_pair_sorts_before_the_second(first, second):
    assert sort_key(first) < sort_key(second)


def test_sorting_ignores_accents_and_case_but_not_the_tilde_of_enye():
    assert sort_key("  PÉREZ-Gómez ") == sort_key("perez gomez")
    assert sort_key("Peña") != sort_key("Pena")
    assert sort_key("Pen\u0303a") == sort_key("Peña")  # with the tilde as a combining character


def test_a_surname_sorts_before_longer_surnames_whatever_the_given_name():
    assert sort_key("Ruiz", "Zoe") < sort_key("Ruiz Abad", "Ana")


def test_sort_keys_have_only_characters_that_every_database_orders_alike():
    """Sort keys contain only lower-case letters and digits, which all collations sort in the same order."""
    assert all(c in "abcdefghijklmnopqrstuvwxyz0123456789" for name in NAMES for c in sort_key(name, name))


@pytest.mark.django_db
def test_players_clubs_and_regions_are_listed_in_alphabetical_order():
    for name in reversed(NAMES):
        club = factories.club(name=name, region=factories.region(name=name))
        factories.player(surname=name, given_name="Eva", club=club)
    assert [player.surname for player in Player.objects.all()] == NAMES
    assert [club.name for club in Club.objects.all()] == NAMES
    assert [region.name for region in Region.objects.all()] == NAMES


@pytest.mark.django_db
def test_changing_a_name_updates_its_sort_key():
    player = factories.player(surname="Ñíguez", given_name="Eva")
    player.surname = "Abad"
    player.save()
    assert Player.objects.get().sort_key == sort_key("Abad", "Eva")


class Rows(BaseTable):
    name = tables.Column()
    points = tables.Column()
    caption = "Rows"

    class Meta:
        orderable = True


def sorted_names(order, rows):
    return [row.record["name"] for row in Rows(rows, order_by=order).rows]


def test_tables_sort_rows_in_memory_in_the_same_alphabetical_order():
    rows = [{"name": name, "points": 1} for name in reversed(NAMES)]
    assert sorted_names("name", rows) == NAMES
    assert sorted_names("-name", rows) == NAMES[::-1]


def test_a_table_sorts_by_several_columns_and_by_values_of_any_kind():
    rows = [
        {"name": "Beatriz", "points": 2}, {"name": "Ana", "points": None}, {"name": "Ángel", "points": 2},
        {"name": "Zoe", "points": gettext_lazy("no")},
    ]  # fmt: skip
    assert sorted_names(("points", "name"), rows) == ["Ana", "Ángel", "Beatriz", "Zoe"]
    assert sorted_names(("-points", "name"), rows) == ["Zoe", "Ángel", "Beatriz", "Ana"]
