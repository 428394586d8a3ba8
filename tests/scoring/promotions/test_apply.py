"""Applying and reversing a campaign: who gets which category from which day, and who is skipped.

No tournament's C4 changes. C4 is the coefficient of the field's strength, computed from categories.
"""

import random
from datetime import date, timedelta

import pytest
from django.db import transaction
from django.db.models import Sum

from players.categories import categories_on
from players.models import CategoryAssignment
from players.services import categories as by_hand
from scoring.ledger.models import LedgerEntry, Standing
from scoring.ledger.receipts import receipt_of
from scoring.ledger.services import runs, standings
from scoring.office.services import category_changes, merges
from scoring.promotions.acts.decide import Decide
from scoring.promotions.acts.publish import Publish
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries import plans
from scoring.promotions.services import work as campaign_tasks
from scoring.promotions.wording import problem_words
from tests import factories as make
from tests.scoring.promotions import campaigns
from tournaments import drafts

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def code_on(player, day: date) -> str | None:
    response = categories_on(day, [player.pk]).get(player.pk)
    return response and response.code


def reported(campaign) -> dict[int, tuple]:
    """Return {player id: (problem, undone)} of the changes that the campaign has stored.

    problem: code for why applying skipped the player, or empty
    undone: code for what reversing did with the change, or empty
    """
    return {change.player_id: (change.problem, change.undone) for change in campaign.changes.all()}


# --- Applying -------------------------------------------------------------------------------------------
def test_the_new_category_is_valid_from_its_day_on(people, clock):
    campaign = campaigns.applied(people, clock)
    mover, stayer = people.diamonds[0], people.diamonds[1]
    assert code_on(mover, campaigns.EFFECTIVE_ON - DAY) == "2D"
    assert code_on(mover, campaigns.EFFECTIVE_ON) == "2C"
    assert code_on(stayer, campaigns.EFFECTIVE_ON) == "2D"
    assert code_on(people.spade, campaigns.EFFECTIVE_ON) == "1P"
    response = mover.assignments.get(origin="campaign")
    assert response.created_by == people.office and str(campaigns.YEAR) in response.reason
    change = campaign.changes.get(player=mover)
    assert (change.category.code, change.target.code, change.assignment) == ("2D", "2C", response)
    act = campaign.acts.first()
    assert (act.verb, act.by, act.detail["changed"], act.detail["conflicts"]) == (
        "apply",
        people.office,
        2,
        0,
    )
    assert act.detail["from"] == campaigns.EFFECTIVE_ON.isoformat()


def test_a_late_change_is_valid_from_the_day_of_applying(people, clock):
    campaign = campaigns.published(people)
    late = campaigns.EFFECTIVE_ON + 10 * DAY
    clock(late)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    assert code_on(people.diamonds[0], late - DAY) == "2D"
    assert code_on(people.diamonds[0], late) == "2C"


def test_applying_skips_players_whose_category_has_changed_or_who_died(people, clock):
    """Applying skips, and reports, players who got another category or died after the lists were frozen."""
    campaign = campaigns.frozen(people)
    titled, stepped, dead, wished = people.diamonds[:4]
    for player in (stepped, dead, wished):
        Decide().perform(campaign.pk, player.pk, make.category("2C"), "merit", people.office)
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office, campaigns.CLAIMS_UNTIL)
    by_hand.assign(
        titled, make.category("MN-O"), date(2026, 2, 1), "champion", people.office, evidence="Acta 4"
    )
    by_hand.assign(
        stepped,
        make.category("2P"),
        campaigns.EFFECTIVE_ON,
        "a mistake of ours",
        people.office,
        evidence="Acta 4",
    )
    dead.deceased_on = date(2026, 1, 30)
    dead.save()
    clock(campaigns.AFTER_CLAIMS)
    campaign.refresh_from_db()
    grants = plans.grants_of(queries.movers(campaign), campaigns.EFFECTIVE_ON)
    planned = {grant.player_id: grant.problem for grant in grants}
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    assert reported(campaign) == {
        titled.pk: ("changed", ""),
        stepped.pk: ("changed", ""),
        dead.pk: ("deceased", ""),
        wished.pk: ("", ""),
        people.hearts[0].pk: ("", ""),
    }
    assert planned == {player: problem for player, (problem, _undone) in reported(campaign).items()}
    on_the_day = [code_on(player, campaigns.EFFECTIVE_ON) for player in (titled, stepped, dead, wished)]
    assert on_the_day == ["MN-O", "2P", "2D", "2C"]


