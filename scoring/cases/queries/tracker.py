"""Find where a player's points are: from the announcement of a tournament to the points that count.

The number of queries does not depend on the number of tournaments.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from statistics import median

from django.db.models import Q
from django.utils import timezone

from players.models import Club, Player
from players.names import names_differ
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.systems.seats import short_players
from scoring.promotions.models import PromotionCampaign
from tournaments.models import Announcement, Contestant, ResultUpload, Revision, Seat, Tournament
from tournaments.models.announcements import LONGEST

USUAL_SPAN = timedelta(days=120)  # the results from which a club's usual days are taken
PLAYED_SPAN = timedelta(days=366)  # the player's usual clubs are those of this time
MOST_CLUBS = 12
MOST_DRAFTS = 60  # whose rankings are searched for the player
MOST = 200  # tournaments of a list


@dataclass(frozen=True, slots=True)
class Period:
    """The days that are looked at. A single day also lists tournaments without the player.

    first, last: equal for a single day
    clubs: ids of the clubs whose announcements and uploads are read
    club: the only club whose tournaments are listed; None for all
    """

    first: date
    last: date
    clubs: Collection[int]
    club: Club | None = None

    @property
    def single(self) -> bool:
        return self.first == self.last


@dataclass(slots=True)
class Sighting:
    """A tournament, upload or announcement in which the player is, or may have played.

    tournament: None before it is confirmed
    announcement, upload: None without one
    revision: the ranking that is shown: the published one, or the first one while its points wait
    run: the newest computation of points; None before confirmation
    counted_run: the newest computation that is done
    listed: whether the player's number is in the ranking, or in the file under review
    guest: a person of the ranking without a number who has the player's name; "" without one
    entry: the player's award that counts; None without one
    contestant: the player's contestant; None if not listed
    played_on: the last day; None for a file that does not name it
    too_few_boards: whether the player played too few of the boards to earn points
    corrects: whether a correction waits for its review
    closed: when the lists of the year's category change were frozen before the points came; None otherwise
    """

    club: Club
    name: str
    played_on: date | None
    tournament: Tournament | None = None
    announcement: Announcement | None = None
    upload: ResultUpload | None = None
    revision: Revision | None = None
    run: ScoringRun | None = None
    counted_run: ScoringRun | None = None
    listed: bool = False
    guest: str = ""
    entry: LedgerEntry | None = None
    contestant: Contestant | None = None
    too_few_boards: bool = False
    corrects: bool = False
    closed: datetime | None = None


@dataclass(frozen=True, slots=True)
class Usual:
    """What usually happens in a club: days from play to upload, and from upload to confirmation."""

    arrives: int
    confirmed: int


@dataclass(slots=True)
class Found:
    """The sightings of a period, the latest first, and {club id: what is usual}."""

    sightings: list[Sighting] = field(default_factory=list)
    usual: dict[int, Usual] = field(default_factory=dict)


def usual_clubs(player: Player, day: date) -> list[Club]:
    """Return the player's own club, then the others where they played in twelve months. Two queries."""
    played = Seat.objects.filter(
        player__in=Player.objects.numbers_of(player),
        revision__published_as__end_date__gt=day - PLAYED_SPAN,
    )
    ids = list(played.order_by().values_list("revision__published_as__club", flat=True).distinct())
    clubs = Club.objects.filter(Q(pk__in=ids) | Q(pk=player.club_id)).order_by("sort_key", "pk")
    return sorted(clubs, key=lambda club: club.pk != player.club_id)[:MOST_CLUBS]


def find(player: Player, period: Period, today: date) -> Found:
    """Return what there is of the player in a period."""
    return _Search(player, period, today).run()


