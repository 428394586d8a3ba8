"""Queries for the Go pages: the rating list, players' histories, and tournaments with their computation.

Functions named `..._records` return the rows of a table of `scoring.ratings.tables`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext, gettext_lazy

from players.models import Role
from players.models.people import desk_name
from scoring import regulations
from scoring.engine.types import Step
from scoring.ledger.models.work import UNDER_WAY
from scoring.ratings.history import PlayerState, engine_tournament
from scoring.ratings.models import (
    RatedPlayer,
    RatedPlayerChange,
    Rating,
    RatingChange,
    RatingEntrant,
    RatingGame,
    RatingReplay,
    RatingState,
    RatingTournament,
)
from scoring.regulations.egf import types as egf
from ui.formatting import format_date, format_fixed
from ui.plots import Chart, Mark, Series

OWN_RESULTS = {2: gettext_lazy("won"), 1: gettext_lazy("drawn"), 0: gettext_lazy("lost")}
RESULTS = {2: "1–0", 1: "½–½", 0: "0–1"}
CLOSE = 10  # if the ratings of a chart span fewer points, its values need decimals
SCORES = {1.0: "1", 0.5: "½", 0.0: "0"}


def changed_at() -> datetime | None:
    """Return when games or ratings last changed; None if there are none."""
    return RatingState.objects.values_list("changed_at", flat=True).first()


def rating_text(value: float | None, digits: int = 0) -> str:
    """Return a rating as text, "—" for None.

    digits: the number of decimals; more than 0 only on pages where readers check a computation
    """
    return "—" if value is None else format_fixed(Decimal(repr(value)), get_language() or "", digits)


def change_text(value: float | None, digits: int = 2) -> str:
    """Return a change of a rating as text, with its sign; zero has no sign.

    digits: the number of decimals
    """
    if not value:
        return rating_text(value, digits)
    text = rating_text(value, digits)
    return text if value < 0 else f"+{text}"


def rating_list() -> QuerySet[RatedPlayer]:
    """Return the players with a rating, highest first."""
    rated = RatedPlayer.objects.filter(rating__isnull=False)
    return rated.select_related("player__merged_into").order_by("-rating", "pk")


def player_records(players: Iterable[RatedPlayer]) -> list[dict[str, Any]]:
    """Return the rows of `RatingTable`, the rating list."""
    return [
        {
            "name": player.public_name,
            "url": player.get_absolute_url(),
            "country": "" if player.is_hidden else player.country,
            "grade": player.grade,
            "rating": player.rating,
            "events": player.events,
            "day": player.last_played,
        }
        for player in players
    ]


def ratings_of(player: RatedPlayer) -> list[Rating]:
    """Return a player's ratings, oldest tournament first."""
    return list(
        Rating.objects.filter(entrant__player=player)
        .select_related("entrant__tournament")
        .order_by("entrant__tournament__end_date", "entrant__tournament_id")
    )


def history_records(ratings: list[Rating]) -> list[dict[str, Any]]:
    """Return the rows of `HistoryTable`, a player's tournaments, latest first.

    ratings: what `ratings_of` returns
    """
    return [
        {
            "day": rating.entrant.tournament.end_date,
            "title": rating.entrant.tournament.name,
            "url": rating.entrant.tournament.get_absolute_url(),
            "grade": rating.entrant.declared,
            "regulation": rating.regulation,
            "before": rating.before,
            "reset_to": rating.reset_to,
            "after": rating.after,
            "change": rating.after - rating.before,
            "receipt": rating.entrant.get_absolute_url(),
        }
        for rating in reversed(ratings)
    ]


def chart_of(ratings: list[Rating], name: str) -> Chart | None:
    """Return a chart of a player's rating after each tournament; None for fewer than two tournaments."""
    if len(ratings) < 2:
        return None
    lang = get_language() or ""
    points = [(rating.entrant.tournament.end_date, rating.after) for rating in ratings]
    best = max(points, key=lambda point: point[1])
    digits = 0 if best[1] - min(value for _day, value in points) >= CLOSE else 2
    return Chart(
        title=gettext("Rating of %(name)s") % {"name": name},
        desc=gettext("From %(first)s to %(last)s; the highest was %(best)s on %(day)s.")
        % {
            "first": rating_text(points[0][1]),
            "last": rating_text(points[-1][1]),
            "best": rating_text(best[1]),
            "day": format_date(best[0], lang),
        },
        x_label=gettext("Day"),
        y_label=gettext("Rating"),
        series=[Series(gettext("Rating"), points, kind="step")],
        x_format=lambda day: format_date(day, lang),
        y_format=lambda rating: rating_text(rating, digits),
        marks=[Mark(*best, rating_text(best[1], digits))],
        y_from_zero=False,
        y_span=2 * CLOSE,
    )


