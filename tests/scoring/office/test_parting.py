"""What undoing a merge of two numbers leaves unchanged, and whether the players are hidden afterwards."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Licence
from scoring.office.services import merges
from scoring.ratings.models import RatedPlayer
from tests import factories as f

pytestmark = pytest.mark.django_db


def year(number: int) -> dict[str, date]:
    return {"valid_from": date(number, 1, 1), "valid_to": date(number, 12, 31)}


def test_undoing_keeps_a_copied_licence_that_was_changed():
    duplicate, kept = f.player(licensed=False), f.player(licensed=False)
    for number in (2023, 2024, 2025):
        f.licence(duplicate, **year(number), issuer="FFB")
    made = merges.merge(duplicate, kept, "Registered twice", None)
    kept.licences.filter(valid_from=date(2023, 1, 1)).update(valid_to=date(2023, 6, 30))
    kept.licences.filter(valid_from=date(2024, 1, 1)).update(equivalent=True)
    merges.undo(made.pk, "They are two", None)
    left = Licence.objects.filter(player=kept).order_by("valid_from").values_list("valid_to", "equivalent")
    assert list(left) == [(date(2023, 6, 30), False), (date(2024, 12, 31), True)]
    assert duplicate.licences.count() == 3


def test_a_merge_copies_the_rest_of_a_licence_that_lasts_longer():
    duplicate, kept = f.player(licensed=False), f.player(licensed=False)
    f.licence(duplicate, valid_from=date(2023, 1, 1), valid_to=date(2024, 12, 31))
    f.licence(kept, **year(2023))
    f.licence(kept, valid_from=date(2024, 1, 1), valid_to=date(2024, 6, 30))
    made = merges.merge(duplicate, kept, "Registered twice", None)
    for day in (date(2023, 1, 1), date(2024, 6, 30), date(2024, 7, 1), date(2024, 12, 31)):
        assert kept.licences.valid_on(day).count() == 1
    merges.undo(made.pk, "They are two", None)
    assert max(licence.valid_to for licence in kept.licences.all()) == date(2024, 6, 30)


def test_undoing_keeps_what_another_merged_number_brought_too():
    first, second, kept = (f.player(licensed=False) for _ in range(3))
    f.licence(first, **year(2023))
    for player in (first, second):
        f.licence(player, **year(2024))
        player.hidden, player.deceased_on, player.user = True, date(2026, 5, 1), f.user()
        player.save()
        RatedPlayer.objects.create(name=f"Go {player.number}", player=player)
    accounts = first.user, second.user
    single = merges.merge(first, kept, "Registered twice", None)
    other = merges.merge(second, kept, "And once more", None)

    merges.undo(single.pk, "They are two", None)
    for player in (first, second, kept):
        player.refresh_from_db()
    assert (kept.hidden, kept.deceased_on) == (True, date(2026, 5, 1))
    assert [licence.valid_from.year for licence in kept.licences.all()] == [2024]
    assert (first.user, second.user, kept.user) == (accounts[0], None, accounts[1])
    assert kept.rated.name == f"Go {second.number}"
    assert (first.hidden, first.merged_into) == (True, None)

    merges.undo(other.pk, "They are two as well", None)
    for player in (first, second):
        player.refresh_from_db()
    kept = type(kept).objects.get(pk=kept.pk)
    assert (kept.hidden, kept.deceased_on, kept.user, kept.licences.count()) == (False, None, None, 0)
    assert (first.user, second.user, second.hidden) == (*accounts, True)
    assert not RatedPlayer.objects.filter(player=kept).exists()


def test_undoing_keeps_an_account_and_a_go_player_linked_after_the_merge():
    duplicate, kept = f.player(user=f.user()), f.player()
    carried = duplicate.user
    RatedPlayer.objects.create(name="Uno", player=duplicate)
    made = merges.merge(duplicate, kept, "Registered twice", None)
    duplicate.refresh_from_db()
    duplicate.user = f.user()
    duplicate.save()
    RatedPlayer.objects.create(name="Dos", player=duplicate)
    merges.undo(made.pk, "They are two", None)
    for item in (duplicate, kept):
        item.refresh_from_db()
    assert (kept.user, kept.rated.name) == (carried, "Uno")
    assert duplicate.user not in (None, carried) and duplicate.rated.name == "Dos"


@pytest.mark.parametrize("hidden", ["duplicate", "kept"])
def test_a_player_hidden_under_one_number_is_hidden_as_both_go_players(hidden):
    two = {"duplicate": f.player(), "kept": f.player()}
    for name, player in two.items():
        RatedPlayer.objects.create(name=f"Go {name}", player=player)
    two[hidden].hidden = True
    two[hidden].save()
    made = merges.merge(two["duplicate"], two["kept"], "Registered twice", None)
    assert not RatedPlayer.objects.search("go").exists()
    assert not [item for item in RatedPlayer.objects.all() if item.public_name == item.name]
    merges.undo(made.pk, "They are two", None)
    (shown,) = RatedPlayer.objects.search("go")
    assert not shown.is_hidden and shown.player != two[hidden]


def test_the_queries_of_the_rating_list_do_not_grow_with_merged_numbers(client):
    asked = []
    for many in (1, 2):
        for _ in range(many):
            duplicate, kept = f.player(), f.player(hidden=True)
            for player in (duplicate, kept):
                RatedPlayer.objects.create(name=f"Go {player.number}", player=player, rating=2000.0)
            merges.merge(duplicate, kept, "Registered twice", None)
        with CaptureQueriesContext(connection) as queries:
            page = client.get(reverse("go_ratings"))
        asked.append(len(queries))
        assert "Go " + duplicate.number not in page.content.decode()
    assert asked[0] == asked[1]
