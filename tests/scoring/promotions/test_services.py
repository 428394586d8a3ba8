"""Who may perform which act of a campaign, what each act requires and stores, and simultaneous acts."""

from datetime import date, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from players.models import Category, Player, Role
from players.services import journal
from scoring.promotions.acts.apply import Schedule
from scoring.promotions.acts.approve import Approve, GiveBack, may_approve
from scoring.promotions.acts.base import Refused
from scoring.promotions.acts.claims import Answer, Claim, Close
from scoring.promotions.acts.decide import Decide
from scoring.promotions.acts.freeze import Freeze
from scoring.promotions.acts.open import Abandon, Edit, Open, usual_intake
from scoring.promotions.acts.publish import Publish, Withdraw
from scoring.promotions.acts.reverse import Reverse
from scoring.promotions.models import CampaignAct, PromotionCampaign, PromotionRuleSet, SnapshotList
from scoring.promotions.pure.selection import PlaceState
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.campaigns import list_digest
from scoring.promotions.queries.candidates import rule_set_of
from scoring.promotions.views import steps
from tests import factories as make
from tests.scoring.promotions import campaigns

pytestmark = pytest.mark.django_db


def account(kind: str):
    result = make.user()
    if kind == "director":
        make.role(result, Role.Kind.DIRECTOR, club=make.club())
    elif kind != "nobody":
        make.role(result, kind)
    return result


# --- Roles ----------------------------------------------------------------------------------------------
OFFICE_STEPS = {
    "draft": {
        "open": lambda c, by: Open().perform(
            2024, by, rule_set=c.rule_set, intake_until=date(2025, 1, 15), effective_on=date(2026, 6, 1)
        ),
        "edit": lambda c, by: Edit().perform(
            c.pk, by, rule_set=c.rule_set, intake_until=c.intake_until, effective_on=date(2026, 6, 1)
        ),
        "freeze": lambda c, by: Freeze().perform(c.pk, by),
    },
    "frozen": {
        "decide": lambda c, by: Decide().perform(c.pk, first_player(), None, "ill", by),
        "abandon": lambda c, by: Abandon().perform(c.pk, by, "not this year"),
    },
    "approved": {"publish": lambda c, by: Publish().perform(c.pk, by)},
    "published": {
        "withdraw": lambda c, by: Withdraw().perform(c.pk, by, "a mistake"),
        "schedule": lambda c, by: Schedule().perform(c.pk, by, due_on=campaigns.EFFECTIVE_ON),
    },
    "applied": {"reverse": lambda c, by: Reverse().propose(c.pk, by, "wrong rules")},
}


def first_player() -> int:
    return Player.objects.filter(assignments__category__code="2D").order_by("pk").first().pk


@pytest.mark.parametrize("kind", ["nobody", "director", "committee", "auditor"])
@pytest.mark.parametrize(
    ("state", "name"), [(state, name) for state, steps in OFFICE_STEPS.items() for name in steps]
)
def test_only_the_office_performs_the_offices_acts(people, clock, kind, state, name):
    campaign = campaigns.in_state(state, people, clock)
    step = OFFICE_STEPS[state][name]
    logged = campaign.acts.count()
    with pytest.raises(PermissionDenied):
        step(campaign, account(kind))
    assert campaign.acts.count() == logged
    step(campaign, account("office"))


@pytest.mark.parametrize("kind", ["nobody", "director", "office", "auditor"])
def test_only_the_committee_approves_and_returns_lists(people, kind):
    campaign = campaigns.frozen(people)
    with pytest.raises(PermissionDenied):
        Approve().perform(campaign.pk, account(kind), queries.list_digest(campaign))
    campaigns.approve(campaign, people)
    with pytest.raises(PermissionDenied):
        GiveBack().perform(campaign.pk, account(kind), "not yet")
    GiveBack().perform(campaign.pk, people.committee, "not yet")
    campaign.refresh_from_db()
    assert (campaign.state, campaign.approved_by, campaign.approved_digest) == ("frozen", None, "")


def test_a_new_committee_member_cannot_approve_for_some_days(people, monkeypatch):
    campaign = campaigns.frozen(people)
    journal.note(people.committee, journal.Kind.ROLE_GIVEN, people.office, holds=True)
    with pytest.raises(Refused) as refused:
        campaigns.approve(campaign, people)
    assert refused.value.code == "waiting"
    later = timezone.now() + timedelta(days=3, minutes=1)
    monkeypatch.setattr(timezone, "now", lambda: later)
    campaigns.approve(campaign, people)


