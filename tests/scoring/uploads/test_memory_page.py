"""The page of what is remembered about a club's files."""

import pytest
from django.urls import reverse

from tests import factories
from tests.languages import speak
from tests.pages import open_page
from tests.scoring.uploads.test_queries import counted
from tournaments.models import ColumnLayout, RememberedName
from tournaments.services import memory

pytestmark = pytest.mark.django_db


def address(club) -> str:
    return reverse("upload_memory", args=[club.slug])


def remember(club, name, player, by) -> RememberedName:
    return RememberedName.objects.create(
        club=club, key=memory.key_of(name), written=name, player=player, updated_by=by
    )


@pytest.fixture
def names(club, director):
    return [
        remember(club, name, factories.player(club=club), director)
        for name in ("Geni del Faro", "El de Cádiz", "Paquita P.")
    ]


def test_names_are_searched_changed_and_forgotten(signed_in, club, names):
    page = signed_in.get(address(club), {"q": "cadiz"})
    assert [row.record["pk"] for row in page.context["table"].paginated_rows] == [names[1].pk]
    page = signed_in.get(address(club), {"q": names[2].player.number})
    assert [row.record["pk"] for row in page.context["table"].paginated_rows] == [names[2].pk]

    other = factories.player()
    typed = {f"number_{names[0].pk}": f" {other.number}", f"number_{names[1].pk}": "nadie"}
    page = signed_in.post(address(club), typed)
    assert page.status_code == 200 and 'value="nadie"' in page.content.decode()
    assert RememberedName.objects.get(pk=names[0].pk).player == other
    assert RememberedName.objects.get(pk=names[1].pk).player == names[1].player

    assert signed_in.post(address(club), {"forget": names[0].pk}).status_code == 302
    assert set(RememberedName.objects.all()) == set(names[1:])
    signed_in.post(address(club), {"forget_all": "1"})  # without the tick
    assert RememberedName.objects.count() == 2
    signed_in.post(address(club), {"forget_all": "1", "sure": "on"})
    assert not RememberedName.objects.exists()


def test_a_remembered_guest_is_listed_and_may_become_a_player(signed_in, client, club, director):
    guest = remember(club, "Jean Dupont", None, director)
    RememberedName.objects.update(country="FR")
    assert "invitado, Francia" in open_page(signed_in, address(club)).text
    assert signed_in.post(address(club), {f"number_{guest.pk}": ""}).status_code == 302
    player = factories.player()
    signed_in.post(address(club), {f"number_{guest.pk}": player.number})
    guest.refresh_from_db()
    assert (guest.player, guest.country) == (player, "")


def test_columns_are_listed_in_words_and_forgotten(signed_in, client, club, director):
    layout = ColumnLayout.objects.create(
        club=club, digest="d", meanings=["place", "", "name_1", "percentage"], updated_by=director
    )
    speak(signed_in, "en")
    assert "Place · Not read · Player 1 · Percentage" in open_page(signed_in, address(club)).text
    signed_in.post(address(club), {"forget_layout": layout.pk})
    assert not ColumnLayout.objects.exists()


def test_nothing_of_another_club_is_shown_changed_or_forgotten(signed_in, club, names):
    far = factories.club()
    by = factories.director(far)
    theirs = remember(far, "Su nombre", factories.player(), by)
    layout = ColumnLayout.objects.create(club=far, digest="d", meanings=["place"], updated_by=by)
    assert signed_in.get(address(far)).status_code == 404
    assert "Su nombre" not in signed_in.get(address(club)).content.decode()
    number = names[0].player.number
    for data in ({"forget": theirs.pk}, {"forget_layout": layout.pk}, {f"number_{theirs.pk}": number}):
        signed_in.post(address(club), data)
    signed_in.post(address(club), {"forget_all": "1", "sure": "on"})
    assert RememberedName.objects.get().player == theirs.player and ColumnLayout.objects.get() == layout


def test_a_hidden_player_is_named_only_to_the_players_club(signed_in, club, director):
    own, foreign = factories.player(club=club, hidden=True), factories.player(hidden=True)
    remember(club, "Uno", own, director)
    remember(club, "Dos", foreign, director)
    text = signed_in.get(address(club)).content.decode()
    assert own.surname in text and foreign.surname not in text and foreign.number in text


def test_the_page_takes_as_many_queries_for_one_name_as_for_three(signed_in, club, director):
    asked = []
    for count in (1, 2):
        for number in range(count):
            remember(club, f"Nombre {count} {number}", factories.player(), director)
        signed_in.get(address(club))
        typed = {f"number_{pk}": "nadie" for pk in RememberedName.objects.values_list("pk", flat=True)}
        asked.append(
            [
                counted(lambda: signed_in.get(address(club))),
                counted(lambda: signed_in.post(address(club), typed)),  # noqa: B023
            ]
        )
    assert asked[0] == asked[1]


def test_erasing_a_player_forgets_the_names(club, names):
    names[0].player.licences.all().delete()
    names[0].player.delete()
    assert set(RememberedName.objects.all()) == set(names[1:])
