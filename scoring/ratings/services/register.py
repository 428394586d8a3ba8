"""Register uploaded Go results: receive a file, preview the ratings, confirm.

A result belongs to a registered tournament if name, first day and players are the same. If the games are the
same too, registering it changes nothing. If the games differ, it corrects the tournament.
"""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.access import roles_of
from scoring.engine.errors import EngineError
from scoring.ratings import history
from scoring.ratings.models import (
    GoUpload,
    RatedPlayer,
    RatingChange,
    RatingEntrant,
    RatingGame,
    RatingReplay,
    RatingTournament,
)
from tournaments.formats.go_checks import check_event, name_key
from tournaments.formats.go_types import GoGame, GoPlayer, GoResult
from tournaments.formats.issues import issue
from tournaments.formats.sandbox import read_go_safely
from tournaments.formats.types import Issue
from tournaments.services import pipeline
from tournaments.services.ticks import Ticked, stored_ticks, valid_ticks
from ui.text import fold

from . import players as go_players
from . import refusals, replays
from .repeats import find_overlap, find_same_results

UNSAVED_PK = 2**62  # id of an unsaved tournament: it is rated after the others of its day

# Labels of the tournament's details, for the issue that one of them is missing.
DETAILS = {
    "name": _("the name"),
    "start_date": _("the first day"),
    "end_date": _("the last day"),
    "tournament_class": _("the class"),
}


