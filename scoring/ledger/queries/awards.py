"""Read a player's ledger entries, and the tournaments that gave the player no points."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, QuerySet
from django.db.models.expressions import RawSQL
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import get_language, gettext

from players.models import Player
from scoring.ledger.evaluation import FAMILY, Evaluation
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.place_wording import PIGMENTS, pigment_of
from scoring.ledger.source_keys import back_key, origin_of, taken_back_by
from scoring.ledger.systems.seats import short_players
from scoring.ledger.windows import leaves_on
from scoring.ledger.wording import approvers, is_regional, reasons_of
from scoring.regulations.acbl.pigments import NOT_STATED
from tournaments.models import Contestant, Tournament
from ui.formatting import format_date

ANNUL = ScoringRun.Purpose.ANNUL
FIELDS = (
    "pk",
    "player_id",
    "kind",
    "points",
    "played_on",
    "online",
    "title",
    "reason",
    "source_key",
    "tournament_id",
    "tournament__name",
    "tournament__end_date",
    "tournament__club__name",
    "contestant__place",
    "contestant__revision_id",
    "contestant__field",
    "reverses_id",
    "reversed_by__pk",
    "reversed_by__reason",
    "reversed_by__run__purpose",
    "reversed_by__run_id",
)


def entries_of(player: Player, family: str = FAMILY) -> QuerySet[LedgerEntry]:
    """Return all of a player's entries of one family, latest tournament first."""
    return LedgerEntry.objects.filter(player=player, family=family).order_by("-played_on", "-pk")


def colour_totals(player: Player, day: date) -> list[tuple[str, int]]:
    """Return the player's ACBL points up to `day` by colour, as (colour's name, hundredths). One query.

    The colours are in the order of `PIGMENTS`, which begins with platinum and gold.
    """
    rows = LedgerEntry.objects.filter(player=player, family=Tournament.Family.ACBL, played_on__lte=day)
    totals: Counter[str] = Counter()
    columns = ("points", "tournament__event_type", "tournament__venue", "tournament__params")
    for points, event_type, venue, params in rows.values_list(*columns):
        # Entries from before this application have no tournament, and so no colour.
        totals[NOT_STATED if event_type is None else pigment_of(event_type, venue, params)] += points
    return [(str(PIGMENTS[code]), totals[code]) for code in PIGMENTS if totals[code]]


def field_sizes(places: Iterable[tuple[int, str]]) -> dict[tuple[int, str], int]:
    """Return {(revision id, field): number of contestants} for fields of several rankings. One query.

    places: (revision id, field) pairs
    """
    revisions = {revision for revision, _field in places if revision}
    if not revisions:
        return {}
    rows = Contestant.objects.filter(revision_id__in=revisions).order_by().values_list("revision_id", "field")
    return {(revision, field): size for revision, field, size in rows.annotate(size=Count("pk"))}


def tournament_url(pk: int, name: str, end_date: date) -> str:
    """Return the URL of a tournament's page, equal to `Tournament.get_absolute_url`."""
    return reverse("tournament", args=[end_date.year, f"{slugify(name) or 't'}-{pk}"])


def award_records(
    entries: QuerySet[LedgerEntry] | list[dict[str, Any]], number: str, *, sizes: bool = True
) -> list[dict[str, Any]]:
    """Convert a player's entries to records for `AwardTable`. Three queries for any number of entries.

    The flags `annulled`, `replaced` and `taken_back` tell why an entry no longer counts. The flag
    `takes_back` marks an adjustment that takes back another one.

    number: the player's federation number
    sizes: whether to read the number of contestants of each field; False saves a query
    """
    rows = list(entries.values(*FIELDS)) if isinstance(entries, QuerySet) else entries
    fields = [(row["contestant__revision_id"], row["contestant__field"]) for row in rows]
    size_of = field_sizes(fields) if sizes else {}
    adjustments = [row for row in rows if row["kind"] == LedgerEntry.Kind.ADJUSTMENT]
    counters = counter_entries((row["player_id"], row["pk"]) for row in adjustments)
    return [
        _award_record(row, number)
        | _cancellation(row, counters.get(row["pk"]))
        | {"size": size_of.get(field)}
        for row, field in zip(rows, fields, strict=True)
    ]


