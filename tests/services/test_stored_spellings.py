"""What an earlier version stored is read to the same points, the same lists and the same digests.

`tests/golden/stored/` holds runs and a frozen campaign as the database has them. A test that fails here says
that after the upgrade `verify` would accuse stored rows, or that frozen lists would not load: change the code
so that it reads both spellings, never these files. A new spelling gets a new file next to the old ones.
"""

import json

import pytest

from scoring import regulations
from scoring.campaigns import documents
from scoring.campaigns.selection import State, select
from scoring.services.campaign_freeze import digest_of
from scoring.snapshots import evaluation_from, inputs_of, outcome_of, stored_digest
from scoring.systems import ALL
from tests.engine.support import GOLDEN

RUNS = sorted((GOLDEN / "stored" / "runs").glob("*.json"))
CAMPAIGN = GOLDEN / "stored" / "campaign.json"


def stored(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_a_run_of_every_regulation_that_gives_points_is_kept():
    families = {system.engine_family for system in ALL.values()}
    wanted = {each.code for each in regulations.ALL if each.family in families}
    assert {stored(path)["regulation"] for path in RUNS} == wanted


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_a_stored_run_gives_the_same_points(path):
    run = stored(path)
    found = evaluation_from(run["regulation"], run["inputs"])
    assert {str(row): points for row, points in found.points_by_position.items()} == run["points"]
    assert found.eligible == run["eligible"]
    outcome = outcome_of(found)
    assert {"persons", "reasons", "lines"} <= outcome.keys()
    # Earlier versions stored more: nobody reads it.
    assert outcome == {name: run["outcome"][name] for name in outcome}


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_a_stored_run_is_spelt_the_same(path):
    run = stored(path)
    assert stored_digest(run["inputs"]) == run["digest"]
    assert inputs_of(evaluation_from(run["regulation"], run["inputs"])) == run["inputs"]


def test_a_frozen_campaign_has_the_same_digest():
    frozen = stored(CAMPAIGN)
    lists = frozen["lists"]
    texts = [each["body"] for each in lists], [each["sessions"] for each in lists]
    assert digest_of(frozen["rules"], *texts) == frozen["digest"]


def test_frozen_lists_are_read_chosen_and_written_the_same():
    states = set()
    for each in stored(CAMPAIGN)["lists"]:
        document = documents.from_text(each["body"])
        states |= {place.state for place in document.selection.places}
        entrants = [place.entrant for place in document.selection.places]
        assert select(entrants, document.rule) == document.selection
        assert documents.to_text(document) == each["body"]
    assert states == set(State)


def test_frozen_session_lines_are_read_the_same():
    first, *others = (each["sessions"] for each in stored(CAMPAIGN)["lists"])
    by_player = {player: documents.sessions_of(first, player) for player in (9001, 9002, 9003)}
    assert [(line.day.isoformat(), line.method, str(line.value)) for line in by_player[9001]] == [
        ("2025-02-01", "boards", "53.1250"),
        ("2025-06-01", "field", "49.2650"),
        ("2025-06-02", "plain", "60.100"),
    ]
    (only,) = by_player[9002]
    assert (only.boards, str(only.raw)) == (24, "44.321")
    assert (str(only.field_c4), str(only.shift)) == ("1.5000", "-3.0000")
    assert by_player[9003] == ()
    assert others == [documents.sessions_text({})] * len(others)