@dataclass(frozen=True, slots=True)
class Recomputation:
    """The result of recomputing a tournament's ratings from stored data.

    tournament: the engine's input; None if the tournament was never rated
    rated: the engine's result; None if the tournament was never rated
    """

    entrants: list[RatingEntrant]
    tournament: egf.Tournament | None = None
    rated: egf.RatedTournament | None = None

    @property
    def system(self):
        """The rating system by which the tournament was rated; available only if `rated` is not None."""
        return regulations.get(self.rated.regulation)

    @property
    def names(self) -> dict[str, str]:
        """The public names of the players, by the engine's player ids."""
        return {str(entrant.position): entrant.player.public_name for entrant in self.entrants}

    def change(self, position: int) -> egf.Change | None:
        """Return the rating change of the entrant with this `position`; None if `rated` is None."""
        if self.rated is None:
            return None
        return next((change for change in self.rated.changes if change.player == str(position)), None)


def recompute(event: RatingTournament) -> Recomputation:
    """Recompute a tournament's ratings from the stored ratings before the tournament. Nothing is stored."""
    entrants = list(
        event.entrants.select_related("player__player__merged_into", "result").order_by("position")
    )
    if not entrants or any(not hasattr(entrant, "result") for entrant in entrants):
        return Recomputation(entrants)  # not rated yet
    states = {
        entrant.player_id: PlayerState(entrant.result.before, entrant.result.highest_before)
        for entrant in entrants
        if entrant.result.highest_before
    }
    games = event.games.filter(rated=True).order_by("pk")
    system = regulations.get(entrants[0].result.regulation)
    tournament = engine_tournament(system, event, entrants, games, states)
    return Recomputation(entrants, tournament, system.rate(tournament))


def replay_pending(event: RatingTournament) -> bool:
    """Whether a replay that waits or runs will rate the tournament again."""
    return RatingReplay.objects.filter(state__in=UNDER_WAY).filter(since__lte=event.end_date).exists()


def entrant_records(entrants: list[RatingEntrant]) -> list[dict[str, Any]]:
    """Return the rows of `EntrantTable`, the players of a tournament."""
    records = []
    for entrant in entrants:
        result = getattr(entrant, "result", None)
        records.append(
            {
                "position": entrant.position,
                "name": entrant.player.public_name,
                "url": entrant.player.get_absolute_url(),
                "grade": entrant.declared,
                "before": result and result.before,
                "reset_to": result and result.reset_to,
                "after": result and result.after,
                "change": result and result.after - result.before,
                "games": result and result.games,
                "receipt": entrant.get_absolute_url() if result else "",
            }
        )
    return records


def game_records(event: RatingTournament, recomputed: Recomputation) -> list[dict[str, Any]]:
    """Return the rows of `GameTable`, all games of a tournament.

    The row of a rated game has the first player's expected score and the rating changes of both players.
    """
    game_changes = {
        (game.round, change.player, game.opponent): game
        for change in (recomputed.rated.changes if recomputed.rated else ())
        for game in change.games
    }
    entrants = {entrant.pk: entrant for entrant in recomputed.entrants}
    records = []
    for game in event.games.order_by("round", "first__position"):
        first, second = entrants[game.first_id], entrants[game.second_id]
        ids = str(first.position), str(second.position)
        first_change = game_changes.get((game.round, *ids)) if game.rated else None
        second_change = game_changes.get((game.round, *reversed(ids))) if game.rated else None
        records.append(
            {
                "round": game.round,
                "first": first.player.public_name,
                "second": second.player.public_name,
                "first_url": first.get_absolute_url() if first_change else "",
                "second_url": second.get_absolute_url() if second_change else "",
                "handicap": game.handicap or None,
                "result": RESULTS.get(game.half_points, "—"),
                "expected": first_change and first_change.expected,
                "first_change": first_change and first_change.change,
                "second_change": second_change and second_change.change,
                "first_if_won": _if_won(first_change),
                "second_if_won": _if_won(second_change),
                "note": ""
                if game.rated
                else gettext("not rated: %(why)s") % {"why": game.get_reason_display()},
            }
        )
    return records


def _if_won(game: egf.GameChange | None) -> float | None:
    """Return the rating change that the player would have got by winning a rated game that was lost.

    Return None if the game was not lost, or not rated (`game` is None).
    """
    return game.if_won if game and game.score == 0 else None


