"""The lines of one player's account: what counts, what has left, what was taken back, what never counted."""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import get_language, gettext

from players.models import Player
from scoring.ledger import systems
from scoring.ledger.approvers import approvers, is_regional
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.place_wording import PIGMENTS, pigment_of
from scoring.ledger.source_keys import back_key, origin_of, taken_back_by
from scoring.ledger.windows import first_day, leaves_on
from scoring.ledger.wording import reasons_of
from scoring.regulations.acbl.pigments import NOT_STATED
from tournaments.models import Contestant, Seat, Tournament
from ui.formatting import format_date

ANNUL = ScoringRun.Purpose.ANNUL
FIELDS = (
    "pk", "player_id", "kind", "points", "played_on", "online", "title", "reason", "source_key",
    "tournament_id",
    "tournament__name", "tournament__end_date", "tournament__club__name", "contestant__place",
    "contestant__revision_id", "contestant__field", "reverses_id", "reversed_by__pk", "reversed_by__reason",
    "reversed_by__run__purpose", "reversed_by__run_id",
)  # fmt: skip


def entries_of(player: Player, family: str = FAMILY) -> QuerySet:
    """Everything ever written to a player's account of one points system, latest tournament first."""
    entries = LedgerEntry.objects.filter(player=player, family=family)
    return entries.order_by("-played_on", "-pk")


def counting(player: Player, day: date, family: str = FAMILY) -> QuerySet:
    """What counts on `day`."""
    return entries_of(player, family).filter(played_on__range=(first_day(day), day))


def expired(player: Player, day: date) -> QuerySet:
    """What has left the twelve months."""
    return entries_of(player).filter(played_on__lt=first_day(day))


def other_totals(player: Player, day: date) -> list[dict[str, Any]]:
    """The player's points of every system but the federation's own, each apart; one query.

    Records with `system`, and in hundredths `recent` (of the 12 months up to `day`) and `total` (ever).
    """
    rows = (
        LedgerEntry.objects.filter(player=player, played_on__lte=day)
        .exclude(family=FAMILY)
        .order_by("family")
        .values("family")
        .annotate(total=Sum("points"), recent=Sum("points", filter=Q(played_on__gte=first_day(day))))
    )
    return [
        {"system": systems.of(row["family"]), "total": row["total"], "recent": row["recent"] or 0}
        for row in rows
    ]


def colour_totals(player: Player, day: date) -> list[tuple[str, int]]:
    """The player's ACBL points up to `day` by colour: (name, hundredths), the rarest first; one query."""
    rows = LedgerEntry.objects.filter(player=player, family=Tournament.Family.ACBL, played_on__lte=day)
    totals: Counter[str] = Counter()
    for points, *data in rows.values_list(
        "points", "tournament__event_type", "tournament__venue", "tournament__params"
    ):
        # What was earned before this system has no tournament here, and so no colour.
        totals[NOT_STATED if data[0] is None else pigment_of(*data)] += points
    return [(str(PIGMENTS[code]), totals[code]) for code in PIGMENTS if totals[code]]


def field_sizes(places: Iterable[tuple[int, str]]) -> dict[tuple[int, str], int]:
    """(revision, field) -> contestants; one query."""
    revisions = {revision for revision, _field in places if revision}
    if not revisions:
        return {}
    rows = Contestant.objects.filter(revision_id__in=revisions).order_by().values_list("revision_id", "field")
    return {(revision, field): size for revision, field, size in rows.annotate(size=Count("pk"))}


def tournament_address(pk: int, name: str, end_date: date) -> str:
    """The page of a tournament, as `Tournament.get_absolute_url` gives it."""
    return reverse("tournament", args=[end_date.year, f"{slugify(name) or 't'}-{pk}"])


