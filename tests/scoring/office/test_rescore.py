"""Scoring a tournament again under another regulation: preview, proposal with a reason, and reverting."""

from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import translation

from players.models import Proposal
from players.proposals import act_of
from players.services import proposals
from scoring.audit import verify
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.receipts import receipt_of
from scoring.ledger.services import runs
from scoring.office.services import merges, rescore
from tests import factories as make
from tests import second
from tests.languages import speak
from tests.scoring.audit.test_verify import store_correction
from tests.scoring.pages.test_queries import query_count
from tournaments.drafts import header_of
from tournaments.models import ResultUpload
from tournaments.services.drafts import draft_of
from tournaments.services.uploads import receive_typed

pytestmark = pytest.mark.django_db
Kind = LedgerEntry.Kind


@pytest.fixture
def club():
    return make.club()


@pytest.fixture
def players(db):
    return make.players(8, category="1P")


@pytest.fixture
def tournament(club, players):
    return make.scored(*make.pairs(players), of=club, event_type="regional", end_date=date(2026, 2, 1))


@pytest.fixture
def office(client):
    speak(client, "en")
    account = make.office()
    client.force_login(account)
    with translation.override("en"):
        yield account


def address(tournament) -> str:
    return f"{tournament.get_absolute_url()}reglamento/"


def open_rescore(client, tournament, code: str):
    return client.get(address(tournament), {"reglamento": code})


def post_rescore(client, tournament, code: str, reason="Held over from 2025", seen=None):
    seen = open_rescore(client, tournament, code).context["digest"] if seen is None else seen
    return client.post(f"{address(tournament)}?reglamento={code}", {"reason": reason, "seen": seen})


def rescore_and_approve(client, tournament, code: str, reason="Held over from 2025", seen=None, by=None):
    """Propose to score the tournament again, and approve it as another account. Return the first response.

    code: code of the regulation
    seen: digest of the preview that the form sends; by default that of the current preview
    by: the account that approves
    """
    answer = post_rescore(client, tournament, code, reason, seen)
    second.approve_all(by)
    return answer


def links_to_rescore(client, tournament) -> bool:
    """Return whether the tournament's page links to rescoring."""
    return address(tournament) in client.get(tournament.get_absolute_url(), {"yo": "1"}).content.decode()


def score_pending_run(tournament) -> None:
    """Score the tournament's pending run, like a worker."""
    run = tournament.runs.order_by("-pk").first()
    assert run.state == ScoringRun.State.PENDING
    runs.score(run.pk)
    tournament.refresh_from_db()


def points_by_player(tournament) -> dict[int, int]:
    entries = LedgerEntry.objects.filter(tournament=tournament, reversed_by=None).exclude(kind=Kind.REVERSAL)
    return dict(entries.values_list("player_id", "points"))


def differences() -> list:
    batches = [difference for batch in verify.batches() for difference in batch.differences]
    return [*batches, *verify.compare_standings()[1]]


def test_the_preview_shows_old_and_new_points_and_writes_nothing(client, office, tournament, players):
    assert links_to_rescore(client, tournament)
    before = points_by_player(tournament)
    response = open_rescore(client, tournament, "aeb-2022")
    rows = {
        change.player_id: (change.old, change.new)
        for change in rescore.preview(tournament, response.context["chosen"]).changes
    }
    assert {player: old for player, (old, _new) in rows.items()} == before
    assert all(old != new for old, new in rows.values())
    html = response.content.decode()
    assert all(player.full_name in html for player in players)
    assert tournament.runs.count() == 1
    assert points_by_player(tournament) == before
    tournament.refresh_from_db()
    assert tournament.regulation_override == ""


def test_an_approved_rescoring_posts_what_the_preview_showed(client, office, tournament):
    before = points_by_player(tournament)
    shown = rescore.preview(tournament, open_rescore(client, tournament, "aeb-2022").context["chosen"])
    response, by = post_rescore(client, tournament, "aeb-2022"), second.person()
    assert response.url == Proposal.objects.get().get_absolute_url()
    assert tournament.runs.count() == 1
    assert response.url in open_rescore(client, tournament, "aeb-2022").content.decode()
    client.force_login(by)
    page = client.get(response.url)
    text = page.content.decode()
    assert "would be scored by AEB 2022 instead of AEB 2026" in text
    assert f"The points of {len(shown.changes)} players would change" in text
    assert all(player.full_name in text for player in shown.names.values())
    client.post(response.url, {"action": "approve", "seen": page.context["effect"].digest})
    assert points_by_player(tournament) == before  # until the worker has run
    score_pending_run(tournament)
    assert points_by_player(tournament) == {change.player_id: change.new for change in shown.changes}
    assert (tournament.regulation_override, tournament.override_reason) == ("aeb-2022", "Held over from 2025")
    reversals = LedgerEntry.objects.filter(tournament=tournament, kind=Kind.REVERSAL)
    assert {reversal.player_id: -reversal.points for reversal in reversals} == before
    assert {(reversal.reason, reversal.posted_by) for reversal in reversals} == {("Held over from 2025", by)}
    assert tournament.revisions.count() == 1  # the ranking is unchanged
    assert differences() == []