def test_applying_skips_numbers_merged_after_the_freeze(people, clock):
    """Applying skips a player whose number was merged after the lists were frozen.

    The surviving player gets no category either, because no frozen list contains that player.
    """
    campaign = campaigns.published(people)
    mover = people.diamonds[0]
    kept = make.player(category="2D")
    merges.merge(mover, kept, "registered twice", people.office)
    clock(campaigns.AFTER_CLAIMS)
    grants = plans.grants_of(queries.movers(campaign), campaigns.EFFECTIVE_ON)
    planned = {grant.player_id: grant.problem for grant in grants}
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    assert reported(campaign)[mover.pk] == ("merged", "") and planned[mover.pk] == "merged"
    assert (code_on(mover, campaigns.EFFECTIVE_ON), code_on(kept, campaigns.EFFECTIVE_ON)) == ("2D", "2D")
    assert problem_words("merged")


def test_a_category_by_hand_from_a_later_day_does_not_prevent_the_change(people, clock):
    campaign = campaigns.published(people)
    later = campaigns.EFFECTIVE_ON + 30 * DAY
    by_hand.assign(
        people.diamonds[0], make.category("3P"), later, "wants to", people.office, evidence="Acta 4"
    )
    clock(campaigns.AFTER_CLAIMS)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    assert code_on(people.diamonds[0], campaigns.EFFECTIVE_ON) == "2C"
    assert code_on(people.diamonds[0], later) == "3P"


def test_standings_change_on_the_effective_day_and_not_before(people, clock):
    campaigns.applied(people, clock)
    mover = people.diamonds[0]
    assert Standing.objects.get(player=mover).category.code == "2D"
    for day, code in ((campaigns.EFFECTIVE_ON - DAY, "2D"), (campaigns.EFFECTIVE_ON, "2C")):
        clock(day)
        standings.roll_if_due()
        assert Standing.objects.get(player=mover).category.code == code
    assert standings.compare(campaigns.EFFECTIVE_ON) == []


def test_standings_change_at_once_if_the_new_category_is_valid_at_once(people, clock):
    campaign = campaigns.published(people)
    clock(campaigns.EFFECTIVE_ON + DAY)
    standings.roll_if_due()
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    assert Standing.objects.get(player=people.diamonds[0]).category.code == "2C"
    campaigns.carry_out(campaign, Verb.REVERSE, people.office, "wrong rules")
    assert Standing.objects.get(player=people.diamonds[0]).category.code == "2D"
    assert standings.compare(campaigns.EFFECTIVE_ON + DAY) == []


def test_applying_stores_nothing_if_the_last_write_fails(people, clock, monkeypatch):
    campaign = campaigns.published(people)
    clock(campaigns.EFFECTIVE_ON)

    def fail(*_args):
        raise RuntimeError("the disk is full")

    before = CategoryAssignment.objects.count()
    monkeypatch.setattr("scoring.promotions.acts.apply.mark_done", fail)
    with pytest.raises(RuntimeError):
        campaigns.carry_out(campaign, Verb.APPLY, people.office)
    campaign.refresh_from_db()
    assert (campaign.state, campaign.changes.count()) == ("published", 0)
    assert CategoryAssignment.objects.count() == before
    monkeypatch.undo()
    # The task is handed back, and the next worker completes it.
    monkeypatch.setattr("django.utils.timezone.localdate", lambda *_: campaigns.EFFECTIVE_ON)
    campaign_tasks.perform(campaign.tasks.get(verb="apply").pk)
    campaign.refresh_from_db()
    assert (campaign.state, campaign.changes.count()) == ("applied", 2)


def test_revoking_a_campaigns_category_by_hand_needs_two_persons(people, clock):
    campaigns.applied(people, clock)
    assignment = people.diamonds[0].assignments.get(origin="campaign")
    assert assignment.valid_from > standings.today()
    assert category_changes.assess_revoking(assignment, people.office).why == ("approved",)


