"""The people of the demo have the same categories and licences in memory as in the database."""

from datetime import date
from random import Random

import pytest

from players.categories import categories_on
from players.models import Licence, Player
from scoring.demo import people
from scoring.demo.people import SIZES

UNTIL = date(2026, 6, 1)
DAYS = [date(2022, 3, 1), date(2024, 1, 20), date(2025, 12, 31), date(2026, 1, 1), UNTIL]


@pytest.fixture
def federation(db):
    size = SIZES["demo"].with_changes(players=600, clubs=8)
    return people.build(size, Random(7), UNTIL, None, lambda line: None)


def everybody(federation):
    return [person for host in federation.hosts for couple in host.couples for person in couple]


@pytest.mark.parametrize("day", DAYS)
def test_categories_in_memory_equal_those_in_the_database(federation, day):
    stored = {pk: category.code for pk, category in categories_on(day).items()}
    in_memory = {person.pk: federation.category_on(person, day) for person in everybody(federation)}
    assert in_memory == {pk: stored.get(pk) for pk in in_memory}
    assert len(set(in_memory.values())) > 5


@pytest.mark.parametrize("year", [2025, 2026])
def test_licences_in_memory_equal_those_in_the_database(federation, year):
    day = date(year, 5, 5)
    stored = set(Licence.objects.valid_on(day).values_list("player_id", flat=True))
    in_memory = {person.pk for person in everybody(federation) if year in person.licensed}
    members = {person.pk for person in everybody(federation)}
    assert in_memory == stored & members
    assert in_memory != members


def test_the_demo_has_every_kind_of_player(federation):
    titles = {code for person in everybody(federation) for _day, code in person.titles}
    assert "MN" in titles
    assert any(code.endswith("-D") for code in titles)
    assert any(federation.category_on(person, UNTIL) is None for person in everybody(federation))
    assert any(len(person.steps) > 1 for person in everybody(federation))
    assert Player.objects.filter(hidden=True).exists()
    assert Licence.objects.exclude(issuer="").filter(equivalent=True).exists()


def test_searches_find_the_invented_names(federation):
    person = next(p for p in everybody(federation) if not Player.objects.get(pk=p.pk).hidden)
    ids = Player.objects.search(person.name).values_list("pk", flat=True)
    assert person.pk in ids