def award_records(entries: QuerySet | list, number: str) -> list[dict[str, Any]]:
    """Entries as the tables show them; three queries for any number of rows.

    What became of a row is in `annulled`, `replaced` and `taken_back`; `takes_back` is of an adjustment that
    does so to another one.
    """
    rows = list(entries.values(*FIELDS)) if isinstance(entries, QuerySet) else entries
    sizes = field_sizes((row["contestant__revision_id"], row["contestant__field"]) for row in rows)
    adjustments = [row for row in rows if row["kind"] == LedgerEntry.Kind.ADJUSTMENT]
    back = counter_entries((row["player_id"], row["pk"]) for row in adjustments)
    records = []
    for row in rows:
        inside = row["tournament_id"] is not None
        counter = back.get(row["pk"])
        scored, annulled = row["reversed_by__run_id"], row["reversed_by__run__purpose"] == ANNUL
        record = {
            "pk": row["pk"],
            "kind": row["kind"],
            "moved": origin_of(row["source_key"]) is not None,
            "day": row["played_on"],
            "points": row["points"],
            "online": row["online"],
            "leaves": leaves_on(row["played_on"]),
            "title": row["tournament__name"] if inside else row["title"],
            "club": row["tournament__club__name"] if inside else "",
            "url": "",
            "receipt": reverse("award", args=[number, row["pk"]]),
            "place": row["contestant__place"],
            "size": sizes.get((row["contestant__revision_id"], row["contestant__field"])),
            # Why the points went comes before why they came, which the receipt says too.
            "reason": (counter.reason if counter else row["reversed_by__reason"]) or row["reason"],
            "annulled": annulled,
            "replaced": scored is not None and not annulled,
            "taken_back": counter is not None or (row["reversed_by__pk"] is not None and scored is None),
            "takes_back": taken_back_by(row["source_key"]) is not None,
        }
        if inside:
            record["url"] = tournament_address(
                row["tournament_id"], row["tournament__name"], row["tournament__end_date"]
            )
        records.append(record)
    return records


def awaiting(player: Player) -> list[dict[str, Any]]:
    """Tournaments of the player whose first points wait for a second person, and for whom; one query."""
    numbers = Player.objects.numbers_of(player)
    runs = ScoringRun.objects.filter(
        state=ScoringRun.State.WAITING, tournament__published=None, revision__seats__player__in=numbers
    )
    runs = runs.select_related("tournament__club").defer("inputs").order_by("-tournament__end_date", "-pk")
    return [
        {
            "day": run.tournament.end_date,
            "title": run.tournament.name,
            "url": run.tournament.get_absolute_url(),
            "club": run.tournament.club.name,
            "who": approvers(is_regional(run.regulation, run.tournament.event_type)),
        }
        for run in runs
    ]


def not_counted(player: Player, limit: int = 50) -> list[dict[str, Any]]:
    """The latest tournaments of the player that gave nothing, each with its reasons; two queries."""
    numbers = Player.objects.numbers_of(player)
    seats = Seat.objects.filter(player__in=numbers, revision=F("revision__tournament__published"))
    done = ScoringRun.objects.filter(state=ScoringRun.State.DONE)
    later = done.filter(revision=OuterRef("revision"), number__gt=OuterRef("number"))
    runs = done.filter(~Exists(later), revision__in=seats.values("revision_id"), eligible=False)
    runs = runs.select_related("tournament__club").defer("inputs").order_by("-tournament__end_date", "-pk")
    return [
        {
            "day": run.tournament.end_date,
            "title": run.tournament.name,
            "url": run.tournament.get_absolute_url(),
            "club": run.tournament.club.name,
            "why": _annulled(run) if run.purpose == run.Purpose.ANNUL else " ".join(reasons_of(run)),
        }
        for run in runs[:limit]
    ]


def _annulled(run: ScoringRun) -> str:
    """Why an annulled tournament gives nothing."""
    day = format_date(timezone.localdate(run.created_at), get_language() or "")
    return gettext("Annulled on %(day)s: %(reason)s") % {"day": day, "reason": run.reason}


def standing_awards(tournament: Tournament):
    """The awards of a tournament that no reversal has taken back.

    Of a player whose number was merged they are opening entries of the number kept
    (`scoring.ledger.services.transfers`); no other opening entry has a tournament.
    """
    kinds = (LedgerEntry.Kind.AWARD, LedgerEntry.Kind.OPENING)
    return LedgerEntry.objects.filter(tournament=tournament, kind__in=kinds, reversed_by=None)


def counter_entries(adjustments: Iterable[tuple[int, int]]) -> dict[int, LedgerEntry]:
    """The adjustments that take any of these back, by what they take back; one query at most.

    adjustments: (player id, entry id); by their players the entries are found without reading the ledger
    """
    keys = {back_key(entry): player for player, entry in adjustments}
    found = LedgerEntry.objects.filter(player__in=set(keys.values()), source_key__in=keys) if keys else ()
    return {taken_back_by(entry.source_key): entry for entry in found}
