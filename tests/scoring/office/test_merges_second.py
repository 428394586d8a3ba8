"""Merging two numbers, and undoing it, each by two persons."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from players.models import PlayerMerge, Proposal, Role
from players.proposals import act_of
from players.services import proposals
from scoring.office.services import merge_proposals, merges
from tests import factories as f
from tests import second
from tests.pages import open_page
from tests.scoring.office.test_merges_met import post_opening_award

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]


@pytest.fixture
def committee():
    account = f.user()
    f.role(account, Role.Kind.COMMITTEE)
    return account


def player_named(given_name: str, surname: str):
    return f.player(given_name=given_name, surname=surname)


def request_merge(office, duplicate, kept, **more):
    url = f"{reverse('merges')}?cede={duplicate.number}&queda={kept.number}"
    return office.post(url, {"reason": "Registered twice", **more})


@pytest.mark.parametrize(
    ("name", "other", "differ"),
    [
        (("María José", "Núñez de la Torre"), ("MARIA JOSE", "Nunez Torre"), False),
        (("Ana", "Prado Gil"), ("Ana", "Prado-Gil"), False),
        (("Ana", "Prado Gil"), ("Ana", "Prado"), True),
        (("Ana", "Prado Gil"), ("Ana", "Gil Prado"), True),
        (("Luis", "Prado Gil"), ("Luisa", "Prado Gil"), True),
        (("Soledad", "Pérez"), ("Juan", "Pérez"), True),
    ],
)
def test_names_that_differ_between_two_numbers_are_detected(name, other, differ):
    assert merge_proposals.names_differ(player_named(*name), player_named(*other)) is differ


def test_the_second_person_sees_both_numbers_and_approves_the_merge(office, client, committee):
    duplicate, kept = player_named("Soledad", "Prado Gil"), player_named("Juan", "Prado Gil")
    shown = office.get(f"{reverse('merges')}?cede={duplicate.number}&queda={kept.number}")
    assert "The names differ" in shown.content.decode()
    answer = request_merge(office, duplicate, kept)
    waiting = Proposal.objects.get()
    assert answer.url == waiting.get_absolute_url()
    assert not PlayerMerge.objects.exists()
    assert answer.url in request_merge(office, duplicate, kept).content.decode()
    client.force_login(committee)
    page = client.get(answer.url)
    text = page.content.decode()
    assert "Soledad Prado Gil" in text and "Juan Prado Gil" in text and "The names differ" in text
    seen = page.context["effect"].digest
    assert client.post(answer.url, {"action": "approve", "seen": seen}).status_code == 302
    made = PlayerMerge.objects.get()
    assert (made.duplicate, made.kept, made.by, made.reason) == (
        duplicate,
        kept,
        committee,
        "Registered twice",
    )
    assert "was merged into" in client.get(answer.url).content.decode()


def test_a_merge_cannot_be_approved_if_the_numbers_changed_since_the_page_was_shown(office, committee):
    duplicate, kept = player_named("Soledad", "Prado Gil"), player_named("Juan", "Prado Gil")
    request_merge(office, duplicate, kept)
    waiting = Proposal.objects.get()
    seen = act_of(waiting).effect(waiting, committee).digest
    f.licence(kept, issuer="FFB")
    with pytest.raises(ValidationError, match="look at it again"):
        proposals.approve(waiting.pk, committee, seen)
    post_opening_award(duplicate, 100)
    post_opening_award(kept, 200)
    with pytest.raises(ValidationError, match="return it"):
        proposals.approve(waiting.pk, committee, act_of(waiting).effect(waiting, committee).digest)
    assert not PlayerMerge.objects.exists()


def test_renaming_a_player_first_does_not_avoid_the_second_person(office, committee):
    duplicate, kept = player_named("Soledad", "Prado Gil"), player_named("Juan", "Prado Gil")
    duplicate.given_name = "Juan"
    duplicate.save()
    answer = request_merge(office, duplicate, kept)
    assert answer.url == Proposal.objects.get().get_absolute_url()
    assert not PlayerMerge.objects.exists()
    assert "The names differ" not in office.get(answer.url).content.decode()
    second.approve_all(committee)
    assert PlayerMerge.objects.get().duplicate == duplicate


def test_the_journal_names_who_prepared_a_merge_that_moved_an_account(office, committee):
    duplicate, kept = player_named("Ana", "Prado Gil"), player_named("Ana", "Prado Gil")
    lola = f.user("lola")
    duplicate.user = lola
    duplicate.save()
    request_merge(office, duplicate, kept)
    second.approve_all(committee)
    request_undo(office, PlayerMerge.objects.get())
    second.approve_all(committee)
    preparers = lola.events.values_list("proposal__prepared_by", "by")
    assert list(preparers) == [(office.account.pk, committee.pk)] * 4


def request_undo(office, made: PlayerMerge):
    return office.post(reverse("merge", args=[made.pk]), {"reason": "They are two"})


def test_undoing_a_merge_needs_a_second_person_who_sees_what_moves_back(office, client, committee):
    duplicate, kept = player_named("Ana", "Prado Gil"), player_named("Ana", "Prado Gil")
    others = f.players(3)
    f.scored((duplicate, others[0]), others[1:])
    made = merges.merge(duplicate, kept, "Registered twice", None)
    f.scored((kept, others[0]), others[1:], name="Copa de otoño")
    answer = request_undo(office, made)
    assert answer.url == Proposal.objects.get().get_absolute_url()
    page = open_page(office, reverse("merge", args=[made.pk]))
    assert answer.url in page.addresses and "reason" not in page.fields
    assert request_undo(office, made).status_code == 422
    client.force_login(committee)
    page = client.get(answer.url)
    text = page.content.decode()
    assert "1 entry of the ledger goes back" in text and "Copa de oto\u00f1o" in text
    made.refresh_from_db()
    assert made.undone_at is None
    client.post(answer.url, {"action": "approve", "seen": page.context["effect"].digest})
    made.refresh_from_db()
    assert (made.undone_by, made.undone_reason) == (committee, "They are two")
    assert "parted again" in client.get(answer.url).content.decode()


def test_undoing_cannot_be_approved_if_an_award_was_posted_since_the_page_was_shown(office, committee):
    duplicate, kept = player_named("Ana", "Prado Gil"), player_named("Ana", "Prado Gil")
    made = merges.merge(duplicate, kept, "Registered twice", None)
    request_undo(office, made)
    waiting = Proposal.objects.get()
    seen = act_of(waiting).effect(waiting, committee).digest
    others = f.players(3)
    f.scored((kept, others[0]), others[1:])
    with pytest.raises(ValidationError, match="look at it again"):
        proposals.approve(waiting.pk, committee, seen)


# --- Accounts -------------------------------------------------------------------------------------------
def test_the_second_person_sees_which_account_moves_to_which_number(office, client, committee):
    duplicate, kept = player_named("Ana", "Prado Gil"), player_named("Ana", "Prado Gil")
    duplicate.user = f.user("socia")
    duplicate.save()
    sentence = f"The account socia goes from {duplicate.number} (Ana Prado Gil) to {kept.number}"
    page = office.get(f"{reverse('merges')}?cede={duplicate.number}&queda={kept.number}").content.decode()
    assert sentence in page
    answer = request_merge(office, duplicate, kept)
    assert sentence in client.get(answer.url).content.decode()
    second.approve_all(committee)
    made = PlayerMerge.objects.get()
    sentence = f"The account socia goes from {kept.number} (Ana Prado Gil) to {duplicate.number}"
    assert sentence in office.get(reverse("merge", args=[made.pk])).content.decode()
    assert sentence in client.get(request_undo(office, made).url).content.decode()


def test_no_account_moves_if_both_numbers_have_one_and_both_persons_see_it(office, client, committee):
    duplicate, kept = player_named("Ana", "Prado Gil"), player_named("Ana", "Prado Gil")
    for player in (duplicate, kept):
        player.user = f.user()
        player.save()
    answer = request_merge(office, duplicate, kept)
    client.force_login(committee)
    text = client.get(answer.url).content.decode()
    assert "Both have an account" in text and "The account" not in text


def test_undoing_gives_a_later_merged_numbers_account_to_the_survivor(office):
    first, other, kept = (player_named("Ana", "Prado Gil") for _ in range(3))
    for player, name in ((first, "primera"), (other, "otra")):
        player.user = f.user(name)
        player.save()
    made = merges.merge(first, kept, "Registered twice", None)
    merges.merge(other, kept, "Registered twice", None)
    request_undo(office, made)
    sentences = act_of(waiting := Proposal.objects.get()).effect(waiting, office.account).sentences
    assert [text.split()[2:7] for text in sentences if "account" in text] == [
        ["primera", "goes", "from", kept.number, "(Ana"],
        ["otra", "goes", "from", other.number, "(Ana"],
    ]
    second.approve_all()
    first.refresh_from_db()
    kept.refresh_from_db()
    assert (first.user.username, kept.user.username) == ("primera", "otra")


def test_nobody_approves_a_merge_that_moves_their_own_account(office, client, committee):
    duplicate, kept = player_named("Ana", "Prado Gil"), player_named("Ana", "Prado Gil")
    duplicate.user = committee
    duplicate.save()
    answer = request_merge(office, duplicate, kept)
    waiting = Proposal.objects.get()
    client.force_login(committee)
    page = client.get(answer.url)
    data = {"action": "approve", "seen": page.context["effect"].digest}
    assert client.post(answer.url, data).status_code == 403
    duplicate.user, kept.user = None, committee  # other accounts than when the merge was proposed
    duplicate.save()
    kept.save()
    with pytest.raises(ValidationError, match="return it"):
        second.approve(waiting, second.person())
    assert not PlayerMerge.objects.exists()
