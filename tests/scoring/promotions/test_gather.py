"""The lists of a year, made from the whole database, equal those computed from each player's own rows."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from players.categories import categories_on
from players.models import Player
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import posting, runs
from scoring.promotions.models import PromotionRule, PromotionRuleSet
from scoring.promotions.pure.documents import sessions_of, sessions_text
from scoring.promotions.pure.selection import Entrant, PlaceState, select
from scoring.promotions.queries.candidates import criteria, gather
from tests import factories as make
from tests.scoring.promotions.sessions import average, lines_of
from tournaments import drafts
from tournaments.models import Contestant

pytestmark = pytest.mark.django_db

END = date(2025, 12, 31)
SUMMER = date(2025, 6, 1)


@pytest.fixture
def rules() -> PromotionRuleSet:
    return PromotionRuleSet.objects.get(name="AEB 2022")


def post_opening_award(player: Player, points: int, day: date = SUMMER) -> None:
    posting.post_opening([posting.OpeningRow(player.pk, day, f"T{points}", False, points)], None)


def entrants_of(rules: PromotionRuleSet, code: str, day: date = END) -> dict[int, Entrant]:
    result = next(item for item in gather(day.year, day, rules) if item.category.code == code)
    return {place.entrant.player_id: place.entrant for place in result.document.selection.places}


def states_of(rules: PromotionRuleSet, code: str, day: date = END) -> dict[int, PlaceState]:
    result = next(item for item in gather(day.year, day, rules) if item.category.code == code)
    return {place.entrant.player_id: place.state for place in result.document.selection.places}


# --- The whole federation -------------------------------------------------------------------------------
def store_correction(tournament, *contestants) -> None:
    """Correct a tournament's ranking and score it."""
    described = make.header(
        tournament.club,
        end_date=tournament.end_date,
        boards=tournament.boards,
        event_type="regional",
    )
    ranking = drafts.store(described, make.rows(*contestants), None, corrects=tournament, reason="Otra")
    runs.score(runs.create_run(ranking, None).pk)


def small_federation() -> list[Player]:
    """Create players of three categories with online, corrected, ineligible and other years' tournaments."""
    club = make.club()
    twos = make.players(6, category="2P", club=club)
    threes = make.players(4, category="3D", club=club)
    twos[0].deceased_on = END
    twos[0].save()
    nobody = make.player(club=club)
    unlicensed = make.player(category="2P", licensed=False, club=None)
    everybody = [*twos, *threes]
    make.scored(*make.pairs(everybody), of=club, end_date=SUMMER, event_type="regional")
    make.scored(*make.pairs(everybody[::-1]), of=club, end_date=date(2025, 1, 1), event_type="regional")
    make.scored(
        *make.pairs([*everybody, nobody, unlicensed]),
        of=club,
        end_date=END,
        event_type="regional",
        venue="online",
        boards=30,
    )
    make.scored(*make.pairs(everybody), of=club, end_date=date(2024, 12, 31), event_type="regional")
    make.scored(*make.pairs(everybody), of=club, end_date=date(2026, 1, 1), event_type="regional")
    make.scored(*make.pairs(twos), of=club, end_date=SUMMER, boards=18)
    post_opening_award(twos[1], 12_345)
    post_opening_award(twos[2], 999, date(2024, 5, 5))
    pairs = make.pairs(everybody)
    corrected = make.scored(*pairs, of=club, end_date=SUMMER, event_type="regional", boards=26)
    Contestant.objects.filter(revision=corrected.published, position=1).update(boards_played=20)
    store_correction(corrected, *make.pairs(everybody[2:]))
    return [*everybody, nobody, unlicensed]


def figures_of(player: Player, rules: PromotionRuleSet, code: str) -> Entrant | None:
    """Return the figures of one player, computed from the player's own rows; None without points."""
    rows = LedgerEntry.objects.filter(player=player, family="aeb", played_on__year=2025)
    undone = set(rows.filter(kind="reversal").values_list("reverses_id", flat=True))
    left = [row for row in rows if row.pk not in undone and row.kind != "reversal"]
    if sum(row.points for row in left) <= 0:
        return None

    def boards(row: LedgerEntry) -> int:
        if row.tournament is None:
            return 0
        return (row.contestant and row.contestant.boards_played) or row.tournament.boards

    lines = lines_of(rules, date(2025, 1, 1), END, {player.pk: code})
    return Entrant(
        player_id=player.pk,
        points=sum(row.points for row in left),
        in_person=sum(row.points for row in left if not row.online),
        online=sum(row.points for row in left if row.online),
        tournaments=len(left),
        boards=sum(boards(row) for row in left),
        licensed=player.licences.valid_on(END).exists(),
        deceased=player.deceased_on is not None,
        club_id=player.club_id,
        average=average(lines.get(player.pk, [])),
    )


def test_the_lists_equal_those_computed_player_by_player(rules):
    players = small_federation()
    candidates = gather(2025, END, rules)
    assert [item.category.code for item in candidates] == ["3D", "3C", "3P", "2D", "2C", "2P", "1D", "1C"]
    for candidate in candidates:
        code = candidate.category.code
        alone = [
            figures_of(player, rules, code)
            for player in players
            if (held := categories_on(END, [player.pk]).get(player.pk)) and held.code == code
        ]
        rule = criteria(rules.rules.get(category=candidate.category))
        assert candidate.document.rule == rule
        assert candidate.document.selection == select([first for first in alone if first], rule)
    by_code = {item.category.code: item for item in candidates}
    twos = by_code["2P"]
    assert (twos.document.category, twos.document.target, twos.document.demotion) == ("2P", "1D", None)
    # Make sure that the data include online, opening, corrected and other years' points.
    listed = [place.entrant for place in twos.document.selection.places]
    assert len(listed) == 7
    assert any(item.online for item in listed)
    assert any(item.deceased for item in listed)
    assert not all(item.licensed for item in listed)
    assert len({item.tournaments for item in listed}) > 1
    assert LedgerEntry.objects.filter(kind="reversal").exists()


