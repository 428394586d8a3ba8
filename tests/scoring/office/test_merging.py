"""Merging two numbers: no points are lost or doubled, and all of it can be undone."""

from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Sum
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from players.models import Player, PlayerMerge
from scoring.audit import transfers, verify
from scoring.ledger.evaluation import evaluate
from scoring.ledger.models import LedgerEntry, ScoringRun, Standing
from scoring.ledger.queries.awards import points_changes
from scoring.ledger.services import posting, runs, standings
from scoring.ledger.snapshots import evaluation_of
from scoring.ledger.source_keys import origin_of
from scoring.office.services import merges
from scoring.ratings.models import RatedPlayer
from tests import factories as f
from tournaments import drafts

pytestmark = pytest.mark.django_db
DAY = date(2026, 3, 14)


@pytest.fixture
def four_players():
    standings.lock_states()
    return f.players(4, category="2P")


@pytest.fixture
def merge_pair(four_players):
    """Two players to merge: a duplicate with tournaments, and the player to keep, who has none."""
    return four_players[0], f.player(category="2P")


def total(player, family: str = "aeb") -> int:
    sums = LedgerEntry.objects.filter(player=player, family=family).aggregate(Sum("points"))
    return sums["points__sum"] or 0


def sums() -> dict[str, int]:
    """Return {family: points of all players together, in hundredths}."""
    rows = LedgerEntry.objects.order_by().values_list("family")
    return dict(rows.annotate(Sum("points")))


def audit() -> list[tuple]:
    """Return (code, federation number) of every difference that the audit reports."""
    batches = [difference for batch in verify.batches() for difference in batch.differences]
    batches += [*verify.compare_standings()[1], *verify.unmatched_reversals(), *transfers.differences()]
    return [(issue.code, issue.player) for issue in batches]


def store_correction(tournament, *contestants):
    with transaction.atomic():
        header = drafts.header_of(tournament)
        revision = drafts.store(header, f.rows(*contestants), None, corrects=tournament, reason="wrong order")
    runs.score(runs.create_run(revision, None).pk)


def score_again(tournament):
    """Score the stored ranking of the tournament again. The ranking still contains the merged number."""
    tournament.refresh_from_db()
    runs.score(runs.create_run(tournament.published, None, reason="again").pk)


def adjust_points(player, points: int, **fields) -> LedgerEntry:
    values = {
        "played_on": date(2026, 2, 1),
        "online": False,
        "title": "A slip",
        "reason": "Letter 3",
        **fields,
    }
    made = LedgerEntry.objects.create(kind="adjustment", player=player, points=points, **values)
    standings.refresh([player.pk])
    return made


# --- Points ---------------------------------------------------------------------------------------------
def test_a_merge_moves_points_of_every_kind_and_undoing_moves_them_back(four_players, merge_pair):
    duplicate, kept = merge_pair
    tournament = f.scored(four_players[:2], four_players[2:])
    f.scored((kept, f.player()), four_players[2:], end_date=date(2026, 3, 10), venue="online")
    f.scored(
        four_players[:2], four_players[2:], family="sbf-bronze", event_type="club", boards=24, end_date=DAY
    )
    posting.post_opening([posting.OpeningRow(duplicate.pk, date(2025, 10, 1), "Old points", True, 500)], None)
    adjust_points(duplicate, 70)
    before = {item: (total(item), total(item, "sbf-bronze")) for item in (duplicate, kept)}
    whole, had = sums(), before[duplicate]
    assert min(had) > 0
    office = f.office()
    made = merges.merge(duplicate, kept, "Registered twice", office)
    assert sums() == whole and audit() == []
    assert (total(duplicate), total(duplicate, "sbf-bronze")) == (0, 0)
    own, bronze = before[kept]
    assert (total(kept), total(kept, "sbf-bronze")) == (own + had[0], bronze + had[1])
    assert not Standing.objects.filter(player=duplicate).exists()
    moved = LedgerEntry.objects.get(player=kept, tournament=tournament)
    award = LedgerEntry.objects.get(player=duplicate, tournament=tournament, kind="award")
    assert (moved.kind, moved.contestant, moved.title) == ("opening", award.contestant, tournament.name)
    assert origin_of(moved.source_key) == (False, made.pk, award.pk)
    assert f"{duplicate.number}" in moved.reason and "Registered twice" in moved.reason
    assert (made.detail["entries"], made.detail["points"]) == (4, {"aeb": had[0], "sbf-bronze": had[1]})
    duplicate.refresh_from_db()
    assert (duplicate.merged_into, made.by) == (kept, office)

    merges.undo(made.pk, "They are two", office)
    assert sums() == whole and audit() == []
    assert {item: (total(item), total(item, "sbf-bronze")) for item in (duplicate, kept)} == before
    duplicate.refresh_from_db()
    assert duplicate.merged_into is None