# --- Reversing ------------------------------------------------------------------------------------------
def test_reversing_before_the_effective_day_revokes_the_new_categories(people, clock):
    campaign = campaigns.reversed_(people, clock)
    mover = people.diamonds[0]
    response = mover.assignments.get(origin="campaign")
    assert response.revoked_at and response.revoked_by == people.office and response.revoked_reason
    assert "wrong rules" not in response.revoked_reason  # players can read this text; the log has the reason
    assert campaign.acts.first().reason == "wrong rules"
    assert code_on(mover, campaigns.EFFECTIVE_ON) == "2D"
    assert set(reported(campaign).values()) == {("", "revoked")}
    assert campaign.acts.first().detail["revoked"] == 2
    assert campaigns.draft(people).state == "draft"  # a new campaign of the year can be opened


def test_reversing_later_keeps_the_history_and_restores_the_former_category(people, clock):
    campaign = campaigns.applied(people, clock)
    back = campaigns.EFFECTIVE_ON + 20 * DAY
    clock(back)
    campaigns.carry_out(campaign, Verb.REVERSE, people.office, "wrong rules")
    mover = people.diamonds[0]
    days = [campaigns.EFFECTIVE_ON - DAY, campaigns.EFFECTIVE_ON, back - DAY, back]
    assert [code_on(mover, day) for day in days] == ["2D", "2C", "2C", "2D"]
    change = campaign.changes.get(player=mover)
    assert (change.undone, change.restored.category.code, change.restored.origin) == (
        "restored",
        "2D",
        "campaign",
    )
    assert change.assignment.revoked_at is None


def test_reversing_on_the_effective_day_restores_the_former_category_that_day(people, clock):
    campaign = campaigns.applied(people, clock)
    clock(campaigns.EFFECTIVE_ON)
    campaigns.carry_out(campaign, Verb.REVERSE, people.office, "wrong rules")
    assert code_on(people.diamonds[0], campaigns.EFFECTIVE_ON) == "2D"
    assert set(reported(campaign).values()) == {("", "revoked")}


def test_reversing_skips_players_whose_category_was_changed_by_hand(people, clock):
    campaign = campaigns.frozen(people)
    titled, stepped, revoked, later, plain = people.diamonds[:5]
    for player in (stepped, revoked, later, plain):
        Decide().perform(campaign.pk, player.pk, make.category("2C"), "merit", people.office)
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office, campaigns.CLAIMS_UNTIL)
    clock(campaigns.EFFECTIVE_ON)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    day = campaigns.EFFECTIVE_ON + 5 * DAY
    by_hand.assign(titled, make.category("MN-O"), day, "champion", people.office, evidence="Acta 4")
    by_hand.assign(
        stepped, make.category("1P"), day, "by decision of the board", people.office, evidence="Acta 4"
    )
    by_hand.revoke(
        revoked.assignments.get(origin="campaign").pk, "not this player", people.office, evidence="Acta 4"
    )
    by_hand.assign(later, make.category("2P"), day + 60 * DAY, "promised", people.office, evidence="Acta 4")
    clock(day + DAY)
    planned = {
        reversal.change.player_id: reversal.undone for reversal in plans.reversals(campaign, day + DAY)
    }
    campaigns.carry_out(campaign, Verb.REVERSE, people.office, "wrong rules")
    undone = {player: how for player, (_problem, how) in reported(campaign).items()}
    assert (
        undone
        == planned
        == {
            titled.pk: "conflict",
            stepped.pk: "conflict",
            revoked.pk: "conflict",
            later.pk: "conflict",
            plain.pk: "restored",
            people.hearts[0].pk: "restored",
        }
    )
    afterwards = [code_on(player, day + DAY) for player in (titled, stepped, revoked, later, plain)]
    assert afterwards == ["MN-O", "1P", "2D", "2C", "2D"]
    assert campaign.acts.first().detail["conflict"] == 4


