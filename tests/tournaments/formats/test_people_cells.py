"""Both people of a pair in one cell, with every separator that clubs use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.formats import makers
from tests.tournaments.formats.test_layouts import as_chosen, codes, names
from tournaments.formats.people_cells import splitter
from tournaments.formats.start_list import parse_start_list

PAIRS = [
    ("Ana Pérez", "Luis Gómez"),
    ("Eva García-Lomas", "Inés Ruiz"),
    ("Mar Ortega y Gasset", "Pau Roble"),
    ("Leo Haya", "Iris Pino"),
    ("Sol Roca", "Teo Mata"),
    ("Luz Vega", "Max Soto"),
    ("Fe Gil", "Noa Cano"),
    ("Bea Rey", "Jon Sáez"),
]
BETWEEN = [" y ", " Y ", " e ", " and ", "+", " + ", "&", " & ", "/", ", ", " - ", " – ", "\n"]


def ranking(people, number="Pareja", names="Nombres"):
    rows = [["Puesto", number, names, "%"]]
    return rows + [[str(n), str(n), cell, f"{60 - n},5"] for n, cell in enumerate(people, start=1)]


def as_csv(rows):
    return "".join(";".join(f'"{cell}"' for cell in row) + "\n" for row in rows).encode()


@pytest.mark.parametrize("write", [as_csv, makers.xlsx_table], ids=["csv", "xlsx"])
@pytest.mark.parametrize("between", BETWEEN)
def test_the_people_of_numbered_pairs_come_apart(between, write):
    rows = ranking(between.join(pair) for pair in PAIRS)
    parsed = as_chosen("a.csv" if write is as_csv else "a.xlsx", write(rows))
    assert (parsed.event.kind, names(parsed)) == ("pairs", PAIRS)
    assert "pairs_of_one" not in codes(parsed)


def test_a_hyphen_without_blanks_separates_the_people_of_numbered_pairs():
    simple = [pair for pair in PAIRS if "-" not in "".join(pair)]
    assert names(as_chosen("a.csv", as_csv(ranking("-".join(pair) for pair in simple)))) == simple


@pytest.mark.parametrize("between", BETWEEN)
def test_the_people_of_a_start_list_come_apart(between):
    data = "".join(f'{n};"{between.join(pair)}"\n' for n, pair in enumerate(PAIRS, start=1))
    listed = parse_start_list("a.csv", data.encode())
    assert [tuple(person.name for person in row.people) for row in listed.rows] == PAIRS


def test_names_of_pairs_in_the_column_of_the_pair_come_apart():
    rows = [["Pos", "Pareja", "%"], *[[str(n), " y ".join(pair), "50"] for n, pair in enumerate(PAIRS, 1)]]
    assert names(as_chosen("a.csv", as_csv(rows))) == PAIRS


@pytest.mark.parametrize("form", ["{0} {1}", "{1}, {0}", "{0} {1}-{1}"])
def test_one_name_for_each_number_of_a_pair_is_asked_about(form):
    people = [form.format(*first.split(maxsplit=1)) for first, _second in PAIRS]
    parsed = as_chosen("a.csv", as_csv(ranking(people)))
    assert parsed.event.kind == "individual"
    (item,) = [item for item in parsed.issues if item.code == "pairs_of_one"]
    assert (item.severity, item.field) == ("warning", "Pareja")


def teams(form):
    people = [
        [f"{name} {surname}" for name in ("Ana", "Luis", "Eva", "Mar")] for surname in ("Gil", "Paz", "Rey")
    ]
    rows = [["Puesto", "Equipo", "Jugadores", "PV"]]
    rows += [[str(n), f"Los {n}", form.format(*cell), f"{80 - n}"] for n, cell in enumerate(people, start=1)]
    return people, as_chosen("a.csv", as_csv(rows))


@pytest.mark.parametrize(
    "form",
    [
        "{}, {}, {}, {}",
        "{}, {}, {} y {}",
        "{} / {} / {} / {}",
        "{} y {}, {} y {}",
        "{} y {} y {} y {}",
        "{}-{} / {}-{}",
        "{} y {} / {} y {}",
        "{}, {} - {}, {}",
    ],
)
def test_the_people_of_a_team_in_one_cell_come_apart(form):
    people, parsed = teams(form)
    assert (parsed.event.kind, codes(parsed)) == ("teams", {"no_number", "no_licence_column"})
    assert [[person.name for person in entry.people] for entry in parsed.entries] == people


def test_a_team_of_one_person_is_asked_about():
    _people, parsed = teams("Uno, {}")
    assert parsed.event.kind == "individual"
    assert "teams_of_one" in codes(parsed)


@pytest.mark.parametrize(
    ("between", "in_pair"), [(" - ", "{1}, {0}"), (" / ", "{0} {1}-{1}"), (" / ", "{0} {1} y {1}")]
)
def test_compound_names_of_pairs_are_no_teams(between, in_pair):
    pairs = [tuple(in_pair.format(*name.split(maxsplit=1)) for name in pair) for pair in PAIRS]
    rows = [["Puesto", "Jugadores", "%"]]
    rows += [[str(n), between.join(pair), f"{60 - n},5"] for n, pair in enumerate(pairs, start=1)]
    parsed = as_chosen("a.csv", as_csv(rows))
    assert (parsed.event.kind, names(parsed)) == ("pairs", pairs)
    assert "names_of_several" not in codes(parsed)


@pytest.mark.parametrize("form", ["{1}, {0}, {3}, {2}", "{0} {1}, {2} {3}", "{0} {1}-{2} {3}"])
def test_rows_of_one_name_that_looks_like_several_are_asked_about(form):
    cells = [
        form.format(*"{} {}".format(*pair).split()) for pair in PAIRS if len(" ".join(pair).split()) == 4
    ]
    rows = [["Puesto", "Jugadores", "%"]]
    rows += [[str(n), cell, f"{60 - n},5"] for n, cell in enumerate(cells, start=1)]
    parsed = as_chosen("a.csv", as_csv(rows))
    (item,) = [item for item in parsed.issues if item.code == "names_of_several"]
    assert (parsed.event.kind, item.severity, item.value) == ("individual", "warning", cells[0])


@pytest.mark.parametrize("form", ["{1}, {0}", "{1} Ruiz, {0}", "{0} {1}-{1}", "{0} {1} y {1}"])
def test_rows_of_one_person_are_not_asked_about(form):
    people = [form.format(*name.split(maxsplit=1)) for name, _second in PAIRS]
    rows = [["Puesto", "Jugador", "%"], *[[str(n), name, "50"] for n, name in enumerate(people, start=1)]]
    parsed = as_chosen("a.csv", as_csv(rows))
    assert (parsed.event.kind, "names_of_several" in codes(parsed)) == ("individual", False)


def test_a_player_for_each_row_is_no_pair_of_one():
    rows = [["Puesto", "Pareja", "Nombre", "%"]]
    rows += [[str(n), str(n), name, "50"] for n, pair in enumerate(PAIRS, start=1) for name in pair]
    parsed = as_chosen("a.csv", as_csv(rows))
    assert (parsed.event.kind, names(parsed)) == ("pairs", PAIRS)
    assert "pairs_of_one" not in codes(parsed)


WORDS = st.text("abdfghlmnoprstuv", min_size=2, max_size=8).map(str.capitalize)
SINGLE = st.tuples(WORDS, WORDS).map(" ".join)
COMPOUND = st.one_of(
    st.tuples(WORDS, WORDS, WORDS).map(lambda words: "{} {}-{}".format(*words)),
    st.tuples(WORDS, WORDS, WORDS).map(lambda words: "{} {} y {}".format(*words)),
)


@given(
    st.lists(st.tuples(SINGLE, SINGLE), min_size=4, max_size=20),
    st.lists(st.tuples(SINGLE, COMPOUND) | st.tuples(COMPOUND, SINGLE), max_size=1),
    st.sampled_from(BETWEEN[:-1]),
)
def test_any_two_names_with_a_separator_between_them_come_apart(plain, compound, between):
    pairs = plain + compound
    cells = [between.join(pair) for pair in pairs]
    split = splitter(cells, is_of_pairs=True)
    assert [tuple(split(cell)) for cell in cells] == pairs


@given(st.lists(SINGLE | COMPOUND, min_size=1, max_size=20))
def test_names_with_a_hyphen_or_y_of_single_persons_stay_whole(people):
    split = splitter(people)
    assert [split(name) for name in people] == [[name] for name in people]
