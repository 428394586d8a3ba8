"""Sanity checks of tournaments, rankings and uploads.

A stored ranking never changes. Checks of rankings therefore look at the tournaments of the last 400 days, and
those that compare rankings with each other at the last 60: older ones were checked then.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from django.db.models import Avg, Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.models import Player
from players.sanity import named, person_page
from tournaments.models import Contestant, RememberedName, ResultUpload, Revision, Seat, Tournament
from ui.clock import today
from ui.formatting import format_date, format_list, format_percent
from ui.sanity import ROWS, Check, Description, GroupsOf, RowsOf, Severity

LONG, SHORT = timedelta(days=400), timedelta(days=60)
READING, DRAFT = timedelta(hours=1), timedelta(days=14)
MEAN, OFF = 50, 0.5  # percent: the mean of all pairs of a field, and how far rounding may take it off


def tournament_words(row: Tournament) -> str:
    """Return name, club and day of a tournament."""
    return f"{row.name}, {row.club.name}, {format_date(row.end_date, get_language() or '')}"


def of_tournaments(query) -> RowsOf:
    """Return a finder of wrong tournaments."""
    return RowsOf(query, tournament_words, lambda row: row.get_absolute_url(), ["club"])


def _ranking_words(row: Revision) -> str:
    return tournament_words(row.tournament)


def _ranking_page(row: Revision) -> str:
    return row.tournament.get_absolute_url()


def _of_rankings(query) -> RowsOf:
    return RowsOf(query, _ranking_words, _ranking_page, ["tournament__club"])


def since(span: timedelta) -> Q:
    """Return the condition for tournaments that ended in the last days, annulled ones excluded."""
    return Q(end_date__gte=today() - span, annulled_at=None)


def published(span: timedelta) -> QuerySet[Revision]:
    """Return the rankings on the site of the tournaments that ended in the last days."""
    return Revision.objects.filter(published_as__in=Tournament.objects.filter(since(span)))


def _future() -> QuerySet:
    return Tournament.objects.filter(end_date__gt=today())


def _without_contestants() -> QuerySet:
    return published(LONG).filter(~Exists(Contestant.objects.filter(revision=OuterRef("pk"))))


def _without_people() -> QuerySet:
    lonely = Contestant.objects.filter(~Exists(Seat.objects.filter(contestant=OuterRef("pk"))))
    return published(LONG).filter(Exists(lonely.filter(revision=OuterRef("pk"))))


def _seats_astray() -> QuerySet:
    astray = Seat.objects.filter(contestant__revision=OuterRef("pk")).exclude(revision=OuterRef("pk"))
    return published(LONG).filter(Exists(astray))


def _percentages() -> QuerySet:
    wrong = Contestant.objects.filter(Q(percentage__lt=0) | Q(percentage__gt=100), revision=OuterRef("pk"))
    return published(LONG).filter(Exists(wrong))


def _fields_off(rankings: QuerySet[Revision]) -> QuerySet:
    """Return the fields whose pairs all have a percentage, and the mean of these is not 50.

    Rows have the `revision`, the `field`, its `mean` and number of `pairs`.
    """
    return (
        Contestant.objects.filter(revision__in=rankings)
        .order_by()
        .values("revision", "field")
        .annotate(mean=Avg("percentage"), stated=Count("percentage"), pairs=Count("pk"))
        .filter(stated=F("pairs"), pairs__gte=4)
        .filter(Q(mean__lt=MEAN - OFF) | Q(mean__gt=MEAN + OFF))
    )


def _means() -> QuerySet:
    """Return the rankings of pairs with such a field."""
    off = _fields_off(published(SHORT).filter(tournament__format="pairs"))
    return Revision.objects.filter(pk__in=off.values("revision"))


class _Means(RowsOf):
    """Finder of rankings of pairs whose mean is not 50. It names the mean, which tells what to look for."""

    def describe(self, keys: Sequence[str]) -> dict[str, Description]:
        """Return {key: description} of the rankings that there are."""
        lang, means = get_language() or "", {}
        for row in _fields_off(Revision.objects.filter(pk__in=keys)).order_by("revision", "-field"):
            mean = format_percent(Decimal(row["mean"]), lang)
            text = gettext("mean %(mean)s (pairs: %(pairs)s)") % {"pairs": row["pairs"], "mean": mean}
            means.setdefault(str(row["revision"]), []).append(text)
        described = super().describe(keys)
        for key in described.keys() & means.keys():
            text = f"{described[key].text}: {format_list(means[key], lang)}"
            described[key] = replace(described[key], text=text)
        return described


def _same_ranking() -> Iterator[tuple[int, int]]:
    """Yield pairs of tournaments of one day with the same people in the same places."""
    rankings = (
        Seat.objects.filter(revision__in=published(SHORT), player__isnull=False)
        .order_by()
        .values("revision__tournament", day=F("revision__tournament__end_date"))
        .annotate(people=Count("pk"), sign=Sum(F("contestant__place") * F("player_id")), ids=Sum("player_id"))
        .filter(people__gte=4)
    )
    seen: dict[tuple[date, int, int, int], int] = {}
    for row in rankings.order_by("revision__tournament").iterator(chunk_size=ROWS):
        key = row["day"], row["people"], row["sign"], row["ids"]
        first = seen.setdefault(key, row["revision__tournament"])
        if first != row["revision__tournament"]:
            yield first, row["revision__tournament"]


class TwoPlaces:
    """Finder of players who played in person in two regions on one day. Keys are player and day."""

    def keys(self) -> Iterator[str]:
        """Yield "player day" of each finding."""
        place = "revision__tournament__club__region"
        days = (
            Seat.objects.filter(
                revision__in=published(SHORT).filter(
                    tournament__venue="in_person", tournament__start_date=F("tournament__end_date")
                ),
                player__isnull=False,
            )
            .order_by()
            .values("player", day=F("revision__tournament__end_date"))
            .annotate(first=Min(place), last=Max(place))
            .filter(first__lt=F("last"))
        )
        for row in days.order_by("player", "day").iterator(chunk_size=ROWS):
            yield f"{row['player']} {row['day'].isoformat()}"

    def describe(self, keys) -> dict[str, Description]:
        """Return {key: description}, with the player's page."""
        people = Player.objects.in_bulk({int(key.split()[0]) for key in keys})
        result = {}
        for key in keys:
            pk, day = key.split()
            if player := people.get(int(pk)):
                words = format_date(date.fromisoformat(day), get_language() or "")
                result[key] = Description(f"{named(player)}: {words}", player.get_absolute_url())
        return result


