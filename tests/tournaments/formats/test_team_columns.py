"""Team rankings that have a column for each player, or for each pair of the team."""

import pytest

from tournaments.formats import read_results
from tournaments.formats.types import Choice

TEAMS = {
    "Los Ases": ("Ana Uno", "Luis Gil", "Eva Tres", "Mar Cuatro"),
    "Las Torres": ("Iris Cinco", "Paco Seis", "Rosa Siete", "Juan Ocho"),
    "Mar Azul": ("Olga Nueve", "Pedro Diez", "Nuria Once", "Jorge Doce"),
}
PEOPLE = list(TEAMS.values())
FIGURES = ("88,5", "61", "40,25")


def sheet(headings, cells):
    """Return a ranking of the teams. cells: function of the name and the people of a team"""
    rows = [
        ";".join([str(place), *cells(name, people), figure])
        for place, ((name, people), figure) in enumerate(zip(TEAMS.items(), FIGURES, strict=True), start=1)
    ]
    return "\n".join([f"Puesto;{headings};PV", *rows]).encode()


def pairs(people, between=" - "):
    return [between.join(people[:2]), between.join(people[2:])]


def read(data, *meanings):
    """Read a sheet with the columns as proposed, or as chosen."""
    (layout,) = read_results("liga.csv", data).layouts
    return read_results("liga.csv", data, choices=[Choice(layout.digest, meanings or layout.meanings)])


def named(result):
    return [tuple(person.name for person in entry.people) for entry in result.entries]


@pytest.mark.parametrize("size", [3, 4])
def test_a_column_for_each_player_is_proposed(size):
    heads = ";".join(f"J{seat}" for seat in range(1, size + 1))
    result = read(sheet(f"Equipo;{heads}", lambda name, people: (name, *people[:size])))
    assert named(result) == [people[:size] for people in PEOPLE]
    assert ([entry.team for entry in result.entries], result.event.kind) == (list(TEAMS), "teams")


def test_a_licence_for_each_player_is_proposed():
    heads = ";".join(f"J{seat};L{seat}" for seat in range(1, 5))
    numbers = {person: str(20001 + at) for at, person in enumerate(sum(PEOPLE, ()))}
    data = sheet(
        f"Equipo;{heads}", lambda name, people: (name, *sum(((at, numbers[at]) for at in people), ()))
    )
    people = [(person.name, person.number) for entry in read(data).entries for person in entry.people]
    assert people == list(numbers.items())


@pytest.mark.parametrize("between", [" - ", " / ", " y "])
@pytest.mark.parametrize("heads", ["Pareja A;Pareja B", "Pareja 1;Pareja 2", "Primeros;Segundos", "N-S;E-O"])
def test_a_column_for_each_pair_is_proposed(heads, between):
    data = sheet(f"Equipo;{heads}", lambda name, people: (name, *pairs(people, between)))
    result = read(data)
    assert named(result) == PEOPLE
    assert ([entry.team for entry in result.entries], result.event.kind) == (list(TEAMS), "teams")


def test_licences_of_a_column_for_each_pair_stay_with_their_people():
    data = sheet(
        "Equipo;Pareja A;Lic A;Pareja B;Lic B",
        lambda name, people: (name, pairs(people)[0], "20001 / 20002", pairs(people)[1], "20003 / 20004"),
    )
    result = read(data, "place", "team", "name_1", "licence_1", "name_2", "licence_2", "score")
    assert [(person.name, person.number) for person in result.entries[0].people] == list(
        zip(PEOPLE[0], ("20001", "20002", "20003", "20004"), strict=True)
    )


def test_a_missing_player_leaves_the_others_with_their_licences():
    data = sheet(
        "Equipo;J1;L1;J2;L2;J3;L3",
        lambda name, people: (name, people[0], "20001", "", "", people[2], "20003"),
    )
    meanings = ("place", "team", "name_1", "licence_1", "name_2", "licence_2", "name_3", "licence_3", "score")
    people = read(data, *meanings).entries[0].people
    assert [(person.name, person.number) for person in people] == [
        ("Ana Uno", "20001"),
        ("Eva Tres", "20003"),
    ]


def test_a_third_column_of_names_beside_a_pair_is_not_proposed():
    data = sheet("Primero;Segundo;Entidad", lambda name, people: (*people[:2], f"Club de {people[3]}"))
    (layout,) = read_results("martes.csv", data).layouts
    assert layout.meanings == ("place", "name_1", "name_2", "", "score")


def test_the_pairs_of_two_lines_are_not_proposed_as_a_team():
    data = sheet("Pareja N-S;Pareja E-O", lambda _name, people: pairs(people))
    (layout,) = read_results("martes.csv", data).layouts
    assert layout.meanings == ("place", "name", "", "score")


def test_compound_names_of_the_players_of_a_pair_stay_whole():
    rows = "1;1;Ana García-Lomas;Luis Ortega y Gasset;60\n2;2;Eva Sanz-Roble;Mar Uno y Dos;40"
    result = read_results("martes.csv", f"Puesto;Pareja;Nombre 1;Nombre 2;%\n{rows}".encode())
    assert named(result) == [
        ("Ana García-Lomas", "Luis Ortega y Gasset"),
        ("Eva Sanz-Roble", "Mar Uno y Dos"),
    ]