@dataclass(frozen=True, slots=True)
class Variant:
    """A player's rating change in a tournament, computed by all rules or without some of them.

    Variants explain why a change that a player computes by hand may differ from the actual one.

    label: names the omitted rules
    weight: the weight of the games in this computation
    """

    label: str
    change: egf.Change
    weight: float

    @property
    def gain(self) -> float:
        """The total rating change in the tournament, unrounded."""
        return self.change.after - self.change.start

    @property
    def gain_rounded(self) -> int:
        """The total rating change in the tournament as computed by hand, with rounded figures.

        The factor con and the change by each game are rounded to integers, halves to even.
        """
        con, bonus = round(self.change.con), self.change.bonus
        return sum(
            round(self.weight * (con * (game.score - game.expected) + bonus)) for game in self.change.games
        )


@dataclass(frozen=True, slots=True)
class Receipt:
    """How an entrant's rating in a tournament was computed.

    change: the rating change, in total and by game
    epsilon: the tournament's ε
    weight: the weight of games in the tournament's class
    steps: every step of the computation
    variants: the actual computation first, then computations that omit some rules
    bare: the change without ε and with the weight of class A; None if that equals `change`
    stored: the stored rating after the tournament
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
        """Whether the engine, run again now, computes exactly the stored rating."""
        return self.change.after == self.stored


def receipt_of(recomputed: Recomputation, entrant: RatingEntrant) -> Receipt | None:
    """Return how an entrant's rating was computed; None if the tournament was never rated."""
    change = recomputed.change(entrant.position)
    if change is None:
        return None
    system, tournament = recomputed.system, recomputed.tournament
    epsilon, weight = system.epsilon_of(tournament), egf.CLASSES[tournament.tournament_class]
    return Receipt(
        change,
        epsilon,
        weight,
        system.explain(tournament, recomputed.rated, change.player),
        list(_variants(recomputed, change)),
        _again(recomputed, change, _bare(tournament)) if epsilon or weight != 1 else None,
        next(row for row in recomputed.entrants if row.position == entrant.position).result.after,
    )


def own_game_records(receipt: Receipt, recomputed: Recomputation) -> list[dict[str, Any]]:
    """Return the rows of `OwnGameTable`, one player's games in a tournament."""
    names = recomputed.names
    starts = {change.player: change.start for change in recomputed.rated.changes}
    bare = (
        [game.change for game in receipt.bare.games] if receipt.bare else [None] * len(receipt.change.games)
    )
    return [
        {
            "opponent": names[game.opponent],
            "round": game.round,
            "opponent_rating": starts[game.opponent],
            "result": SCORES[game.score],
            "expected": game.expected,
            "change": game.change,
            "if_won": None if game.score == 1 else game.if_won,
            "bare": bare_change,
        }
        for game, bare_change in zip(receipt.change.games, bare, strict=True)
    ]


def variant_records(receipt: Receipt) -> list[dict[str, Any]]:
    """Return the rows of `VariantTable`: the actual rating change, and those computed without some rules.

    Return an empty list if no rule can be omitted.
    """
    if len(receipt.variants) < 2:
        return []
    return [
        {
            "label": variant.label,
            "before": variant.change.start,
            "rounded": variant.gain_rounded,
            "change": variant.gain,
            "after": variant.change.after,
        }
        for variant in receipt.variants
    ]


