"""The state machine of cases, in the code and in the database."""

from datetime import timedelta
from itertools import product

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import DatabaseError, transaction
from django.utils import timezone

from players.models import Player, Role
from scoring.cases import services, states
from scoring.cases.models import Case, CaseMessage
from scoring.cases.states import Act, Party, State
from tests import factories as make

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]

# {(state, act, who): state that follows}. Whatever is not here is refused.
ALLOWED = {
    ("club", "write", "player"): "club",
    ("club", "answer", "club"): "answered",
    ("club", "answer", "office"): "answered",
    ("club", "hand_over", "club"): "office",
    ("club", "hand_over", "office"): "office",
    ("club", "escalate", "system"): "office",
    ("club", "close", "player"): "closed",
    ("office", "write", "player"): "office",
    ("office", "answer", "office"): "answered",
    ("office", "hand_over", "office"): "club",
    ("office", "close", "player"): "closed",
    ("answered", "answer", "club"): "answered",
    ("answered", "answer", "office"): "answered",
    ("answered", "reopen", "player"): "office",
    ("answered", "close", "player"): "closed",
    ("answered", "expire", "system"): "closed",
    ("closed", "reopen", "player"): "office",
}


@pytest.fixture
def people():
    """Return {party: account} of a club's case, with the player under "case_player"."""
    club = make.club()
    player = make.player(club=club, user=make.user())
    return {
        Party.PLAYER: player.user,
        Party.CLUB: make.director(club),
        Party.OFFICE: make.office(),
        "case_player": player,
        "of": club,
    }


def case_in(state: str, people, text: str = "I played.") -> Case:
    """Return a new case that the usual acts have led to a state."""
    case = services.open_case(people["case_player"], people[Party.PLAYER], "missing", text, club=people["of"])
    acts = {
        "club": [],
        "office": [("hand_over", Party.CLUB)],
        "answered": [("answer", Party.CLUB)],
        "closed": [("close", Party.PLAYER)],
    }
    for act, party in acts[state]:
        case = services.perform(case.pk, act, people[party], "Text")
    return case


@pytest.mark.parametrize("party", [Party.PLAYER, Party.CLUB, Party.OFFICE])
@pytest.mark.parametrize(("state", "act"), list(product(State, [act for act in Act if act != Act.OPEN])))
def test_an_act_is_for_its_state_and_its_people_alone(state, act, party, people):
    following = ALLOWED.get((state, act, party))
    assert states.allows(state, act, party) == (following is not None)
    case = case_in(state, people)
    written = case.messages.count()
    if following:
        assert services.perform(case.pk, act, people[party], "Text").state == following
    else:
        with pytest.raises((ValidationError, PermissionDenied)):
            services.perform(case.pk, act, people[party], "Text")
        case.refresh_from_db()
        assert (case.state, case.messages.count()) == (state, written)


def test_every_step_is_in_the_table():
    steps = {(state, act, states.STEPS[state, act]) for state, act in states.STEPS}
    assert steps == {(state, act, following) for (state, act, _who), following in ALLOWED.items()}


@pytest.mark.parametrize(("before", "after"), list(product(State, State)))
def test_the_database_refuses_every_other_change_of_state(before, after, people):
    case = case_in(before, people)
    legal = before == after or f"{before}>{after}" in states.transitions()
    values = {
        "state": after,
        "closed_at": timezone.now() if after == State.CLOSED else None,
        "answered_at": timezone.now(),
    }
    if legal:
        assert Case.objects.filter(pk=case.pk).update(**values) == 1
    else:
        with pytest.raises(DatabaseError), transaction.atomic():
            Case.objects.filter(pk=case.pk).update(**values)


