"""Which names of guests may be those of hidden players. They are compared as the proposals compare names."""

import pytest

from players.hidden_names import names_of_hidden_players
from tests import factories as make

pytestmark = pytest.mark.django_db
HIDDEN = (
    ("Consuelo", "Navarro Caballero"),
    ("Cristina", "Soto Hidalgo"),
    ("Consuelo", "Sanz Esteban"),
    ("María Teresa", "Hernández Vidal"),
    ("Ramiro", "Quintanar"),
    ("Francisco Javier", "Olmedo Gil"),
    ("", "Zorbelina Tasmit"),
)
SECRET = (
    "Consuelo Navarro Caballero",
    "Chelo Navarro Caballero",
    "Navarro Caballero, Chelo",
    "Chelo Navarro (Faro)",
    "Navarro Consuelo Caballero",
    "Consuelo Nabarro",
    "Soto, C.",
    "C. Soto",
    "Soto C",
    "Cris Soto Hidalgo",
    "Consuelo Sáenz Esteban",
    "Maite Hernandez",
    "Mª Teresa Ernández Vidal",
    "Dña. Cristina Soto",
    "MT Hernández",
    "Fco. Olmedo Gil",
    "Olmedo, Patxi",
    "Quintanar",
    "Zorbelina Tasmit Faro",
)
OTHERS = (
    "Chelo Soto",
    "Concha Navarro Caballero",
    "Soto, B.",
    "Carlota Soto Hidalgo",
    "Consuelo",
    "Soto",
    "Cristina Sanz",
    "Pepe Hernández Vidal",
    "(Faro)",
    "",
)


def test_names_are_compared_as_the_proposals_compare_them(django_assert_num_queries):
    for given_name, surname in HIDDEN:
        make.player(given_name=given_name, surname=surname, hidden=True)
    make.player(given_name="Concha", surname="Navarro Caballero")
    with django_assert_num_queries(1):
        assert names_of_hidden_players([*SECRET, *OTHERS]) == set(SECRET)


def test_names_of_which_no_word_is_known_cost_one_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert names_of_hidden_players([]) == set()
