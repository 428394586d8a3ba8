"""Notices to Go players: a tournament of theirs was rated, or something else changed their rating."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import Player
from scoring.ledger.systems import offers_go
from scoring.letters.kinds.wording import day_text, reason_text
from scoring.letters.models import Notice
from scoring.letters.notifying import accounts_of, notify_each
from scoring.letters.registry import Audience, Kind, Text
from scoring.ratings.models import RatedPlayer, Rating, RatingChange, RatingReplay, RatingTournament
from scoring.ratings.queries import rating_text
from ui.chunks import chunks

Data = dict[str, Any]
Texts = dict[int, Text]
Order = tuple[date, int]  # last day and id of a tournament: tournaments are rated in this order

DIGITS = 1  # decimals of ratings in notices
LEAST = 0.1  # a smaller change of a rating is no notice
PORTION = 100  # players that are looked at together
MOST = 5  # tournaments that one notice names: the latest ones

REGISTERED, ANNULLED, RESTORED = "registered", "annulled", "restored"  # what became of a tournament


# --- Whom a replay concerns -----------------------------------------------------------------------------
def tell_of(replay: RatingReplay) -> None:
    """Notify the Go players with an account whose ratings a replay changed. Call it when these are posted.

    A player gets one notice of a replay: that tournaments were rated for the first time, or otherwise that
    the rating changed. Eight queries for each `PORTION` of players, and those of `notify_each`.
    """
    if not offers_go():
        return
    cause = _cause(replay)
    rated: dict[int, Data] = {}
    changed: dict[int, Data] = {}
    for accounts in _accounts(replay):
        changes = _changes(replay, accounts)
        before, now = _ratings_before(accounts, changes), _ratings_now(accounts)
        first = _first_ratings(replay, changes)
        for player, account in accounts.items():
            ratings = {"before": before.get(player), "now": now[player]}
            if player in first:
                rated[account] = {"ratings": first[player][-MOST:], **ratings}
            elif _differ(**ratings):
                changed[account] = {**cause, **ratings}
    notify_each(RATED, rated, str(replay.pk))
    notify_each(CHANGED, changed, str(replay.pk))


def _accounts(replay: RatingReplay) -> Iterable[dict[int, int]]:
    """Yield {Go player id: account id} of the linked players whose ratings a replay changed, in portions."""
    touched = RatingChange.objects.filter(replay=replay).values("player")
    linked = RatedPlayer.objects.filter(pk__in=touched, player__isnull=False).order_by("pk")
    for rows in chunks(linked.values_list("pk", "player"), PORTION):
        kept = Player.objects.filter(pk__in=[player for _rated, player in rows]).kept()
        numbers = {rated: kept.get(player, player) for rated, player in rows}
        accounts = accounts_of(set(numbers.values()))
        yield {rated: accounts[player] for rated, player in numbers.items() if player in accounts}


def _changes(replay: RatingReplay, players: Iterable[int]) -> dict[int, dict[Order, RatingChange]]:
    """Return {player: {tournament's place in time: change}} of a replay. One query."""
    changes: defaultdict[int, dict[Order, RatingChange]] = defaultdict(dict)
    rows = RatingChange.objects.filter(replay=replay, player__in=list(players)).select_related("tournament")
    for row in rows:
        changes[row.player_id][row.tournament.end_date, row.tournament_id] = row
    return changes


def _ratings_before(
    players: Iterable[int], changes: Mapping[int, Mapping[Order, RatingChange]]
) -> dict[int, float]:
    """Return {player: rating before the replay}, without those who had none. One query."""
    latest: dict[int, tuple[Order, float]] = {}

    def note(player: int, order: Order, rating: float | None) -> None:
        if rating is not None and (player not in latest or order > latest[player][0]):
            latest[player] = (order, rating)

    stored = Rating.objects.filter(entrant__player__in=list(players)).order_by()
    columns = ("entrant__player", "entrant__tournament__end_date", "entrant__tournament", "after")
    for player, day, tournament, after in stored.values_list(*columns):
        if (day, tournament) not in changes.get(player, ()):
            note(player, (day, tournament), after)
    for player, rows in changes.items():
        for order, change in rows.items():
            note(player, order, change.old)
    return {player: rating for player, (_order, rating) in latest.items()}


def _ratings_now(players: Iterable[int]) -> dict[int, float | None]:
    return dict(RatedPlayer.objects.filter(pk__in=list(players)).values_list("pk", "rating"))


def _first_ratings(
    replay: RatingReplay, changes: Mapping[int, Mapping[Order, RatingChange]]
) -> dict[int, list[Data]]:
    """Return {player: tournaments that a replay rated for the first time, oldest first}. One query.

    The tournament that a replay restores has been rated before: annulling it deleted its ratings.
    """
    restored = replay.tournament_id if replay.reason else None
    new = {
        (player, change.tournament_id)
        for player, rows in changes.items()
        for change in rows.values()
        if change.old is None and change.tournament_id != restored
    }
    ratings = Rating.objects.filter(entrant__tournament__in={tournament for _player, tournament in new})
    ratings = ratings.filter(entrant__player__in={player for player, _tournament in new})
    columns = ("entrant__player", "entrant__tournament", "before", "after", "highest_before")
    first: defaultdict[int, list[Data]] = defaultdict(list)
    for player, tournament, before, after, highest in ratings.order_by(
        "entrant__tournament__end_date", "entrant__tournament"
    ).values_list(*columns):
        if (player, tournament) in new:
            # Without an earlier tournament the rating before is derived from the grade: there was none.
            was = before if highest else None
            first[player].append({"tournament": tournament, "before": was, "after": after})
    return first


def _differ(before: float | None, now: float | None) -> bool:
    """Return whether two ratings differ by more than a rounding."""
    if before is None or now is None:
        return before is not now
    return abs(before - now) >= LEAST


def _cause(replay: RatingReplay) -> Data:
    """Return the data of a notice about the tournament that made a replay necessary."""
    tournament = replay.tournament
    act = REGISTERED
    if replay.reason:
        act = ANNULLED if tournament and tournament.annulled_at else RESTORED
    return {"tournament": replay.tournament_id, "act": act, "reason": replay.reason}


# --- Texts ----------------------------------------------------------------------------------------------
def _rated(account: User, notices: Sequence[Notice]) -> Texts:
    ids = {row["tournament"] for notice in notices for row in notice.data["ratings"]}
    tournaments = RatingTournament.objects.in_bulk(ids)
    return {
        notice.pk: _rated_text(notice.data, tournaments)
        for notice in notices
        if all(row["tournament"] in tournaments for row in notice.data["ratings"])
    }


def _rated_text(data: Data, tournaments: Mapping[int, RatingTournament]) -> Text:
    rows = data["ratings"]
    latest = tournaments[rows[-1]["tournament"]]
    paragraphs = [_rated_sentence(row, tournaments[row["tournament"]]) for row in rows]
    if _differ(rows[-1]["after"], data["now"]):
        text = _("Later tournaments were rated again: in all, your rating went from %(before)s to %(now)s.")
        paragraphs.append(text % _rating_texts(data, "before", "now"))
    subject = _("%(name)s is rated: your Go rating") % {"name": latest.name}
    return Text(subject, paragraphs, latest.get_absolute_url())


def _rated_sentence(row: Data, tournament: RatingTournament) -> str:
    """Return the sentence about a tournament that was rated.

    row: `before` and `after`; `before` is None for the player's first tournament
    """
    if row["before"] is None:
        text = _("%(name)s (%(day)s) is rated. Your first Go rating is %(after)s.")
    elif _differ(row["before"], row["after"]):
        text = _("%(name)s (%(day)s) is rated. Your Go rating went from %(before)s to %(after)s.")
    else:
        text = _("%(name)s (%(day)s) is rated. Your Go rating stays at %(after)s.")
    return text % {**_names(tournament), **_rating_texts(row, "before", "after")}


def _changed(account: User, notices: Sequence[Notice]) -> Texts:
    ids = {notice.data["tournament"] for notice in notices}
    tournaments = RatingTournament.objects.in_bulk(ids - {None})
    return {
        notice.pk: _changed_text(notice.data, tournaments.get(notice.data["tournament"]))
        for notice in notices
    }


def _changed_text(data: Data, tournament: RatingTournament | None) -> Text:
    if data["now"] is None:
        text = _("You have no Go rating any more; it was %(before)s.")
    elif data["before"] is None:
        text = _("You have a Go rating again: %(now)s.")
    else:
        text = _("Your Go rating went from %(before)s to %(now)s.")
    paragraphs = [text % _rating_texts(data, "before", "now")]
    if tournament:
        causes = {
            REGISTERED: _("The reason: %(name)s (%(day)s) was registered or corrected."),
            ANNULLED: _("The reason: %(name)s (%(day)s) was annulled."),
            RESTORED: _("The reason: %(name)s (%(day)s) was restored."),
        }
        paragraphs.append(causes[data["act"]] % _names(tournament))
    if data["reason"]:
        paragraphs.append(reason_text(data["reason"]))
    return Text(_("Your Go rating has changed"), paragraphs, reverse("my_go"))


def _names(tournament: RatingTournament) -> dict[str, str]:
    return {"name": tournament.name, "day": day_text(tournament.end_date)}


def _rating_texts(data: Data, *names: str) -> dict[str, str]:
    return {name: rating_text(data[name], DIGITS) for name in names}


# --- Kinds ----------------------------------------------------------------------------------------------
def _is_go_player(account: User) -> bool:
    """Return whether an account's player is linked with a Go player, and this installation rates Go."""
    player = getattr(account, "player", None)
    if player is None or not offers_go():
        return False
    return RatedPlayer.objects.filter(player__in=Player.objects.numbers_of(player)).exists()


RATED = Kind(
    "go_rated",
    gettext_lazy("when a Go tournament that you played is rated"),
    Audience.PLAYER,
    _rated,
    offered=_is_go_player,
)
CHANGED = Kind(
    "go_changed",
    gettext_lazy("when a correction changes your Go rating"),
    Audience.PLAYER,
    _changed,
    offered=_is_go_player,
)