class NotConfirmable(Exception):
    """Raised if a tournament cannot be registered. The preview lists the reasons."""


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament that could be registered.

    Its players and games come from the file. Its name, days and class come from the form or the file.
    """

    name: str
    start: date
    end: date
    tournament_class: str
    result: GoResult

    @property
    def identity(self) -> str:
        """A hash of the name, the first day and the players. Files of the same event have the same hash."""
        people = sorted(row.pin or f"{name_key(row.name)}/{row.country}" for row in self.result.players)
        return _sha256([fold(self.name), self.start.isoformat(), people])

    @property
    def digest(self) -> str:
        """A hash of everything that affects the ratings. Equal results of an event have the same hash."""
        players = [[row.pin, row.name, row.grade, row.rating] for row in self.result.players]
        games = [
            [game.round, game.first, game.second, game.score, game.handicap, game.reason]
            for game in self.result.games
        ]
        return _sha256([self.identity, self.end.isoformat(), self.tournament_class, players, games])


@dataclass(slots=True)
class Preview(Ticked):
    """What registering a tournament would do.

    event: the tournament to register; None if details are missing or contradictory
    corrects: the registered tournament that this one would replace
    already: the registered tournament with the same digest; registering would change nothing
    issues: all issues; those of the file come first
    rows: rows of `GoPreviewTable`
    later: number of other tournaments that would be rated again
    regulation: code of the rating system
    """

    event: Event | None
    issues: list[Issue]
    accepted: Collection[str] = ()
    corrects: RatingTournament | None = None
    already: RatingTournament | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)
    later: int = 0
    regulation: str = ""

    @property
    def ready(self) -> bool:
        """Whether the tournament can be registered."""
        return self.event is not None and not self.has_errors and not self.unticked


def _sha256(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, ensure_ascii=True).encode()).hexdigest()


def receive(user, file_name: str, data: bytes, details: Mapping[str, str], corrects=None) -> GoUpload:
    """Store an uploaded file, then read it in a sandboxed child process. Return the upload.

    details: name, start_date, end_date (as YYYY-MM-DD) and tournament_class from the form; one that is empty
        or missing is taken from the file
    corrects: the tournament that the upload corrects, if any
    """
    return pipeline.receive(
        GoUpload(details=dict(details), corrects=corrects, created_by=user), file_name, data
    )


def receive_several(
    user, files: Sequence[tuple[str, bytes]], details: Mapping[str, str]
) -> tuple[list[GoUpload], list[tuple[GoUpload, GoUpload]]]:
    """Make an upload of each tournament of several files.

    Of several files of a tournament, the one that tells most is kept: one without errors, then most games,
    then most that count, then most numbers of players. If it lacks the name, the days or the class, these
    come from the others.

    Return the uploads, and (discarded upload, upload of the same tournament that is kept).

    details: as in `receive`; used only if there is one file
    """
    details = details if len(files) == 1 else {}
    uploads = [receive(user, name, data, details) for name, data in files]
    results = {upload.pk: result_of(upload) for upload in uploads}
    kept: list[GoUpload] = []
    left_out = []
    for upload in sorted(uploads, key=lambda upload: _amounts(results[upload.pk]), reverse=True):
        result = results[upload.pk]
        whole = next((other for other in kept if _is_same_event(results[other.pk], result)), None)
        if whole is None:
            kept.append(upload)
        else:
            pipeline.discard(upload)
            left_out.append((upload, whole))
            _complete(whole, results[whole.pk], result)
    return [upload for upload in uploads if upload in kept], left_out


def _amounts(result: GoResult) -> tuple[bool, int, int, int, int]:
    """Return how much a file tells: whether it can be used, games, games that count, PINs and ratings."""
    return (
        not result.has_errors,
        len(result.games),
        sum(not game.reason for game in result.games),
        sum(bool(player.pin) for player in result.players),
        sum(bool(player.rating) for player in result.players),
    )


def _complete(upload: GoUpload, result: GoResult, other: GoResult) -> None:
    """Take the name, the days and the class that an upload lacks from another file of its tournament."""
    has_no_day = not (result.start or result.end)
    missing = {
        "name": "" if result.name else other.name,
        "start_date": other.start if has_no_day else "",
        "end_date": other.end if has_no_day else "",
        "tournament_class": "" if result.tournament_class else other.tournament_class,
    }
    missing = {name: text for name, text in missing.items() if text and not upload.details.get(name)}
    if missing:
        upload.details = {**upload.details, **missing}
        upload.save(update_fields=["details"])


def _is_same_event(whole: GoResult, part: GoResult) -> bool:
    """Return whether nine tenths of the games of the file with fewer games are in the other one."""
    if whole.start and part.start and whole.start != part.start:
        return False
    games = _meetings(part)
    return bool(games) and 10 * len(games & _meetings(whole)) >= 9 * len(games)


def _meetings(result: GoResult) -> set[tuple[int, frozenset[str]]]:
    """Return (round, names of the two players) of all games."""
    names = [name_key(player.name) for player in result.players]
    return {(game.round, frozenset((names[game.first - 1], names[game.second - 1]))) for game in result.games}


def result_of(upload: GoUpload) -> GoResult:
    """Return the content of the upload's file, as it was last read and stored."""
    return GoResult.from_json(upload.parsed)


def details_of(upload: GoUpload, result: GoResult) -> dict[str, str]:
    """Return the name, days and class of an upload's tournament, by field name.

    Fields that were left blank in the form are taken from the file; "" if the file lacks them too. If neither
    states a class, a correction has that of the tournament which it corrects.
    """
    details = upload.details
    end = details.get("end_date") or result.end
    return {
        "name": details.get("name") or result.name,
        "start_date": details.get("start_date") or result.start or end,
        "end_date": end or result.start,
        "tournament_class": details.get("tournament_class")
        or result.tournament_class
        or (upload.corrects.tournament_class if upload.corrects else ""),
    }


def event_of(upload: GoUpload) -> Event | None:
    """Return the tournament of an upload, ready to register.

    Return None if the file has errors, or if its name, days or class are missing or contradictory.
    """
    result = result_of(upload)
    return _event(result, details_of(upload, result))


def _event(result: GoResult, details: Mapping[str, str]) -> Event | None:
    if result.has_errors or not result.players or not all(details.values()):
        return None
    start, end = date.fromisoformat(details["start_date"]), date.fromisoformat(details["end_date"])
    if start > end:
        return None
    return Event(details["name"][:150], start, end, details["tournament_class"], result)