def test_reverting_to_the_regular_regulation_gives_the_first_points_again(client, office, tournament):
    before = points_by_player(tournament)
    for code, reason in (("aeb-2022", "Held over"), ("aeb-2026", "It was not")):
        assert rescore_and_approve(client, tournament, code, reason).status_code == 302
        score_pending_run(tournament)
    assert points_by_player(tournament) == before
    assert (tournament.regulation_override, tournament.override_reason) == ("", "")
    assert differences() == []
    html = client.get(tournament.get_absolute_url()).content.decode()
    assert html.index("It was not") < html.index("Held over")


def test_receipts_say_that_and_why_a_tournament_was_scored_again(client, office, tournament):
    rescore_and_approve(client, tournament, "aeb-2022", "Held over <2025>")
    score_pending_run(tournament)
    entry = LedgerEntry.objects.filter(tournament=tournament, reversed_by=None, kind=Kind.AWARD).first()
    taken = LedgerEntry.objects.get(reverses__player=entry.player, kind=Kind.REVERSAL).reverses
    receipt = receipt_of(entry, "en")
    assert (receipt.agrees, receipt.instead_of) == (True, "aeb-2026")
    assert receipt_of(taken, "en").instead_of == ""

    def page(of) -> str:
        return client.get(reverse("award", args=[of.player.number, of.pk])).content.decode()

    client.logout()
    speak(client, "en")
    assert "Reason: Held over &lt;2025&gt;" in page(entry)
    assert "the office decided so" not in page(taken)
    assert "Held over &lt;2025&gt;" in client.get(tournament.get_absolute_url()).content.decode()
    client.force_login(office)
    rescore_and_approve(client, tournament, "aeb-2026", "It was not")
    score_pending_run(tournament)
    assert "Reason: Held over &lt;2025&gt;" in page(entry)  # the old award's receipt keeps its reason


def test_rescoring_needs_a_reason_and_a_current_preview(client, office, tournament, players):
    for reason in ("", "   ", "x" * 301):
        response = rescore_and_approve(client, tournament, "aeb-2022", reason)
        assert response.status_code == 422
        assert response.context["form"].errors["reason"]
    seen = open_rescore(client, tournament, "aeb-2022").context["digest"]
    make.assign(players[0], "3D", date(2026, 1, 1))  # this changes the strength of the field
    response = rescore_and_approve(client, tournament, "aeb-2022", seen=seen)
    assert response.status_code == 422
    assert "look at them again" in response.content.decode()
    assert tournament.runs.count() == 1
    assert (
        rescore_and_approve(client, tournament, "aeb-2022", seen=response.context["digest"]).status_code
        == 302
    )


@pytest.mark.parametrize("code", ["aeb-2026", "egf-2021", "sbf-2019-bronze", "acbl-overall", "x", ""])
def test_only_the_family_s_other_regulations_can_be_chosen(client, office, tournament, code):
    response = open_rescore(client, tournament, code)
    assert response.status_code == 422
    assert "digest" not in response.context
    answer = client.post(f"{address(tournament)}?reglamento={code}", {"reason": "So", "seen": "x"})
    assert answer.status_code == 422
    assert client.post(address(tournament), {"reason": "So", "seen": "x"}).status_code == 422
    assert tournament.runs.count() == 1


def test_a_tournament_of_a_family_with_one_regulation_cannot_be_rescored(client, office, club, players):
    params = {"decimals": 1, "places_table": "AY"}
    bronze = make.scored(
        *make.pairs(players), of=club, family="sbf-bronze", event_type="bronze", params=params
    )
    assert client.get(address(bronze)).context["choose"] is None
    assert not links_to_rescore(client, bronze)
    assert rescore.alternatives(bronze) == []


def test_a_tournament_type_unknown_to_the_other_regulation_is_refused(client, office, club, players):
    only = [
        row.code
        for row in rescore.regulations.get("aeb-2026").event_types.rows
        if rescore.regulations.get("aeb-2022").event_types.find(row.code) is None
    ]
    tournament = make.scored(*make.pairs(players), of=club, event_type=only[0], end_date=date(2026, 2, 1))
    response = open_rescore(client, tournament, "aeb-2022")
    assert "AEB 2022 has no tournaments of this type." in response.content.decode()
    assert rescore_and_approve(client, tournament, "aeb-2022", seen="x").status_code == 422
    assert tournament.runs.count() == 1


