"""What the pages of Go show: lists, a player's history, and every game of a tournament with its working."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.db.models import F
from django.utils.translation import get_language, gettext

from scoring import regulations
from scoring.engine.types import Step
from scoring.ratings.history import Standing, engine_tournament
from scoring.ratings.models import RatedPlayer, Rating, RatingEntrant, RatingReplay, RatingTournament
from scoring.regulations.egf import types as egf
from ui.formatting import format_date, format_fixed
from ui.plots import Chart, Mark, Series

RESULTS = {2: "1–0", 1: "½–½", 0: "0–1"}
CLOSE = 10  # points apart; between closer ratings the chart's axis needs decimals
SCORES = {1.0: "1", 0.5: "½", 0.0: "0"}


def rating_text(value: float | None, digits: int = 0) -> str:
    """A rating as pages write it; digits are shown where a hand computation is compared with it."""
    return "—" if value is None else format_fixed(Decimal(repr(value)), get_language() or "", digits)


def change_text(value: float | None, digits: int = 2) -> str:
    """A change with its sign; none has none."""
    if not value:
        return rating_text(value, digits)
    text = rating_text(value, digits)
    return text if value < 0 else f"+{text}"


def player_records(players: Iterable[RatedPlayer]) -> list[dict[str, Any]]:
    """Rows of the rating list."""
    return [
        {
            "name": each.public_name,
            "url": each.get_absolute_url(),
            "country": "" if each.is_hidden else each.country,
            "grade": each.grade,
            "rating": each.rating,
            "events": each.events,
            "day": each.last_played,
        }
        for each in players
    ]


def ratings_of(player: RatedPlayer) -> list[Rating]:
    """A player's ratings, in the order they were reached."""
    return list(
        Rating.objects.filter(entrant__player=player)
        .select_related("entrant__tournament")
        .order_by("entrant__tournament__end_date", "entrant__tournament_id")
    )


def history_records(ratings: list[Rating]) -> list[dict[str, Any]]:
    """Rows of a player's tournaments, latest first."""
    return [
        {
            "day": each.entrant.tournament.end_date,
            "title": each.entrant.tournament.name,
            "url": each.entrant.tournament.get_absolute_url(),
            "grade": each.entrant.declared,
            "regulation": each.regulation,
            "before": each.before,
            "reset_to": each.reset_to,
            "after": each.after,
            "change": each.after - each.before,
            "receipt": each.entrant.get_absolute_url(),
        }
        for each in reversed(ratings)
    ]


