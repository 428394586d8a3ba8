"""People recognised by their exact names: they need no form, no tick and no second round."""

import pytest
from django.urls import reverse

from players.models import Role
from tests import factories
from tests.pages import open_page
from tests.scoring.uploads.makers import codes, csv_of, sent, tick_and_confirm
from tests.scoring.uploads.test_people_proposals import file_of, numbers
from tests.scoring.uploads.test_queries import counted
from tournaments.services.drafts import draft_of

pytestmark = pytest.mark.django_db


def named(pairs, *guests: str) -> bytes:
    """Return a file of the names of the pairs, without numbers. `guests` replace the first names."""
    names = [player.full_name for pair in pairs for player in pair]
    names[: len(guests)] = guests
    return file_of(*zip(names[::2], names[1::2], strict=True))


def review(client, upload):
    return client.get(reverse("upload_review", args=[upload.pk]))


def submit(client, upload, **pressed):
    """Submit the form of the review as a browser does, with the pressed button and further ticks."""
    address = reverse("upload_review", args=[upload.pk])
    return client.post(address, open_page(client, address).form("change").values | pressed)


def group_codes(response) -> set[str]:
    return {group["code"] for group in response.context["groups"]}


def test_people_recognised_need_neither_a_tick_nor_a_form(signed_in, club, pairs):
    upload = sent(signed_in, club, named(pairs))
    response = review(signed_in, upload)
    assert response.context["headline"] == "Todo listo para confirmar"
    assert "no_number" not in group_codes(response)
    html = response.content.decode()
    assert 'name="number_' not in html and html.count('name="change"') == 8
    response = submit(signed_in, upload, action="accept")
    assert response.url == reverse("upload_confirm", args=[upload.pk])
    assert sorted(numbers(upload)) == sorted(player.number for pair in pairs for player in pair)
    assert "numbers_mended" not in codes(upload)  # no number was corrected


@pytest.mark.parametrize("similar", ["Quiroste Zorbelina", "Z. Quiroste Hundido", "Zorbelina Quiroste"])
@pytest.mark.parametrize("hidden", [False, True])
def test_the_exact_name_of_a_member_is_recognised_beside_a_similar_one(
    signed_in, club, pairs, similar, hidden
):
    exact = pairs[0][0]
    exact.given_name, exact.surname, exact.hidden = "Zorbelina", "Quiroste Hundido", hidden
    exact.save()
    names = [player.full_name for pair in pairs for player in pair]
    names[4] = similar
    upload = sent(signed_in, club, file_of(*zip(names[::2], names[1::2], strict=True)))
    recognised = draft_of(upload).recognised
    assert recognised[0, 0].clear == exact
    assert (2, 0) not in recognised


def test_the_form_of_somebody_recognised_opens_without_a_script(signed_in, club, pairs):
    upload = sent(signed_in, club, named(pairs))
    response = submit(signed_in, upload, change="0-0")
    assert response.url.endswith("#number_0-0")
    html = signed_in.get(response.url).content.decode()
    assert 'id="number_0-0"' in html and 'id="number_0-1"' not in html


def test_the_warning_names_only_those_who_are_not_recognised(signed_in, club, pairs):
    upload = sent(signed_in, club, named(pairs, "Jean Dupont"))
    response = review(signed_in, upload)
    [group] = [group for group in response.context["groups"] if group["code"] == "no_number"]
    assert [item["issue"].params["name"] for item in group["items"]] == ["Jean Dupont"]
    assert response.content.decode().count('name="number_') == 1


def test_all_questions_are_asked_at_once_and_the_tick_holds(signed_in, club, pairs):
    tick_and_confirm(signed_in, sent(signed_in, club, csv_of(pairs)))
    again = [(pairs[0][0], pairs[1][1]), (pairs[1][0], pairs[0][1]), *pairs[2:]]
    data = named(again[::-1])
    upload = sent(signed_in, club, data, name="Otro")
    assert "same_people" in group_codes(review(signed_in, upload))
    response = submit(signed_in, upload, action="accept", accept="same_people")
    assert response.url == reverse("upload_confirm", args=[upload.pk])


def test_the_same_ranking_by_names_is_compared_before_it_is_saved(signed_in, club, pairs):
    tick_and_confirm(signed_in, sent(signed_in, club, csv_of(pairs)))
    data = csv_of(pairs)
    for player in (player for pair in pairs for player in pair):
        data = data.replace(f";{player.number};".encode(), b";;")
    upload = sent(signed_in, club, data + b"\r\n")
    response = review(signed_in, upload)
    [group] = [group for group in response.context["groups"] if group["code"] == "same_ranking"]
    tournament = group["items"][0]["tournament"]
    compare = reverse("upload_compare", args=[upload.pk, tournament.pk])
    response = signed_in.get(compare)
    assert response.context["may_ask"]
    signed_in.post(compare, {"action": "ask"})
    assert upload.issues.filter(code="same_ranking").exists()


def test_review_and_desk_say_the_same_of_a_licence_of_another_federation(signed_in, director, club, pairs):
    guest = pairs[0][0]
    guest.licences.update(issuer="FFB")
    upload = sent(signed_in, club, csv_of(pairs))
    assert "de otra federación" in review(signed_in, upload).content.decode()
    factories.role(director, Role.Kind.CLUB_ADMIN, club=club)
    assert "de otra federación" in signed_in.get(reverse("club_members", args=[club.slug])).content.decode()


def test_the_only_open_question_stands_above_the_ranking(signed_in, club, pairs):
    names = [player.full_name for pair in pairs for player in pair]
    names[6] = "Jean Dupont"
    upload = sent(signed_in, club, file_of(*zip(names[::2], names[1::2], strict=True)))
    response = review(signed_in, upload)
    assert [record["place"] for record in response.context["ranking"]] == [4, 1, 2, 3]


def test_a_name_is_a_question_if_a_second_person_has_it_and_no_longer_once_that_one_is_a_guest(
    signed_in, club, pairs
):
    ana = pairs[0][0]
    upload = sent(signed_in, club, named(pairs, ana.full_name, ana.full_name))
    assert numbers(upload)[:2] == [None, None]
    submit(signed_in, upload, action="people", **{"who_0-1": "guest"})
    assert numbers(upload)[:2] == [ana.number, None]


def test_somebody_whose_number_the_director_removes_is_not_recognised(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    signed_in.post(reverse("upload_review", args=[upload.pk]), {"number_0-0": "", "action": "people"})
    assert numbers(upload)[0] is None
    assert "no_number" in group_codes(review(signed_in, upload))


def test_recognised_people_stay_names_when_the_ranking_is_edited(signed_in, club, pairs):
    upload = sent(signed_in, club, named(pairs))
    page = open_page(signed_in, reverse("upload_edit", args=[upload.pk]))
    assert page.values("row-0-number_1") == [""]


def test_names_of_a_long_ranking_take_no_further_queries(signed_in, club, pairs):
    few = sent(signed_in, club, named(pairs[:2]))
    many = sent(signed_in, club, named(pairs), name="Otro")
    assert [len(draft_of(upload).recognised) for upload in (few, many)] == [4, 8]
    assert counted(lambda: draft_of(few)) == counted(lambda: draft_of(many))