def test_a_tournament_whose_ranking_waits_for_scoring_cannot_be_rescored(client, office, tournament, players):
    seen = open_rescore(client, tournament, "aeb-2022").context["digest"]
    store_correction(tournament, *make.pairs(players[::-1]), score=False)
    assert "has not been scored yet" in open_rescore(client, tournament, "aeb-2022").content.decode()
    assert rescore_and_approve(client, tournament, "aeb-2022", seen=seen).status_code == 422
    tournament.refresh_from_db()
    assert tournament.regulation_override == ""


def test_a_second_click_does_not_score_the_tournament_again(client, office, tournament):
    seen = open_rescore(client, tournament, "aeb-2022").context["digest"]
    assert post_rescore(client, tournament, "aeb-2022", seen=seen).status_code == 302
    assert post_rescore(client, tournament, "aeb-2022", seen=seen).status_code == 422
    second.approve_all()
    assert post_rescore(client, tournament, "aeb-2022", seen=seen).status_code == 422
    assert tournament.runs.count() == 2


def test_a_rescoring_whose_effect_changed_cannot_be_approved_unseen(client, office, tournament, players):
    post_rescore(client, tournament, "aeb-2022")
    waiting, by = Proposal.objects.get(), second.person()
    seen = act_of(waiting).effect(waiting, by).digest
    make.assign(players[0], "3D", date(2026, 1, 1))
    with pytest.raises(ValidationError, match="look at it again"):
        proposals.approve(waiting.pk, by, seen)
    store_correction(tournament, *make.pairs(players[::-1]), score=False)
    with pytest.raises(ValidationError, match="has not been scored yet"):
        second.approve(waiting, by)
    assert client.get(waiting.get_absolute_url()).status_code == 200
    tournament.refresh_from_db()
    assert tournament.regulation_override == ""


def test_a_correction_begun_before_the_rescoring_keeps_the_chosen_regulation(
    client, office, tournament, club
):
    upload = receive_typed(office, club, {}, corrects=tournament, reason="Places")
    rescore_and_approve(client, tournament, "aeb-2022")
    known = draft_of(ResultUpload.objects.get(pk=upload.pk)).known
    assert (known.regulation_override, known.override_reason) == ("aeb-2022", "Held over from 2025")


def test_reversals_keep_their_reason_after_a_correction(client, office, tournament, players):
    store_correction(tournament, *make.pairs(players[::-1]))
    tournament.refresh_from_db()
    rescore_and_approve(client, tournament, "aeb-2022", "Held over")
    score_pending_run(tournament)
    last = tournament.runs.order_by("-pk").first()
    assert set(LedgerEntry.objects.filter(run=last, kind=Kind.REVERSAL).values_list("reason", flat=True)) == {
        "Held over"
    }
    assert header_of(tournament).regulation_override == "aeb-2022"
    assert differences() == []


def test_the_preview_shows_a_merged_number_as_the_surviving_player(client, office, tournament, players):
    kept = make.player(category="1P")
    merges.merge(players[0], kept, "Registered twice", office)
    response = open_rescore(client, tournament, "aeb-2022")
    shown = rescore.preview(tournament, response.context["chosen"])
    assert players[0].pk not in shown.names and kept.pk in shown.names
    assert {change.old for change in shown.changes if change.player_id == kept.pk} != {None}
    rescore_and_approve(client, tournament, "aeb-2022")
    score_pending_run(tournament)
    assert points_by_player(tournament) == {change.player_id: change.new for change in shown.changes}
    assert differences() == []


@pytest.mark.parametrize("who", ["player", "director", "club_admin", "region_admin", "committee", "auditor"])
def test_only_the_office_can_score_a_tournament_again(client, tournament, players, club, who):
    account = make.user()
    if who == "player":
        players[0].user = account
        players[0].save()
    elif who == "region_admin":
        make.role(account, who, region=club.region)
    else:
        make.role(account, who, club=club if who in ("director", "club_admin") else None)
    client.force_login(account)
    data = {"reason": "So", "seen": "x"}
    assert client.post(f"{address(tournament)}?reglamento=aeb-2022", data).status_code == 403
    assert open_rescore(client, tournament, "aeb-2022").status_code == (200 if who == "auditor" else 403)
    assert not links_to_rescore(client, tournament)
    assert tournament.runs.count() == 1


def test_queries_do_not_grow_with_the_ranking(client, office, club):
    small = make.scored(*make.pairs(make.players(4)), of=club, event_type="regional")
    large = make.scored(*make.pairs(make.players(12)), of=club, event_type="regional")
    asked = "?reglamento=aeb-2022"
    assert query_count(client, address(small) + asked) == query_count(client, address(large) + asked)
