"""The audits that `manage.py verify` and the audit from the page run one after the other."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.audit import approved, campaigns, log, read, strength, transfers, triggers, verify
from scoring.audit import files as verify_files
from scoring.audit import go as verify_go
from scoring.audit.evidence import tournaments
from scoring.audit.played_boards import revisions
from scoring.audit.position import Position
from scoring.audit.uploaded import rankings
from scoring.audit.verify import Batch, Difference


@dataclass(frozen=True, slots=True)
class Stage:
    """One audit, which checks items of one kind in batches.

    label: what it does, for the page
    batches: function that yields the batches from a position on; its arguments are the id of the only
        tournament to check or None, the first last day to check or None, the position, and the batch's size
    left: function that returns how many units are still to be checked; called with the same but the size
    last: name of the field of `Position` for the last item checked
    units: what is checked one by one, such as tournaments
    items: what is counted in each unit, such as awards
    slow: whether one item takes long, so that batches have to be small

    `units` and `items` are pairs: the plural noun that the command prints, and the field of `Position` with
    the number.
    """

    label: Promise
    batches: Callable[[int | None, date | None, Position, int], Iterator[Batch]]
    left: Callable[[int | None, date | None, Position], int]
    last: str
    units: tuple[str, str]
    items: tuple[str, str]
    slow: bool = False


BRIDGE = (
    Stage(
        _("Computing the points of tournaments again"),
        lambda only, since, at, size: verify.batches(only, since, at.last, size),
        lambda only, since, at: tournaments(only, since, at.last).count(),
        last="last",
        units=("tournaments", "tournaments"),
        items=("awards", "awards"),
    ),
    Stage(
        _("Computing the results of boards again"),
        lambda only, since, at, size: strength.batches(only, since, at.ranking, size),
        lambda only, since, at: revisions(only, since, at.ranking).count(),
        last="ranking",
        units=("rankings with boards", "rankings"),
        items=("results", "results"),
    ),
    Stage(
        _("Comparing the stored files with their digests"),
        lambda only, since, at, size: verify_files.batches(only, since, at.file, size),
        lambda only, since, at: verify_files.uploads(only, since, at.file).count(),
        last="file",
        units=("uploads", "files"),
        items=("files", "files"),
    ),
    Stage(
        _("Comparing further files with their digests"),
        lambda only, since, at, size: verify_files.further_batches(only, since, at.further, size),
        lambda only, since, at: verify_files.further(only, since, at.further).count(),
        last="further",
        units=("further files", "files"),
        items=("files", "files"),
    ),
    Stage(
        _("Reading the files again"),
        lambda only, since, at, size: read.batches(only, since, at.read_last, size),
        lambda only, since, at: rankings(only, since, at.read_last).count(),
        last="read_last",
        units=("rankings", "rankings_done"),
        items=("read again from their files", "read_again"),
        slow=True,
    ),
)
GO = (
    Stage(
        _("Computing the ratings of Go again"),
        lambda only, since, at, size: verify_go.batches(since, at.go_last, size),
        lambda only, since, at: verify_go.tournaments(since, at.go_last).count(),
        last="go_last",
        units=("tournaments of Go", "go_tournaments"),
        items=("ratings", "ratings"),
    ),
    Stage(
        _("Comparing the files of Go with their digests"),
        lambda only, since, at, size: verify_files.go_batches(since, at.go_file, size),
        lambda only, since, at: verify_files.go_uploads(since, at.go_file).count(),
        last="go_file",
        units=("uploads", "files"),
        items=("files", "files"),
    ),
)
LOG = (
    Stage(
        _("Comparing the transparency log with the database"),
        lambda only, since, at, size: log.batches(at.log_next),
        lambda only, since, at: log.left(at.log_next),
        last="log_next",
        units=("leaves of the log", "leaves"),
        items=("leaves", "leaves"),
    ),
)


def whole_database() -> tuple[date | None, list[Difference]]:
    """Check the data that belong to no single tournament, such as standings.

    Return the day of the standings, None if there are none yet, and the differences.
    """
    day, differences = verify.compare_standings()
    differences += verify.unmatched_reversals()
    differences += transfers.differences()
    differences += approved.differences()
    differences += approved.openings()
    differences += verify_go.player_differences()
    differences += campaigns.differences()
    differences += triggers.differences()
    differences += log.differences()
    return day, differences