def test_the_database_keeps_cases_and_what_was_written(people):
    case = case_in("answered", people)
    message = case.messages.last()
    for change in (
        lambda: Case.objects.filter(pk=case.pk).delete(),
        lambda: Case.objects.filter(pk=case.pk).update(player=make.player()),
        lambda: CaseMessage.objects.filter(pk=message.pk).delete(),
        lambda: CaseMessage.objects.filter(pk=message.pk).update(text="Other"),
        lambda: CaseMessage.objects.filter(pk=message.pk).update(days=0, at=timezone.now()),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    assert services.erase_texts(people["case_player"]) == 2
    assert set(case.messages.values_list("text", flat=True)) == {""}


def test_what_a_club_does_not_answer_goes_to_the_office(people, settings):
    case, other = case_in("club", people), case_in("office", people, "Another evening")
    services.escalate(timezone.localdate())
    case.refresh_from_db()
    assert case.state == "club"
    earlier = timezone.now() - timedelta(days=settings.CASE_CLUB_DAYS, minutes=1)
    Case.objects.all().update(waiting_since=earlier)
    services.escalate(timezone.localdate())
    case.refresh_from_db()
    other.refresh_from_db()
    assert (case.state, case.waiting_since > earlier, other.waiting_since) == ("office", True, earlier)
    assert case.messages.last().party == Party.SYSTEM


def test_an_answered_case_is_reopened_in_time_or_closes_by_itself(people, settings):
    case, kept = case_in("answered", people), case_in("answered", people)
    late = timezone.now() - timedelta(days=settings.CASE_REOPEN_DAYS, minutes=1)
    Case.objects.filter(pk=case.pk).update(answered_at=late)
    with pytest.raises(ValidationError, match="reopening"):
        services.perform(case.pk, "reopen", people[Party.PLAYER], "Still wrong")
    services.expire(timezone.localdate())
    case.refresh_from_db()
    kept.refresh_from_db()
    assert (case.state, kept.state) == ("closed", "answered")
    with pytest.raises(ValidationError, match="reopening"):
        services.perform(case.pk, "reopen", people[Party.PLAYER], "Still wrong")
    assert services.perform(kept.pk, "reopen", people[Party.PLAYER], "Still wrong").state == "office"


def test_nobody_answers_a_case_about_themselves(people):
    for account in (people[Party.CLUB], people[Party.OFFICE]):
        player = make.player(user=account, club=people["of"])
        case = services.open_case(player, account, "missing", "I played.", club=people["of"])
        with pytest.raises(PermissionDenied):
            services.perform(case.pk, "answer", account, "Yes")


def test_a_club_without_others_who_answer_leaves_it_to_the_office():
    club = make.club()
    own = make.director(club)
    player = make.player(user=own, club=club)
    assert services.open_case(player, own, "place", "I was first.", club=club).state == "office"
    make.role(make.user(), Role.Kind.CLUB_ADMIN, club=club)
    assert services.open_case(player, own, "place", "And second.", club=club).state == "club"


def test_personal_data_stay_with_the_office(people):
    case = services.open_case(
        people["case_player"], people[Party.PLAYER], "personal", "My name.", club=people["of"]
    )
    assert (case.state, case.club) == ("office", None)
    with pytest.raises(ValidationError):
        services.perform(case.pk, "hand_over", people[Party.OFFICE], "Text", club=people["of"])


def test_the_same_case_is_opened_once_and_many_are_slowed_down(people):
    player, account = people["case_player"], people[Party.PLAYER]
    first = services.open_case(player, account, "other", "Same")
    assert services.open_case(player, account, "other", "Same") == first
    for number in range(services.OPENING.free - 1):
        services.open_case(player, account, "other", f"Text {number}")
    with pytest.raises(services.limits.TooSoon):
        services.open_case(player, account, "other", "One more")
    assert Case.objects.filter(player=player).count() == services.OPENING.free


def test_the_days_of_an_answer_are_counted_from_its_turn(people):
    case = case_in("club", people)
    Case.objects.filter(pk=case.pk).update(waiting_since=timezone.now() - timedelta(days=3))
    services.perform(case.pk, "answer", people[Party.CLUB], "Yes")
    services.perform(case.pk, "answer", people[Party.CLUB], "Once more")
    assert list(case.messages.filter(act="answer").values_list("days", flat=True)) == [3, None]


def test_a_case_of_a_merged_number_belongs_to_the_surviving_player(people):
    survivor = make.player(user=make.user())
    case = case_in("answered", people)
    Player.objects.filter(pk=people["case_player"].pk).update(user=None, merged_into=survivor)
    assert services.perform(case.pk, "close", survivor.user).state == "closed"
