"""In many randomly generated families, a player's usual spellings match the player and never a relative."""

import random
from collections.abc import Iterator

import pytest

from players.given_names import GIVEN_NAMES
from players.models import Player
from players.names import names_differ
from ui.text import PARTICLES, fold

FIRST = [
    "Fernando", "Martín", "Gonzalo", "Álvaro", "Rodrigo", "Mario", "Domingo", "Sancho", "Ramiro",
    "Benito", "Marcos", "Lope", "Alonso", "Vicente", "Gil", "Ramón", "Lucía", "Soledad", "Ana",
    "Marta", "Elena", "María", "Carmen", "Isabel", "Pilar", "Rosa", "Teresa", "Cristina", "Laura",
    "Sara", "Eva", "Julia", "Luisa", "Luis", "José", "Josefa", "Juan", "Juana", "Antonio", "Antonia",
    "Francisco", "Francisca", "Manuel", "Manuela", "Pedro", "Jesús", "Ángel", "Ángela", "Miguel",
    "Javier", "Daniel", "Daniela", "Alejandro", "Alejandra", "Pablo", "Paula", "Jorge", "Diego",
    "Andrés", "Andrea", "Enrique", "Ignacio", "Beatriz", "Raquel", "Silvia", "Emilio", "Emilia",
    "Victor", "Victoria", "Adrián", "Gabriel", "Gabriela", "Óscar", "Rubén", "Hugo", "Iván", "Irene",
    "Margarita", "Lourdes", "Blanca",
]  # fmt: skip
DOUBLE = [
    "José Luis", "José Antonio", "José María", "María José", "María Teresa", "María del Carmen",
    "María Jesús", "Juan Carlos", "Juan Antonio", "Francisco Javier", "Miguel Ángel", "Ana María",
    "Ana Belén",
    "María de los Ángeles", "Rosa María", "José Manuel", "Francisco José",
]  # fmt: skip
SURNAMES = [
    "Fernández", "Martínez", "González", "Álvarez", "Rodríguez", "Marín", "Domínguez", "Sánchez",
    "Ramírez", "Benítez", "Márquez", "López", "Alonso", "Vicente", "Gil", "Jiménez", "Díaz", "Pérez",
    "Gómez", "Ruiz", "Hernández", "Muñoz", "Moreno", "Vega", "Ortega", "Castro", "Rubio", "Blanco",
    "Suárez", "Navarro", "Gutiérrez", "Cano", "Prieto", "Cruz", "Herrera", "Peña", "Cabrera", "Campos",
    "Reyes", "Lozano", "Santos", "Castillo", "Ibáñez", "Nieto", "Vidal", "García",
    "de la Torre", "Ruiz-Tagle",
]  # fmt: skip
Name = tuple[str, str, str]


def words(text: str) -> list[str]:
    return [word for word in fold(text.replace("-", " ").replace(",", " ")).split() if word not in PARTICLES]


def spellings(name: Name) -> Iterator[str]:
    """Yield the usual ways to write a name: either order, one surname, capitals, abbreviations, initials."""
    first, paternal, maternal = name
    for short in (first, *abbreviated(first)):
        for surnames in (f"{paternal} {maternal}", paternal):
            yield from (f"{short} {surnames}", f"{surnames}, {short}", f"{surnames} {short}")
            yield f"{short} {surnames}".upper()
    yield f"{first} {maternal}"
    yield fold(f"{first} {paternal}").upper()
    initials = " ".join(f"{word[0].upper()}." for word in words(first))
    yield from (f"{initials} {paternal}", f"{paternal} {maternal}, {initials}")


def abbreviated(first: str) -> Iterator[str]:
    for long, short in (("María", "Mª"), ("María", "M.ª"), ("María", "Ma."), ("Francisco", "Fco.")):
        if long in first.split():
            yield first.replace(long, short)
    if len(words(first)) == 2:
        second = first.split()[-1]
        yield from (first.split()[0], f"{first.split()[0]} {second[0]}.")
        if second not in ("María", "José", "Jesús"):
            yield second


