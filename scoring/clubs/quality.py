"""Describe the quality of a club's files in sentences, each with links to the files concerned.

Every query is limited to the club's last files or to the tournaments of a month.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from players.models import Club, Licence, Player
from tournaments.models import ResultUpload, Revision, Seat, Tournament, UploadIssue
from tournaments.services.issues import CATALOGUE
from tournaments.services.people import key_of
from ui.counting import counted
from ui.formatting import format_date, format_whole

FILES = 10
TOPICS_SHOWN = 5
LATE = 2  # days after play; files that arrive later are listed
SAID_BEFORE = ("no_number",)  # codes of issues that another sentence counts
# What issues are about, by code, if their own texts have values from the files.
TOPICS: dict[str, str | Promise] = {
    "date_differs": gettext_lazy("The day in the file was another one than that in the form."),
    "format_differs": gettext_lazy("The format of the file was another one than that in the form."),
    "other_club": gettext_lazy("The file named another club."),
    "name_differs": gettext_lazy("Numbers belonged to other people than the ranking said."),
    "name_hidden": gettext_lazy("Numbers were of players whose name is hidden."),
    "unknown_player": gettext_lazy("Numbers were not in the register."),
    "stand_in": gettext_lazy("Stand-ins had no licence."),
    **dict.fromkeys(
        ("place_differs", "place_replaced"), gettext_lazy("Places were other ones than those of the results.")
    ),
    **dict.fromkeys(
        ("boards_differ", "joined_boards_missing", "pbn_boards_missing", "pbn_results_missing"),
        gettext_lazy("Results of boards were missing."),
    ),
    **dict.fromkeys(
        ("bws_double", "bws_played_twice", "bws_erased", "bws_result_unreadable"),
        gettext_lazy("Boards were entered twice, or erased and not entered again."),
    ),
    **dict.fromkeys(
        ("bws_other_pairs", "bws_other_round", "bws_other_board", "bws_other_boards", "bws_exchanged"),
        gettext_lazy("Boards were entered for other pairs or rounds than in the movement."),
    ),
}
OTHER = gettext_lazy("Other questions had to be decided in the review.")


class Link(NamedTuple):
    """A link to a file or a tournament, with the name and day as its text, or to a player."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence about the club's files, and the files and people that it concerns."""

    text: str
    links: Sequence[Link] = ()
    people: Sequence[Link] = ()


class _File(NamedTuple):
    """A confirmed upload.

    days: how many days after the last day of play it arrived
    missing: how many people had no number in the file, whoever completed it later
    """

    pk: object
    title: str
    revision: int
    tournament: int
    days: int
    missing: int
    link: Link


_FURTHER: list[Callable[[Club, date], Finding | None]] = []


def register(source: Callable[[Club, date], Finding | None]) -> None:
    """Add a source of findings. Rooms above this one call it in `AppConfig.ready`.

    source: function that takes the club and today, and returns its finding, or None
    """
    _FURTHER.append(source)


def findings(club: Club, day: date) -> list[Finding]:
    """Return what is worth saying of the club's last files, and of what other rooms measure."""
    further = [finding for source in _FURTHER if (finding := source(club, day))]
    files = _last_files(club)
    if not files:
        return further
    sentences = [_punctuality(files), _without_number(files), _without_licence(club, day), _corrected(files)]
    return [finding for finding in sentences if finding] + further + list(_common_issues(files))


def _last_files(club: Club) -> list[_File]:
    uploads = ResultUpload.objects.filter(
        club=club, state=ResultUpload.State.CONFIRMED, corrects=None, played_on__isnull=False
    )
    columns = ("pk", "title", "played_on", "created_at", "revision_id", "revision__tournament_id")
    people = ("parsed__entries", "parsed__choices")
    rows = uploads.order_by("-created_at", "-pk").values_list(*columns, *people)[:FILES]
    return [
        _File(
            pk,
            title,
            revision,
            tournament,
            max((timezone.localtime(arrived).date() - played).days, 0),
            _count_without_number(entries or (), choices or {}),
            _link(title, played, reverse("upload_receipt", args=[pk])),
        )
        for pk, title, played, arrived, revision, tournament, entries, choices in rows
    ]


def _link(title: str, day: date, url: str) -> Link:
    return Link(f"{title}, {format_date(day, get_language() or '')}", url)


def _whole(number: int) -> str:
    return format_whole(number, get_language() or "")


def _punctuality(files: Sequence[_File]) -> Finding:
    mean = round(sum(file.days for file in files) / len(files))
    late = [file.link for file in files if file.days > LATE]
    if mean == 0:
        return Finding(_("Files arrive on the day of play."), late)
    text = ngettext(
        "Files arrive on average %(number_text)s day after play.",
        "Files arrive on average %(number_text)s days after play.",
        mean,
    )
    return Finding(text % {"number_text": _whole(mean)}, late)