# --- The past does not change ---------------------------------------------------------------------------
def test_applying_and_reversing_change_no_past_day(people, clock):
    """Neither applying nor reversing changes a category on any day from the year's beginning to yesterday."""
    titled = people.hearts[1]
    make.assign(titled, "MN-O", date(2026, 2, 20), origin="manual", reason="Acta 5")
    campaign = campaigns.published(people)

    def history(today: date) -> list[dict[int, str]]:
        over = (today - campaigns.FROZEN_ON).days
        days = [campaigns.FROZEN_ON + number * DAY for number in [*range(-385, over, 6), over - 1]]
        return [{pk: held.code for pk, held in categories_on(day).items()} for day in days]

    for days, verb in ((10, Verb.APPLY), (25, Verb.REVERSE)):
        today = campaigns.EFFECTIVE_ON + days * DAY
        clock(today)
        before = history(today)
        campaigns.carry_out(campaign, verb, people.office, "wrong rules")
        assert history(today) == before
        assert code_on(people.diamonds[0], today) != before[-1][people.diamonds[0].pk]


def test_applying_and_reversing_never_change_the_c4_of_a_tournament(people, clock):
    """Scoring the tournament again before, between and after applying and reversing never changes its C4."""
    campaign = campaigns.published(people)
    before = scored(people, campaigns.EFFECTIVE_ON - 2 * DAY)
    clock(campaigns.EFFECTIVE_ON + DAY)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    during = scored(people, campaigns.EFFECTIVE_ON + 3 * DAY)
    back = campaigns.EFFECTIVE_ON + 9 * DAY
    values = c4(before), c4(during)
    assert values[0] != values[1]  # two of the four players moved up
    assert again(before) == values[0]
    clock(back)
    campaigns.carry_out(campaign, Verb.REVERSE, people.office, "wrong rules")
    after = scored(people, back + DAY)
    assert (again(before), again(during), c4(after)) == (*values, values[0])


def scored(people, day: date):
    """Store and score a club pool. The campaign moves two of its four players to another category."""
    a, b = people.diamonds[0], people.hearts[0]
    return make.scored((a, people.diamonds[1]), (b, people.hearts[1]), end_date=day)


def c4(tournament) -> str:
    tournament.refresh_from_db()
    run = tournament.published.runs.filter(state="done").latest("number")
    return run.outcome["lines"][0]["coefficients"]["C4"]


def again(tournament) -> str:
    """Score the tournament again, and return its C4."""
    runs.score(runs.create_run(tournament.published, None, "asked for").pk)
    return c4(tournament)


# --- The figures of the list ----------------------------------------------------------------------------
def test_the_points_of_a_frozen_list_equal_the_players_receipts(people):
    """Computing each tournament's points again from its stored inputs gives the points of the frozen list."""
    entrants = make.players(12, category="3P", club=make.club())
    chance = random.Random(2025)
    for month in range(1, 9):
        playing = chance.sample(entrants, 8)
        venue = "online" if month % 4 == 0 else "in_person"
        last = make.scored(*make.pairs(playing), end_date=date(2025, month, 9), venue=venue)
    make.scored(*make.pairs(entrants[:8]), end_date=date(2024, 12, 31))  # in the previous year
    correct(last, playing[::-1])
    campaign = campaigns.frozen(people)
    places = queries.document_of(campaign, "3P").selection.places
    for place in chance.sample(places, 5):
        entrant = place.entrant
        entries = list(
            LedgerEntry.objects.between(date(2025, 1, 1), date(2025, 12, 31)).filter(
                player=entrant.player_id, kind="award", reversed_by=None
            )
        )
        receipts = [receipt_of(entry, "es") for entry in entries]
        assert all(receipt.agrees for receipt in receipts)
        assert entrant.points == sum(receipt.computed for receipt in receipts)
        online = sum(r.computed for r, entry in zip(receipts, entries, strict=True) if entry.online)
        assert (entrant.online, entrant.in_person) == (online, entrant.points - online)
        assert entrant.tournaments == len({entry.tournament_id for entry in entries})
        assert entrant.boards == 24 * entrant.tournaments
    assert sum(place.entrant.online for place in places) > 0
    total = LedgerEntry.objects.filter(played_on__year=2025, player__in=entrants).aggregate(all=Sum("points"))
    assert sum(place.entrant.points for place in places) == total["all"]


def correct(tournament, playing) -> None:
    """Correct the tournament's ranking to the players in this order, and score it."""
    with transaction.atomic():
        revision = drafts.store(
            drafts.header_of(tournament),
            make.rows(*make.pairs(playing)),
            None,
            corrects=tournament,
            reason="wrong order",
        )
    runs.score(runs.create_run(revision, None).pk)
