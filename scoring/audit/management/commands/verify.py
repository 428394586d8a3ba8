"""Compute points, ratings and board figures again, read files again, and report the differences.

See docs/verify.md.
"""

import json
import os
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from uuid import UUID

from django.core.management import BaseCommand, CommandError
from django.core.serializers.json import DjangoJSONEncoder

from scoring.audit import approved, campaigns, strength, transfers, triggers, verify
from scoring.audit import files as verify_files
from scoring.audit import go as verify_go
from scoring.audit import read as verify_read
from scoring.audit.evidence import tournaments
from scoring.audit.played_boards import revisions
from scoring.audit.uploaded import rankings

INTERVAL = 2  # seconds between two lines of progress


@dataclass
class Position:
    """How far an audit has come, so that it can be resumed: the last items checked, counts and differences.

    The position file is JSON with these fields.
    """

    since: str | None = None
    last: int = 0
    tournaments: int = 0
    runs: int = 0
    awards: int = 0
    go_last: verify_go.Position | None = None  # of the last Go tournament that was checked
    go_tournaments: int = 0
    ratings: int = 0
    games: int = 0
    ranking: int = 0  # id of the last ranking with boards that was checked
    rankings: int = 0
    results: int = 0
    file: UUID = verify_files.FIRST  # id of the last upload that was checked
    further: int = 0
    go_file: UUID = verify_files.FIRST
    files: int = 0
    deleted: int = 0  # number of files that retention has deleted
    read_last: int = 0  # id of the last ranking that was read again
    read_again: int = 0
    unread: dict[str, int] = field(default_factory=dict)  # number of rankings not read again, by reason
    differences: list[dict] = field(default_factory=list)

    @property
    def rankings_done(self) -> int:
        """The number of rankings processed, whether their file was read again or could not be."""
        return self.read_again + sum(self.unread.values())

    def add(self, last: str, batch: verify.Batch) -> None:
        """Add the counts and differences of a batch, and store the last item checked.

        last: name of the field in which the last item is stored
        """
        setattr(self, last, batch.last)
        for name, number in batch.counts.items():
            setattr(self, name, getattr(self, name) + number)
        self.unread = dict(batch.unread + Counter(self.unread))
        self.differences += map(asdict, batch.differences)

    def save(self, path: Path) -> None:
        """Replace the file atomically, so that a crash leaves either the old or the new position."""
        fresh = path.with_name(f"{path.name}.new")
        fresh.write_text(json.dumps(asdict(self), cls=DjangoJSONEncoder))
        os.replace(fresh, path)


def load_position(path: Path | None, since: str | None) -> Position:
    """Return the position that an earlier audit saved in the file, or the start if there is no file.

    Raise CommandError if the file is unreadable or belongs to an audit with another `since`.
    """
    if path is None or not path.exists():
        return Position(since)
    try:
        position = Position(**json.loads(path.read_text()))
        position.file, position.go_file = UUID(position.file), UUID(position.go_file)
        if position.go_last:
            day, pk = position.go_last
            position.go_last = date.fromisoformat(day), pk
    except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise CommandError(f"{path} is no position of an audit: {error}", returncode=2) from error
    if position.since != since:
        message = f"{path} belongs to an audit with --since {position.since}: use the same, or another file"
        raise CommandError(message, returncode=2)
    return position


