"""The demo's year-end category change of 2025, from opening the campaign to reversing it.

For five random players, the figures of the frozen lists are computed here again, entry by entry. This
computation uses the ledger, seats and receipts, and none of the queries that make the lists.
"""

import io
import secrets
from datetime import date
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from django.core.management import call_command
from django.utils import timezone

from players.categories import categories_on
from players.models import Category, Player
from scoring import regulations
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.receipts import receipt_of
from scoring.ledger.snapshots import evaluation_of
from scoring.ledger.systems.aeb import category_code
from scoring.promotions.acts import act_by_verb
from scoring.promotions.acts.approve import Approve
from scoring.promotions.acts.claims import Answer, Claim, Close
from scoring.promotions.acts.open import Open
from scoring.promotions.acts.publish import Publish
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.pure.selection import Place
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.candidates import rule_set_of
from scoring.promotions.services import work as campaign_tasks
from tournaments.models import Seat

TODAY = date(2026, 1, 20)
YEAR = 2025
SIZE = {"players": 160, "clubs": 5, "regions": 2, "pool_pairs": 8, "since": date(2025, 9, 1)}


@pytest.fixture
def people(db, settings, tmp_path, monkeypatch, django_user_model):
    """Create the demo as of 20 January 2026. Return its accounts by user name."""
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(timezone, "localdate", lambda *_: TODAY)
    call_command("demo", stdout=io.StringIO(), **SIZE)
    return {user.username: user for user in django_user_model.objects.all()}


def carry_out(campaign: PromotionCampaign, verb: Verb, by, reason: str = "") -> None:
    """Perform a long act of the campaign, and then the worker's part of it."""
    campaign_tasks.perform(act_by_verb(verb).perform(campaign.pk, by, reason).pk)
    campaign.refresh_from_db()


def frozen(people: dict) -> PromotionCampaign:
    rules = rule_set_of(YEAR)
    rules.confirmed = True
    rules.save()
    rules.rules.update(confirmed=True)
    campaign = Open().perform(
        YEAR, people["oficina"], rule_set=rules, intake_until=date(2026, 1, 15), effective_on=date(2026, 2, 1)
    )
    carry_out(campaign, Verb.FREEZE, people["oficina"])
    return campaign


def approve(campaign: PromotionCampaign, people: dict) -> None:
    Approve().perform(campaign.pk, people["comite"], queries.list_digest(campaign))


# --- Computed independently ---------------------------------------------------------------------------------
def valid_awards(player: Player) -> list[LedgerEntry]:
    """Return the player's AEB awards of the year that were not taken back."""
    entries = LedgerEntry.objects.filter(player=player, family="aeb").select_related("run", "contestant")
    taken_back = {entry.reverses_id for entry in entries}
    return [
        entry
        for entry in entries
        if entry.kind == "award" and entry.played_on.year == YEAR and entry.pk not in taken_back
    ]


def boards_of(contestant) -> int:
    return contestant.boards_played or contestant.revision.tournament.boards


def ten_thousandths(value: Fraction) -> Fraction:
    """Round to four decimals, halves away from zero."""
    sign = 1 if value >= 0 else -1
    return Fraction(sign * int(abs(value) * 10_000 + Fraction(1, 2)), 10_000)


def percentage_points(run: ScoringRun, position: int, code: str, weight: Decimal) -> Fraction:
    """Return how far the field's strength shifts a player's percentage of a session, in percentage points.

    The shift is proportional to a difference: the field's C4 minus the player's C4 value. The field's C4 is
    the coefficient of its strength, read from the contestant's receipt. The player's C4 value is the one that
    the regulation gives to the player's category.

    run: the run that scored the session's ranking
    position: position in the ranking of the player's contestant
    code: code of the player's category
    weight: the shift, in percentage points, for a difference of 0.1
    """
    evaluation = evaluation_of(run)
    line = evaluation.field_of(position)
    steps = evaluation.regulation.explain(line.event, line.result, str(position))
    c4 = ten_thousandths(Fraction(next(step.value for step in steps if step.key == "C4")))
    scheme = regulations.get(run.regulation)
    own = Fraction(scheme.categories.find(category_code(scheme, code)).value)
    return ten_thousandths(Fraction(weight) * 10 * (c4 - own))