def _award_record(row: dict[str, Any], number: str) -> dict[str, Any]:
    """Return the part of an entry's record that does not depend on whether the entry was taken back.

    number: the player's federation number
    """
    has_tournament = row["tournament_id"] is not None
    tournament = (row["tournament_id"], row["tournament__name"], row["tournament__end_date"])
    return {
        "pk": row["pk"],
        "kind": row["kind"],
        "moved": origin_of(row["source_key"]) is not None,
        "day": row["played_on"],
        "points": row["points"],
        "online": row["online"],
        "leaves": leaves_on(row["played_on"]),
        "title": row["tournament__name"] if has_tournament else row["title"],
        "club": row["tournament__club__name"] if has_tournament else "",
        "url": tournament_url(*tournament) if has_tournament else "",
        "receipt": reverse("award", args=[number, row["pk"]]),
        "place": row["contestant__place"],
        "takes_back": taken_back_by(row["source_key"]) is not None,
    }


def _cancellation(row: dict[str, Any], counter: LedgerEntry | None) -> dict[str, Any]:
    """Return the part of an entry's record that tells whether and why the entry was taken back.

    counter: for an adjustment, the adjustment that takes it back, if any; other entries are taken back by
        reversals
    """
    run, annulled = row["reversed_by__run_id"], row["reversed_by__run__purpose"] == ANNUL
    return {
        # The reason for taking the entry back; the receipt shows the reason for posting it.
        "reason": (counter.reason if counter else row["reversed_by__reason"]) or row["reason"],
        "annulled": annulled,
        "replaced": run is not None and not annulled,
        "taken_back": counter is not None or (row["reversed_by__pk"] is not None and run is None),
    }


# The id of the last run of each ranking that gave a player nothing: it waits, or the tournament does not
# count, or the player has no award, and the ranking tells how many boards the player played. Nearly all are
# tournaments whose points the player has: their awards are read once. In plain SQL, because Django would take
# longer to write the statement than the database to answer it.
WITHOUT_POINTS = """
    WITH number AS (
        SELECT id FROM players_player WHERE id = %s OR merged_into_id = %s
    ),
    rewarded AS (
        SELECT entry.tournament_id
        FROM ledger_ledgerentry entry
        WHERE entry.player_id IN (SELECT id FROM number)
        AND entry.kind IN ('award', 'opening') AND entry.tournament_id IS NOT NULL
        AND (SELECT back.id FROM ledger_ledgerentry back WHERE back.reverses_id = entry.id) IS NULL
    )
    SELECT run.id
    FROM tournaments_seat seat
    JOIN tournaments_contestant contestant ON contestant.id = seat.contestant_id
    JOIN ledger_scoringrun run ON run.revision_id = seat.revision_id
    JOIN tournaments_tournament tournament ON tournament.id = run.tournament_id
    WHERE seat.player_id IN (SELECT id FROM number)
    AND (SELECT tournament_id FROM tournaments_revision WHERE id = seat.revision_id)
        NOT IN (SELECT tournament_id FROM rewarded)
    AND (
        (run.state = 'waiting' AND tournament.published_id IS NULL)
        OR (
            run.state = 'done' AND tournament.published_id = seat.revision_id
            AND NOT EXISTS (
                SELECT 1 FROM ledger_scoringrun later
                WHERE later.revision_id = run.revision_id
                AND later.state = 'done' AND later.number > run.number
            )
            AND (NOT run.eligible OR contestant.boards IS NOT NULL)
        )
    )
    ORDER BY tournament.end_date DESC, run.id DESC
    LIMIT %s
"""