def _variants(recomputed: Recomputation, change: egf.Change) -> Iterable[Variant]:
    """Yield the actual computation, then computations without ε, class weight or resets.

    A computation is left out if the rule that it omits did not apply to the player in this tournament.
    """
    tournament = recomputed.tournament
    has_epsilon = bool(recomputed.system.epsilon_of(tournament))
    has_class = egf.CLASSES[tournament.tournament_class] != 1
    opponents = {game.opponent for game in change.games}
    has_reset = any(
        other.reset_to is not None and other.player in {change.player, *opponents}
        for other in recomputed.rated.changes
    )
    variants = [
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
    for applies, label, variant in variants:
        if applies:
            weight = egf.CLASSES[variant.tournament_class]
            yield Variant(label, _again(recomputed, change, variant), weight)


def _bare(tournament: egf.Tournament) -> egf.Tournament:
    return replace(tournament, epsilon=Decimal(0), tournament_class="A")


def _without_resets(tournament: egf.Tournament) -> egf.Tournament:
    """Return a copy of the tournament in which no player's rating is reset."""
    return replace(
        tournament, players=tuple(replace(player, highest_declared=None) for player in tournament.players)
    )


def _again(recomputed: Recomputation, change: egf.Change, tournament: egf.Tournament) -> egf.Change:
    """Rate `tournament` and return the rating change of one player.

    recomputed: has the rating system to use
    change: has the player's id
    tournament: a variant of `recomputed.tournament`
    """
    changes = recomputed.system.rate(tournament).changes
    return next(other for other in changes if other.player == change.player)


def games_of(player: RatedPlayer) -> QuerySet[RatingGame]:
    """Return a player's games in tournaments that are not annulled, latest first."""
    entries = RatingEntrant.objects.filter(player=player, tournament__annulled_at=None).values("pk")
    sides = [f"{side}__player__player__merged_into" for side in ("first", "second")]
    games = RatingGame.objects.filter(Q(first__in=entries) | Q(second__in=entries))
    return games.select_related("tournament", *sides).order_by(
        "-tournament__end_date", "-tournament_id", "-round"
    )


def opponent_records(games: Iterable[RatingGame], player: RatedPlayer) -> list[dict[str, Any]]:
    """Return the rows of `OpponentTable`: the player's games with the opponent and the own result."""
    records = []
    for game in games:
        plays_first = game.first.player_id == player.pk
        own, other = (game.first, game.second) if plays_first else (game.second, game.first)
        half_points = game.half_points if plays_first or game.half_points is None else 2 - game.half_points
        records.append(
            {
                "day": game.tournament.end_date,
                "tournament": game.tournament.name,
                "tournament_url": game.tournament.get_absolute_url(),
                "opponent": other.player.public_name,
                "opponent_url": other.player.get_absolute_url(),
                "grade": other.declared,
                "result": OWN_RESULTS.get(half_points, "—"),
                "note": _handicap_text(game, plays_first) if game.rated else game.get_reason_display(),
                "receipt": own.get_absolute_url() if game.rated else "",
            }
        )
    return records


def _handicap_text(game: RatingGame, gives: bool) -> str:
    if not game.handicap:
        return ""
    text = gettext("gives %(stones)s") if gives else gettext("receives %(stones)s")
    return text % {"stones": game.handicap}


def score_of(player: RatedPlayer) -> dict[str, int]:
    """Return the numbers of the player's rated games that were won, drawn and lost. One query."""
    first = Q(first__player=player)
    games = games_of(player).filter(rated=True).order_by()
    return games.aggregate(
        won=Count("pk", filter=(first & Q(half_points=2)) | (~first & Q(half_points=0))),
        drawn=Count("pk", filter=Q(half_points=1)),
        lost=Count("pk", filter=(first & Q(half_points=0)) | (~first & Q(half_points=2))),
    )


def place_of(player: RatedPlayer) -> tuple[int | None, int]:
    """Return the player's place in the rating list, None without a rating, and the length of the list."""
    listed = RatedPlayer.objects.filter(rating__isnull=False)
    if player.rating is None:
        return None, listed.count()
    return listed.filter(rating__gt=player.rating).count() + 1, listed.count()


def office_records(players: Iterable[RatedPlayer]) -> list[dict[str, Any]]:
    """Return the rows of `RatedPlayerTable`, the office's list of Go players."""
    return [
        {
            "name": desk_name(player.full_name, player.is_hidden),
            "url": reverse("office_go_player", args=[player.pk]),
            "pin": player.pin,
            "country": player.country,
            "number": player.player.current.number if player.player else "",
            "rating": player.rating,
            "day": player.last_played,
        }
        for player in players
    ]


def data_changes_of(player: RatedPlayer) -> list[dict[str, Any]]:
    """Return a Go player's changes by hand, latest first: who, when, why, and what changed in words."""
    changes = RatedPlayerChange.objects.filter(rated=player).select_related("changed_by")
    return [
        {
            "day": change.changed_at,
            "who": change.changed_by.get_username(),
            "reason": change.reason,
            "texts": [
                gettext("%(field)s: %(old)s → %(new)s")
                % {
                    "field": RatedPlayer._meta.get_field(name).verbose_name,
                    "old": _value_text(change.before[name]),
                    "new": _value_text(value),
                }
                for name, value in change.after.items()
            ],
        }
        for change in changes
    ]


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(value or "—")


def annulled_entries(player: RatedPlayer) -> list[dict[str, Any]]:
    """Return a player's annulled tournaments, latest first, each with the reason and time of annulling it.

    One query.
    """
    annulled = RatingTournament.objects.filter(annulled_at__isnull=False, entrants__player=player)
    acts = annulled.filter(annulments__act="annulled").annotate(
        reason=F("annulments__reason"), decided_at=F("annulments__created_at")
    )
    # Later acts replace earlier ones in the dict: the latest act of each tournament is in force.
    latest = {event.pk: event for event in acts.order_by("annulments__pk")}
    return [
        {"tournament": event, "reason": event.reason, "created_at": event.decided_at}
        for event in sorted(latest.values(), key=lambda event: event.end_date, reverse=True)
    ]


def entries_of(player: RatedPlayer) -> QuerySet[RatingEntrant]:
    """Return a player's tournaments, the annulled ones and those not rated yet included, latest first."""
    entries = RatingEntrant.objects.filter(player=player)
    entries = entries.select_related("tournament__created_by", "result")
    return entries.order_by("-tournament__end_date", "-tournament_id")


def entry_records(entries: Iterable[RatingEntrant], user: Any) -> list[dict[str, Any]]:
    """Return the rows of `OwnTournamentTable`: where the player's own tournaments are. Two queries.

    entries: some of what `entries_of` returns, of one player
    user: the player's account, which is shown as "you"
    """
    entries = list(entries)
    days = _days_of_rating(entries)
    senders = {entry.tournament.created_by for entry in entries if entry.tournament.created_by}
    roles = Role.objects.filter(user__in=senders, kind__in=(Role.Kind.OFFICE, Role.Kind.DIRECTOR))
    clubs = dict(roles.order_by("kind", "-pk").values_list("user", "club__name"))
    records = []
    for entry in entries:
        event, result = entry.tournament, getattr(entry, "result", None)
        rated_on, again_on = days.get(event.pk, (None, None))
        records.append(
            {
                "day": event.end_date,
                "title": event.name,
                "url": event.get_absolute_url(),
                "registered": event.created_at,
                "by": _sender_text(event.created_by, user, clubs),
                "rated": rated_on if result else None,
                "state": _state_text(event, rated=bool(result), again_on=again_on),
                "change": result and result.after - result.before,
                "after": result and result.after,
                "receipt": entry.get_absolute_url() if result else None,
                "report": event.pk,
            }
        )
    return records


def _days_of_rating(entries: list[RatingEntrant]) -> dict[int, tuple[datetime | None, datetime | None]]:
    """Return {tournament: (when it was rated, when a replay last changed that)}. One query.

    A tournament that was restored is rated on the day of the restoration.
    """
    days: dict[int, tuple[datetime | None, datetime | None]] = {}
    changes = RatingChange.objects.filter(
        player__in={entry.player_id for entry in entries},
        tournament__in=[entry.tournament_id for entry in entries],
        new__isnull=False,
    )
    for tournament, old, day in changes.order_by("pk").values_list(
        "tournament", "old", "replay__finished_at"
    ):
        days[tournament] = (day, None) if old is None else (days.get(tournament, (None,))[0], day)
    return days


def _sender_text(sender: Any, user: Any, clubs: Mapping[int, str | None]) -> str | None:
    """Return who registered a tournament: a role and a club, never a person; None if that is not stored.

    clubs: {account: the club of a director, None of the office}
    """
    if sender is None:
        return None
    if sender == user:
        return gettext("you")
    if sender.pk not in clubs:
        return gettext("the office") if sender.is_superuser else gettext("a tournament director")
    if clubs[sender.pk] is None:
        return gettext("the office")
    return gettext("a tournament director of %(club)s") % {"club": clubs[sender.pk]}


def _state_text(event: RatingTournament, *, rated: bool, again_on: datetime | None) -> str:
    """Return where a tournament is: waiting, rated, rated again, or annulled."""
    lang = get_language() or ""
    if event.annulled_at:
        day = format_date(timezone.localdate(event.annulled_at), lang)
        return gettext("annulled on %(day)s") % {"day": day}
    if not rated:
        return gettext("waits to be rated")
    if again_on:
        return gettext("rated again on %(day)s") % {"day": format_date(timezone.localdate(again_on), lang)}
    return gettext("rated")


def change_records(replay: RatingReplay) -> list[dict[str, Any]]:
    """Return the records of `ReplayTable`: existing ratings that a replay changed, without those it added."""
    changes = (
        RatingChange.objects.filter(replay=replay, old__isnull=False)
        .select_related("player__player__merged_into", "tournament")
        .order_by("tournament__end_date", "pk")
    )
    return [
        {
            "name": change.player.public_name,
            "url": change.player.get_absolute_url(),
            "tournament": change.tournament.name,
            "old": change.old,
            "new": change.new,
        }
        for change in changes[:500]
    ]
