"""Which written names match the name in the register, and which belong to somebody else."""

import pytest

from players.models import Player
from players.names import names_differ

SOLEDAD = Player(number="1", given_name="Soledad", surname="Pérez Gil")


@pytest.mark.parametrize(
    "written",
    [
        "Juan Pérez",  # a relative
        "PÉREZ GIL, JUAN",
        "J. Pérez Gil",
        "Wenceslao Quirós",
    ],
)
def test_another_given_name_does_not_match_the_player(written):
    assert names_differ(written, SOLEDAD)


@pytest.mark.parametrize(
    "written",
    [
        "Soledad Pérez",
        "PÉREZ GIL, SOLEDAD",
        "S. Pérez",
        "Soledda Perez Gil",  # two letters swapped
        "Pérez Gil",  # no given name to compare
        "Sol. Pérez",
    ],
)
def test_other_ways_to_write_a_name_match_the_player(written):
    assert not names_differ(written, SOLEDAD)


@pytest.mark.parametrize("surname", ['María Lope; "Comas"', "Lope, Ruiz", "y Gasset", "(Faro)"])
@pytest.mark.parametrize("given_name", ["Ana,", "Ana"])
def test_a_name_written_as_in_the_register_is_the_players(given_name, surname):
    player = Player(number="1", given_name=given_name, surname=surname)
    assert not names_differ(f"{given_name} {surname}".upper(), player)