@pytest.mark.parametrize(
    "part", ["opened", "edited", "froze", "froze an earlier version", "decided", "answered"]
)
def test_whoever_worked_on_the_lists_cannot_approve_them(people, part):
    both = make.office()
    make.role(both, Role.Kind.COMMITTEE)
    other = people.office
    people.office = both if part == "opened" else other
    campaign = campaigns.draft(people)
    people.office = other
    if part == "edited":
        days = {"intake_until": campaign.intake_until, "effective_on": campaign.effective_on}
        Edit().perform(campaign.pk, both, rule_set=rule_set_of(2024), **days)
    campaigns.carry_out(campaign, Verb.FREEZE, both if part.startswith("froze") else other)
    if part == "froze an earlier version":
        campaigns.carry_out(campaign, Verb.FREEZE, other, "once more")
    if part == "decided":
        Decide().perform(campaign.pk, people.diamonds[1].pk, make.category("2C"), "merit", both)
    if part == "answered":
        campaigns.approve(campaign, people)
        Publish().perform(campaign.pk, other)
        player = people.diamonds[1]
        player.user = make.user()
        player.save()
        claim = Claim().perform(campaign.pk, player, "Look again", player.user)
        Answer().perform(claim.pk, True, "Right", make.category("2C"), both)
        campaign.refresh_from_db()
    assert not may_approve(campaign, both)
    with pytest.raises(Refused) as refused:
        Approve().perform(campaign.pk, both, queries.list_digest(campaign))
    assert refused.value.code == "same_person"
    assert may_approve(campaign, people.committee)
    campaigns.approve(campaign, people)


def test_the_database_refuses_an_approver_who_opened_or_froze(people):
    campaign = campaigns.frozen(people)
    row = PromotionCampaign.objects.filter(pk=campaign.pk)
    with pytest.raises(IntegrityError, match="campaign_approved_by_another"), transaction.atomic():
        row.update(
            state="approved", approved_by=people.office, approved_at=campaign.opened_at, approved_digest="x"
        )


# --- Conditions of each act -----------------------------------------------------------------------------
def test_freezing_waits_for_the_intake_deadline_and_confirmed_figures(people, clock):
    campaign = campaigns.draft(people)
    assert Freeze().obstacles(campaign) == []
    rules = rule_set_of(campaigns.YEAR)
    rules.rules.filter(category__code="2D").update(confirmed=False)
    # Nobody moves by these rules, so they need no confirmation.
    rules.rules.filter(target=None).update(confirmed=False)
    result = Freeze().obstacles(campaign)
    assert (
        [issue.code for issue in result] == ["rules"]
        and "2D" in result[0].text
        and "1P" not in result[0].text
    )
    rules.confirmed = False
    rules.save()
    clock(date(2026, 1, 15))
    campaign.refresh_from_db()
    assert [obstacle.code for obstacle in Freeze().obstacles(campaign)] == ["intake", "rule_set", "rules"]
    with pytest.raises(Refused):
        Freeze().perform(campaign.pk, people.office)
    assert not campaign.tasks.exists()


def test_lists_are_not_frozen_with_rules_no_longer_in_force(people):
    campaign = campaigns.draft(people)
    rules = campaign.rule_set
    PromotionRuleSet.objects.filter(pk=rules.pk).update(valid_to=date(2024, 12, 31))
    campaign.refresh_from_db()
    assert [obstacle.code for obstacle in Freeze().obstacles(campaign)] == ["not_in_force"]
    (missing,) = steps.missing(campaign)
    assert missing.url == reverse("campaign_step", args=[campaign.pk, "edit"])
    with pytest.raises(Refused, match=rules.name):
        Freeze().perform(campaign.pk, people.office)


def test_figures_for_moving_down_have_to_be_confirmed_too(people):
    campaign = campaigns.draft(people)
    campaign.rule_set.rules.filter(category__code="2C").update(
        target=None, demotion_target=make.category("2D"), demotion_threshold=1700, confirmed=False
    )
    with pytest.raises(Refused, match="2C") as refused:
        Freeze().perform(campaign.pk, people.office)
    assert refused.value.code == "rules"


def test_a_day_years_ahead_is_refused(people, client):
    campaign = campaigns.approved(people)
    client.force_login(people.office)
    url = reverse("campaign_step", args=[campaign.pk, "publish"])
    assert client.post(url, {"claims_until": "9999-12-31"}).status_code == 422
    with pytest.raises(Refused):
        Open().perform(
            2024,
            people.office,
            rule_set=rule_set_of(2024),
            intake_until=date(2025, 1, 15),
            effective_on=date(2206, 3, 1),
        )
    campaign.refresh_from_db()
    assert campaign.state == "approved"