def misspelt(chance: random.Random, name: Name) -> Iterator[str]:
    """Yield the name with one letter wrong, except where this gives a common given name."""
    for part in range(3):
        parts = list(name)
        word = chance.choice([word for word in name[part].split() if word not in PARTICLES])
        place, letter = chance.randrange(1, len(word) - 1), chance.choice("bcdfglmnprst")
        slip = chance.choice(
            [
                word[:place] + letter + word[place + 1 :],
                word[:place] + word[place + 1 :],
                word[:place] + letter + word[place:],
                word[:place] + word[place + 1] + word[place] + word[place + 2 :],
            ]
        )
        if fold(slip) in GIVEN_NAMES:
            continue
        parts[part] = name[part].replace(word, slip)
        first, paternal, maternal = parts
        yield from (
            f"{first} {paternal} {maternal}",
            f"{paternal} {maternal}, {first}",
            f"{paternal} {maternal} {first}",
        )


def player(name: Name) -> Player:
    return Player(number="1", given_name=name[0], surname=f"{name[1]} {name[2]}")


@pytest.mark.parametrize("seed", range(3))
def test_usual_spellings_and_misspellings_match_their_player(seed):
    chance = random.Random(seed)
    wrong = set()
    for _family in range(60):
        name = (chance.choice(FIRST + DOUBLE), *chance.sample(SURNAMES, 2))
        written = [*spellings(name), *misspelt(chance, name)]
        wrong |= {(text, name) for text in written if names_differ(text, player(name))}
    assert not wrong


@pytest.mark.parametrize("seed", range(3))
def test_no_spelling_of_a_relatives_name_matches_the_player(seed):
    """No usual spelling of a relative's name matches the player's name.

    The relatives are siblings, parents and uncles. Half have a given name that resembles a surname of the
    player.
    """
    chance = random.Random(seed)
    wrong = set()
    for _family in range(60):
        paternal, maternal, another = chance.sample(SURNAMES, 3)
        name = (
            chance.choice([first for first in FIRST + DOUBLE if first not in (paternal, maternal)]),
            paternal,
            maternal,
        )
        for relative in ((paternal, maternal), (paternal, another), (maternal, another), (another, maternal)):
            for like_a_surname in (False, True):
                first = given_name_of_another(chance, name, like_a_surname)
                written = [
                    text
                    for text in spellings((first, *relative))
                    if words(text) != words(f"{paternal} {maternal}")
                ]
                wrong |= {(text, name) for text in written if not names_differ(text, player(name))}
    assert not wrong


def given_name_of_another(chance: random.Random, name: Name, like_a_surname: bool) -> str:
    """Return a given name for a relative.

    It shares no initial with the player's given names, because a written initial could stand for either.

    like_a_surname: prefer a name that begins like one of the player's surnames
    """
    initials = {word[0] for word in words(name[0])}
    others = [first for first in FIRST + DOUBLE if initials.isdisjoint(word[0] for word in words(first))]
    beginnings = {word[:3] for word in words(" ".join(name[1:]))}
    alike = [first for first in others if fold(first)[:3] in beginnings]
    return chance.choice(alike if like_a_surname and alike else others)


@pytest.mark.parametrize("seed", range(3))
def test_the_same_given_name_with_one_other_surname_does_not_match_the_player(seed):
    """A name with the player's given name and only one of the player's surnames does not match the player.

    Relatives have such names: father and son, mother and daughter, or aunt and niece.
    """
    chance = random.Random(seed)
    wrong = set()
    for _family in range(60):
        first, (paternal, maternal, another) = chance.choice(FIRST + DOUBLE), chance.sample(SURNAMES, 3)
        if any(fold(surname)[:2] == fold(another)[:2] for surname in (paternal, maternal)):
            continue  # too similar to distinguish from a spelling mistake
        for surnames in ((paternal, another), (maternal, another), (another, paternal)):
            for text in (f"{first} {' '.join(surnames)}", f"{' '.join(surnames)}, {first}"):
                if not names_differ(text, player((first, paternal, maternal))):
                    wrong.add((text, first, paternal, maternal))
    assert not wrong