@pytest.mark.parametrize(
    ("written", "given_name", "differ"),
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
def test_given_names_of_a_family_are_distinguished(written, given_name, differ):
    assert names_differ(written, Player(number="1", given_name=given_name, surname="Pérez Gil")) is differ


@pytest.mark.parametrize(
    ("written", "given_name", "surname"),
    [
        # The relative's given name is similar to one of the surnames.
        ("Fernando Gómez", "Lucía", "Gómez Fernández"),
        ("Fernando José Gómez", "Lucía", "Gómez Fernández"),
        ("Gómez, Fernando", "Lucía", "Gómez Fernández"),
        ("Gómez Fernando", "Lucía", "Gómez Fernández"),
        ("GOMEZ, FERNAND", "Lucía", "Gómez Fernández"),
        ("F. Gómez", "Lucía", "Gómez Fernández"),
        ("Gómez, F.", "Lucía", "Gómez Fernández"),
        ("Gómez F", "Lucía", "Gómez Fernández"),
        ("Martín Pérez", "Soledad", "Pérez Martínez"),
        ("Gonzalo Ruiz", "Ana", "Ruiz González"),
        ("Álvaro Gil", "Marta", "Gil Álvarez"),
        ("Rodrigo Vega", "Elena", "Vega Rodríguez"),
        ("Mario Gómez", "María", "Gómez Marín"),
        ("Gómez Mario", "María", "Gómez Marín"),
        ("Alonso Pérez", "Lucía", "Pérez Alonso"),
        ("Pérez, Alonso", "Lucía", "Pérez Alonso"),
        ("I. Torres", "Adrián", "Torres Rubio"),  # an initial, not the Catalan "i" (and) between surnames
        # The relative's given name is as similar to the player's as a spelling mistake.
        ("Marta Gómez", "María", "Gómez Marín"),
        ("Mª Gómez", "Mario", "Gómez Marín"),
        ("Ana Gómez", "Andrea", "Gómez Marín"),
        ("Rosa Gómez", "Rosario", "Gómez Marín"),
        ("Juan Antonio Gil", "Juan Carlos", "Gil Vega"),
        ("María José Gil", "José María", "Gil Vega"),
        ("José Gil", "María José", "Gil Vega"),
        ("María Gil", "José María", "Gil Vega"),
        ("María José Gil", "José", "Gil Vega"),
        ("J. Luis Gil", "Jordi", "Gil Vega"),
        ("Miguel A. Gil", "Andrés", "Gil Vega"),
        # The given name is equal and one surname different: father, mother, niece or a stranger.
        ("Juan Gómez Ruiz", "Juan", "Gómez Fernández"),
        ("Lucía Fernández Díaz", "Lucía", "Gómez Fernández"),
        ("Lucía Ruiz Gómez", "Lucía", "Gómez Fernández"),
        ("Lucía Martín Gómez", "Lucía", "Gómez Fernández"),
        ("Lucía Ruiz", "Lucía", "Gómez Fernández"),
        ("Ana Martín Gómez", "Martín", "Martín Gómez"),
        ("Lusía Gomes", "Lucía", "Gómez Fernández"),  # two spelling mistakes
    ],
)
def test_a_relatives_name_does_not_match_the_player(written, given_name, surname):
    assert names_differ(written, Player(number="1", given_name=given_name, surname=surname))


@pytest.mark.parametrize(
    ("written", "given_name", "surname"),
    [
        ("Lucía Gómez Fernandes", "Lucía", "Gómez Fernández"),
        ("Lucía Fernández", "Lucía", "Gómez Fernández"),
        ("Fernández Gómez, Lucía", "Lucía", "Gómez Fernández"),
        ("Lucía G. Fernández", "Lucía", "Gómez Fernández"),
        ("Gómez Fernándes", "Lucía", "Gómez Fernández"),
        ("Gómez Fdez, Lucía", "Lucía", "Gómez Fernández"),
        ("Dña. Lucía Gómez", "Lucía", "Gómez Fernández"),
        ("Lucía Gómez (suplente)", "Lucía", "Gómez Fernández"),
        ("Lucía Gómez Fernández 2", "Lucía", "Gómez Fernández"),
        ("Lucía", "Lucía", "Gómez Fernández"),
        # Names cut off by the program after a certain number of letters.
        ("GOMEZ FERNANDEZ,", "Lucía", "Gómez Fernández"),
        ("GOMEZ FERNAN", "Lucía", "Gómez Fernández"),
        ("GOMEZ FERNANDEZ, L", "Lucía", "Gómez Fernández"),
        ("GOMEZ FERNANDEZ, LUC", "Lucía", "Gómez Fernández"),
        ("GOMEZ FERNANDEZ, MARIA DE", "María del Carmen", "Gómez Fernández"),
        ("Mª CARMEN GOMEZ FE", "María del Carmen", "Gómez Fernández"),
        # Abbreviated names.
        ("MªCarmen Gómez", "María del Carmen", "Gómez Fernández"),
        ("M.ª Carmen Gómez", "María del Carmen", "Gómez Fernández"),
        ("Ma Carmen Gómez", "María del Carmen", "Gómez Fernández"),
        ("Carmen Gómez", "Mª Carmen", "Gómez Fernández"),
        ("Fco. Javier Gil", "Francisco Javier", "Gil Vega"),
        ("Fco Gil", "Francisco Javier", "Gil Vega"),
        ("Francisco Gil", "Fco. Javier", "Gil Vega"),
        ("J.L. Gil", "José Luis", "Gil Vega"),
        ("JL Gil", "José Luis", "Gil Vega"),
        ("JoseLuis Gil", "José Luis", "Gil Vega"),
        ("Rafa Gil", "Rafael", "Gil Vega"),
        # Other spellings of the same name, and registers that write it differently.
        ("Xavier Giménez", "Javier", "Jiménez Gil"),
        ("Esther Gil", "Ester", "Gil Vega"),
        ("Ana María Gil", "Ana", "Gil Vega"),
        ("Mary Ann O'Connor", "Mary", "OConnor"),
        ("Gil i Vega, Jordi", "Jordi", "Gil Vega"),
        ("Lucía Gil", "Lucía Gil", ""),
    ],
)
def test_a_usual_spelling_matches_the_player(written, given_name, surname):
    assert not names_differ(written, Player(number="1", given_name=given_name, surname=surname))