def test_acts_that_need_a_reason_are_refused_without_one(people, clock):
    campaign = campaigns.frozen(people)
    player = people.diamonds[0].pk
    for reason in ("", "  ", "x" * 301):
        with pytest.raises(Refused) as refused:
            Decide().perform(campaign.pk, player, None, reason, people.office)
        assert "reason" in refused.value.message_dict
        with pytest.raises(Refused):
            Abandon().perform(campaign.pk, people.office, reason)
    Abandon().perform(campaign.pk, people.office, "not this year")
    campaign = campaigns.applied(people, clock)
    with pytest.raises(Refused) as refused:
        Reverse().perform(campaign.pk, people.office, " ")
    assert "reason" in refused.value.message_dict


def test_lists_changed_since_they_were_shown_cannot_be_approved(people):
    campaign = campaigns.frozen(people)
    seen = queries.list_digest(campaign)
    Decide().perform(campaign.pk, people.diamonds[1].pk, make.category("2C"), "merit", people.office)
    assert queries.list_digest(campaign) != seen
    with pytest.raises(Refused) as refused:
        Approve().perform(campaign.pk, people.committee, seen)
    assert refused.value.code == "changed"
    campaigns.approve(campaign, people)
    assert campaign.approved_digest == queries.list_digest(campaign)
    Publish().perform(campaign.pk, people.office)
    with pytest.raises(Refused) as refused:
        Approve().perform(campaign.pk, people.committee, campaign.approved_digest)
    assert refused.value.code == "approved"


def test_the_claims_period_is_at_least_that_of_the_rules(people, clock):
    """The office can set a longer claims period than the rule set, but not a shorter one."""
    campaign = campaigns.approved(people)
    for day in (
        campaigns.FROZEN_ON - timedelta(days=1),
        campaigns.FROZEN_ON,
        campaigns.CLAIMS_UNTIL - timedelta(days=1),
    ):
        with pytest.raises(Refused) as refused:
            Publish().perform(campaign.pk, people.office, day)
        assert "claims_until" in refused.value.message_dict
    Publish().perform(campaign.pk, people.office)
    campaign.refresh_from_db()
    assert campaign.claims_until == campaigns.FROZEN_ON + timedelta(days=15)


def test_once_the_committee_ends_the_claims_the_change_can_be_applied_that_day(people):
    campaign = campaigns.published(people)
    player = people.diamonds[1]
    player.user = make.user()
    player.save()
    for by in (people.office, player.user):
        with pytest.raises(PermissionDenied):
            Close().perform(campaign.pk, by, "all were heard")
    Close().perform(campaign.pk, people.committee, "all were heard")
    with pytest.raises(Refused) as refused:
        Claim().perform(campaign.pk, player, "Look again", player.user)
    assert refused.value.code == "claims_over"
    with pytest.raises(Refused) as refused:
        Close().perform(campaign.pk, people.committee, "again")
    assert refused.value.code == "claims_over"
    assert campaign.acts.first().detail == {"claims_until": campaigns.CLAIMS_UNTIL.isoformat()}
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    assert campaign.state == "applied"


def test_whoever_decided_on_a_player_cannot_end_the_claims_period(people):
    both = make.office()
    make.role(both, Role.Kind.COMMITTEE)
    campaign = campaigns.frozen(people)
    Decide().perform(campaign.pk, people.diamonds[1].pk, make.category("2C"), "merit", both)
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office)
    with pytest.raises(Refused) as refused:
        Close().perform(campaign.pk, both, "all were heard")
    assert refused.value.code == "same_person"


def test_whoever_published_the_lists_cannot_end_the_claims_period(people, client):
    both = make.office()
    make.role(both, Role.Kind.COMMITTEE)
    campaign = campaigns.frozen(people)
    Approve().perform(campaign.pk, both, list_digest(campaign))
    Publish().perform(campaign.pk, both)
    with pytest.raises(Refused) as refused:
        Close().perform(campaign.pk, both, "nobody minds")
    assert refused.value.code == "same_person"
    client.force_login(both)
    url = reverse("campaign_step", args=[campaign.pk, "close"])
    assert client.get(url).status_code == 302
    assert url not in client.get(campaign.get_absolute_url()).content.decode()
    Close().perform(campaign.pk, people.committee, "all were heard")


# --- The list in force ----------------------------------------------------------------------------------
def test_the_lists_combine_the_frozen_selection_and_the_decisions(people):
    campaign = campaigns.frozen(people)
    first, second, third = (player.pk for player in people.diamonds[:3])
    assert moving_players(campaign) == {first: "2C", people.hearts[0].pk: "2P"}
    Decide().perform(campaign.pk, first, None, "ill for months", people.office)
    Decide().perform(campaign.pk, second, make.category("2P"), "a champion elsewhere", people.office)
    Decide().perform(campaign.pk, third, make.category("2C"), "by mistake", people.office)
    Decide().perform(campaign.pk, third, None, "that was the wrong player", people.office)
    assert moving_players(campaign) == {second: "2P", people.hearts[0].pk: "2P"}
    rows = {row.place.entrant.player_id: row for row in queries.current_list(campaign, make.category("2D"))}
    assert len(rows) == 10
    assert (rows[first].final, rows[first].place.state, rows[first].decision.reason) == (
        False,
        PlaceState.MOVES,
        "ill for months",
    )
    assert (rows[second].final, rows[second].target, rows[second].place.state) == (
        True,
        "2P",
        PlaceState.BELOW,
    )
    assert rows[third].decision.reason == "that was the wrong player"
    assert campaign.decisions.count() == 4  # earlier decisions stay stored


