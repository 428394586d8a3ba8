"""Every player's sessions of the modified average, as a rule set wants them worked out."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple

from django.db.models import QuerySet
from django.db.models.fields.json import KT

from players.models import Player
from scoring import regulations
from scoring.campaigns.averages import Method, SessionLine, rounded, shift, valued
from scoring.models import PromotionRuleSet, ScoringRun
from scoring.systems.aeb import FAMILY, category_code
from tournaments.boards import IMPS
from tournaments.models import Seat, Tournament

CHUNK = 5_000
REGULATIONS = [regulation.code for regulation in regulations.of_family(FAMILY)]
# The C4 is the whole session's, so with two rankings either of them has it.
FIELD_C4 = KT("outcome__lines__0__coefficients__C4")

by_player = itemgetter(0)
by_day = itemgetter(1, 0)


class Played(NamedTuple):
    """What the lines of everybody in one tournament have in common."""

    tournament_id: int
    day: date
    boards: int
    regulation: str
    c4: Decimal


def session_lines(
    rule_set: PromotionRuleSet,
    first: date,
    last: date,
    codes: Mapping[int, str],
    player_ids: Collection[int] | None = None,
) -> Iterator[tuple[int, list[SessionLine]]]:
    """(player id, their lines by day), by player, of tournaments that ended from `first` to `last`.

    Only pairs tournaments that gave AEB points, as now published, and of them those with percentages. Three
    queries, streamed, and one more where numbers were merged. Players without a line are missing. Whose
    number was merged played as the one kept; who played under merged numbers alone comes last.

    codes: the category each player is judged in; for who has none no field shifts a session
    player_ids: None for everybody
    """
    merged = _merged(player_ids)
    if player_ids is not None:
        player_ids = [*player_ids, *merged]
    tournaments = _tournaments(first, last, player_ids)
    made = _line_maker(rule_set, _played(tournaments))
    elsewhere: dict[int, list[tuple]] = defaultdict(list)
    for player, *rest in _rows(tournaments, merged) if merged else ():
        elsewhere[merged[player]].append((merged[player], *rest))
    seated = (
        (player, chain(rows, elsewhere.pop(player, ())))
        for player, rows in groupby(_rows(tournaments, player_ids), by_player)
        if player not in merged
    )
    # A view: it is what is left once all others have been.
    for player, rows in chain(seated, elsewhere.items()):
        if lines := made(codes.get(player), rows):
            lines.sort(key=by_day)
            yield player, lines


def _merged(player_ids: Collection[int] | None) -> dict[int, int]:
    """Merged number -> the player kept, of these players."""
    found = (
        Player.objects.all()
        if player_ids is None
        else Player.objects.filter(merged_into__in=list(player_ids))
    )
    return found.kept()


def _tournaments(first: date, last: date, player_ids: Collection[int] | None) -> QuerySet[Tournament]:
    found = Tournament.objects.filter(
        family=FAMILY,
        format=Tournament.Format.PAIRS,
        end_date__range=(first, last),
        published__isnull=False,
    )
    if player_ids is not None:
        found = found.filter(published__in=_seats(player_ids).values("revision_id"))
    return found.exclude(published__boards_scored=IMPS)


def _seats(player_ids: Collection[int] | None) -> QuerySet[Seat]:
    seats = Seat.objects.filter(player__isnull=False)
    return seats if player_ids is None else seats.filter(player_id__in=list(player_ids))


def _played(tournaments: QuerySet[Tournament]) -> dict[int, Played]:
    """By published revision: those that count, as their last calculation says."""
    # A correction may be about to make an AEB tournament of one that gives other points until it is scored.
    runs = ScoringRun.objects.filter(
        revision__published_as__in=tournaments, state=ScoringRun.State.DONE, regulation__in=REGULATIONS
    )
    rows = runs.order_by("number").values_list(
        "revision_id", "eligible", "tournament_id", "tournament__end_date", "tournament__boards",
        "regulation", FIELD_C4,
    )  # fmt: skip
    last = {revision: rest for revision, *rest in rows.iterator(chunk_size=CHUNK)}
    return {
        revision: Played(tournament, day, boards, regulation, rounded(Decimal(c4)))
        for revision, (eligible, tournament, day, boards, regulation, c4) in last.items()
        if eligible
    }


def _rows(tournaments: QuerySet[Tournament], player_ids: Collection[int] | None) -> Iterable[tuple]:
    """(player, revision, boards, percentage, adjusted) by player."""
    return (
        _seats(player_ids)
        .filter(revision__in=tournaments.values("published"))
        .order_by("player_id")
        .values_list(
            "player_id", "revision_id", "contestant__boards_played", "contestant__percentage",
            "contestant__adjusted",
        )
        .iterator(chunk_size=CHUNK)
    )  # fmt: skip


def _line_maker(rule_set: PromotionRuleSet, played: Mapping[int, Played]):
    """A function from a player's category and rows of `_rows` to lines; what does not count is left out.

    There are hundreds of thousands of lines in a big federation: a loop, and no function a line but `valued`.
    """
    strategy, weight = rule_set.average, rule_set.field_weight
    known: dict[str, dict[int, Decimal]] = defaultdict(dict)  # category -> revision -> shift

    def lines_of(code: str | None, rows: Iterable[tuple]) -> list[SessionLine]:
        lines, shifts = [], known[code or ""]
        for _player, revision, boards, raw, adjusted in rows:
            tournament = played.get(revision)
            if tournament is None:
                continue
            by_field = shifts.get(revision)
            if by_field is None and code is not None:
                own = value_of(tournament.regulation, code)
                by_field = shifts[revision] = shift(weight, tournament.c4, own)
            found = valued(strategy, raw, adjusted, by_field)
            if found is None:
                continue
            value, method = found
            field, shifted = (tournament.c4, by_field) if method is Method.FIELD else (None, None)
            boards = boards or tournament.boards
            lines.append(
                SessionLine(
                    tournament.tournament_id, tournament.day, boards, raw, value, method, field, shifted
                )
            )
        return lines

    return lines_of


@cache
def value_of(regulation: str, code: str) -> Decimal:
    """What a category is worth in the C4 of a regulation, both by code."""
    scheme = regulations.get(regulation)
    return scheme.categories.find(category_code(scheme, code)).value
