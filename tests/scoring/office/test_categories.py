"""Assigning and revoking categories by hand, with and without a second person."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from players.categories import categories_on, category_of, history_of, superseded_by
from players.models import CategoryAssignment, Proposal
from scoring.ledger.models import ScoringRun, Standing
from scoring.ledger.services import runs
from scoring.ledger.snapshots import evaluation_of
from scoring.office.services import category_changes
from scoring.office.services.category_changes import WHY
from tests import factories, second
from tests.languages import speak
from tests.pages import Page
from tests.scoring.office.lists import apply, sent
from tests.threads import at_once
from ui.clock import today

REVOKE = {"reason": "Another player was meant", "evidence": "Acta corregida"}


def page(player) -> str:
    return f"{reverse('category_assign')}?numero={player.number}"


def assign_category(
    client, player, code: str, day: date, reason: str = "Champion", evidence: str = "Acta 7", **more
):
    """Assign a category with the form, and approve the proposal if there is one. Return the response."""
    text = {"valid_from": day.isoformat(), "reason": reason, "evidence": evidence}
    answer = client.post(page(player), {"category": factories.category(code).pk, **text, **more})
    second.approve_all()
    return answer


def revoke_category(client, assignment, **changes):
    """Revoke an assignment with the form, and approve the proposal if there is one. Return the response."""
    answer = client.post(reverse("category_revoke", args=[assignment.pk]), {**REVOKE, **changes})
    second.approve_all()
    return answer


def test_the_page_shows_the_players_current_category_and_its_history(office):
    player = factories.player(category="2P", hidden=True)
    response = office.get(f"{reverse('category_assign')}?numero=0{player.number}")
    assert response.context["present"].code == "2P"
    assert player.full_name in response.content.decode()
    assert [item.category.code for item in response.context["history"]] == ["2P"]


def test_an_unknown_federation_number_is_an_error(office):
    response = office.get(f"{reverse('category_assign')}?numero=999999")
    assert response.status_code == 422
    assert response.context["find"].errors["numero"]


def test_a_category_is_assigned_with_its_reason_and_document(office):
    player = factories.player(category="2P")
    assert assign_category(office, player, "1D", date(2026, 3, 1)).status_code == 302
    value = player.assignments.first()
    assert value.origin == "manual"
    assert value.created_by != office.account  # a past day needs a second person, who becomes the creator
    assert (value.reason, value.evidence) == ("Champion", "Acta 7")
    assert categories_on(date(2026, 2, 28))[player.pk].code == "2P"
    assert categories_on(date(2026, 3, 1))[player.pk].code == "1D"


@pytest.mark.parametrize(
    ("code", "day", "changes", "fields"),
    [
        ("1D", date(2026, 3, 1), {"reason": " "}, ["reason"]),
        ("1D", date(2026, 3, 1), {"evidence": " "}, ["evidence"]),
        ("MN-O", date(2026, 3, 1), {"reason": "", "evidence": ""}, ["reason", "evidence"]),
        ("1D", date(2026, 3, 1), {"evidence": "x" * 301}, ["evidence"]),
        ("MN", date(2026, 3, 1), {}, ["category"]),
        ("MN-O", date(2025, 12, 31), {}, ["category"]),
        ("1D", date(2022, 1, 2), {}, ["valid_from"]),
        ("2P", date(2022, 1, 2), {}, ["valid_from"]),
    ],
)
def test_invalid_assignments_are_refused_with_the_field(office, code, day, changes, fields):
    player = factories.player(category="2P", since=date(2022, 1, 2))
    response = assign_category(office, player, code, day, **changes)
    assert response.status_code == 422
    assert list(response.context["form"].errors) == fields
    assert player.assignments.count() == 1


# --- A later category that replaces it ------------------------------------------------------------------
@pytest.fixture
def promoted_player():
    """A player of category 2D, and the assignment of 2C from 1 March 2026 by a year-end campaign."""
    player = factories.player(category="2D")
    text = {"origin": CategoryAssignment.Origin.CAMPAIGN, "reason": "Change of 2025"}
    return player, factories.assign(player, "2C", date(2026, 3, 1), **text)


def test_assigning_before_a_later_category_needs_a_confirmation(office, promoted_player):
    player, later = promoted_player
    speak(office, "en")
    asked = assign_category(office, player, "2P", date(2026, 2, 1))
    assert asked.status_code == 422
    page = Page(asked)
    assert "From 1 Mar 2026 on the player has 2C (Year-end change: Change of 2025)" in page.text
    assert page.values("follows") == [str(later.pk)]
    assert "meant" in page.form("meant").boxes  # the box to tick is there and not ticked
    assert (
        assign_category(office, player, "2P", date(2026, 2, 1), follows=later.pk).status_code == 422
    )  # refused, because the box is not ticked
    assert player.assignments.count() == 2
    assert (
        assign_category(office, player, "2P", date(2026, 2, 1), follows=later.pk, meant="on").status_code
        == 302
    )
    assert categories_on(date(2026, 2, 28))[player.pk].code == "2P"
    assert categories_on(date(2026, 3, 1))[player.pk].code == "2C"


def test_a_confirmation_covers_only_the_later_category_that_was_shown(office, promoted_player):
    player, later = promoted_player
    sooner = factories.assign(player, "1D", date(2026, 2, 15))
    asked = assign_category(office, player, "2P", date(2026, 2, 1), follows=later.pk, meant="on")
    assert asked.status_code == 422
    assert asked.context["question"].initial == {"follows": sooner.pk}
    assert player.assignments.count() == 3


def test_no_confirmation_is_needed_without_a_different_later_category(office, promoted_player):
    player, later = promoted_player
    assert "meant" not in office.get(page(player)).content.decode()
    # After the later assignment, so no confirmation is needed.
    assert assign_category(office, player, "2P", date(2026, 3, 2)).status_code == 302
    # 2P, assigned in March, would replace it.
    assert assign_category(office, player, "2C", date(2026, 2, 1)).status_code == 422
    revoked = player.assignments.get(category__code="2P")
    revoke_category(office, revoked)
    assert (
        assign_category(office, player, "2C", date(2026, 2, 1)).status_code == 302
    )  # accepted: the later assignment is of the same category


@pytest.mark.parametrize(
    ("existing", "held", "follows"),
    [
        ("2P", [("2C", date(2026, 3, 1))], "2C"),
        # The first of two later assignments.
        ("2P", [("1D", date(2026, 4, 1)), ("2C", date(2026, 3, 1))], "2C"),
        # A title is reported rather than a step.
        ("2P", [("2C", date(2026, 3, 1)), ("ME-D", date(2026, 3, 1))], "ME-D"),
        ("2P", [("2C", date(2026, 1, 1))], None),  # an earlier assignment replaces nothing
        ("ME-D", [("2C", date(2026, 3, 1))], None),  # a step does not replace a title
        ("ME-D", [("MN-D", date(2026, 3, 1))], None),  # nor does a lower title
        ("ME-D", [("MM-D", date(2026, 3, 1))], "MM-D"),
        # A title held before stays in force, so the step would not be the player's category anyway.
        ("2P", [("MN-D", date(2026, 1, 1)), ("2C", date(2026, 3, 1))], None),
    ],
)
def test_the_later_category_that_supersedes_an_assignment_is_found(db, existing, held, follows):
    player = factories.player(category=None)
    others = [factories.assign(player, code, day) for code, day in held]
    new = factories.assign(player, existing, date(2026, 2, 1))
    later = superseded_by(new, others)
    assert (later and later.category.code) == follows
    if later:  # the categories on each day agree
        assert categories_on(later.valid_from)[player.pk] == later.category


def test_revoking_restores_the_former_category_and_keeps_the_history(office):
    player = factories.player(category="2P")
    assign_category(office, player, "1D", date(2026, 3, 1))
    response = player.assignments.get(category__code="1D")
    url = reverse("category_revoke", args=[response.pk])
    assert office.get(url).status_code == 200
    for missing in REVOKE:
        refused = revoke_category(office, response, **{missing: " "})
        assert refused.status_code == 422 and list(refused.context["form"].errors) == [missing]
    assert revoke_category(office, response).status_code == 302
    assert categories_on(date(2026, 3, 1))[player.pk].code == "2P"
    response.refresh_from_db()
    assert response.revoked_by != office.account
    assert response.revoked_reason == REVOKE["reason"]
    assert (response.evidence, response.revoked_evidence) == ("Acta 7", "Acta corregida")
    assert "Acta corregida" in office.get(page(player)).content.decode()
    assert office.post(url, REVOKE).status_code == 404
    assert assign_category(office, player, "1C", date(2026, 3, 1)).status_code == 302


def test_assigning_a_category_moves_the_player_but_keeps_earlier_c4(office):
    day = today() - timedelta(days=30)
    club = factories.club()
    players = factories.players(8, category="3D", club=club)
    tournament = factories.scored(*factories.pairs(players), of=club, end_date=day)
    run = ScoringRun.objects.get(tournament=tournament)
    before = list(run.entries.order_by("player").values_list("player", "points"))
    winner = players[0]

    assign_category(office, winner, "1P", day - timedelta(days=30))
    # The stored inputs still have 3D: the same run gives the same points again …
    again = evaluation_of(ScoringRun.objects.get(pk=run.pk))
    assert set(again.points_by_position.values()) == {points for _player, points in before}
    assert list(run.entries.order_by("player").values_list("player", "points")) == before
    # … while a new run would not; and the standings have the new category.
    assert runs.create_run(tournament.published, office.account).input_digest != run.input_digest
    assert Standing.objects.get(player=winner).category.code == "1P"
    assert CategoryAssignment.objects.filter(player=winner).count() == 2


def test_the_form_proposes_the_first_category_to_players_without_one(office, settings):
    settings.FIRST_CATEGORY = "3C"
    newcomer, other = factories.player(), factories.player(category="2P")
    assert office.get(page(newcomer)).context["form"]["category"].value() == factories.category("3C").pk
    assert office.get(page(other)).context["form"]["category"].value() is None
    settings.FIRST_CATEGORY = ""
    assert office.get(page(newcomer)).context["form"]["category"].value() is None


# --- A second person --------------------------------------------------------------------------------------
def proposal_after(client, player, code: str, day: date, **more) -> Proposal | None:
    """Assign a category with the form. Return the pending proposal, if that created one."""
    text = {"valid_from": day.isoformat(), "reason": "Champion", "evidence": "Acta 7", **more}
    answer = client.post(page(player), {"category": factories.category(code).pk, **text})
    assert answer.status_code == 302
    return Proposal.objects.filter(state="pending").first()


@pytest.mark.parametrize(
    ("held", "code", "days", "waits"),
    [
        ("2P", "1D", 0, False),  # one step up as of today
        ("2P", "1D", 30, False),
        ("1P", "MN-O", 0, False),
        ("2P", "1D", -1, True),
        ("2P", "1C", 0, True),
        ("2P", "2C", 0, True),
        ("2P", "MN-O", 0, True),
    ],
)
def test_only_one_step_up_from_today_needs_no_second_person(office, held, code, days, waits):
    player = factories.player(category=held)
    count = proposal_after(office, player, code, today() + timedelta(days=days))
    assert (count is not None) == waits
    assert player.assignments.count() == 2 - waits


def test_the_second_person_sees_the_change_and_approves_it(office, client):
    speak(office, "en")
    player = factories.player(category="2P", hidden=True)
    count = proposal_after(office, player, "1C", today() - timedelta(days=10))
    text = office.get(count.get_absolute_url()).content.decode()
    for message in (
        "2 steps up",
        "Today&#x27;s list changes: 2P",
        "Lists of past days change",
        player.full_name,
    ):
        assert message in text
    assert categories_on(today())[player.pk].code == "2P"
    assert is_refused_while_pending(office, player)
    by = second.person()
    second.approve(count, by)
    assert categories_on(today())[player.pk].code == "1C"
    held = player.assignments.get(category__code="1C")
    assert (held.created_by, held.evidence) == (by, "Acta 7")
    taken = office.post(reverse("category_revoke", args=[held.pk]), REVOKE)
    assert taken.url == Proposal.objects.get(state="pending").get_absolute_url()
    second.approve_all()
    assert categories_on(today())[player.pk].code == "2P"


def is_refused_while_pending(client, player) -> bool:
    """Return whether another change of the same player is refused because a proposal is pending."""
    text = {"valid_from": today().isoformat(), "reason": "Champion", "evidence": "Acta 7"}
    answer = client.post(page(player), {"category": factories.category("1P").pk, **text})
    return answer.status_code == 422 and "already waits" in answer.content.decode()


def test_first_categories_need_no_second_person_during_setup(office, settings):
    first, later = factories.players(2, category=None)
    day = today() - timedelta(days=400)
    assert proposal_after(office, first, "1C", day) is None
    factories.scored(*factories.pairs(factories.players(8)))
    assert proposal_after(office, later, "1C", day)
    assert not later.assignments.exists()


def test_after_five_single_steps_on_a_day_a_second_person_is_needed(office):
    players = factories.players(6, category="2P")
    assert [proposal_after(office, player, "1D", today()) is None for player in players] == [True] * 5 + [
        False
    ]


def revoke_latest(client, player):
    """Revoke a player's latest category. Return the response."""
    held = player.assignments.filter(revoked_at=None).first()
    return client.post(reverse("category_revoke", args=[held.pk]), REVOKE)