class Command(BaseCommand):
    help = "Derives points, ratings and boards again, reads files again; says what differs. Writes nothing."
    requires_system_checks = []

    def add_arguments(self, parser) -> None:
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--tournament", type=int, metavar="ID", help="only this tournament")
        which.add_argument(
            "--since", type=date.fromisoformat, metavar="DATE", help="only tournaments that ended since"
        )
        parser.add_argument(
            "--resume", type=Path, metavar="FILE", help="keep the position here; go on from it"
        )
        parser.add_argument("--batch", type=int, default=200, metavar="N", help="tournaments read at a time")

    def handle(self, *args, tournament, since, resume, batch, **options) -> None:
        if not 1 <= batch <= 5_000:
            raise CommandError("--batch takes a number from 1 to 5000", returncode=2)
        if tournament is not None and not tournaments(tournament, None).exists():
            raise CommandError(f"there is no tournament {tournament}", returncode=2)
        position = load_position(resume, since and since.isoformat())
        self.position, self.resume = position, resume
        for values in position.differences:
            self.report(verify.Difference(**values))
        self.check_bridge(tournament, since, batch)
        summary = f"{position.tournaments} tournaments, {position.runs} runs, {position.awards} awards"
        whole, count = "", 0
        if tournament is None:
            self.check_go(since, batch)
            summary += (
                f"; {position.go_tournaments} of Go, {position.ratings} ratings, {position.games} games"
            )
            whole, count = self.check_whole(since)
        count += len(position.differences)
        summary += f"; {position.rankings} rankings with {position.results} results of boards"
        summary += f"; {position.files} files; {_read_summary(position)}"
        summary += f"; {position.deleted} files no longer kept{whole}"
        if resume:
            resume.unlink(missing_ok=True)
        if count:
            raise CommandError(f"{count} differences: {summary}")
        self.stdout.write(f"equal: {summary}")

    def check_bridge(self, tournament, since, size: int) -> None:
        """Run the audits of bridge tournaments, each from `self.position` on.

        They check points, board figures and stored files, and read the files again.
        """
        at = self.position
        self.follow(
            verify.batches(tournament, since, at.last, size),
            tournaments(tournament, since, at.last).count(),
            last="last",
            units=("tournaments", "tournaments"),
            items=("awards", "awards"),
        )
        self.follow(
            strength.batches(tournament, since, at.ranking, size),
            revisions(tournament, since, at.ranking).count(),
            last="ranking",
            units=("rankings with boards", "rankings"),
            items=("results", "results"),
        )
        self.follow(
            verify_files.batches(tournament, since, at.file, size),
            verify_files.uploads(tournament, since, at.file).count(),
            last="file",
            units=("uploads", "files"),
            items=("files", "files"),
        )
        self.follow(
            verify_files.further_batches(tournament, since, at.further, size),
            verify_files.further(tournament, since, at.further).count(),
            last="further",
            units=("further files", "files"),
            items=("files", "files"),
        )
        self.follow(
            verify_read.batches(tournament, since, at.read_last, size),
            rankings(tournament, since, at.read_last).count(),
            last="read_last",
            units=("rankings", "rankings_done"),
            items=("read again from their files", "read_again"),
        )

    def check_go(self, since, size: int) -> None:
        """Run the audits of Go tournaments and of their files, each from `self.position` on."""
        at = self.position
        self.follow(
            verify_go.batches(since, at.go_last, size),
            verify_go.tournaments(since, at.go_last).count(),
            last="go_last",
            units=("tournaments of Go", "go_tournaments"),
            items=("ratings", "ratings"),
        )
        self.follow(
            verify_files.go_batches(since, at.go_file, size),
            verify_files.go_uploads(since, at.go_file).count(),
            last="go_file",
            units=("uploads", "files"),
            items=("files", "files"),
        )

    def follow(
        self,
        batches: Iterable[verify.Batch],
        left: int,
        *,
        last: str,
        units: tuple[str, str],
        items: tuple[str, str],
    ) -> None:
        """Report the differences of an audit, save the position, and print the progress every few seconds.

        left: number of units still to check
        last: name of the field of `Position` for the last item checked
        units: what is checked one by one, such as tournaments
        items: what is counted in each unit, such as awards; their number per second is printed too

        `units` and `items` are pairs: the plural noun to print, and the field of `Position` with the number.
        """
        (unit, units_field), (item, items_field) = units, items
        total, before = getattr(self.position, units_field) + left, getattr(self.position, items_field)
        started = printed = time.monotonic()
        for batch in batches:
            self.position.add(last, batch)
            for difference in batch.differences:
                self.report(difference)
            if self.resume:
                self.position.save(self.resume)
            done, count = getattr(self.position, units_field), getattr(self.position, items_field)
            now = time.monotonic()
            if now - printed >= INTERVAL or done >= total:
                printed = now
                rate = (count - before) / max(now - started, 1e-9)
                line = f"{done} of {total} {unit}, {count} {item}, {rate:.0f} a second"
                self.stderr.write(line, self.style.NOTICE)

    def check_whole(self, since) -> tuple[str, int]:
        """Check the data that belong to no single tournament, such as standings.

        Return a summary for the last line of output, and the number of differences.
        """
        self.stderr.write("comparing the standings with the ledger", self.style.NOTICE)
        day, differences = verify.compare_standings()
        differences += verify.unmatched_reversals()
        differences += transfers.differences()
        differences += approved.differences()
        differences += verify_go.player_differences()
        differences += campaigns.differences()
        differences += triggers.differences()
        for difference in differences:
            self.report(difference)
        counts = verify.count_underivable()
        summary = f"; standings of {day}" if day else "; no standings yet"
        openings, adjustments = counts.get("opening", 0), counts.get("adjustment", 0)
        summary = f"{summary}; not derivable: {openings} opening balances, {adjustments} adjustments"
        if waiting := verify_go.waiting(since):
            summary = f"{summary}; {waiting} tournaments of Go wait for their ratings"
        return summary, len(differences)

    def report(self, difference: verify.Difference) -> None:
        """Print a difference as one line of columns separated by tabs."""
        columns = (
            difference.code,
            difference.tournament,
            difference.run,
            difference.player,
            difference.stored,
            difference.derived,
        )
        self.stdout.write("\t".join("-" if value in (None, "") else _flat(value) for value in columns))


def _read_summary(position: Position) -> str:
    """Return a text: how many rankings were read again, and how many could not be, by reason."""
    reasons = ", ".join(f"{position.unread.get(reason, 0)} {reason}" for reason in verify_read.Unread)
    return f"{position.read_again} rankings read again from their files; not read again: {reasons}"


def _flat(value: object) -> str:
    """Return the value as text on one line, without tabs.

    Rows that somebody tampered with may contain any text.
    """
    return " ".join(str(value).split())
