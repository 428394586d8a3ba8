"""When a written name is not the one in the register, and which registered players it may mean."""

import pytest

from players.models import Player
from tournaments.services.matching import names_differ

SOLEDAD = Player(number="1", given_name="Soledad", surname="Pérez Gil")


@pytest.mark.parametrize(
    "written",
    [
        "Juan Pérez",  # somebody of the family
        "PÉREZ GIL, JUAN",
        "J. Pérez Gil",
        "Wenceslao Quirós",
    ],
)
def test_another_given_name_is_another_person(written):
    assert names_differ(written, SOLEDAD)


@pytest.mark.parametrize(
    "written",
    [
        "Soledad Pérez",
        "PÉREZ GIL, SOLEDAD",
        "S. Pérez",
        "Soledda Perez Gil",  # letters swapped
        "Pérez Gil",  # no given name to compare
        "Sol. Pérez",
    ],
)
def test_other_ways_to_write_a_name_are_no_difference(written):
    assert not names_differ(written, SOLEDAD)


@pytest.mark.parametrize(
    ("written", "given", "differ"),
    [
        ("Mario Pérez", "María", True),
        ("Luisa Pérez", "Luis", True),
        ("José Pérez", "Josefa", True),
        ("Mª Teresa Pérez", "María del Carmen", True),
        ("Mª Teresa Pérez", "María Teresa", False),
        ("María Pérez", "María Teresa", False),
        ("Luis Pérez", "José Luis", False),
        ("José Pérez", "José Luis", False),
        ("Alejando Pérez", "Alejandro", False),
    ],
)
def test_given_names_of_a_family_are_told_apart(written, given, differ):
    assert names_differ(written, Player(number="1", given_name=given, surname="Pérez Gil")) is differ