def chart_of(ratings: list[Rating], name: str) -> Chart | None:
    """The player's rating after each tournament; two of them make a curve."""
    if len(ratings) < 2:
        return None
    lang = get_language() or ""
    points = [(each.entrant.tournament.end_date, each.after) for each in ratings]
    best = max(points, key=lambda point: point[1])
    digits = 0 if best[1] - min(value for _day, value in points) >= CLOSE else 2
    return Chart(
        title=gettext("Rating of %(name)s") % {"name": name},
        desc=gettext("From %(first)s to %(last)s; the highest was %(best)s on %(day)s.") % {
            "first": rating_text(points[0][1]), "last": rating_text(points[-1][1]),
            "best": rating_text(best[1]), "day": format_date(best[0], lang),
        },
        x_label=gettext("Day"),
        y_label=gettext("Rating"),
        series=[Series(gettext("Rating"), points, kind="step")],
        x_format=lambda day: format_date(day, lang),
        y_format=lambda rating: rating_text(rating, digits),
        marks=[Mark(*best, rating_text(best[1], digits))],
        y_from_zero=False,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Worked:
    """A tournament rated again from what is stored. `rated` and `tournament` are None before the replay."""

    entrants: list[RatingEntrant]
    tournament: egf.Tournament | None = None
    rated: egf.RatedTournament | None = None

    @property
    def system(self):
        """The regulation that rates it."""
        return regulations.get(self.rated.regulation)

    @property
    def names(self) -> dict[str, str]:
        """What everybody is called, by the engine's ids."""
        return {str(each.position): each.player.public_name for each in self.entrants}

    def change(self, position: int) -> egf.Change | None:
        """What an entrant's rating became, by position."""
        name = str(position)
        return (
            next((each for each in self.rated.changes if each.player == name), None) if self.rated else None
        )


def worked(event: RatingTournament) -> Worked:
    """The tournament as the engine rates it, from the stored ratings before it."""
    entrants = list(
        event.entrants.select_related("player__player__merged_into", "result").order_by("position")
    )
    if not entrants or any(not hasattr(each, "result") for each in entrants):
        return Worked(entrants)  # registered, but not rated yet
    standings = {
        each.player_id: Standing(each.result.before, each.result.highest_before)
        for each in entrants
        if each.result.highest_before
    }
    games = event.games.filter(rated=True).order_by("pk")
    system = regulations.get(entrants[0].result.regulation)
    tournament = engine_tournament(system, event, entrants, games, standings)
    return Worked(entrants, tournament, system.rate(tournament))


def under_way(event: RatingTournament) -> bool:
    """Whether a replay is about to rate the tournament anew."""
    waiting = RatingReplay.objects.filter(state__in=[RatingReplay.State.PENDING, RatingReplay.State.RUNNING])
    return waiting.filter(since__lte=event.end_date).exists()


def entrant_records(entrants: list[RatingEntrant]) -> list[dict[str, Any]]:
    """Rows of a tournament's list of players."""
    records = []
    for each in entrants:
        result = getattr(each, "result", None)
        records.append(
            {
                "position": each.position,
                "name": each.player.public_name,
                "url": each.player.get_absolute_url(),
                "grade": each.declared,
                "before": result and result.before,
                "reset_to": result and result.reset_to,
                "after": result and result.after,
                "change": result and result.after - result.before,
                "games": result and result.games,
                "receipt": each.get_absolute_url() if result else "",
            }
        )
    return records


def game_records(event: RatingTournament, found: Worked) -> list[dict[str, Any]]:
    """Every game, rated or not, with expected score and change of both players."""
    seen: dict[tuple[int, str, str], egf.GameChange] = {}
    for change in found.rated.changes if found.rated else ():
        for game in change.games:
            seen[game.round, change.player, game.opponent] = game
    by_pk = {each.pk: each for each in found.entrants}
    records = []
    for game in event.games.order_by("round", "first__position"):
        first, second = by_pk[game.first_id], by_pk[game.second_id]
        names = str(first.position), str(second.position)
        one = seen.get((game.round, *names)) if game.rated else None
        other = seen.get((game.round, *reversed(names))) if game.rated else None
        records.append(
            {
                "round": game.round,
                "first": first.player.public_name,
                "second": second.player.public_name,
                "first_url": first.get_absolute_url() if one else "",
                "second_url": second.get_absolute_url() if other else "",
                "handicap": game.handicap or None,
                "result": RESULTS.get(game.half_points, "—"),
                "expected": one and one.expected,
                "first_change": one and one.change,
                "second_change": other and other.change,
                "first_if_won": _if_won(one),
                "second_if_won": _if_won(other),
                "note": ""
                if game.rated
                else gettext("not rated: %(why)s") % {"why": game.get_reason_display()},
            }
        )
    return records


def _if_won(game: egf.GameChange | None) -> float | None:
    """What a player would have got for winning a rated game that they lost; None for any other."""
    return game.if_won if game and game.score == 0 else None


@dataclass(frozen=True, slots=True)
class Variant:
    """A computation that leaves something out, as one made by hand may have done."""

    label: str
    change: egf.Change
    weight: float

    @property
    def gain(self) -> float:
        """The whole change, rounded nowhere."""
        return self.change.after - self.change.start

    @property
    def gain_rounded(self) -> int:
        """The change by hand: con rounded to a whole number, and then every game, halves to the even one."""
        con, bonus = round(self.change.con), self.change.bonus
        return sum(
            round(self.weight * (con * (game.score - game.expected) + bonus)) for game in self.change.games
        )


@dataclass(frozen=True, slots=True)
class Receipt:
    """How an entrant's rating came about: the event's numbers, each step, and computations that differ.

    `bare` is the change without ε and as if of class A, None where neither plays a part.
    """

    change: egf.Change
    epsilon: float
    weight: float
    steps: tuple[Step, ...]
    variants: list[Variant]
    bare: egf.Change | None
    stored: float

    @property
    def agrees(self) -> bool:
        """Whether the engine still gives the rating that is stored."""
        return self.change.after == self.stored


def receipt_of(found: Worked, entrant: RatingEntrant) -> Receipt | None:
    """The derivation of an entrant's rating; None while it waits to be computed."""
    change = found.change(entrant.position)
    if change is None:
        return None
    system, tournament = found.system, found.tournament
    epsilon, weight = system.epsilon_of(tournament), egf.CLASSES[tournament.tournament_class]
    return Receipt(
        change,
        epsilon,
        weight,
        system.explain(tournament, found.rated, change.player),
        list(_variants(found, change)),
        _again(found, change, _bare(tournament)) if epsilon or weight != 1 else None,
        next(each for each in found.entrants if each.position == entrant.position).result.after,
    )


def own_games(receipt: Receipt, found: Worked) -> list[dict[str, Any]]:
    """Rows of the player's games."""
    names = found.names
    starts = {each.player: each.start for each in found.rated.changes}
    bare = (
        [each.change for each in receipt.bare.games] if receipt.bare else [None] * len(receipt.change.games)
    )
    return [
        {
            "opponent": names[each.opponent],
            "round": each.round,
            "opponent_rating": starts[each.opponent],
            "result": SCORES[each.score],
            "expected": each.expected,
            "change": each.change,
            "if_won": None if each.score == 1 else each.if_won,
            "bare": other,
        }
        for each, other in zip(receipt.change.games, bare, strict=True)
    ]


def variant_records(receipt: Receipt) -> list[dict[str, Any]]:
    """Rows of the same games computed in other ways; none where there is only one way."""
    if len(receipt.variants) < 2:
        return []
    return [
        {
            "label": each.label,
            "before": each.change.start,
            "rounded": each.gain_rounded,
            "change": each.gain,
            "after": each.change.after,
        }
        for each in receipt.variants
    ]


def _variants(found: Worked, change: egf.Change) -> Iterable[Variant]:
    """The rating as it is, and without ε, the class or resets, as far as these play a part."""
    tournament = found.tournament
    has_epsilon = bool(found.system.epsilon_of(tournament))
    has_class = egf.CLASSES[tournament.tournament_class] != 1
    opponents = {game.opponent for game in change.games}
    has_reset = any(
        each.reset_to is not None and each.player in {change.player, *opponents}
        for each in found.rated.changes
    )
    ways = [
        (True, gettext("as it is rated"), tournament),
        (has_epsilon, gettext("without ε"), replace(tournament, epsilon=Decimal(0))),
        (has_class, gettext("as if of class A"), replace(tournament, tournament_class="A")),
        (has_epsilon and has_class, gettext("without ε and as if of class A"), _bare(tournament)),
        (has_reset, gettext("without resets"), _without_resets(tournament)),
        (
            has_reset and (has_epsilon or has_class),
            gettext("without resets, ε and class"),
            _bare(_without_resets(tournament)),
        ),
    ]
    for plays_a_part, label, other in ways:
        if plays_a_part:
            yield Variant(label, _again(found, change, other), egf.CLASSES[other.tournament_class])


def _bare(tournament: egf.Tournament) -> egf.Tournament:
    return replace(tournament, epsilon=Decimal(0), tournament_class="A")


def _without_resets(tournament: egf.Tournament) -> egf.Tournament:
    """Nobody's rating is reset: neither the player's nor an opponent's."""
    return replace(
        tournament, players=tuple(replace(each, highest_declared=None) for each in tournament.players)
    )


def _again(found: Worked, change: egf.Change, tournament: egf.Tournament) -> egf.Change:
    """The player's change in another tournament of the same players."""
    return next(each for each in found.system.rate(tournament).changes if each.player == change.player)


def annulled_entries(player: RatedPlayer) -> list[dict[str, Any]]:
    """The annulled Go tournaments that a player played in, latest first, each with its reason; one query."""
    annulled = RatingTournament.objects.filter(annulled_at__isnull=False, entrants__player=player)
    acts = annulled.filter(annulments__act="annulled").annotate(
        reason=F("annulments__reason"), decided_at=F("annulments__created_at")
    )
    # The latest act of a tournament is the one that holds.
    last = {event.pk: event for event in acts.order_by("annulments__pk")}
    return [
        {"tournament": event, "reason": event.reason, "created_at": event.decided_at}
        for event in sorted(last.values(), key=lambda event: event.end_date, reverse=True)
    ]
