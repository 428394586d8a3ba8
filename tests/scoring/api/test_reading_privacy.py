"""Hidden, merged and erased players are only a number, in every document that anybody may read."""

import json

import pytest

from players.models import Player
from players.proposals import act_of
from players.services import proposals
from players.services.changes import send_players_changed
from scoring.api.reading.routers import NAMES
from scoring.office.services import merges
from scoring.privacy import erasing, erasure_act
from scoring.privacy.models import Erasure
from scoring.ratings.models import RatedPlayer
from tests import factories as make
from tests.pages import Page
from tests.scoring.api.reader import Reader
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.conftest import clock, module_people, people  # noqa: F401 (fixtures)
from tests.scoring.ratings import makers as go
from tournaments.models import Contestant

pytestmark = pytest.mark.django_db
SECRETS = ("secundina", "ocultada", "fundida", "borrada", "secreto")


def rename(player: Player, surname: str, *, hidden: bool) -> None:
    player.given_name, player.surname, player.hidden = "Secundina", surname, hidden
    player.email, player.birth_year = "secreto@example.org", 1911
    player.save()


@pytest.fixture
def persons(people, settings) -> dict[str, Player]:  # noqa: F811
    """A hidden player, one whose number was merged into that of a hidden one, and one whose data were erased.

    All are in a published list, in the standings, in a ranking, beside a guest with the name of the hidden
    one, and in the rating list of Go.
    """
    settings.FAMILIES = ["aeb", "go"]
    hidden, merged, erased, survivor = people.diamonds[:4]
    rename(hidden, "Ocultada", hidden=True)
    rename(merged, "Fundida", hidden=False)
    rename(survivor, "Ocultada Fundida", hidden=True)
    rename(erased, "Borrada", hidden=False)
    make.scored(
        (hidden, merged), (erased, "Secundina Ocultada"), ("Una", "Otra"), end_date=campaigns.FROZEN_ON
    )
    # Some files have names in the column of the numbers, and captains give teams their name.
    for position, text in enumerate(
        ("Secundina Ocultada", "Secundina Borrada", "Equipo Secundina Ocultada"), 1
    ):
        Contestant.objects.filter(position=position).update(label=text[:20], team_name=text)
    go.registered(go.event(), people.office)
    for rated, player in zip(RatedPlayer.objects.order_by("pk"), (hidden, merged, erased), strict=False):
        rated.player, rated.name, rated.given_name = player, f"{player.surname} Secundina", "Secundina"
        rated.save()
    campaigns.published(people)
    merges.merge(merged, survivor, "Registered twice", people.office)
    proposal, second = erasure_act.ask(erased, people.office, "They asked for it"), make.office()
    proposals.approve(proposal.pk, second, act_of(proposal).effect(proposal, second).digest)
    erasing.erase_rest(Erasure.objects.get().pk)
    return {"hidden": hidden, "merged": merged, "erased": erased, "survivor": survivor}


def documents(reader: Reader, persons: dict[str, Player]) -> dict[str, dict]:
    """Return {address: document} of every address that anybody may read, with all its parameters."""
    club = persons["hidden"].club
    paths = {
        "clubs": ["clubs"],
        "player": [f"players/{player.number}" for player in persons.values()],
        "player_standing": [f"players/{player.number}/standing" for player in persons.values()],
        "player_awards": [f"players/{player.number}/awards" for player in persons.values()],
        "promotion": ["promotions/2025/2D"],
        "ratings": ["ratings"],
        "regulation": ["regulations/aeb-2026"],
        "regulations": ["regulations"],
        "standing": [
            f"standings/2D{query}"
            for query in ("", "?as_of=2026-01-19", "?venue=in_person", f"?club={club.code}", "?venue=online")
        ],
        "tournament": [f"tournaments/{item['id']}" for item in reader.get("tournaments")["items"]],
        "tournaments": ["tournaments"],
    }
    assert paths.keys() == NAMES, "add a new address here"
    answers = {path: reader.client.get(f"/api/v1/{path}") for listed in paths.values() for path in listed}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {path: answer.json() for path, answer in answers.items()}


def names_in(value) -> list[str]:
    """Return the names of all people in a document, which stand beside a number."""
    if isinstance(value, list):
        return [name for item in value for name in names_in(item)]
    if not isinstance(value, dict):
        return []
    own = [value["name"]] if value.get("number") and "name" in value else []
    return own + [name for item in value.values() for name in names_in(item)]