def test_two_numbers_can_be_merged_and_undone_several_times(four_players, merge_pair):
    duplicate, kept = merge_pair
    f.scored(four_players[:2], four_players[2:])
    adjust_points(duplicate, 70)
    whole, had = sums(), total(duplicate)
    for _ in range(3):
        made = merges.merge(duplicate, kept, "Registered twice", None)
        assert (total(duplicate), total(kept), sums(), audit()) == (0, had, whole, [])
        merges.undo(made.pk, "They are two", None)
        assert (total(duplicate), total(kept), sums(), audit()) == (had, 0, whole, [])


def test_the_standings_count_tournaments_of_both_numbers(four_players, merge_pair):
    duplicate, kept = merge_pair
    f.scored(four_players[:2], four_players[2:], end_date=standings.today())
    f.scored((kept, f.player()), four_players[2:], end_date=standings.today())
    adjust_points(duplicate, 70, played_on=standings.today())
    merges.merge(duplicate, kept, "Registered twice", None)
    row = Standing.objects.get(player=kept)
    assert (row.points, row.tournaments) == (total(kept), 2)


def test_a_correction_reverses_awards_that_a_merge_moved(four_players, merge_pair):
    duplicate, kept = merge_pair
    tournament = f.scored(four_players[:2], four_players[2:])
    merges.merge(duplicate, kept, "Registered twice", None)
    store_correction(tournament, four_players[2:], (kept, four_players[1]))
    award = LedgerEntry.objects.get(player=kept, kind="award")
    assert (total(duplicate), total(kept), audit()) == (0, award.points, [])
    assert award.contestant.place == 2


def test_scoring_again_gives_the_points_to_the_surviving_player(four_players, merge_pair):
    duplicate, kept = merge_pair
    tournament = f.scored(four_players[:2], four_players[2:])
    had = total(duplicate)
    made = merges.merge(duplicate, kept, "Registered twice", None)
    score_again(tournament)
    assert (total(duplicate), total(kept), audit()) == (0, had, [])
    merges.undo(made.pk, "They are two", None)
    assert (total(duplicate), total(kept), audit()) == (had, 0, [])
    score_again(tournament)
    assert (total(duplicate), total(kept), audit()) == (had, 0, [])


def test_undoing_a_merge_keeps_what_a_correction_gave_the_survivor(four_players, merge_pair):
    duplicate, kept = merge_pair
    tournament = f.scored(four_players[:2], four_players[2:])
    other = f.scored(four_players[:2], four_players[2:], end_date=date(2026, 3, 10))
    had = LedgerEntry.objects.get(player=duplicate, tournament=other).points
    made = merges.merge(duplicate, kept, "Registered twice", None)
    store_correction(tournament, four_players[2:], (kept, four_players[1]))
    award = LedgerEntry.objects.get(player=kept, kind="award")
    made = merges.undo(made.pk, "They are two", None)
    assert (total(duplicate), total(kept), audit()) == (had, award.points, [])
    assert made.detail["stayed"] == [award.pk]
    assert list(merges.awards_since(made)) == [award]


def test_a_run_scored_after_a_merge_gives_the_points_to_the_survivor(four_players, merge_pair):
    duplicate, kept = merge_pair
    run = runs.create_run(f.revision(four_players[:2], four_players[2:]), None)
    merges.merge(duplicate, kept, "Registered twice", None)
    runs.score(run.pk)
    assert total(duplicate) == 0 < total(kept) == total(four_players[1])
    assert Standing.objects.filter(player=duplicate).count() == 0
    assert audit() == []


def test_the_preview_of_a_correction_shows_the_change_of_the_survivor(four_players, merge_pair):
    duplicate, kept = merge_pair
    tournament = f.scored(four_players[:2], four_players[2:])
    had = total(duplicate)
    merges.merge(duplicate, kept, "Registered twice", None)
    header = drafts.header_of(tournament)
    same = evaluate(header, f.rows((kept, four_players[1]), four_players[2:]))
    assert points_changes(tournament, same) == []
    without = evaluate(header, f.rows((f.player(), four_players[1]), four_players[2:]))
    result = {change.player_id: (change.old, change.new) for change in points_changes(tournament, without)}
    assert result[kept.pk] == (had, None) and duplicate.pk not in result


