"""From an uploaded Go result to a registered tournament: receive, look at what would change, confirm.

Registering is idempotent: the same games of the same event are found again, other games of the same event
(name, first day and players) are a correction of it.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

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
from tournaments.formats.go_checks import name_key
from tournaments.formats.go_event import check_event
from tournaments.formats.go_types import GoGame, GoResult
from tournaments.formats.sandbox import read_go_safely
from tournaments.formats.types import Issue
from ui.text import fold

from . import players as go_players
from . import repeats as go_twice
from . import replays

AFTER_ALL = 2**62  # a tournament not stored yet is rated after those of its day
FILE_NAME_LENGTH = GoUpload._meta.get_field("file_name").max_length


class NotConfirmable(Exception):
    """Something forbids to register the tournament; the preview says what."""


@dataclass(frozen=True, slots=True)
class Event:
    """What is to be registered: the file's players and games, and what the form says of them."""

    name: str
    start: date
    end: date
    tournament_class: str
    result: GoResult

    @property
    def identity(self) -> str:
        """The same for every file of this event."""
        people = sorted(each.pin or f"{name_key(each.name)}/{each.country}" for each in self.result.players)
        return _sha256([fold(self.name), self.start.isoformat(), people])

    @property
    def digest(self) -> str:
        """The same for everything that gives the same ratings."""
        players = [[each.pin, each.name, each.grade, each.rating] for each in self.result.players]
        games = [
            [each.round, each.first, each.second, each.score, each.handicap, each.reason]
            for each in self.result.games
        ]
        return _sha256([self.identity, self.end.isoformat(), self.tournament_class, players, games])


@dataclass(slots=True)
class Preview:
    """What confirming would do. `rows` are (position, name, grade, before, reset_to, after, games).

    questions: warnings of the tournament as a whole, which the file alone does not tell
    """

    event: Event
    corrects: RatingTournament | None = None
    already: RatingTournament | None = None
    similar: RatingTournament | None = None
    twice: go_twice.Twice | None = None
    repeats: RatingTournament | None = None
    problems: list[str] = field(default_factory=list)
    questions: list[Issue] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    later: int = 0
    regulation: str = ""

    @property
    def possible(self) -> bool:
        """Whether nothing but ticks is missing."""
        return not self.problems and not self.already


def _sha256(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, ensure_ascii=True).encode()).hexdigest()


def receive(user, file_name: str, data: bytes, details: Mapping[str, str], corrects=None) -> GoUpload:
    """Store a file as it came, then read it in a bounded child process.

    details: name, start_date, end_date (ISO) and tournament_class as the form has them, "" for the file's
    """
    upload = GoUpload.objects.create(
        file_name=file_name[-FILE_NAME_LENGTH:],
        sha256=hashlib.sha256(data).hexdigest(),
        content=data,
        parsed=GoResult("unknown", file_name).to_json(),
        details=dict(details),
        corrects=corrects,
        created_by=user,
    )
    # The bytes are committed before they are read: a file that kills its reader can still be looked at.
    upload.parsed = read_go_safely(file_name, data).to_json()
    upload.save(update_fields=["parsed"])
    return upload


def result_of(upload: GoUpload) -> GoResult:
    """What the reader found."""
    return GoResult.from_json(upload.parsed)


def known_of(upload: GoUpload, result: GoResult) -> dict[str, str]:
    """What form and file together say of the tournament, "" where neither does."""
    said = upload.details
    end = said.get("end_date") or result.end
    return {
        "name": said.get("name") or result.name,
        "start_date": said.get("start_date") or result.start or end,
        "end_date": end or result.start,
        "tournament_class": said.get("tournament_class") or result.tournament_class,
    }


def event_of(upload: GoUpload) -> Event | None:
    """The tournament as it would be registered; None while something of it is not known or contradictory."""
    result = result_of(upload)
    known = known_of(upload, result)
    if result.has_errors or not result.players or not all(known.values()):
        return None
    start, end = date.fromisoformat(known["start_date"]), date.fromisoformat(known["end_date"])
    if start > end:
        return None
    return Event(known["name"][:150], start, end, known["tournament_class"], result)


