"""docs/api.md: its examples are as the interface answers, and it names every problem."""

import json
import re

import pytest
from django.utils.translation import override

from federation import costly
from players.models import Club
from scoring.api import limits
from scoring.api.interface import interface
from scoring.api.problems import ISSUES, STATUS
from scoring.api.schemas import ProblemOut, UploadOut
from scoring.ledger import systems
from scoring.uploads.forms.details import UploadForm
from tests.folders import ROOT
from tests.scoring.uploads.makers import csv_of, details
from tournaments.formats.catalogue import CATALOGUE
from tournaments.services.issues import describe, issue

TEXT = (ROOT / "docs/api.md").read_text(encoding="utf-8")
EVERY_FAMILY = ["aeb", "sbf-bronze", "sbf-silver", "acbl", "go"]
EXAMPLES = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]


def shape(document):
    """Return a document with the names of its members alone; of a list, those of the first item."""
    if isinstance(document, dict):
        return {name: shape(value) for name, value in document.items()}
    return [shape(item) for item in document[:1]] if isinstance(document, list) else None


@pytest.mark.django_db
def test_the_examples_are_as_the_answers(program, pairs):
    _standings, sent, problem = EXAMPLES
    UploadOut.model_validate(sent)
    ProblemOut.model_validate(problem)
    data = csv_of(pairs).replace(pairs[0][1].number.encode(), b"99999999", 1)
    assert shape(program.send(data, **details())) == shape(sent)
    program.headers["Authorization"] = "Bearer nonsense"
    assert program.send(data) == problem


def test_the_example_of_a_list_is_as_the_answer(reader, federation):
    assert shape(reader.get("standings/2P")) | {"next": None} == shape(EXAMPLES[0])


def test_every_address_for_everybody_is_documented():
    paths = interface.get_openapi_schema()["paths"]
    public = [path for path, item in paths.items() if "get" in item and "security" not in item["get"]]
    assert len(public) >= 10
    assert [path for path in public if f"| `{path.removeprefix('/api/v1')}` |" not in TEXT] == []


def test_the_limits_are_those_of_the_code():
    for text in (
        f"{limits.PAGE_ROWS} rows",
        f"{limits.SCORE_EVENTS:,} events",
        f"{limits.SCORE_BYTES // 1024} KB",
        f"{limits.SCORE_ITERATIONS} iterations",
        f"{costly.POSTS['api:score']} tokens",
    ):
        assert text in TEXT, text


def test_the_issue_of_the_example_says_what_the_catalogue_says():
    (item,) = EXAMPLES[1]["issues"]
    with override("en"):
        text = describe(issue(item["code"], value=item["value"], name="Luis Soto"))
    assert (item["message"], item["remedy"]) == (text.message, text.remedy)


def test_every_problem_has_its_row():
    for code in {**STATUS, **ISSUES}:
        definition = CATALOGUE[code]
        says = re.sub(r"%\((\w+)\)s", r"*\1*", definition.message)
        assert f"| {STATUS.get(code, 400)} | `{code}` | {says} | {definition.remedy} |" in TEXT


@pytest.mark.django_db
@pytest.mark.parametrize("families", [["aeb"], EVERY_FAMILY], ids=["one system", "every system"])
def test_form_description_and_documentation_name_the_same_fields(settings, families):
    settings.FAMILIES = families
    post = interface.get_openapi_schema()["paths"]["/api/v1/clubs/{code}/uploads"]["post"]
    form = post["requestBody"]["content"]["multipart/form-data"]["schema"]
    accepted = set()
    for family in set(families) & set(systems.ALL):
        accepted |= UploadForm(clubs=Club.objects.none(), initial={"family": family}).fields.keys() - {"club"}
    assert form["properties"].keys() == accepted
    assert form["required"] == ["file"]
    documented = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", TEXT, re.MULTILINE))
    described = {name: schema["description"] for name, schema in form["properties"].items()}
    del described["file"]
    assert {name: documented.get(name) for name in described} == described
    if families == EVERY_FAMILY:
        assert documented.keys() == described.keys()
        assert form["properties"]["family"]["enum"] == ["aeb", "sbf-bronze", "sbf-silver", "acbl"]
        assert {"pool", "overall"} <= set(form["properties"]["event_type"]["enum"])


@pytest.mark.django_db
def test_the_description_is_served(client):
    answer = client.get("/api/v1/openapi.json")
    assert answer.json()["openapi"] == "3.1.0"
    assert answer.json() == json.loads(json.dumps(interface.get_openapi_schema()))


def test_the_interface_has_no_page_with_scripts_of_others(client, db):
    assert client.get("/api/v1/docs").status_code == 404