def review_of(upload: GoUpload, user) -> Preview:
    """Check an upload and compute what registering it would do. Nothing is stored.

    If only the class is missing, everything else is checked with another class, so that the user sees all
    warnings at once. The ratings are then not those that the tournament would give.
    """
    result = result_of(upload)
    details = details_of(upload, result)
    event = _event(result, {**details, "tournament_class": details["tournament_class"] or "A"})
    if event and details["tournament_class"]:
        review = preview(event, user, upload.corrects)
    elif event:
        review = replace(preview(event, user, upload.corrects), event=None)
        review.issues.append(issue("go_missing", value=str(DETAILS["tournament_class"])))
    else:
        review = Preview(None, _missing(upload))
    review.accepted = valid_ticks(review.issues, upload.ticks)
    return review


def _missing(upload: GoUpload) -> list[Issue]:
    """Return the issues of an upload from which no `Event` can be made.

    These are the issues of the file and, if the file has no errors, the missing or contradictory details.
    """
    result = result_of(upload)
    details = details_of(upload, result)
    issues = [*pipeline.unread_issues(upload), *result.issues]
    if not result.has_errors and not upload.is_unread:
        labels = {name: str(DETAILS[name]) for name, value in details.items() if not value}
        issues += [issue("go_missing", value=label) for label in labels.values()]
        if not labels:
            issues.append(issue("dates_reversed", value=details["start_date"], last=details["end_date"]))
    return issues


def preview(event: Event, user, corrects: RatingTournament | None = None) -> Preview:
    """Check a tournament and compute what registering it would do. Nothing is stored.

    corrects: the registered tournament that the user wants to correct
    """
    effect = Preview(event, [*event.result.issues])
    same = RatingTournament.objects.filter(identity=event.identity).first()
    if same and same.digest == event.digest:
        effect.already = same
        effect.issues.append(_about("go_registered", same))
    elif same and corrects and same != corrects:
        effect.issues.append(_about("go_another_event", same))
    effect.corrects = corrects or (same if not effect.already else None)
    if annulled := next((other for other in (same, corrects) if other and other.annulled_at), None):
        effect.issues.append(_about("corrects_annulled", annulled))
    if effect.corrects and not may_correct(user, effect.corrects):
        effect.issues.append(_about("go_not_yours", effect.corrects))
    if not same and not corrects:
        same_day = RatingTournament.objects.counting().filter(start_date=event.start)
        if similar := next((other for other in same_day if fold(other.name) == fold(event.name)), None):
            effect.issues.append(_about("go_same_event", similar))
    if event.end > timezone.localdate():
        effect.issues.append(issue("date_in_future", field="end_date", value=event.end.isoformat()))
    effect.issues += check_event(event.result, event.name, event.start, event.end)
    _rate(effect, event)
    return effect


def _about(code: str, tournament: RatingTournament, **params: str | int) -> Issue:
    """Return an issue about a registered tournament, with the tournament's name and id as parameters."""
    return issue(code, name=tournament.name, tournament=tournament.pk, **params)


def may_correct(user, tournament: RatingTournament) -> bool:
    """Whether the user may correct a tournament: the office and the user who registered it may."""
    return roles_of(user).office or (user.is_authenticated and tournament.created_by_id == user.pk)