def test_posting_makes_one_query_for_merged_players(four_players):
    asked = []
    for number in (4, 24):
        ranking = f.revision(*f.pairs(f.players(number)))
        run = runs.claim(runs.create_run(ranking, None).pk)
        evaluation = evaluation_of(run)
        with CaptureQueriesContext(transaction.get_connection()) as queries:
            posting.post(run, evaluation)
        asked.append([query["sql"] for query in queries if "players_playermerge" in query["sql"]])
    assert [len(item) for item in asked] == [1, 1]


# --- Refusals -------------------------------------------------------------------------------------------
def refusal(duplicate, kept, reason="Registered twice") -> str:
    with pytest.raises(ValidationError) as refused, translation.override("en"):
        merges.merge(duplicate, kept, reason, None)
    assert PlayerMerge.objects.filter(duplicate=duplicate, kept=kept, undone_at=None).count() == 0
    return " ".join(refused.value.messages)


def test_numbers_that_cannot_be_one_person_are_not_merged(four_players, merge_pair):
    duplicate, kept = merge_pair
    assert "same number" in refusal(kept, kept)
    assert refusal(duplicate, kept, " ")
    tournament = f.scored((duplicate, kept), four_players[2:], name="Copa de otoño")
    assert tournament.name in refusal(duplicate, kept)
    store_correction(tournament, (duplicate, four_players[1]), four_players[2:])
    merges.merge(duplicate, kept, "The ranking was wrong", None)
    assert duplicate.number in refusal(duplicate, f.player())
    assert duplicate.number in refusal(f.player(), duplicate)
    assert duplicate.number in refusal(kept, f.player())


def test_two_numbers_in_one_unscored_ranking_are_not_merged(four_players, merge_pair):
    duplicate, kept = merge_pair
    f.revision((duplicate, kept), four_players[2:], name="Copa de otoño")
    assert "Copa de otoño" in refusal(duplicate, kept)


def test_a_number_that_played_with_a_merged_one_is_not_merged_into_the_survivor(four_players, merge_pair):
    duplicate, kept = merge_pair
    third = f.player()
    f.scored((duplicate, third), four_players[2:])
    merges.merge(duplicate, kept, "Registered twice", None)
    assert refusal(third, kept)


def test_a_merge_is_undone_only_once_and_with_a_reason(merge_pair):
    made = merges.merge(*merge_pair, "Registered twice", None)
    with pytest.raises(ValidationError):
        merges.undo(made.pk, " ", None)
    merges.undo(made.pk, "They are two", None)
    with pytest.raises(ValidationError):
        merges.undo(made.pk, "Again", None)


