"""The published JSON schemas accept what the engine accepts, and the published examples are valid."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from scoring.engine.errors import CODES
from scoring.management.commands.score import SCHEMAS as GENERATED
from scoring.management.commands.score import schema_text
from scoring.regulations import ALL, DECLARATIONS, FOLDERS, families, of_family
from scoring.regulations.answers import answer
from scoring.regulations.published import flat_input_schema
from tests.folders import REGULATIONS, SCHEMAS
from tests.scoring.engine.test_strict_json import POOL, WRONG, changed

EXAMPLES = [
    *sorted(REGULATIONS.glob("*/examples/*.input.json")),
    *sorted((SCHEMAS / "examples").glob("*.input.json")),
]
# The codes of the regulations that share an input definition, by the definition's name.
CODES_BY_INPUT = {}
for _code, _declaration in DECLARATIONS.items():
    CODES_BY_INPUT.setdefault(_declaration.schema.input.name, []).append(_code)
# Codes of errors that a JSON schema cannot detect, because it cannot calculate.
ONLY_THE_ENGINE = {"bad_date", "duplicate_id", "place_sequence", "contestant_count", "out_of_range"}


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def validator(name):
    schema = read(SCHEMAS / name)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


INPUT = validator("score-input.json")
OUTPUT = validator("score-output.json")


@pytest.mark.parametrize("name", GENERATED)
def test_the_published_schema_files_are_up_to_date(name):
    """The published schema files are up to date. If this fails, run `make schemas`."""
    published = (SCHEMAS / f"score-{name}.json").read_text(encoding="utf-8")
    assert published == schema_text(name) + "\n"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_published_examples_are_valid_and_give_their_output(path):
    request = read(path)
    expected = read(path.with_name(path.name.replace(".input.", ".output.")))
    assert INPUT.is_valid(request)
    assert OUTPUT.is_valid(expected)
    assert answer(request) == expected


def test_the_schema_without_conditions_accepts_the_same():
    flat = Draft202012Validator(flat_input_schema())
    Draft202012Validator.check_schema(flat.schema)
    events = [read(path) for path in EXAMPLES]
    events += [changed(path, value) for path, value, _code, _field in WRONG]
    events += [{**POOL, "family": "aeb"}, {**POOL, "date": "2026-03-14"}, {}, {"regulation": "aeb-2026"}]
    events += [
        {"family": family, "date": "2026-03-14"}
        | {name: value for name, value in event.items() if name not in ("regulation", "date")}
        for event in events
        for family in ("aeb", "sbf", "egf", "acbl")
    ]
    accepted = [INPUT.is_valid(event) for event in events]
    assert [flat.is_valid(event) for event in events] == accepted
    assert {True, False} <= set(accepted)


def test_every_kind_of_input_has_an_example():
    shown = {read(path).get("regulation") for path in REGULATIONS.glob("*/examples/*.output.json")}
    assert {DECLARATIONS[code].schema.input.name for code in shown} == set(CODES_BY_INPUT)


def test_the_schema_accepts_a_valid_pool():
    assert INPUT.is_valid(POOL)
    assert OUTPUT.is_valid(answer(POOL))


@pytest.mark.parametrize(
    ("path", "value"), [(path, value) for path, value, code, _ in WRONG if code not in ONLY_THE_ENGINE]
)
def test_the_schema_refuses_what_the_engine_refuses(path, value):
    request = changed(path, value)
    assert not INPUT.is_valid(request)
    assert OUTPUT.is_valid(answer(request))


def test_the_schema_lists_all_regulations_families_and_error_codes():
    request = INPUT.schema["properties"]
    assert request["regulation"]["enum"] == [regulation.code for regulation in ALL]
    assert request["family"]["enum"] == list(families())
    failure = OUTPUT.schema["$defs"]["failure"]["properties"]["error"]["properties"]
    assert set(failure["code"]["enum"]) == set(CODES) - {"unknown_contestant"}


@pytest.mark.parametrize("regulation", of_family("aeb"), ids=str)
def test_event_types_and_categories_are_valid_under_their_regulations_only(regulation):
    for other in of_family("aeb"):
        for row in regulation.event_types.rows:
            request = changed("event_type", row.code) | {"regulation": other.code}
            assert INPUT.is_valid(request) == bool(other.event_types.find(row.code))
        for code in [*(row.code for row in regulation.categories.rows), *regulation.categories.aliases]:
            request = changed("contestants.0.players.0.category", code) | {"regulation": other.code}
            assert INPUT.is_valid(request) == bool(other.categories.find(code))
    assert all(INPUT.is_valid(changed("venue", row.code)) for row in regulation.venues.rows)


def test_every_error_code_is_documented():
    text = (SCHEMAS.parent / "score-json.md").read_text(encoding="utf-8")
    table = text[text.index("| code | when |") :]
    assert all(f"`{code}`" in table for code in CODES)


def test_every_error_code_is_tested():
    """Every error code of the engine occurs in a test module besides this one."""
    others = [path for path in Path(__file__).parent.parent.glob("*/test_*.py") if path != Path(__file__)]
    text = "".join(path.read_text(encoding="utf-8") for path in others)
    assert {code for code in CODES if f'"{code}"' not in text} == set()


@pytest.mark.parametrize("codes", CODES_BY_INPUT.values(), ids=CODES_BY_INPUT)
def test_every_kind_of_input_is_documented(codes):
    text = (SCHEMAS.parent / "score-json.md").read_text(encoding="utf-8")
    assert any(f"`{code}`" in text for code in codes)


@pytest.mark.parametrize("code", DECLARATIONS)
def test_every_regulation_is_documented_in_its_folder(code):
    readme = REGULATIONS / FOLDERS[code] / "README.md"
    assert f"`{code}`" in readme.read_text(encoding="utf-8")


def test_every_event_type_is_documented():
    family = of_family("aeb")
    text = "".join(
        (REGULATIONS / FOLDERS[year.code] / "README.md").read_text(encoding="utf-8") for year in family
    )
    codes = {row.code for regulation in family for row in regulation.event_types.rows}
    assert {code for code in codes if f"`{code}`" not in text} == set()
