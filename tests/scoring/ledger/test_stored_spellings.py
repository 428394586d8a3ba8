"""Data stored by earlier versions still give the same points, lists and digests.

`tests/golden/stored/` contains runs, a frozen campaign and a Go tournament as stored in the database. A
failure means that after an upgrade `verify` would report stored rows, frozen lists would not load, or a Go
tournament would be registered twice. Change the code to read both formats, never these files. Add a new file
for a new format.
"""

import json
from dataclasses import replace
from datetime import date

import pytest

from scoring import regulations
from scoring.ledger.snapshots import evaluation_from, inputs_of, outcome_of, stored_digest
from scoring.ledger.systems import ALL
from scoring.promotions.pure import documents
from scoring.promotions.pure.documents import version_digest
from scoring.promotions.pure.selection import select
from scoring.ratings.services.register import Event
from tests.folders import GOLDEN
from tournaments.formats.go_types import GoResult

RUNS = sorted((GOLDEN / "stored" / "runs").glob("*.json"))
CAMPAIGN = GOLDEN / "stored" / "campaign.json"
GO = GOLDEN / "stored" / "go.json"


def stored(path):
    return json.loads(path.read_text(encoding="utf-8"))


def spelling_of(regulation):
    """Return the name of the format of a regulation's inputs. Several regulations can share a format."""
    return regulations.DECLARATIONS[regulation.code].schema.input.name


def test_there_is_a_stored_run_in_every_format():
    families = {system.engine_family for system in ALL.values()}
    wanted = {spelling_of(regulation) for regulation in regulations.ALL if regulation.family in families}
    assert {spelling_of(regulations.get(stored(path)["regulation"])) for path in RUNS} == wanted


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_a_stored_run_gives_the_same_points(path):
    run = stored(path)
    result = evaluation_from(run["regulation"], run["inputs"])
    assert {str(row): points for row, points in result.points_by_position.items()} == run["points"]
    assert result.eligible == run["eligible"]
    outcome = outcome_of(result)
    assert {"persons", "reasons", "lines"} <= outcome.keys()
    # Earlier versions of the application stored more keys, which are no longer used.
    assert outcome == {name: run["outcome"][name] for name in outcome}


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_a_stored_run_has_the_same_digest_and_inputs(path):
    run = stored(path)
    assert stored_digest(run["inputs"]) == run["digest"]
    assert inputs_of(evaluation_from(run["regulation"], run["inputs"])) == run["inputs"]


def test_a_frozen_campaign_has_the_same_digest():
    frozen = stored(CAMPAIGN)
    lists = frozen["lists"]
    texts = [item["body"] for item in lists], [item["sessions"] for item in lists]
    assert version_digest(frozen["rules"], *texts) == frozen["digest"]


# The states of players in frozen lists. A new criterion of the year-end change adds its own state.
STATES = {"moves", "tied", "warned", "below", "low", "few", "blocked", "unlicensed", "deceased", "down"}


def test_frozen_lists_give_the_same_selection_and_the_same_text():
    states = set()
    for item in stored(CAMPAIGN)["lists"]:
        document = documents.from_text(item["body"])
        states |= {place.state for place in document.selection.places}
        entrants = [place.entrant for place in document.selection.places]
        assert select(entrants, document.rule) == document.selection
        assert documents.to_text(document) == item["body"]
    assert states == STATES


def test_frozen_session_lines_give_the_same_values():
    first, *others = (item["sessions"] for item in stored(CAMPAIGN)["lists"])
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


def go_event():
    kept = stored(GO)
    days = date.fromisoformat(kept["start"]), date.fromisoformat(kept["end"])
    return Event(kept["name"], *days, kept["tournament_class"], GoResult.from_json(kept["parsed"]))


def test_a_stored_go_tournament_keeps_its_identity_and_digest():
    """A stored Go tournament keeps its identity and its digest.

    With another identity the tournament could be registered twice; with another digest, it would be rated
    again.
    """
    kept, event = stored(GO), go_event()
    assert (event.identity, event.digest) == (kept["identity"], kept["digest"])
    for player in kept["parsed"]["players"]:
        player["given_name"] = ""  # the rows were stored before files told given names apart
    assert json.loads(json.dumps(event.result.to_json())) == kept["parsed"]


def test_a_go_tournament_is_recognised_despite_capitals_accents_and_spaces():
    kept, event = stored(GO), go_event()
    players = event.result.players
    spelt = [replace(player, name=player.name.upper()) for player in players[::-1]]
    shouted = replace(event, name="  TORNEO DE  OTONO de Avila", result=replace(event.result, players=spelt))
    assert shouted.identity == kept["identity"]
    for other in ({"name": "Torneo de Otoño"}, {"start": date(2025, 11, 9)}):
        assert replace(event, **other).identity != kept["identity"]
    stranger = [replace(players[0], pin="99000009"), *players[1:]]
    assert replace(event, result=replace(event.result, players=stranger)).identity != kept["identity"]


def test_whatever_can_change_ratings_changes_a_go_tournaments_digest():
    event = go_event()
    players, games = event.result.players, event.result.games
    of_players = {"grade": "3d", "rating": "2214"}
    of_games = {"round": 2, "first": 3, "second": 3, "score": "0", "handicap": 1, "reason": "forfeit"}
    results = [
        *(
            replace(event.result, players=(replace(players[0], **{name: value}), *players[1:]))
            for name, value in of_players.items()
        ),
        *(
            replace(event.result, games=(replace(games[0], **{name: value}), *games[1:]))
            for name, value in of_games.items()
        ),
    ]
    others = [replace(event, end=date(2025, 11, 10)), replace(event, tournament_class="C")]
    others += [replace(event, result=result) for result in results]
    assert len({item.digest for item in [event, *others]}) == 1 + len(others)
