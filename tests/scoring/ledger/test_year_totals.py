"""Year totals, and the promotion candidates computed from them, equal the ledger after random changes."""

from datetime import date
from decimal import Decimal

import pytest

from players.models import Category, Player
from scoring.ledger.conditional import StandingsVersion
from scoring.ledger.models import YearTotal
from scoring.ledger.services import posting, standings, year_totals
from scoring.ledger.windows import reference_day
from scoring.promotions.models import PromotionRule, PromotionRuleSet
from scoring.promotions.pure.selection import select
from scoring.promotions.queries import candidates, ranked
from tests import factories as f
from tests.scoring.ledger.histories import CHANGES, RandomHistory
from ui import memo

pytestmark = pytest.mark.django_db


@pytest.fixture(params=range(2))
def random_history(request):
    return RandomHistory(request.param)


def test_year_totals_equal_the_ledger_after_every_change(random_history):
    for name in random_history.chance.choices([*CHANGES, "wait", "wait"], k=30):
        getattr(random_history, name)()
        assert list(year_totals.compare_all(random_history.day)) == [], name
    random_history.day = date(2025, 3, 1)
    standings.roll(random_history.day)
    random_history.play()
    random_history.open()
    assert standings.rebuild() == []
    for year in (2024, 2025):
        same_candidates(year, random_history.day)


RULES = [
    {"top_share": Decimal("0.4")},
    {"top_share": Decimal("0.1"), "minimum": 3, "minimum_tournaments": 2},
    {"top_count": 2, "licence_required": False},
    {"top_share": None, "points_threshold": 500, "minimum_tournaments": 1},
    {"top_count": 0},
]


def same_candidates(year: int, as_of: date) -> None:
    """Assert that the year totals and the ledger give the same candidates in every category, by any rule."""
    day = reference_day(year, as_of)
    # Those who have died take no place, and their totals remain.
    listed = sorted(set(YearTotal.objects.values_list("player", flat=True)))
    Player.objects.filter(pk__in=listed[::5]).update(deceased_on=day)
    slow = candidates._figures(day, PromotionRuleSet.Average.NONE, Decimal(0), with_sessions=False).members
    assert any(slow.values())
    for category in Category.objects.filter(is_title=False):
        members = [item._replace(boards=0) for item in slow.get(category.pk, [])]
        for columns in RULES:
            row = PromotionRule(category=category, target=category, **columns)
            wanted = select(members, candidates.criteria(row))
            state = StandingsVersion(0, as_of)
            fast = ranked.CategoryCandidates(state, year, day, category, row)
            listed = list(wanted.listed)
            assert list(fast.every_place()) == listed == [*fast.rows(0, 3), *fast.rows(3, 30)]
            assert [fast.place_of(place.entrant.player_id) for place in wanted.places] == list(wanted.places)
            assert (fast.cut.quota, fast.cut.points) == (wanted.quota, wanted.cut)
            assert (fast.cut.listed, fast.movers.number) == (len(listed), len(wanted.movers))
            memo.forget()


def test_a_player_whose_awards_are_reversed_has_no_year_total():
    tournament = f.scored(*f.pairs(f.players(8, category="2C")), end_date=f.today())
    assert YearTotal.objects.count() == 8
    posting.reverse_awards(tournament, tournament.runs.get())
    standings.refresh(Player.objects.values_list("pk", flat=True), ["aeb"])
    assert YearTotal.objects.count() == 0


def test_rebuilding_corrects_wrong_year_totals_and_reports_them():
    f.scored(*f.pairs(f.players(8, category="2C")), end_date=f.today())
    wrong, gone = YearTotal.objects.all()[:2]
    YearTotal.objects.filter(pk=wrong.pk).update(points=1, points_in_person=1, points_online=0)
    gone.delete()
    YearTotal.objects.create(
        player=wrong.player,
        year=1999,
        day=date(1999, 12, 31),
        licensed=True,
        points=0,
        points_in_person=0,
        points_online=0,
        tournaments=1,
    )
    result = [(entry.player_id, entry.computed is None) for entry in standings.rebuild()]
    assert sorted(result) == sorted(
        [(wrong.player_id, True), (wrong.player_id, False), (gone.player_id, False)]
    )
    assert list(year_totals.compare_all(standings.today())) == []


def test_migrating_creates_year_totals_for_an_existing_ledger():
    from scoring.ledger.services.standings import make_year_totals

    f.scored(*f.pairs(f.players(8, category="2C")), end_date=f.today())
    YearTotal.objects.all().delete()
    make_year_totals(None)
    assert YearTotal.objects.count() == 8
