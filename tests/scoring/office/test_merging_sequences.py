"""After random sequences of merges, corrections, scoring and undoing, players have the points they earned."""

import random
from collections import Counter
from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Sum

from players.models import Player, PlayerMerge
from scoring.audit import transfers, verify
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import posting, runs, standings
from scoring.office.services import merges
from tests import factories as f
from tests.threads import at_once
from tournaments import drafts
from tournaments.models import Revision, Tournament

MONTH = (2026, 3)


class Federation:
    """A small federation for random operations: three numbers of one person, and three other players."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.numbers, self.others = f.players(3, category="2P"), f.players(3, category="1D")
        # {player id: hundredths from openings and adjustments posted to this number}
        self.before: Counter[int] = Counter()
        self.day = 1
        for player in self.numbers:
            self._opening(player)
            self._adjustment(player)
        self.play()

    def _opening(self, player) -> None:
        row = posting.OpeningRow(player.pk, date(2025, 10, 1), f"Old points of {player.pk}", False, 500)
        posting.post_opening([row], None)
        self.before[player.pk] += 500

    def _adjustment(self, player) -> None:
        points = self.rng.choice([-30, 70])
        LedgerEntry.objects.create(
            kind="adjustment",
            player=player,
            points=points,
            played_on=date(2026, 2, 1),
            online=False,
            title="A slip",
            reason="Letter 3",
        )
        standings.refresh([player.pk])
        self.before[player.pk] += points

    def _ranking(self) -> list:
        # The ranking names one of the three numbers; the surviving player of that number is seated.
        number = Player.objects.select_related("merged_into").get(pk=self.rng.choice(self.numbers).pk)
        seats = [number.current, *self.others]
        self.rng.shuffle(seats)
        return f.rows(*f.pairs(seats))

    # --- Operations -------------------------------------------------------------------------------------
    def play(self) -> None:
        self.day += 1
        with transaction.atomic():
            header = f.header(f.club(), end_date=date(*MONTH, self.day))
            revision = drafts.store(header, self._ranking(), None)
        run = runs.create_run(revision, None)
        if self.rng.random() < 0.3:
            self.merge()  # while the run is pending
        runs.score(run.pk)

    def correct(self) -> None:
        tournament = self.rng.choice(Tournament.objects.order_by("pk"))
        with transaction.atomic():
            header = drafts.header_of(tournament)
            revision = drafts.store(header, self._ranking(), None, corrects=tournament, reason="wrong")
        runs.score(runs.create_run(revision, None).pk)

    def score_again(self) -> None:
        tournament = self.rng.choice(Tournament.objects.select_related("published").order_by("pk"))
        runs.score(runs.create_run(tournament.published, None, reason="again").pk)

    def merge(self) -> None:
        duplicate, kept = self.rng.sample(self.numbers, 2)
        before = PlayerMerge.objects.count()
        try:
            merges.merge(duplicate, kept, "Registered twice", None)
        except ValidationError:
            assert PlayerMerge.objects.count() == before

    def undo(self) -> None:
        if open_ones := list(PlayerMerge.objects.filter(undone_at=None).order_by("pk")):
            merges.undo(self.rng.choice(open_ones).pk, "They are two", None)

    # --- Invariants -------------------------------------------------------------------------------------
    def expected(self) -> dict[int, int]:
        """Return {player id: expected hundredths}, from published rankings, openings and adjustments."""
        sums: Counter[int] = Counter()
        current = {
            item.pk: item.current.pk
            for item in Player.objects.select_related("merged_into").filter(entries__isnull=False)
        }
        for number, points in self.before.items():
            sums[current[number]] += points
        for revision in Revision.objects.exclude(published_as=None):
            evaluation = runs.adapters.evaluate(
                drafts.header_of(revision.tournament), drafts.rows_of(revision)
            )
            for player, points in evaluation.points_by_player.items():
                sums[current[player]] += points
        return {player: points for player, points in sums.items() if points}

    def check(self) -> None:
        rows = LedgerEntry.objects.order_by("player_id").values_list("player_id")
        result = {player: points for player, points in rows.annotate(Sum("points")) if points}
        assert result == self.expected()
        differences = [difference for batch in verify.batches() for difference in batch.differences]
        differences += [
            *verify.compare_standings()[1],
            *verify.unmatched_reversals(),
            *transfers.differences(),
        ]
        assert differences == []


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(8))
def test_random_sequences_of_acts_leave_every_player_the_expected_points(seed):
    rng = random.Random(seed)
    federation = Federation(rng)
    federation.check()
    done = Counter()
    for _ in range(14):
        act = rng.choice(
            [federation.play, federation.correct, federation.score_again, federation.merge, federation.undo]
        )
        act()
        done[act.__name__] += 1
        federation.check()
    assert done["correct"] + done["score_again"] and PlayerMerge.objects.exists()
    for made in PlayerMerge.objects.filter(undone_at=None):
        merges.undo(made.pk, "They are two", None)
        federation.check()


@pytest.mark.django_db(transaction=True)
def test_merging_while_a_tournament_is_posted_loses_and_doubles_no_points():
    """A merge and the posting of an award run at the same time. The surviving player gets the points once.

    If the award is posted first, the merge moves it. If the merge comes first, posting moves the award.
    """
    for _ in range(6):
        four, kept = f.players(4, category="2P"), f.player(category="2P")
        f.scored(four[:2], four[2:])
        run = runs.create_run(f.revision(four[:2], four[2:], end_date=date(2026, 3, 10)), None)
        failed = at_once(
            [
                lambda run=run: runs.score(run.pk),
                lambda four=four, kept=kept: merges.merge(four[0], kept, "Registered twice", None),
            ]
        )
        assert failed == []
        points = {
            player: LedgerEntry.objects.filter(player=player).aggregate(Sum("points"))["points__sum"]
            for player in (four[0], four[1], kept)
        }
        assert points[four[0]] == 0 < points[kept] == points[four[1]]
    assert [difference for batch in verify.batches() for difference in batch.differences] == []
    assert verify.compare_standings()[1] == [] == transfers.differences()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("parting", [False, True])
def test_a_simultaneous_correction_and_merge_reverse_an_award_only_once(parting):
    for _ in range(6):
        four, kept = f.players(4, category="2P"), f.player(category="2P")
        tournament = f.scored(four[:2], four[2:])
        with transaction.atomic():
            header, ranking = drafts.header_of(tournament), f.rows(four[2:], four[:2])
            revision = drafts.store(header, ranking, None, corrects=tournament, reason="wrong")
        run = runs.create_run(revision, None)
        acts = [lambda run=run: runs.score(run.pk)]
        if parting:
            made = merges.merge(four[0], kept, "Registered twice", None)
            acts.append(lambda made=made: merges.undo(made.pk, "They are two", None))
        else:
            acts.append(lambda four=four, kept=kept: merges.merge(four[0], kept, "Registered twice", None))
        assert at_once(acts) == []
        rows = LedgerEntry.objects.filter(player__in=[*four, kept]).order_by().values_list("player_id")
        points = dict(rows.annotate(Sum("points")))
        holder = four[0] if parting else kept
        assert points[holder.pk] == points[four[1].pk] > 0
        assert sum(points.values()) == 2 * (points[four[1].pk] + points[four[2].pk])
    assert [difference for batch in verify.batches() for difference in batch.differences] == []
    assert verify.compare_standings()[1] == [] == transfers.differences()


@pytest.mark.django_db(transaction=True)
def test_of_two_simultaneous_merges_of_one_number_one_is_refused():
    duplicate, first, second = f.player(), f.player(), f.player()
    posting.post_opening([posting.OpeningRow(duplicate.pk, date(2026, 3, 1), "Old", False, 500)], None)
    failed = at_once(
        [
            lambda: merges.merge(duplicate, first, "Registered twice", None),
            lambda: merges.merge(duplicate, second, "Registered twice", None),
        ]
    )
    assert [type(item) for item in failed] == [ValidationError]
    assert PlayerMerge.objects.count() == 1
    rows = LedgerEntry.objects.filter(player__in=[first, second]).values_list("points", flat=True)
    assert list(rows) == [500]


@pytest.mark.django_db(transaction=True)
def test_of_two_simultaneous_merges_in_opposite_directions_one_is_refused():
    first, other = f.player(), f.player()
    failed = at_once(
        [
            lambda: merges.merge(first, other, "Registered twice", None),
            lambda: merges.merge(other, first, "Registered twice", None),
        ]
    )
    assert [type(item) for item in failed] == [ValidationError]
    assert PlayerMerge.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_simultaneous_attempts_to_undo_a_merge_one_is_refused():
    duplicate, kept = f.player(), f.player()
    posting.post_opening([posting.OpeningRow(duplicate.pk, date(2026, 3, 1), "Old", False, 500)], None)
    made = merges.merge(duplicate, kept, "Registered twice", None)
    failed = at_once([lambda: merges.undo(made.pk, "They are two", None)] * 2)
    assert [type(item) for item in failed] == [ValidationError]
    total = LedgerEntry.objects.filter(player=duplicate).aggregate(Sum("points"))["points__sum"]
    assert total == 500