def preview(event: Event, user, corrects: RatingTournament | None = None) -> Preview:
    """What registering the tournament would change, without storing anything."""
    shown = Preview(event)
    same = RatingTournament.objects.filter(identity=event.identity).first()
    if same and same.digest == event.digest:
        shown.already = same
    elif same and corrects and same != corrects:
        shown.problems.append(gettext("Another tournament with this name, day and players exists already."))
    shown.corrects = corrects or (same if not shown.already else None)
    if same and same.annulled_at or corrects and corrects.annulled_at:
        shown.problems.append(gettext("This tournament was annulled: restore it first."))
    if shown.corrects and not may_correct(user, shown.corrects):
        shown.problems.append(gettext("Only the office or who registered this tournament may correct it."))
    if not same and not corrects:
        alike = RatingTournament.objects.counting().filter(start_date=event.start)
        shown.similar = next((each for each in alike if fold(each.name) == fold(event.name)), None)
    if event.end > timezone.localdate():
        shown.problems.append(gettext("The last day has not come yet: correct the date."))
    shown.questions += check_event(event.result, event.name, event.start, event.end)
    _rate(shown)
    return shown


def may_correct(user, tournament: RatingTournament) -> bool:
    """The office, and who registered the tournament."""
    return roles_of(user).office or (user.is_authenticated and tournament.created_by_id == user.pk)


def _rate(shown: Preview) -> None:
    """Rate the tournament alone, from where everybody stood before it."""
    event = shown.event
    players, ambiguous = go_players.match(event.result)
    shown.problems += go_players.problems(event.result, players, ambiguous)
    shown.questions += go_players.questions(event.result, players)
    besides = [each.pk for each in (shown.corrects, shown.already) if each]
    shown.twice = go_twice.played_already(event.result, (event.start, event.end), players, besides)
    if shown.twice and shown.twice[1] == sum(not each.reason for each in event.result.games):
        shown.problems.append(
            gettext("All these games are registered already, in “%(name)s”: correct that tournament instead.")
            % {"name": shown.twice[0].name}
        )
    if not shown.twice:
        shown.repeats = go_twice.same_results(event.result, players, besides)
    pk = shown.corrects.pk if shown.corrects else AFTER_ALL
    tournament = RatingTournament(pk=pk, end_date=event.end, tournament_class=event.tournament_class)
    entrants = [
        RatingEntrant(
            pk=position,
            # Who is new gets a number that nobody has.
            player_id=players[position - 1].pk if players[position - 1] else -position,
            position=position,
            declared=each.grade,
            seed=int(each.rating) if each.rating else None,
        )
        for position, each in enumerate(event.result.players, start=1)
    ]
    games = [_game(each, tournament, {e.position: e.pk for e in entrants}) for each in event.result.games]
    try:
        known = history.standings_before(event.end, pk, [each.pk for each in players if each])
        computed, rated = history.rate(tournament, entrants, games, known)
    except EngineError as error:
        shown.problems.append(gettext("The rating system refuses this: %(error)s.") % {"error": error})
        return
    shown.regulation = rated.regulation
    since = min(event.end, shown.corrects.end_date) if shown.corrects else event.end
    later = RatingTournament.objects.counting().filter(end_date__gte=since)
    shown.later = later.exclude(pk=shown.corrects.pk).count() if shown.corrects else later.count()
    shown.rows = list(_rows(event, players, computed))


def _rows(event: Event, players: list[RatedPlayer | None], computed):
    for position, (said, known, change) in enumerate(
        zip(event.result.players, players, computed, strict=True), start=1
    ):
        yield {
            "position": position,
            "name": known.public_name if known else said.name,
            "url": known.get_absolute_url() if known else "",
            "new": known is None,
            "grade": said.grade,
            "before": change.before,
            "reset_to": change.reset_to,
            "after": change.after,
            "change": change.after - change.before,
            "games": change.games,
        }


def half_points(said: GoGame) -> int | None:
    """The first player's, as `RatingGame` stores them."""
    return int(float(said.score) * 2) if said.score else None


def _game(said: GoGame, tournament: RatingTournament, entrant_ids: Mapping[int, int]) -> RatingGame:
    return RatingGame(
        tournament=tournament,
        round=said.round,
        first_id=entrant_ids[said.first],
        second_id=entrant_ids[said.second],
        half_points=half_points(said),
        handicap=said.handicap,
        colours=said.colours,
        rated=not said.reason,
        reason=said.reason,
    )