@pytest.mark.parametrize("language", ["en", "es"])
def test_hidden_merged_and_erased_players_are_only_a_number(persons, language):
    shown = documents(Reader(language), persons)
    texts = {path: json.dumps(document, ensure_ascii=False).lower() for path, document in shown.items()}
    assert {path for path, text in texts.items() if any(secret in text for secret in SECRETS)} == set()
    word = {"en": "Player", "es": "Jugador"}[language]
    seen = {name for document in shown.values() for name in names_in(document)}
    for name in ("hidden", "survivor", "erased"):
        assert f"{word} {persons[name].number}" in seen, name
    assert f"{word} {persons['merged'].number}" not in seen


def clubs_beside(number: str, value) -> list:
    """Return what a document says of the club and region of the player with this number."""
    if isinstance(value, list):
        return [club for item in value for club in clubs_beside(number, item)]
    if not isinstance(value, dict):
        return []
    own = [value[name] for name in ("club", "region") if value.get("number") == number and name in value]
    return own + [club for item in value.values() for club in clubs_beside(number, item)]


def test_the_club_of_a_hidden_player_stands_nowhere(client, persons):
    shown = documents(Reader(), persons)
    for name in ("hidden", "erased", "survivor"):
        player = Player.objects.get(pk=persons[name].pk)
        assert player.club is not None
        assert set(clubs_beside(player.number, list(shown.values()))) == {None}, name
        main = Page(client.get(player.get_absolute_url())).main
        assert player.club.name not in main.text
        # The line of a result leaves the own club out: of a hidden player it names every one.
        notes = [note.text for note in main.all(class_="row-note")]
        assert all("Club" in note for note in notes if note.startswith("con ")), notes
    other = Player.objects.exclude(hidden=True).filter(standings__isnull=False).first()
    page = client.get(other.get_absolute_url())
    assert other.club.name in Page(page).main.text


def test_the_names_would_be_seen_otherwise(persons):
    """Without this, names that are in no document would pass unnoticed."""
    Player.objects.filter(pk__in=[player.pk for player in persons.values()]).update(
        hidden=False, given_name="Secundina", surname="Ocultada"
    )
    shown = documents(Reader(), persons)
    with_name = {
        path.partition("?")[0].split("/")[0]
        for path, document in shown.items()
        if "secundina" in json.dumps(document).lower()
    }
    assert with_name == {"players", "promotions", "ratings", "standings", "tournaments"}


def test_a_merged_number_gives_the_surviving_player(reader, persons):
    merged, survivor = persons["merged"].number, persons["survivor"].number
    for part in ("", "/standing", "/awards"):
        assert reader.get(f"players/{merged}{part}") == reader.get(f"players/{survivor}{part}")
        assert reader.get(f"players/{merged}{part}")["number"] == survivor


def test_a_guest_with_the_name_of_a_hidden_player_has_no_name(reader, persons):
    (event,) = reader.get("tournaments")["items"]
    ranking = reader.get(f"tournaments/{event['id']}")["ranking"]
    guest = ranking[1]["people"][1]
    assert guest == {"number": None, "name": "", "category": None}
    assert ranking[2]["people"][0]["name"] == "Una"


def test_hiding_somebody_changes_what_is_sent(reader, persons):
    visible = make.player(category="2D", given_name="Visible")
    campaigns.post_points(visible, 500, campaigns.FROZEN_ON)
    paths = ["standings/2D", f"players/{visible.number}"]
    etags = []
    for path in paths:
        reader.get(path)
        assert "Visible" in reader.answer.content.decode()
        etags.append(reader.answer.headers["ETag"])
    visible.hidden = True
    visible.save()
    send_players_changed({visible.pk})
    for path, etag in zip(paths, etags, strict=True):
        answer = reader.client.get(f"/api/v1/{path}", headers={"If-None-Match": etag})
        assert answer.status_code == 200 and b"Visible" not in answer.content


def test_a_team_keeps_its_name(reader, persons):
    Contestant.objects.update(label="Los Castores", team_name="Los Castores")
    (event,) = reader.get("tournaments")["items"]
    ranking = reader.get(f"tournaments/{event['id']}")["ranking"]
    assert [row["team"] for row in ranking] == [
        "Los Castores",
        "",
        "Los Castores",
    ]  # the second has the erased
    assert [row["label"] for row in ranking] == ["Los Castores", "", "Los Castores"]