def _rate(effect: Preview, event: Event) -> None:
    """Rate the tournament for the preview, and add its ratings and issues to `effect`.

    Later tournaments are counted but not rated again.
    """
    players, ambiguous = go_players.match(event.result)
    effect.issues += go_players.problems(event.result, players, ambiguous)
    effect.issues += go_players.questions(event.result, players)
    effect.issues += _repeats(effect, event, players)
    pk = effect.corrects.pk if effect.corrects else UNSAVED_PK
    tournament = RatingTournament(pk=pk, end_date=event.end, tournament_class=event.tournament_class)
    entrants = [
        RatingEntrant(
            pk=position,
            # New players get a negative id that nobody has.
            player_id=players[position - 1].pk if players[position - 1] else -position,
            position=position,
            declared=row.grade,
            seed=int(row.rating) if row.rating else None,
        )
        for position, row in enumerate(event.result.players, start=1)
    ]
    entrant_ids = {entrant.position: entrant.pk for entrant in entrants}
    games = [_game(game, tournament, entrant_ids) for game in event.result.games]
    try:
        states = history.states_before(event.end, pk, [player.pk for player in players if player])
        values, rated = history.rate(tournament, entrants, games, states)
    except EngineError as error:
        effect.issues.append(refusals.issue_of(error, event.result, event.end))
        return
    effect.regulation = rated.regulation
    since = min(event.end, effect.corrects.end_date) if effect.corrects else event.end
    later = RatingTournament.objects.counting().filter(end_date__gte=since)
    effect.later = later.exclude(pk=effect.corrects.pk).count() if effect.corrects else later.count()
    effect.rows = list(_rows(event, players, values))


def _repeats(effect: Preview, event: Event, players: list[RatedPlayer | None]) -> list[Issue]:
    """Return an issue if another registered tournament seems to have the same games, else an empty list."""
    exclude = [other.pk for other in (effect.corrects, effect.already) if other]
    if overlap := find_overlap(event.result, (event.start, event.end), players, exclude):
        tournament, count = overlap
        if count == sum(not game.reason for game in event.result.games):
            return [_about("go_all_registered", tournament)]
        return [_about("go_same_games", tournament, count=count)]
    if same := find_same_results(event.result, players, exclude):
        return [_about("go_same_results", same, day=same.end_date.isoformat())]
    return []


def _rows(event: Event, players: list[RatedPlayer | None], ratings: list[history.RatingValues]):
    for position, (row, player, rating) in enumerate(
        zip(event.result.players, players, ratings, strict=True), start=1
    ):
        yield {
            "position": position,
            "name": player.public_name if player else row.natural_name,
            "url": player.get_absolute_url() if player else "",
            "new": player is None,
            "grade": row.grade,
            "before": rating.before,
            "reset_to": rating.reset_to,
            "after": rating.after,
            "change": rating.after - rating.before,
            "games": rating.games,
        }


def half_points(game: GoGame) -> int | None:
    """Return the first player's half points in a game (2, 1 or 0); None without a result."""
    return int(float(game.score) * 2) if game.score else None


def _game(game: GoGame, tournament: RatingTournament, entrant_ids: Mapping[int, int]) -> RatingGame:
    return RatingGame(
        tournament=tournament,
        round=game.round,
        first_id=entrant_ids[game.first],
        second_id=entrant_ids[game.second],
        half_points=half_points(game),
        handicap=game.handicap,
        colours=game.colours,
        rated=not game.reason,
        reason=game.reason,
    )


@transaction.atomic
def register(
    event: Event, user, corrects: RatingTournament | None = None
) -> tuple[RatingTournament, RatingReplay | None]:
    """Store the tournament, request a replay of the ratings, and return both.

    If the same result is stored already, return its tournament and None. Raise NotConfirmable if players are
    ambiguous or the tournament was annulled.

    corrects: the stored tournament that this one replaces, if any
    """
    # Lock first: replays hold this lock while they post, and so do annulments.
    replays.lock()
    same = RatingTournament.objects.filter(identity=event.identity).first()
    stored = corrects or same
    # Read the fields as they are after locking.
    tournament = stored and RatingTournament.objects.get(pk=stored.pk)
    if tournament and tournament.annulled_at:
        raise NotConfirmable
    if same and same.digest == event.digest:
        return same, None
    players, ambiguous = go_players.match(event.result)
    if go_players.problems(event.result, players, ambiguous) or (same and corrects and same != corrects):
        raise NotConfirmable
    since = min(event.end, tournament.end_date) if tournament else event.end
    tournament = tournament or RatingTournament(created_by=user)
    tournament.name, tournament.start_date, tournament.end_date = event.name, event.start, event.end
    tournament.tournament_class, tournament.source = event.tournament_class, event.result.format_name
    tournament.identity, tournament.digest = event.identity, event.digest
    tournament.save()
    removed = _store(tournament, event.result, players)
    replay = replays.request(since, user, tournament)
    RatingChange.objects.bulk_create(
        RatingChange(replay=replay, player_id=player, tournament=tournament, old=old)
        for player, old in removed
    )
    # Include players whose rating stays the same: their last day and declared grade may change.
    players_now = set(tournament.entrants.values_list("player_id", flat=True))
    replays.refresh_players(players_now | {player for player, _old in removed})
    replays.bump()
    return tournament, replay