def average_of(player: Player, code: str, weight: Decimal) -> tuple[Fraction | None, int]:
    """Return the player's modified average, and on how many sessions with board results it is based.

    code, weight: as for `percentage_points`
    """
    total, boards, with_boards = Fraction(0), 0, 0
    seats = Seat.objects.filter(player=player).select_related("contestant__revision__tournament")
    for seat in seats:
        contestant, tournament = seat.contestant, seat.contestant.revision.tournament
        last = (
            ScoringRun.objects.filter(revision=contestant.revision_id, state="done").order_by("number").last()
        )
        counts = (
            tournament.published_id == contestant.revision_id
            and tournament.family == "aeb"
            and tournament.format == "pairs"
            and tournament.end_date.year == YEAR
            and contestant.percentage is not None
            and last is not None
            and last.eligible
        )
        if not counts:
            continue
        if contestant.adjusted is not None:
            value = ten_thousandths(Fraction(contestant.adjusted))
            with_boards += 1
        else:
            moved = percentage_points(last, contestant.position, code, weight)
            value = Fraction(contestant.percentage) + moved
        total += boards_of(contestant) * value
        boards += boards_of(contestant)
    return (ten_thousandths(total / boards) if boards else None), with_boards


def check_place(place: Place, code: str, weight: Decimal) -> int:
    """Assert that a place in a frozen list has the figures computed from the player's own data.

    Return the number of the player's sessions with board results.

    code, weight: as for `percentage_points`
    """
    entrant = place.entrant
    player = Player.objects.get(pk=entrant.player_id)
    assert categories_on(date(YEAR, 12, 31), [player.pk])[player.pk].code == code
    points = {False: 0, True: 0}
    tournaments, boards = set(), 0
    for entry in valid_awards(player):
        receipt = receipt_of(entry, "es")
        assert receipt.agrees
        points[entry.online] += receipt.computed
        tournaments.add(entry.tournament_id)
        boards += boards_of(entry.contestant)
    assert (entrant.in_person, entrant.online) == (points[False], points[True])
    assert entrant.points == points[False] + points[True]
    assert (entrant.tournaments, entrant.boards) == (len(tournaments), boards)
    average, with_boards = average_of(player, code, weight)
    assert (None if entrant.average is None else Fraction(entrant.average)) == average
    return with_boards


# --- The campaign -------------------------------------------------------------------------------------------
def test_the_demos_category_change_runs_and_five_players_figures_are_right(people):
    campaign = frozen(people)
    documents = queries.documents_of(campaign.snapshot)
    listed = [(place, code) for code, item in documents.items() for place in item.selection.places]
    seed = secrets.randbits(32)
    drawn = Random(seed).sample(listed, 5)  # noqa: S311 (a draw, not a secret)
    with_boards = [(place, code) for place, code in listed if _played_with_boards(campaign, place, code)]
    for place, code in [*drawn, with_boards[0]]:
        number = Player.objects.get(pk=place.entrant.player_id).number
        try:
            sessions = check_place(place, code, campaign.rule_set.field_weight)
        except AssertionError as error:
            raise AssertionError(f"player {number} of {code}, drawn with the seed {seed}") from error
    assert sessions >= 1  # the last player was chosen because of such a session

    office, player = people["oficina"], people["jugador"].player
    before = dict(categories_on(date(2026, 2, 1)))
    approve(campaign, people)
    Publish().perform(campaign.pk, office)
    claim = Claim().perform(campaign.pk, player, "Falta un torneo", people["jugador"])
    code = queries.category_in_list(campaign, player.pk)
    target = Category.objects.get(code=documents[code].target)
    Answer().perform(claim.pk, True, "Es verdad", target, office)
    approve(campaign, people)
    Close().perform(campaign.pk, people["comite"], "Todos han sido oídos")
    carry_out(campaign, Verb.APPLY, office)
    after = dict(categories_on(date(2026, 2, 1)))
    changed = {pk for pk in after if after[pk] != before.get(pk)}
    assert changed == {row.place.entrant.player_id for row in queries.movers(campaign)}
    assert player.pk in changed
    assert not campaign.changes.exclude(problem="").exists()

    carry_out(campaign, Verb.REVERSE, office, "Otra vez")
    assert campaign.state == "reversed"
    assert dict(categories_on(date(2026, 2, 1))) == before


def _played_with_boards(campaign: PromotionCampaign, place: Place, code: str) -> bool:
    lines = queries.sessions_of(campaign, code, place.entrant.player_id)
    return any(line["method"] == "boards" for line in lines)