def _upload(row: ResultUpload) -> str:
    """Return club and day of arrival; the file's name may name people."""
    day = format_date(timezone.localdate(row.created_at), get_language() or "")
    return f"{row.club.name}, {day}"


def _of_uploads(query) -> RowsOf:
    return RowsOf(query, _upload, lambda row: row.get_absolute_url(), ["club"])


def _unread() -> QuerySet:
    drafts = ResultUpload.objects.drafts().exclude(file_name="")
    return drafts.filter(file_format="", created_at__lt=timezone.now() - READING)


def _old_drafts() -> QuerySet:
    return ResultUpload.objects.drafts().filter(created_at__lt=timezone.now() - DRAFT)


def _files_lost() -> QuerySet:
    confirmed = ResultUpload.objects.filter(state=ResultUpload.State.CONFIRMED, file=None)
    return confirmed.filter(file_deleted_at=None).exclude(file_name="")


def _erased_remembered() -> QuerySet:
    return RememberedName.objects.filter(player__erased_on__isnull=False)


def _first_url(rows: list[Tournament]) -> str:
    return rows[-1].get_absolute_url()


ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE
CHECKS = [
    Check(
        "tournament_future",
        ERROR,
        _("Results of a day that has not come"),
        _("The day is mistyped, and the points count from then on. Correct the tournament."),
        of_tournaments(_future),
    ),
    Check(
        "ranking_empty",
        ERROR,
        _("Rankings without contestants"),
        _("The tournament's page is empty. Correct the tournament with its file."),
        _of_rankings(_without_contestants),
    ),
    Check(
        "contestant_without_people",
        ERROR,
        _("Rankings with a row that has no people"),
        _("Somebody's place is counted for nobody. Correct the tournament."),
        _of_rankings(_without_people),
    ),
    Check(
        "seat_astray",
        ERROR,
        _("People stored with another ranking than their row"),
        _(
            "They may lack points, or have them twice. The operator has to look; correcting the "
            "tournament helps."
        ),
        _of_rankings(_seats_astray),
    ),
    Check(
        "percentage_range",
        ERROR,
        _("Percentages below 0 or above 100"),
        _("The file was read wrongly, or it is wrong. Correct the tournament."),
        _of_rankings(_percentages),
    ),
    Check(
        "percentage_mean",
        WARNING,
        _("Percentages whose mean is not 50"),
        _(
            "In a whole field of pairs it always is, unless scores were adjusted. A row may be "
            "missing or mistyped."
        ),
        _Means(_means, _ranking_words, _ranking_page, ["tournament__club"]),
    ),
    Check(
        "ranking_twice",
        WARNING,
        _("Two tournaments of one day with the same ranking"),
        _("The result was probably sent twice, and counts twice. Annul one of them."),
        GroupsOf(
            Tournament,
            _same_ranking,
            lambda group: " / ".join(map(tournament_words, group)),
            _first_url,
            ["club"],
        ),
    ),
    Check(
        "two_places",
        NOTE,
        _("Players in two regions on one day"),
        _(
            "Possible by car, but a number may have been taken for another person's. Look at the "
            "player's results."
        ),
        TwoPlaces(),
    ),
    Check(
        "upload_unread",
        WARNING,
        _("Uploads whose file was not read within an hour"),
        _("Reading was interrupted. Open the upload and let it be read again."),
        _of_uploads(_unread),
    ),
    Check(
        "upload_old",
        NOTE,
        _("Drafts older than two weeks"),
        _("Their points do not count. Remind the club to confirm or discard them."),
        _of_uploads(_old_drafts),
    ),
    Check(
        "upload_file_lost",
        ERROR,
        _("Confirmed uploads whose file is gone"),
        _(
            "No rule deleted it, so the points can no longer be compared with it. The operator "
            "looks into a backup."
        ),
        _of_uploads(_files_lost),
    ),
    Check(
        "erased_remembered",
        ERROR,
        _("Names of erased persons that clubs' files are still matched with"),
        _("The name has to go with the person. Remove it from the club's remembered names."),
        RowsOf(
            _erased_remembered,
            lambda row: f"{row.club.name}: {row.player.number}",
            lambda row: person_page(row.player),
            ["club", "player"],
        ),
    ),
]