def test_approvals_do_not_count_towards_the_approvers_daily_limit(office, client):
    players, by = factories.players(7, category="2P"), factories.office()
    for player in players[:5]:
        second.approve(proposal_after(office, player, "1C", today()), by)
    for player in players[:2]:
        revoke_latest(office, player)
        second.approve_all(by)
    assert category_changes.count_changes_alone(by, today()) == 0
    client.force_login(by)
    assert proposal_after(client, players[5], "1D", today()) is None
    assert category_changes.count_changes_alone(by, today()) == 1


def test_revoking_counts_towards_the_daily_limit(office, client):
    """Revoking counts towards the daily limit even if the assignment starts in future.

    Otherwise one account could revoke many assignments alone.
    """
    players = factories.players(7, category="2P")
    for player in players[:6]:
        factories.assign(player, "1D", today() + timedelta(days=10))
    answers = [revoke_latest(office, player) for player in players[:6]]
    assert [Proposal.objects.filter(data__player=player.pk).exists() for player in players[:6]] == [
        *[False] * 5,
        True,
    ]
    assert answers[5].url == Proposal.objects.get().get_absolute_url()
    proposal_after(office, players[6], "1D", today())
    assert players[6].assignments.count() == 1
    assert category_changes.count_changes_alone(office.account, today()) == 5