def _tells_given_name(row: GoPlayer, player: RatedPlayer) -> bool:
    """Return whether the row tells the given name of a stored player, of whom no file told it before."""
    same_name = RatedPlayer.folded(row.name) == player.search_text
    return bool(row.given_name) and not player.given_name and same_name


def _store(tournament, result: GoResult, players: list[RatedPlayer | None]) -> list[tuple[int, float]]:
    """Store the result's entrants and games in place of the tournament's former ones.

    The rows of players who stay entrants are kept, so that the replay finds their old ratings. Return
    (player id, rating after the tournament) of the rated entrants that were removed.
    """
    tournament.games.all().delete()
    existing = {entrant.player_id: entrant for entrant in tournament.entrants.select_related("result")}
    # Free the positions first, because they are unique.
    for entrant in existing.values():
        entrant.position += 1_000_000
    RatingEntrant.objects.bulk_update(existing.values(), ["position"])
    entrant_ids = {}
    for position, (row, player) in enumerate(zip(result.players, players, strict=True), start=1):
        player = player or RatedPlayer(pin=row.pin, name=row.name, country=row.country)
        if not player.pk or _tells_given_name(row, player):
            player.given_name = row.given_name
            player.save()
        entrant = existing.pop(player.pk, None) or RatingEntrant(tournament=tournament, player=player)
        entrant.position, entrant.declared = position, row.grade
        entrant.seed = int(row.rating) if row.rating else None
        entrant.save()
        entrant_ids[position] = entrant.pk
    removed = [
        (entrant.player_id, entrant.result.after)
        for entrant in existing.values()
        if hasattr(entrant, "result")
    ]
    RatingEntrant.objects.filter(pk__in=[entrant.pk for entrant in existing.values()]).delete()
    RatingGame.objects.bulk_create(
        (_game(game, tournament, entrant_ids) for game in result.games), batch_size=500
    )
    return removed


def save(upload: GoUpload, user, details: Mapping[str, str], ticks: Collection[str]) -> None:
    """Store the details of a draft, and the ticks of the warnings that it has now.

    The ticks lapse if the new details change these warnings. Raise NotUnderReview if it is no draft any more.

    details: as for `receive`
    ticks: the values of the ticked checkboxes, each of which accepts one or more warnings
    """
    with pipeline.locked(upload, GoUpload.State.REVIEW) as current:
        current.ticks = stored_ticks(review_of(current, user).issues, ticks)
        current.details = dict(details)
        current.save(update_fields=["ticks", "details"])


def confirm(upload: GoUpload, user) -> GoUpload:
    """Register the tournament of an upload. Safe to repeat.

    Raise NotConfirmable if there are errors or unticked warnings.
    """
    with transaction.atomic():
        upload = GoUpload.objects.select_for_update(of=("self",)).select_related("corrects").get(pk=upload.pk)
        if upload.state == GoUpload.State.CONFIRMED:
            return upload
        effect = review_of(upload, user)
        if upload.state != GoUpload.State.REVIEW or not (effect.event and effect.ready):
            raise NotConfirmable
        upload.tournament, upload.replay = register(effect.event, user, effect.corrects)
        upload.state, upload.confirmed_at = GoUpload.State.CONFIRMED, timezone.now()
        upload.save()
    return upload


KIND = pipeline.Kind(GoUpload, GoResult, lambda upload, data: read_go_safely(upload.file_name, data))
