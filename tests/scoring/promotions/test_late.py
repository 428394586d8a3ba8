"""What changed after a freeze: late results, the tournaments that cause them, and two snapshots compared."""

from dataclasses import replace
from datetime import date

import pytest
from django.db import transaction

from players.services import categories as by_hand
from scoring.annulments import services as annul
from scoring.ledger.services import runs
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.late import differences, late_results, late_results_of
from tests import factories as make
from tests.scoring.promotions import campaigns
from tournaments import drafts

pytestmark = pytest.mark.django_db


def late_now(campaign):
    late = late_results(campaign.snapshot, campaign.rule_set)
    assert late_results_of(late.as_json()) == late
    return late


def test_there_are_no_late_results_right_after_freezing(people):
    late = late_now(campaigns.frozen(people))
    assert (late.differences, late.causes) == ([], [])


def test_a_late_result_is_listed_with_its_effect_and_its_cause(people):
    campaign = campaigns.frozen(people)
    winner, second = people.diamonds[5], people.diamonds[0]
    campaigns.post_points(winner, 5000, date(2025, 12, 28))
    campaigns.post_points(people.hearts[1], 10, date(2026, 1, 3))  # points of another year
    late = late_now(campaign)
    assert [
        (
            difference.player_id,
            difference.before_target,
            difference.after_target,
            difference.moves_differently,
        )
        for difference in late.differences
    ] == [(second.pk, "2C", None, True), (winner.pk, None, "2C", True)]
    up = late.differences[1]
    assert (up.before.entrant.points, up.after.entrant.points) == (500, 5500)
    (cause,) = late.causes
    assert (cause.title, cause.played_on, cause.player_ids) == (
        "Open of 5000",
        date(2025, 12, 28),
        frozenset([winner.pk]),
    )


def test_players_who_enter_or_leave_a_list_after_the_freeze_are_shown(people):
    campaign = campaigns.frozen(people)
    new, gone = make.player(category="2D"), people.diamonds[9]
    campaigns.post_points(new, 50)
    by_hand.assign(
        gone, make.category("2C"), date(2025, 12, 30), "forgotten", people.office, evidence="Acta 4"
    )
    result = {difference.player_id: difference for difference in late_now(campaign).differences}
    assert set(result) == {new.pk, gone.pk}
    assert (result[new.pk].before, result[new.pk].before_category) == (None, None)
    assert (result[gone.pk].before_category, result[gone.pk].after_category) == ("2D", "2C")


def test_a_late_correction_names_its_tournament(people):
    a, b, c, d = make.players(4, category="3P", club=make.club())
    pool = make.scored((a, b), (c, d), end_date=date(2025, 11, 2), name="Pool of November")
    make.scored((a, c), (b, d), end_date=date(2025, 11, 9))
    campaign = campaigns.frozen(people)
    with transaction.atomic():
        header = replace(drafts.header_of(pool))
        revision = drafts.store(header, make.rows((c, d), (a, b)), None, corrects=pool, reason="wrong order")
    runs.score(runs.create_run(revision, None).pk)
    late = late_now(campaign)
    assert {difference.player_id for difference in late.differences} == {a.pk, b.pk, c.pk, d.pk}
    assert pool.pk in {cause.tournament_id for cause in late.causes}


def test_a_tournament_annulled_after_the_freeze_is_a_late_result(client, people):
    pairs = make.pairs(make.players(4, category="3P"))
    pool = make.scored(*pairs, end_date=date(2025, 11, 2), name="Pool of November")
    campaign = campaigns.frozen(people)
    runs.score(annul.annul(pool.pk, "Uploaded by mistake", people.office).pk)
    (cause,) = late_now(campaign).causes
    assert cause.tournament_id == pool.pk
    campaigns.compare_late_results(campaign)
    page = campaigns.response_for(client, people.office, "campaign_late", campaign.pk).content.decode()
    assert "Pool of November (anulado)" in page


def test_two_snapshots_are_compared(people):
    campaign = campaigns.frozen(people)
    first = campaign.snapshot
    campaigns.post_points(people.diamonds[1], 5)
    campaigns.post_points(people.diamonds[2], 5000)
    campaigns.carry_out(campaign, Verb.FREEZE, people.office, "late results")
    result = differences(first, campaign.snapshot)
    assert [(entry.player_id, entry.moves_differently) for entry in result] == [
        (people.diamonds[0].pk, True),
        (people.diamonds[2].pk, True),
        (people.diamonds[1].pk, False),
    ]
    assert differences(first, first) == []
