"""Services of adjustments: proposing and approving them, their receipts, and taking them back."""

from datetime import date

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.utils import timezone, translation

from players.models import Role
from players.proposals import act_of
from players.services import proposals
from scoring.audit import approved, transfers, verify
from scoring.ledger.models import LedgerEntry, Standing
from scoring.ledger.services import posting
from scoring.ledger.source_keys import proposal_id_of
from scoring.office.services import merges
from scoring.office.services.adjustments import Adjustment, propose_adjustment, propose_taking_back
from tests import factories as f
from tests.languages import speak

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


DAY = date(2026, 3, 1)
TITLE = "Open of March"


@pytest.fixture
def accounts():
    committee = f.user()
    f.role(committee, Role.Kind.COMMITTEE)
    return f.office(), committee


def adjustment_for(player, points: int = 250, **fields) -> Adjustment:
    return Adjustment(player.pk, DAY, TITLE, False, points, **fields)


def approve(proposal, by):
    return proposals.approve(proposal.pk, by, act_of(proposal).effect(proposal, by).digest)


def posted_adjustment(player, accounts, points: int = 250) -> LedgerEntry:
    proposal = propose_adjustment(
        adjustment_for(player, points), "A board was scored twice", "Minutes 4", accounts[0]
    )
    done = approve(proposal, accounts[1])
    return LedgerEntry.objects.get(pk__in=done.result["entries"])


def audit() -> list:
    return [*approved.differences(), *transfers.differences(), *verify.compare_standings()[1]]


def test_an_adjustment_is_posted_once_a_second_person_approves(accounts):
    player = f.player()
    proposal = propose_adjustment(
        adjustment_for(player), "A board was scored twice", "Minutes 4", accounts[0]
    )
    assert not LedgerEntry.objects.exists()
    with pytest.raises(PermissionDenied):
        approve(proposal, accounts[0])
    done = approve(proposal, accounts[1])
    entry = LedgerEntry.objects.get()
    assert (entry.kind, entry.points, entry.played_on, entry.title) == (
        "adjustment",
        250,
        DAY,
        "Open of March",
    )
    assert (entry.reason, entry.posted_by, done.result) == (
        "A board was scored twice",
        accounts[1],
        {"entries": [entry.pk]},
    )
    assert entry.source_key == f"proposal-{proposal.pk}-1"
    assert Standing.objects.get(player=player).points == 250
    assert Standing.objects.get(player=player).tournaments == 0
    assert audit() == []


@pytest.mark.parametrize(
    ("points", "day", "cautions"),
    [
        (-500_000, DAY, ["12 months up to 20 Mar 2026 would come to −4,995.00."]),
        (-501, DAY, ["12 months up to 20 Mar 2026 would come to −0.01."]),
        (-500, DAY, []),
        (500_000, DAY, []),
        (-500_000, date(2024, 5, 1), ["12 months up to 1 May 2024 would come to −5,000.00."]),
    ],
)
def test_deducting_more_points_than_the_player_has_shows_a_warning(
    accounts, client, monkeypatch, points, day, cautions
):
    """A deduction of more points than the player has warns both persons, but can still be approved."""
    monkeypatch.setattr(timezone, "localdate", lambda *_: date(2026, 3, 20))
    speak(client, "en")
    player = f.player()
    posted_adjustment(player, accounts, points=500)
    adjustment = Adjustment(player.pk, day, "Typed wrong", False, points)
    proposal = propose_adjustment(adjustment, "A board was scored twice", "Minutes 5", accounts[0])
    effect = act_of(proposal).effect(proposal, accounts[1])
    assert [text.partition(": the ")[2] for text in effect.cautions] == cautions
    for person in accounts:
        client.force_login(person)
        shown = client.get(proposal.get_absolute_url()).content.decode()
        assert ("More points are taken than the player has" in shown) == bool(cautions)
    approve(proposal, accounts[1])
    assert LedgerEntry.objects.filter(points=points).exists()
    assert audit() == []