def moving_players(campaign) -> dict[int, str]:
    return {row.place.entrant.player_id: row.target for row in queries.movers(campaign)}


def test_decisions_concern_listed_players_and_never_oneself(people):
    campaign = campaigns.frozen(people)
    stranger = make.player(category="2D")
    with pytest.raises(Refused) as refused:
        Decide().perform(campaign.pk, stranger.pk, make.category("2C"), "merit", people.office)
    assert refused.value.code == "not_listed"
    player = people.diamonds[1]
    player.user = people.office
    player.save()
    with pytest.raises(Refused) as refused:
        Decide().perform(campaign.pk, player.pk, make.category("2C"), "merit", people.office)
    assert refused.value.code == "own"
    assert queries.category_in_list(campaign, player.pk) == "2D"
    assert queries.category_in_list(campaign, stranger.pk) is None


def test_freezing_again_adds_a_snapshot_and_keeps_decisions(people):
    campaign = campaigns.frozen(people)
    before = campaign.snapshot
    bodies = list(before.lists.values_list("body", flat=True))
    Decide().perform(campaign.pk, people.diamonds[0].pk, None, "ill", people.office)
    campaigns.post_points(people.diamonds[4], 9000)
    assert moving_players(campaign) == {people.hearts[0].pk: "2P"}  # a late result alone changes nothing
    campaigns.carry_out(campaign, Verb.FREEZE, people.office, "a late result")
    assert (campaign.snapshot.version, campaign.state) == (2, "frozen")
    assert moving_players(campaign) == {people.diamonds[4].pk: "2C", people.hearts[0].pk: "2P"}
    assert list(before.lists.values_list("body", flat=True)) == bodies
    assert SnapshotList.objects.filter(snapshot=before).count() == len(bodies)
    act = campaign.acts.filter(verb="freeze").first()
    assert (act.detail["version"], act.detail["digest"], act.reason) == (
        2,
        campaign.snapshot.digest,
        "a late result",
    )


def test_freezing_the_same_data_gives_the_same_digest(people):
    campaign = campaigns.frozen(people)
    first = campaign.snapshot.digest
    campaigns.carry_out(campaign, Verb.FREEZE, people.office)
    assert (campaign.snapshot.version, campaign.snapshot.digest) == (2, first)


# --- Opening and deciding -------------------------------------------------------------------------------
def test_opening_is_logged_and_a_year_has_only_one_campaign(people):
    campaign = campaigns.draft(people)
    act = CampaignAct.objects.get()
    assert (act.verb, act.by, act.state_after) == ("open", people.office, "draft")
    with pytest.raises(Refused, match="2025"):
        campaigns.draft(people)
    Abandon().perform(campaign.pk, people.office, "wrong dates")
    assert campaigns.draft(people).pk != campaign.pk


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"year": 2027}, "year"),
        ({"intake_until": date(2025, 12, 30)}, "intake_until"),
        ({"effective_on": date(2026, 1, 15)}, "effective_on"),
        ({"year": 2023, "intake_until": date(2024, 1, 15)}, None),
        ({"year": 2021}, "rule_set"),
    ],
)
def test_invalid_dates_or_rules_of_a_campaign_are_refused(people, changes, names):
    fields = {
        "year": 2025,
        "rule_set": campaigns.confirmed_rules(),
        "intake_until": date(2026, 1, 15),
        "effective_on": campaigns.EFFECTIVE_ON,
        **changes,
    }
    year = fields.pop("year")
    if names is None:
        assert Open().perform(year, people.office, **fields).state == "draft"
        return
    with pytest.raises(Refused) as refused:
        Open().perform(year, people.office, **fields)
    assert list(refused.value.message_dict) == [names]


def test_the_usual_last_day_for_late_results_is_15_january():
    assert usual_intake(2025) == date(2026, 1, 15)
    assert campaigns.FROZEN_ON - usual_intake(2025) == timedelta(days=5)


def test_a_decision_cannot_give_a_title_or_keep_the_category_as_a_move(people, clock):
    campaign = campaigns.frozen(people)
    for code in ("MN-O", "2D"):
        with pytest.raises(Refused):
            Decide().perform(
                campaign.pk,
                people.diamonds[1].pk,
                Category.objects.get(code=code),
                "for merit",
                people.office,
            )
