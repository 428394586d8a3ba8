"""The pages below /mi/: what only the player reads, and accounts whose player is special."""

from datetime import timedelta

import pytest
from django.urls import reverse

from scoring.ledger.services import posting
from tests import factories as make
from tests.pages import open_page
from tests.scoring.pages.test_queries import query_count

pytestmark = pytest.mark.django_db
PAGES = ["my_page", "my_results", "what_if", "my_partners"]


@pytest.fixture
def player(client, today):
    player = make.player(category="2P", user=make.user())
    client.force_login(player.user)
    return player


def play(player, partner, day, **fields) -> None:
    """Score a tournament in which the player and the partner were the first of two pairs."""
    make.scored((player, partner), ("Una", "Otra"), end_date=day, **{"event_type": "regional", **fields})


def test_the_number_of_queries_does_not_grow_with_results_partners_and_clubs(client, player, today):
    def more() -> None:
        partner = make.player(category="2C")
        play(player, partner, today - timedelta(days=10))
        play(player, partner, today - timedelta(days=9), boards=18)
        old = posting.OpeningRow(player.pk, today - timedelta(days=500), f"Viejo {partner.pk}", False, 5)
        posting.post_opening([old], None)

    more()
    addresses = [*(reverse(name) for name in PAGES), reverse("my_review", args=[today.year])]
    before = [query_count(client, address) for address in addresses]
    more()
    more()
    assert [query_count(client, address) for address in addresses] == before


def test_my_page_makes_at_most_18_queries_with_cold_caches(client, player, today):
    play(player, make.player(category="2C"), today - timedelta(days=10))
    play(player, make.player(category="2C"), today - timedelta(days=9), boards=18)
    assert query_count(client, reverse("my_page")) <= 22


def test_an_account_without_a_player_learns_how_to_get_one(client, today):
    client.force_login(make.user())
    for name in PAGES:
        page = open_page(client, reverse(name))
        assert page.headings(1) == ["Tu cuenta aún no tiene jugador"]
        assert {reverse("sign_up"), reverse("players")} <= set(page.addresses)


def test_the_account_of_a_merged_number_sees_the_surviving_player(client, player, today):
    kept = make.player(category="2C")
    play(kept, make.player(), today - timedelta(days=3))
    player.merged_into = kept
    player.save()
    context = client.get(reverse("my_page")).context
    assert context["player"] == kept and context["position"].points > 0


def test_a_player_noted_as_deceased_learns_it(client, player, today):
    assert "fallecimiento" not in client.get(reverse("my_page")).content.decode()
    player.deceased_on = today
    player.save()
    assert "fallecimiento" in client.get(reverse("my_page")).content.decode()


def test_a_player_of_go_sees_the_rating(client, player, settings):
    from scoring.ratings.models import RatedPlayer

    RatedPlayer.objects.create(name="Ana Go", player=player, rating=1834.4, grade="2k")
    assert "2k" in open_page(client, reverse("my_page")).text
    settings.FAMILIES = ["aeb"]
    assert "2k" not in open_page(client, reverse("my_page")).text


def test_a_hidden_partner_is_shown_by_number(client, player, today):
    secret = make.player(category="2C", given_name="Secundina", surname="Ocultada", hidden=True)
    play(player, secret, today - timedelta(days=10))
    own = [reverse("my_page"), reverse("my_partners"), reverse("my_review", args=[today.year])]
    addresses = [*own, reverse("my_partner", args=[secret.number]), reverse("my_results")]
    for address in [*addresses, player.get_absolute_url(), f"{player.get_absolute_url()}resultados/"]:
        text = client.get(address).content.decode()
        assert f"Jugador {secret.number}" in text and "Secundina" not in text, address


def test_a_partner_is_compared_with_all_others(client, player, today):
    partner, other = make.player(category="2C"), make.player(category="2C")
    for person, days in ((partner, 3), (partner, 500), (other, 4)):
        play(player, person, today - timedelta(days=days))
    context = client.get(reverse("my_partner", args=[partner.number])).context
    assert (context["together"].tournaments, context["others"].tournaments) == (2, 1)
    assert context["together"].points == sum(
        player.entries.filter(contestant__seats__player=partner).values_list("points", flat=True)
    )
    stranger = make.player()
    assert client.get(reverse("my_partner", args=[stranger.number])).context["together"].tournaments == 0
    partner.merged_into = other
    partner.save()
    address = reverse("my_partner", args=[partner.number])
    assert client.get(address).url == reverse("my_partner", args=[other.number])
    assert client.get(reverse("my_partner", args=[other.number])).context["together"].tournaments == 3
    for number in (player.number, "999999999"):
        assert client.get(reverse("my_partner", args=[number])).status_code == 404


def test_the_year_in_review_has_the_sums_of_that_year(client, player, today):
    partner = make.player(category="2C")
    for days in (3, 4, 400):
        play(player, partner, today - timedelta(days=days))
    context = client.get(reverse("my_review", args=[today.year])).context
    own = player.entries.filter(played_on__year=today.year)
    assert context["points"] == sum(own.values_list("points", flat=True))
    assert context["summary"].tournaments == own.count() == 2
    assert client.get(reverse("my_review", args=[1999])).status_code == 404


def test_the_year_in_review_of_a_player_without_results_is_a_page(client, player, today):
    address = reverse("my_review", args=[today.year])
    assert address in open_page(client, reverse("my_page")).addresses
    assert client.get(address).context["summary"].tournaments == 0