def test_revoking_what_two_persons_assigned_needs_two_persons(office):
    by_hand, by_list = factories.players(2, category="2P")
    tomorrow = today() + timedelta(days=1)
    second.approve(proposal_after(office, by_hand, "1C", tomorrow), second.person())
    apply(office, sent(office, "categories", f"{by_list.number};1C;{tomorrow.isoformat()};;"))
    for player in (by_hand, by_list):
        held = player.assignments.get(category__code="1C")
        shown = office.get(reverse("category_revoke", args=[held.pk]))
        assert shown.context["why_second"] == [WHY["approved"]]
        answer = revoke_latest(office, player)
        assert answer.url == Proposal.objects.get(state="pending").get_absolute_url()
        assert str(WHY["approved"]) in office.get(answer.url).content.decode()
        second.approve_all()
        assert not player.assignments.filter(category__code="1C", revoked_at=None).exists()


@pytest.mark.django_db(transaction=True)
def test_simultaneous_changes_cannot_exceed_the_daily_limit(office):
    players = factories.players(8, category="2P")
    category = factories.category("1D")

    def give_one(player):
        return lambda: category_changes.assign(
            player, category, today(), "Champion", office.account, evidence="Acta 7"
        )

    assert at_once([give_one(player) for player in players]) == []
    assert CategoryAssignment.objects.filter(category=category).count() == 5
    assert Proposal.objects.count() == 3


@pytest.mark.django_db
def test_a_players_history_gives_the_category_that_the_query_gives():
    player = factories.player()
    assert category_of(history_of(player), today()) is None
    days = [date(2019, 1, 1), date(2021, 1, 1), date(2023, 1, 1), date(2025, 1, 1)]
    for codes in (("MN", "2C"), ("2C", "1P", "2D"), ("MM", "2P"), ("2P", "MM", "MN", "2C")):
        player = factories.player()
        for code, day in zip(codes, days, strict=False):
            factories.assign(player, code, day)
        last = player.assignments.latest("pk")
        for revoked in (False, True):
            if revoked:
                CategoryAssignment.objects.filter(pk=last.pk).update(
                    revoked_at=timezone.now(), revoked_by=factories.office(), revoked_reason="wrong"
                )
            for day in (date(2018, 1, 1), *days, today()):
                expected = categories_on(day, [player.pk]).get(player.pk)
                assert category_of(history_of(player), day) == expected, (codes, revoked, day)