def test_the_lists_contain_averages_with_their_sessions(rules):
    small_federation()
    Contestant.objects.update(percentage=Decimal("55.5"))
    for candidate in gather(2025, END, rules):
        for place in candidate.document.selection.places:
            player = place.entrant.player_id
            lines = sessions_of(sessions_text(candidate.sessions), player)
            assert place.entrant.average == average(lines) is not None
    PromotionRuleSet.objects.update(average="none")
    rules.refresh_from_db()
    for candidate in gather(2025, END, rules):
        assert candidate.sessions == {}
        assert {place.entrant.average for place in candidate.document.selection.places} <= {None}


def test_ten_times_as_many_players_need_no_more_queries(rules):
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            gather(2025, END, rules)
        return len(queries)

    small_federation()
    before = asked()
    for _number in range(3):
        small_federation()
    assert asked() == before
    assert before <= 12 + 2 * 12


def test_a_cut_off_day_in_another_year_is_refused(rules):
    with pytest.raises(ValueError, match="not in 2024"):
        gather(2024, END, rules)


# --- Rulings --------------------------------------------------------------------------------------------
def test_all_points_of_the_year_count_in_the_category_on_the_last_day(rules):
    risen = make.player(category="2C")
    post_opening_award(risen, 1000, date(2025, 2, 1))
    make.assign(risen, "2P", date(2025, 7, 1))
    post_opening_award(risen, 500, date(2025, 9, 1))
    assert risen.pk not in entrants_of(rules, "2C")
    assert entrants_of(rules, "2P")[risen.pk].points == 1500
    assert entrants_of(rules, "2C", date(2025, 6, 30))[risen.pk].points == 1000


def test_a_licence_valid_on_the_last_day_of_the_year_counts(rules):
    lapsed, renewed = (make.player(category="2P", licensed=False) for _number in range(2))
    make.licence(lapsed, valid_to=END - timedelta(days=1))
    make.licence(renewed, valid_from=END, valid_to=END)
    for item in (lapsed, renewed):
        post_opening_award(item, 1000)
    assert states_of(rules, "2P") == {lapsed.pk: PlaceState.UNLICENSED, renewed.pk: PlaceState.MOVES}
    PromotionRule.objects.update(licence_required=False)
    assert states_of(rules, "2P") == {lapsed.pk: PlaceState.TIED, renewed.pk: PlaceState.TIED}


def test_a_deceased_player_does_not_move_up(rules):
    died, lives = make.players(2, category="2P")
    died.deceased_on = END + timedelta(days=9)
    died.save()
    post_opening_award(died, 2000)
    post_opening_award(lives, 1000)
    assert states_of(rules, "2P") == {died.pk: PlaceState.DECEASED, lives.pk: PlaceState.MOVES}


def test_players_with_titles_are_in_no_list(rules):
    titled = make.player(category="1C")
    make.assign(titled, "MN", date(2025, 3, 1))
    post_opening_award(titled, 5000)
    rules.rules.create(category=make.category("MN"), target=make.category("MM"), top_share=1)
    for candidate in gather(2025, END, rules):
        assert candidate.category.code != "MN"
        assert candidate.document.selection.places == ()


def test_a_category_without_players_has_an_empty_list(rules):
    assert {len(candidate.document.selection.places) for candidate in gather(2025, END, rules)} == {0}


def test_a_player_whose_title_is_revoked_is_listed_in_the_category_below(rules):
    player = make.player(category="2P")
    title = make.assign(player, "MN", date(2025, 3, 1))
    post_opening_award(player, 5000)
    assert states_of(rules, "2P") == {}
    title.revoked_at, title.revoked_reason = title.created_at, "error"
    title.save()
    assert states_of(rules, "2P") == {player.pk: PlaceState.MOVES}


def test_points_of_other_systems_do_not_count_for_promotion(rules):
    player = make.player(category="2P")
    post_opening_award(player, 100)
    LedgerEntry.objects.create(
        family="acbl", kind="opening", player=player, points=900, played_on=SUMMER, online=False, title="X"
    )
    assert entrants_of(rules, "2P")[player.pk].points == 100


def test_a_rule_that_only_moves_down_has_a_list_without_places(rules):
    strong, weak = make.players(2, category="1P")
    post_opening_award(strong, 5000)
    post_opening_award(weak, 10)
    rules.rules.filter(category__code="1P").update(
        target=None, demotion_target=make.category("1C"), demotion_threshold=100
    )
    assert states_of(rules, "1P") == {strong.pk: PlaceState.BELOW, weak.pk: PlaceState.DOWN}
    result = next(item for item in gather(2025, END, rules) if item.category.code == "1P")
    assert (result.document.target, result.document.demotion, result.target) == (None, "1C", None)


def test_the_rule_of_a_replaced_category_applies_to_its_successor(rules):
    """If a category has been replaced by another one, its rule applies to the successor."""
    old, new = make.category("2P"), make.category("2C")
    old.valid_to, old.successor = date(2025, 6, 30), new
    old.save()
    player = make.player(category="2P")
    post_opening_award(player, 700)
    rules.rules.filter(category=new).delete()
    rules.rules.filter(category=old).update(minimum=F("minimum") + 3)
    result = {item.category.code: item for item in gather(2025, END, rules)}
    assert "2P" not in result
    assert result["2C"].document.rule.minimum == 4
    assert [place.entrant.player_id for place in result["2C"].document.selection.places] == [player.pk]