def test_adding_points_to_a_player_below_zero_shows_no_warning(accounts):
    player = f.player()
    posted_adjustment(player, accounts, points=-500)
    proposal = propose_adjustment(adjustment_for(player, 100), "Half of it", "Minutes 5", accounts[0])
    assert act_of(proposal).effect(proposal, accounts[1]).cautions == []


def test_taking_back_an_adjustment_needs_a_second_person_too(accounts):
    player = f.player()
    entry, clerk = posted_adjustment(player, accounts), f.office()
    proposal = propose_taking_back(entry, "It was right", "Letter 9", clerk)
    with pytest.raises(ValidationError, match="already waits"):
        propose_taking_back(entry, "It was right", "Letter 9", accounts[0])
    with pytest.raises(PermissionDenied):
        approve(proposal, clerk)
    approve(proposal, accounts[0])
    assert sum(LedgerEntry.objects.values_list("points", flat=True)) == 0
    assert not Standing.objects.filter(player=player).exists()
    assert audit() == []
    with pytest.raises(ValidationError, match="already taken back"):
        propose_taking_back(entry, "Again", "Letter 10", accounts[0])


def test_an_adjustment_moves_with_a_merge_and_can_be_taken_back_afterwards(accounts):
    old, kept = f.players(2)
    posted_adjustment(old, accounts)
    waits = propose_adjustment(adjustment_for(old, 10), "Two", "Minutes 5", accounts[0])
    merging = merges.merge(old, kept, "One person", accounts[0])
    assert audit() == []
    with pytest.raises(ValidationError, match="was merged into"):
        approve(waits, accounts[1])
    moved = LedgerEntry.objects.get(player=kept)
    approve(propose_taking_back(moved, "It was right", "Letter 9", accounts[0]), accounts[1])
    assert not Standing.objects.filter(player=kept).exists()
    merges.undo(merging.pk, "Two persons", accounts[0])
    assert audit() == []


def test_the_audit_reports_an_adjustment_that_nobody_approved(accounts):
    player = f.player()
    entry = posted_adjustment(player, accounts)
    LedgerEntry.objects.create(
        kind="adjustment",
        player=player,
        points=9,
        played_on=DAY,
        online=False,
        title="Alone",
        source_key=f"{posting.proposal_key(proposal_of(entry))}-7",
    )
    LedgerEntry.objects.create(
        kind="adjustment",
        player=player,
        points=-250,
        played_on=DAY,
        online=False,
        title=entry.title,
        source_key=f"back:{entry.pk}",
    )
    assert [(difference.code, difference.player) for difference in approved.differences()] == [
        ("adjustment", player.number)
    ] * 2


def proposal_of(entry):
    from players.models import Proposal

    return Proposal.objects.get(pk=proposal_id_of(entry.source_key))


@pytest.mark.parametrize(
    ("points", "reason", "evidence", "day"),
    [(0, "r", "e", DAY), (5, " ", "e", DAY), (5, "r", "", DAY), (5, "r", "e", date(2999, 1, 1))],
)
def test_invalid_adjustments_are_refused(accounts, points, reason, evidence, day):
    adjustment = Adjustment(f.player().pk, day, "Open", False, points)
    with pytest.raises(ValidationError):
        propose_adjustment(adjustment, reason, evidence, accounts[0])


@pytest.mark.parametrize(
    ("key", "number"),
    [
        ("proposal-7-1", 7),
        ("proposal-7", 7),
        (f"proposal-{10**18 - 1}-1", 10**18 - 1),
        # An id larger than the database's integers.
        (f"proposal-{10**18}-1", None),
        ("proposal-", None),
        ("proposal-x-1", None),
        ("undone-7-1", None),
        ("", None),
    ],
)
def test_the_source_key_of_an_entry_names_its_proposal(key, number):
    assert proposal_id_of(key) == number