def without_points(player: Player, limit: int = 50) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the player's tournaments that wait for approval, and the latest ones that gave no points.

    Both are records with day, title, url and club. The first have `who`, a phrase that names who may approve;
    corrections of published rankings are not among them. The second have `why`, a sentence with the reason.
    One query, and one more if a tournament gave points to others.
    """
    nothing = RawSQL(WITHOUT_POINTS, [player.pk, player.pk, limit])  # noqa: S611, no value comes from a reader
    runs = ScoringRun.objects.filter(pk__in=nothing).order_by("-tournament__end_date", "-pk")
    listed = list(runs.select_related("tournament__club").defer("inputs"))
    short = _without_enough_boards([run.pk for run in listed if run.eligible], player)
    awaiting, not_counted = [], []
    for run in listed:
        if run.state == ScoringRun.State.WAITING:
            awaiting.append(_played(run) | {"who": approvers(_is_regional(run))})
        elif not run.eligible:
            not_counted.append(_played(run) | {"why": reason_of(run)})
        elif run.pk in short:
            text = gettext("Boards played: %(boards)s of %(scheduled)s, too few for points.")
            values = {"boards": short[run.pk], "scheduled": run.tournament.boards_scheduled}
            not_counted.append(_played(run) | {"why": text % values})
    return awaiting, not_counted


def _without_enough_boards(runs: Collection[int], player: Player) -> dict[int, int]:
    """Return {run id: boards that the player played} of the runs whose inputs mark them as too few.

    The marks are read rather than the numbers of boards compared, because the setting for the required share
    may have changed since the run. Inputs are large; they are read only where the player got no points. At
    most one query.

    runs: ids of eligible runs
    """
    if not runs:
        return {}
    inputs = ScoringRun.objects.filter(
        pk__in=runs, revision__seats__player__in=Player.objects.numbers_of(player)
    ).order_by()
    columns = ("pk", "inputs", "revision__seats__player", "revision__seats__contestant__boards")
    return {
        pk: boards
        for pk, events, seat, boards in inputs.values_list(*columns)
        if seat in short_players(events)
    }


def _is_regional(run: ScoringRun) -> bool:
    return is_regional(run.regulation, run.tournament.event_type)


def _played(run: ScoringRun) -> dict[str, Any]:
    """Return the part of a record that tells which tournament a run is about."""
    return {
        "day": run.tournament.end_date,
        "title": run.tournament.name,
        "tournament": run.tournament_id,
        "url": run.tournament.get_absolute_url(),
        "club": run.tournament.club.name,
    }


def not_counted(player: Player, limit: int = 50) -> list[dict[str, Any]]:
    """Return the latest tournaments that gave the player no points, as `without_points` does."""
    return without_points(player, limit)[1]


def reason_of(run: ScoringRun) -> str:
    """Return a sentence on why a run gives nobody points."""
    return _annulment_text(run) if run.purpose == run.Purpose.ANNUL else " ".join(reasons_of(run))


def _annulment_text(run: ScoringRun) -> str:
    """Describe when and why a tournament was annulled."""
    day = format_date(timezone.localdate(run.created_at), get_language() or "")
    return gettext("Annulled on %(day)s: %(reason)s") % {"day": day, "reason": run.reason}


def effective_awards(tournament: Tournament) -> QuerySet[LedgerEntry]:
    """Return the awards of a tournament that were not reversed.

    This includes awards that a merge has moved: they are opening entries of the surviving player. No other
    opening entry has a tournament. See `scoring.ledger.services.transfers`.
    """
    return LedgerEntry.objects.filter(
        tournament=tournament, kind__in=(LedgerEntry.Kind.AWARD, LedgerEntry.Kind.OPENING), reversed_by=None
    )


def counter_entries(adjustments: Iterable[tuple[int, int]]) -> dict[int, LedgerEntry]:
    """Return {id of an adjustment: the adjustment that takes it back}. At most one query.

    Adjustments that were not taken back are left out.

    adjustments: (player id, entry id) pairs; the player id lets the query use an index
    """
    taken_back = {back_key(entry): (player, entry) for player, entry in adjustments}
    if not taken_back:
        return {}
    players = {player for player, _entry in taken_back.values()}
    counters = LedgerEntry.objects.filter(player__in=players, source_key__in=taken_back)
    return {taken_back[counter.source_key][1]: counter for counter in counters}


@dataclass(frozen=True, slots=True)
class PointsChange:
    """A player's points of a tournament before and after a correction, in hundredths.

    old, new: None if the player has no award
    """

    player_id: int
    old: int | None
    new: int | None


def points_changes(tournament: Tournament, evaluation: Evaluation) -> list[PointsChange]:
    """Return a PointsChange for each player whose points a correction would change.

    They are in order of player id.

    evaluation: the result of scoring the corrected ranking
    """
    old = dict(effective_awards(tournament).values_list("player_id", "points"))
    points_by_player = evaluation.points_by_player
    survivors = Player.objects.filter(pk__in=points_by_player).kept()
    # Posting transfers the award of a merged player to the surviving player.
    new = {survivors.get(player, player): points for player, points in points_by_player.items()}
    return [
        PointsChange(player, old.get(player), new.get(player))
        for player in sorted(old.keys() | new.keys())
        if old.get(player) != new.get(player)
    ]