def test_the_database_refuses_to_merge_a_number_twice(merge_pair):
    duplicate, kept = merge_pair
    with transaction.atomic():
        PlayerMerge.objects.create(duplicate=duplicate, kept=kept, reason="One")
    for fields in (
        {"duplicate": duplicate, "kept": f.player(), "reason": "Two"},
        {"duplicate": kept, "kept": kept, "reason": "Itself"},
        {"duplicate": f.player(), "kept": kept, "reason": ""},
        {"duplicate": f.player(), "kept": kept, "reason": "One", "undone_at": timezone.now()},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            PlayerMerge.objects.create(**fields)
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(pk=kept.pk).update(merged_into=kept)


# --- Other data of a person -----------------------------------------------------------------------------
def test_a_merge_moves_licences_account_and_privacy_and_undoing_moves_them_back(four_players):
    duplicate = f.player(hidden=True, deceased_on=date(2026, 5, 1), user=f.user())
    kept = f.player(licensed=False)
    account, rated = duplicate.user, RatedPlayer.objects.create(name="Uno", player=duplicate)
    f.licence(kept, valid_from=date(2022, 1, 1), valid_to=date(2022, 12, 31))
    f.licence(duplicate, valid_from=date(2021, 1, 1), valid_to=date(2021, 12, 31))
    made = merges.merge(duplicate, kept, "Registered twice", None)
    for item in (duplicate, kept, rated):
        item.refresh_from_db()
    assert (kept.hidden, kept.deceased_on, kept.user, rated.player) == (True, date(2026, 5, 1), account, kept)
    assert duplicate.user is None and duplicate.licences.count() == 2
    assert {licence.valid_from.year: licence.valid_to.year for licence in kept.licences.all()} == {
        2021: 2021,
        2022: 2022,
        2023: 2099,  # the part of a longer licence that `kept` did not have
    }
    merges.undo(made.pk, "They are two", None)
    for item in (duplicate, kept, rated):
        item.refresh_from_db()
    assert (kept.hidden, kept.deceased_on, kept.user_id, rated.player) == (False, None, None, duplicate)
    assert (duplicate.user, kept.licences.count()) == (account, 1)


def test_undoing_a_merge_keeps_later_changes(four_players):
    duplicate, kept = f.player(user=f.user(), deceased_on=date(2026, 5, 1)), f.player()
    made = merges.merge(duplicate, kept, "Registered twice", None)
    kept.refresh_from_db()
    kept.user, kept.deceased_on = f.user(), date(2026, 5, 2)
    kept.save()
    merges.undo(made.pk, "They are two", None)
    for item in (duplicate, kept):
        item.refresh_from_db()
    assert kept.user and kept.deceased_on == date(2026, 5, 2) and duplicate.user is None


def test_a_merge_keeps_the_survivors_own_account(four_players):
    duplicate, kept = f.player(user=f.user(), deceased_on=date(2026, 5, 1)), f.player(user=f.user())
    account = kept.user
    made = merges.merge(duplicate, kept, "Registered twice", None)
    assert made.detail["carried"] == {"deceased_on": "2026-05-01"} and made.detail["licences"] == {}
    for item in (duplicate, kept):
        item.refresh_from_db()
    assert kept.user == account and duplicate.user


# --- Entries that no merge explains ---------------------------------------------------------------------
@pytest.mark.parametrize("where", ["tournament", "opening", "adjustment"])
def test_the_audit_reports_a_forged_move_of_points(four_players, merge_pair, where):
    duplicate, kept = merge_pair
    tournament = f.scored(four_players[:2], four_players[2:])
    posting.post_opening([posting.OpeningRow(duplicate.pk, date(2025, 10, 1), "Old points", True, 500)], None)
    adjust_points(duplicate, 70)
    made = merges.merge(duplicate, kept, "Registered twice", None)
    origin = LedgerEntry.objects.get(
        player=duplicate,
        points__gt=0,
        **{
            "tournament": {"tournament": tournament},
            "opening": {"kind": "opening"},
            "adjustment": {"kind": "adjustment"},
        }[where],
    )
    thief = f.player()
    fields = {"points": origin.points, "played_on": origin.played_on, "online": origin.online, "title": "X"}
    if where == "tournament":
        fields |= {"tournament": tournament, "contestant": origin.contestant}
    kind = "adjustment" if where == "adjustment" else "opening"
    # The digit 0 before the id makes a different key that refers to the same entry. Keys are unique.
    key = f"merge:{made.pk}:0{origin.pk}"
    LedgerEntry.objects.create(kind=kind, player=thief, source_key=key, **fields)
    standings.refresh([thief.pk])
    assert set(audit()) == {("moved", thief.number)}


def test_the_audit_reports_an_opening_for_a_tournament_without_moved_points(four_players):
    tournament = f.scored(four_players[:2], four_players[2:])
    LedgerEntry.objects.create(
        kind="opening",
        player=four_players[0],
        points=100,
        played_on=DAY,
        online=False,
        tournament=tournament,
        title="X",
    )
    assert ("moved", four_players[0].number) in audit()


def test_the_audit_reports_points_left_with_a_merged_number(four_players, merge_pair):
    duplicate, kept = merge_pair
    merges.merge(duplicate, kept, "Registered twice", None)
    adjust_points(duplicate, 70)
    assert audit() == [("moved", duplicate.number)]


def test_moved_opening_points_are_counted_once(four_players, merge_pair):
    posting.post_opening(
        [posting.OpeningRow(merge_pair[0].pk, date(2025, 10, 1), "Old points", True, 500)], None
    )
    adjust_points(merge_pair[0], 70)
    merges.merge(*merge_pair, "Registered twice", None)
    assert verify.count_underivable() == {"opening": 1, "adjustment": 1}
    assert ScoringRun.objects.count() == 0


def test_points_moved_on_to_the_survivor_name_the_account_that_posted_them(merge_pair):
    duplicate, kept = merge_pair
    merges.merge(duplicate, kept, "One person", None)
    office = f.office()
    posting.post_opening(
        [posting.OpeningRow(duplicate.pk, date(2025, 10, 1), "Old points", True, 500)], office
    )
    assert (total(duplicate), total(kept)) == (0, 500)
    assert set(LedgerEntry.objects.values_list("posted_by", flat=True)) == {office.pk}
