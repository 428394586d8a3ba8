"""Readers of files raise no exception, whatever the bytes; their results can be described and serialised.

The files of all formats are used, even of those that are only recognised.
"""

import json

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournaments.formats import makers
from tests.tournaments.formats.examples import example_of
from tournaments.formats import read_go, read_results, read_table
from tournaments.formats.go_types import GoResult
from tournaments.formats.registry import FORMATS
from tournaments.formats.types import Column, ParsedResult
from tournaments.formats.wording import describe
from tournaments.ranking import rank

SEEDS = {declared.code: example_of(declared) for declared in FORMATS} | {
    "teams": ("teams.xml", makers.teams(2, 1).data("utf-16")),
    "individual": ("individual.xml", makers.individual([("1", "60"), ("2", "40")]).data()),
}
COLUMNS = (Column("licence", ("licencia",), "licence"), Column("date", ("fecha",), "date", required=False))
NAMES = st.sampled_from(["a.xml", "a.csv", "a.xlsx", "a.pbn", "", "../../etc/passwd", "a\x00.xml"])
SETTINGS = examples(50, suppress_health_check=[HealthCheck.too_slow])


def exercise(name, data):
    result = read_results(name, data)
    for issue in result.issues:
        describe(issue)
    assert result.entries or result.has_errors
    assert ParsedResult.from_json(json.loads(json.dumps(result.to_json()))) == result
    for fields in ("one", "two"):
        ranking = rank(result.entries, fields, result.event.winner_type)
        assert ranking.has_errors or len(ranking.rows) == len(result.entries)
        for issue in ranking.issues:
            describe(issue)
    for issue in read_table(name, data, COLUMNS).issues:
        describe(issue)
    games = read_go(name, data)
    for issue in games.issues:
        describe(issue)
    assert games.players or games.has_errors
    assert GoResult.from_json(json.loads(json.dumps(games.to_json()))) == games


@SETTINGS
@given(NAMES, st.binary(max_size=3000))
def test_random_bytes_raise_no_exception(name, data):
    exercise(name, data)


@SETTINGS
@given(NAMES, st.text(alphabet=';,\t\n\r"=@-0123456789puestolicencia<>&?!x\x00\ufeffñ', max_size=400))
def test_random_tables_raise_no_exception(name, text):
    exercise(name, text.encode())
    exercise(name, b"puesto;licencia;nombre;pareja\n" + text.encode())


EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 12), st.binary(max_size=12)), min_size=1, max_size=6
)


@pytest.mark.parametrize("seed", SEEDS)
@SETTINGS
@given(edits=EDITS)
def test_changed_valid_files_raise_no_exception(seed, edits):
    name, data = SEEDS[seed]
    for position, removed, added in edits:
        start = int(position * len(data))
        data = data[:start] + added + data[start + removed :]
    exercise(name, data)


@pytest.mark.parametrize("seed", SEEDS)
def test_truncated_valid_files_raise_no_exception(seed):
    name, data = SEEDS[seed]
    for sixteenth in range(17):
        exercise(name, data[: len(data) * sixteenth // 16])


WORDS = st.sampled_from(
    [b"", b"-1", b"0", b"1e999", b"999999999999", "½".encode(), b"NS", b"<X>", b"</PAIR>", b"&amp;", b"A5050"]
)


@SETTINGS
@given(st.lists(st.tuples(st.integers(0, 200), WORDS), min_size=1, max_size=5))
def test_other_values_in_usebio_elements_raise_no_exception(edits):
    pieces = SEEDS["usebio"][1].split(b">")
    for index, word in edits:
        position = index % len(pieces)
        pieces[position] = word + pieces[position]
    exercise("a.xml", b">".join(pieces))