@transaction.atomic
def register(
    event: Event, user, corrects: RatingTournament | None = None
) -> tuple[RatingTournament, RatingReplay | None]:
    """Store the tournament and ask for the replay. The same one again gives the stored one and no replay.

    Raises NotConfirmable where a name belongs to several players, and where the tournament was annulled.
    """
    # First: a replay about to post holds the state of the ratings, and annulling a tournament does.
    replays.lock()
    same = RatingTournament.objects.filter(identity=event.identity).first()
    tournament = _as_stored(corrects or same)
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
    gone = _store(tournament, event.result, players)
    replay = replays.ask(since, user, tournament)
    RatingChange.objects.bulk_create(
        RatingChange(replay=replay, player_id=player, tournament=tournament, old=old) for player, old in gone
    )
    # Their rows also repeat the last day and the declared grade, which change without any rating changing.
    touched = {player for player, _old in gone} | set(tournament.entrants.values_list("player_id", flat=True))
    replays.refresh_players(touched)
    replays.bump()
    return tournament, replay


def _as_stored(tournament: RatingTournament | None) -> RatingTournament | None:
    """The tournament as it is by now."""
    return tournament and RatingTournament.objects.get(pk=tournament.pk)


def _store(tournament, result: GoResult, players: list[RatedPlayer | None]) -> list[tuple[int, float]]:
    """Entrants and games as the file has them now; returns (player, rating) of those it no longer has.

    Entrants stay who they were, so that the replay can tell their old rating from the new one.
    """
    tournament.games.all().delete()
    existing = {each.player_id: each for each in tournament.entrants.select_related("result")}
    # Out of the way of the new positions.
    for each in existing.values():
        each.position += 1_000_000
    RatingEntrant.objects.bulk_update(existing.values(), ["position"])
    entrant_ids = {}
    for position, (said, player) in enumerate(zip(result.players, players, strict=True), start=1):
        player = player or RatedPlayer.objects.create(pin=said.pin, name=said.name, country=said.country)
        entrant = existing.pop(player.pk, None) or RatingEntrant(tournament=tournament, player=player)
        entrant.position, entrant.declared = position, said.grade
        entrant.seed = int(said.rating) if said.rating else None
        entrant.save()
        entrant_ids[position] = entrant.pk
    gone = [(each.player_id, each.result.after) for each in existing.values() if hasattr(each, "result")]
    RatingEntrant.objects.filter(pk__in=[each.pk for each in existing.values()]).delete()
    RatingGame.objects.bulk_create(
        (_game(each, tournament, entrant_ids) for each in result.games), batch_size=500
    )
    return gone


@transaction.atomic
def confirm(upload: GoUpload, user, accepted: set[str]) -> GoUpload:
    """Register what was previewed, once, however often it is clicked. Raises NotConfirmable."""
    upload = GoUpload.objects.select_for_update(of=("self",)).select_related("corrects").get(pk=upload.pk)
    if upload.state == GoUpload.State.CONFIRMED:
        return upload
    event = event_of(upload)
    if upload.state != GoUpload.State.REVIEW or event is None:
        raise NotConfirmable
    shown = preview(event, user, upload.corrects)
    if not shown.possible or not set(warnings(event.result, shown)) <= accepted:
        raise NotConfirmable
    upload.tournament, upload.replay = register(event, user, shown.corrects)
    upload.state, upload.confirmed_at = GoUpload.State.CONFIRMED, timezone.now()
    upload.save()
    return upload


def warnings(result: GoResult, shown: Preview | None) -> list[str]:
    """The codes that have to be ticked."""
    issues = [*result.issues, *(shown.questions if shown else ())]
    codes = dict.fromkeys(each.code for each in issues if each.severity == "warning")
    if shown and shown.similar:
        codes["same_event"] = None
    if shown and (shown.twice or shown.repeats):
        codes["same_games"] = None
    return list(codes)


@transaction.atomic
def discard(upload: GoUpload) -> bool:
    """Put a draft away; False where it is no draft any more."""
    draft = GoUpload.objects.filter(pk=upload.pk, state=GoUpload.State.REVIEW)
    return bool(draft.update(state=GoUpload.State.DISCARDED, discarded_at=timezone.now()))