def _without_number(files: Sequence[_File]) -> Finding:
    """Return a finding about the people without a number in the files, and about the guests."""
    seats = Seat.objects.filter(revision__in=[file.revision for file in files]).order_by()
    counts = {
        revision: (people, guests)
        for revision, people, guests in seats.values_list("revision").annotate(
            people=Count("pk"), guests=Count("pk", filter=Q(player=None))
        )
    }
    missing = sum(file.missing for file in files)
    guests = sum(number for _total, number in counts.values())
    values = {
        "files": _whole(len(files)),
        "people": counted(sum(total for total, _guests in counts.values()), "person"),
        "missing": _whole(missing),
    }
    if missing:
        text = ngettext(
            "%(missing)s of %(people)s had no number in the files (last files: %(files)s).",
            "%(missing)s of %(people)s had no number in the files (last files: %(files)s).",
            missing,
        )
    else:
        text = _("Everybody had a number in the files (last files: %(files)s).")
    sentences = [text % values]
    if guests:
        unknown = _("Without points, as guests or not identified: %(guests)s.")
        sentences.append(unknown % {"guests": _whole(guests)})
    concerned = [file.link for file in files if file.missing or counts.get(file.revision, (0, 0))[1]]
    return Finding(" ".join(sentences), concerned)


def _count_without_number(entries: Sequence[dict], choices: dict[str, dict]) -> int:
    """Return how many people of a ranking had no number in the file.

    entries, choices: the contestants and the director's decisions as stored in `ResultUpload.parsed`
    """
    people = {
        key_of((row, index)): person["number"]
        for row, entry in enumerate(entries)
        for index, person in enumerate(entry["people"])
    }
    in_file = people | {key: choice["number"] for key, choice in choices.items() if key in people}
    return sum(not number for number in in_file.values())


def _without_licence(club: Club, day: date) -> Finding | None:
    """Return a finding about the members who played in the club this month without a licence, or None."""
    played = "revision__published_as"
    covering = Licence.objects.valid_on(OuterRef(f"{played}__end_date")).filter(player=OuterRef("player"))
    seats = Seat.objects.filter(
        ~Exists(covering),
        revision__published_as__club=club,
        revision__published_as__end_date__gte=day.replace(day=1),
        revision__published_as__annulled_at=None,
        player__club=club,
    )
    rows = list(seats.order_by().values_list("player", played))
    if not rows:
        return None
    ids = {player for player, _tournament in rows}
    members = len(ids)
    concerned = Tournament.objects.filter(pk__in={pk for _player, pk in rows}).order_by("-end_date", "-pk")
    text = ngettext(
        "%(number)s member played without a licence this month.",
        "%(number)s members played without a licence this month.",
        members,
    )
    links = [_link(row.name, row.end_date, row.get_absolute_url()) for row in concerned[:FILES]]
    players = Player.objects.filter(pk__in=ids).order_by("surname", "given_name", "pk")
    people = [Link(f"{player.public_name}, {player.number}", player.get_absolute_url()) for player in players]
    return Finding(text % {"number": _whole(members)}, links, people)


def _corrected(files: Sequence[_File]) -> Finding | None:
    ids = [file.tournament for file in files]
    corrected = set(
        Revision.objects.filter(tournament__in=ids, number__gt=1).values_list("tournament", flat=True)
    )
    if not corrected:
        return None
    text = ngettext(
        "%(number)s file was corrected after it was confirmed (last files: %(files)s).",
        "%(number)s files were corrected after they were confirmed (last files: %(files)s).",
        len(corrected),
    )
    values = {"files": _whole(len(files)), "number": _whole(len(corrected))}
    links = [file.link for file in files if file.tournament in corrected]
    return Finding(text % values, links)


def _common_issues(files: Sequence[_File]) -> Iterator[Finding]:
    """Yield the commonest errors and warnings of the files, without the values that come from files."""
    links = {file.pk: file.link for file in files}
    rows = (
        UploadIssue.objects.filter(upload__in=links)
        .exclude(severity=UploadIssue.Severity.INFO)
        .exclude(code__in=SAID_BEFORE)
        .order_by()
        .values_list("code", "upload")
        .distinct()
    )
    by_text: dict[str, set] = defaultdict(set)
    for code, upload in rows:
        by_text[_topic(code)].add(upload)
    common = sorted(by_text.items(), key=lambda item: (item[0] == OTHER, -len(item[1]), item[0]))
    for text, uploads in common[:TOPICS_SHOWN]:
        yield Finding(text, _in_order(links, uploads))


def _topic(code: str) -> str:
    """Return a sentence about issues of a code, without the values that come from files.

    Such a value may be the name of a player who was hidden after the upload.
    """
    if code in TOPICS:
        return str(TOPICS[code])
    definition = CATALOGUE.get(code)
    return str(OTHER) if definition is None or "%(" in definition.message else _(definition.message)


def _in_order(links: dict, chosen: Iterable) -> list[Link]:
    kept = set(chosen)
    return [link for pk, link in links.items() if pk in kept]