class _Search:
    """One search. The cached properties are one query each, made when they are first needed."""

    def __init__(self, player: Player, period: Period, today: date) -> None:
        self.player, self.period, self.today = player, period, today
        self.numbers = list(Player.objects.numbers_of(player).values_list("pk", flat=True))

    def run(self) -> Found:
        seen = [*self._of_tournaments(), *self._of_drafts(), *self._of_announcements()]
        seen.sort(key=lambda item: (item.played_on or self.today, item.name), reverse=True)
        waiting = {item.club.pk for item in seen if item.tournament is None}
        return Found(seen[:MOST], _usual(waiting, self.today) if waiting else {})

    # --- Tournaments ------------------------------------------------------------------------------------
    def _within(self, prefix: str = "") -> Q:
        """Return the condition that a tournament has a day in the period."""
        first, last = self.period.first, self.period.last
        days = {"end_date__gte": first, "end_date__lte": last + LONGEST, "start_date__lte": last}
        if self.period.club:
            days["club"] = self.period.club
        return Q(**{f"{prefix}{name}": value for name, value in days.items()})

    @cached_property
    def seats(self) -> dict[int, Seat]:
        """{revision id: the player's seat} of all rankings of the period."""
        rows = Seat.objects.filter(self._within("revision__tournament__"), player__in=self.numbers)
        return {seat.revision_id: seat for seat in rows.select_related("contestant", "revision")}

    @cached_property
    def tournaments(self) -> list[Tournament]:
        wanted = Q(pk__in={seat.revision.tournament_id for seat in self.seats.values()})
        if self.period.single:
            wanted |= self._within() & Q(club__in=self.period.clubs)
        rows = Tournament.objects.filter(wanted).select_related("club", "announcement")
        return list(rows.order_by("-end_date", "-pk")[:MOST])

    @cached_property
    def runs(self) -> dict[int, list[ScoringRun]]:
        """{tournament id: its runs without their inputs, newest first}."""
        runs = defaultdict(list)
        rows = ScoringRun.objects.filter(tournament__in=self.tournaments).defer("inputs")
        for run in rows.order_by("-pk"):
            runs[run.tournament_id].append(run)
        return runs

    @cached_property
    def revisions(self) -> dict[int, list[Revision]]:
        """{tournament id: its rankings with their uploads, newest first}."""
        revisions = defaultdict(list)
        rows = Revision.objects.filter(tournament__in=self.tournaments).select_related("upload")
        for revision in rows.defer("upload__parsed", "upload__details").order_by("-number"):
            revisions[revision.tournament_id].append(revision)
        return revisions

    @cached_property
    def entries(self) -> dict[int, LedgerEntry]:
        rows = LedgerEntry.objects.filter(
            tournament__in=self.tournaments,
            player__in=self.numbers,
            kind__in=(LedgerEntry.Kind.AWARD, LedgerEntry.Kind.OPENING),
            reversed_by=None,
        )
        return {entry.tournament_id: entry for entry in rows if entry.tournament_id}

    @cached_property
    def freezes(self) -> dict[int, datetime]:
        """{year: when the lists of its category change were frozen}."""
        years = {tournament.end_date.year for tournament in self.tournaments}
        rows = PromotionCampaign.objects.filter(year__in=years, snapshot__isnull=False)
        rows = rows.exclude(state__in=(PromotionCampaign.State.REVERSED, PromotionCampaign.State.ABANDONED))
        return dict(rows.values_list("year", "snapshot__taken_at"))

    @cached_property
    def guests(self) -> dict[int, str]:
        """{revision id: a guest with the player's name} of rankings without the player's number."""
        shown = [revision for item in self.tournaments if (revision := self._shown(item)) is not None]
        without = [revision.pk for revision in shown if revision.pk not in self.seats]
        if not without:
            return {}
        rows = Seat.objects.filter(revision__in=without, player=None).exclude(guest_name="").order_by("-pk")
        names = rows.values_list("revision_id", "guest_name")
        return {revision: name for revision, name in names if self._is_own_name(name)}

    def _is_own_name(self, name: str) -> bool:
        return bool(name.strip()) and not names_differ(name, self.player)

    def _shown(self, tournament: Tournament) -> Revision | None:
        """Return the ranking that counts, or the newest while none does."""
        revisions = self.revisions.get(tournament.pk, [])
        return next(
            (item for item in revisions if item.pk == tournament.published_id),
            revisions[0] if revisions else None,
        )

    def _of_tournaments(self) -> Iterator[Sighting]:
        for tournament in self.tournaments:
            revision = self._shown(tournament)
            if revision is None:
                continue
            seat, runs = self.seats.get(revision.pk), self.runs.get(tournament.pk, [])
            first = self.revisions[tournament.pk][-1]
            entry = self.entries.get(tournament.pk)
            yield Sighting(
                club=tournament.club,
                name=tournament.name,
                played_on=tournament.end_date,
                tournament=tournament,
                announcement=getattr(tournament, "announcement", None),
                upload=getattr(first, "upload", None),
                revision=revision,
                run=runs[0] if runs else None,
                counted_run=next((run for run in runs if run.state == ScoringRun.State.DONE), None),
                listed=seat is not None,
                guest=self.guests.get(revision.pk, ""),
                entry=entry,
                contestant=seat.contestant if seat else None,
                too_few_boards=tournament.pk in self.short,
                corrects=tournament.pk in self.corrected,
                closed=self._closed_before(entry),
            )

    @cached_property
    def short(self) -> set[int]:
        """The ids of the tournaments in which the player played too few boards.

        Inputs of runs are large. They are read only where the player is listed with a number of boards and
        got no points from a tournament that counts.
        """
        doubtful = []
        for tournament in self.tournaments:
            seat = self.seats.get(tournament.published_id or 0)
            runs = self.runs.get(tournament.pk, [])
            run = next((run for run in runs if run.state == ScoringRun.State.DONE), None)
            without = tournament.pk not in self.entries and seat is not None
            if without and run and run.eligible and seat.contestant.boards is not None:
                doubtful.append(run.pk)
        if not doubtful:
            return set()
        inputs = ScoringRun.objects.filter(pk__in=doubtful).values_list("tournament_id", "inputs")
        return {pk for pk, stored in inputs if short_players(stored) & set(self.numbers)}

    def _closed_before(self, entry: LedgerEntry | None) -> datetime | None:
        taken_at = entry and self.freezes.get(entry.played_on.year)
        return taken_at if entry and taken_at and entry.posted_at > taken_at else None

    # --- Uploads that are not confirmed -----------------------------------------------------------------
    @cached_property
    def drafts(self) -> list[tuple[ResultUpload, bool, str]]:
        """The drafts of the clubs, each with whether it lists the player, and a guest with their name."""
        first, last = self.period.first, self.period.last
        begins = timezone.make_aware(datetime.combine(first, datetime.min.time()))
        unknown = Q(played_on=None, created_at__gte=begins, created_at__lt=begins + (last - first) + LONGEST)
        rows = ResultUpload.objects.drafts().filter(
            Q(played_on__range=(first, last)) | unknown, club__in=self.period.clubs
        )
        rows = rows.select_related("club", "announcement").defer("parsed", "details").order_by("-created_at")
        drafts = list(rows[:MOST_DRAFTS])
        people = ResultUpload.objects.filter(pk__in=[draft.pk for draft in drafts]).values_list(
            "pk", "parsed__entries", "parsed__choices"
        )
        own = set(Player.objects.filter(pk__in=self.numbers).values_list("number", flat=True))
        in_file = {pk: self._in_file(entries or (), choices or {}, own) for pk, entries, choices in people}
        return [(draft, *in_file[draft.pk]) for draft in drafts]

    def _in_file(self, entries: Sequence[dict], choices: dict[str, dict], own: set[str]) -> tuple[bool, str]:
        """Return whether a file has the player's number, and a person without number with their name.

        entries, choices: the contestants and the director's decisions, as stored in `ResultUpload.parsed`
        """
        guest = ""
        for row, entry in enumerate(entries):
            for index, person in enumerate(entry["people"]):
                choice = choices.get(f"{row}-{index}") or {}
                number = (choice.get("number") or person["number"] or "").lstrip("0")
                if number in own:
                    return True, ""
                if not number and self._is_own_name(person["name"] or ""):
                    guest = person["name"]
        return False, guest

    @cached_property
    def corrected(self) -> set[int]:
        """The ids of the tournaments of which a correction is under review."""
        drafts = ResultUpload.objects.drafts().filter(corrects__in=self.tournaments)
        return set(drafts.values_list("corrects", flat=True))

    def _of_drafts(self) -> Iterator[Sighting]:
        for draft, listed, guest in self.drafts:
            mine = listed or bool(guest)
            if draft.corrects_id or not (mine or self.period.single):
                continue
            if draft.played_on is None and not mine:
                continue  # of any day
            yield Sighting(
                club=draft.club,
                name=draft.title or (draft.announcement.name if draft.announcement else ""),
                played_on=draft.played_on,
                announcement=draft.announcement,
                upload=draft,
                listed=listed,
                guest=guest,
            )

    # --- Announcements without a result -----------------------------------------------------------------
    def _of_announcements(self) -> Iterator[Sighting]:
        rows = Announcement.objects.between(self.period.first, self.period.last)
        rows = rows.filter(club__in=self.period.clubs, tournament=None, end_date__lte=self.today)
        if not self.period.single:
            rows = rows.standing().filter(end_date__lt=self.today)  # today's may still be played
        uploaded = {draft.announcement_id for draft, _listed, _guest in self.drafts if not draft.corrects_id}
        for announcement in rows.select_related("club")[:MOST]:
            if announcement.pk not in uploaded:
                yield Sighting(
                    club=announcement.club,
                    name=announcement.name,
                    played_on=announcement.end_date,
                    announcement=announcement,
                )


def _usual(clubs: Iterable[int], today: date) -> dict[int, Usual]:
    """Return {club id: what is usual}, from its last confirmed uploads. Clubs without any are left out."""
    days: dict[int, list[tuple[int, int]]] = defaultdict(list)
    rows = ResultUpload.objects.filter(
        club__in=clubs,
        state=ResultUpload.State.CONFIRMED,
        corrects=None,
        played_on__gt=today - USUAL_SPAN,
        confirmed_at__isnull=False,
    )
    for club, played, arrived, confirmed in rows.values_list(
        "club", "played_on", "created_at", "confirmed_at"
    ):
        arrived_on, confirmed_on = timezone.localdate(arrived), timezone.localdate(confirmed)
        days[club].append((max((arrived_on - played).days, 0), (confirmed_on - arrived_on).days))
    return {
        club: Usual(
            round(median(arrives for arrives, _confirmed in pairs)),
            round(median(confirmed for _arrives, confirmed in pairs)),
        )
        for club, pairs in days.items()
    }
