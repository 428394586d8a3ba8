"""Compute points, ratings and board figures again, read files again, and report the differences.

See docs/verify.md.
"""

import json
import time
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from django.core.management import BaseCommand, CommandError

from scoring.audit import go as verify_go
from scoring.audit import log as audit_log
from scoring.audit import read as verify_read
from scoring.audit import stages, verify
from scoring.audit.evidence import tournaments
from scoring.audit.position import Position
from scoring.audit.stages import Stage
from tournaments.services.stored_files import FilesUnavailable

INTERVAL = 2  # seconds between two lines of progress


def load_position(path: Path | None, since: str | None) -> Position:
    """Return the position that an earlier audit saved in the file, or the start if there is no file.

    Raise CommandError if the file is unreadable or belongs to an audit with another `since`.
    """
    if path is None or not path.exists():
        return Position(since)
    try:
        position = Position.load(json.loads(path.read_text()))
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
        which.add_argument(
            "--log", action="store_true", help="only the transparency log, against the database"
        )
        parser.add_argument(
            "--resume", type=Path, metavar="FILE", help="keep the position here; go on from it"
        )
        parser.add_argument("--batch", type=int, default=200, metavar="N", help="tournaments read at a time")

    def handle(self, *args, tournament, since, log, resume, batch, **options) -> None:
        if not 1 <= batch <= 5_000:
            raise CommandError("--batch takes a number from 1 to 5000", returncode=2)
        if tournament is not None and not tournaments(tournament, None).exists():
            raise CommandError(f"there is no tournament {tournament}", returncode=2)
        position = load_position(resume, since and since.isoformat())
        self.position, self.resume = position, resume
        for values in position.differences:
            self.report(verify.Difference(**values))
        if log:
            self.check_log(batch)
            return
        self.check(stages.BRIDGE, tournament, since, batch)
        summary = f"{position.tournaments} tournaments, {position.runs} runs, {position.awards} awards"
        whole, count = "", 0
        if tournament is None:
            self.check((*stages.GO, *stages.LOG), None, since, batch)
            summary += (
                f"; {position.go_tournaments} of Go, {position.ratings} ratings, {position.games} games"
            )
            whole, count = self.check_whole(since)
            whole = f"{whole}; {position.leaves} leaves of the log"
        count += len(position.differences)
        summary += f"; {position.rankings} rankings with {position.results} results of boards"
        summary += f"; {position.files} files; {_read_summary(position)}"
        summary += f"; {position.deleted} files no longer kept{whole}"
        if resume:
            resume.unlink(missing_ok=True)
        if count:
            raise CommandError(f"{count} differences: {summary}")
        self.stdout.write(f"equal: {summary}")

    def check_log(self, batch: int) -> None:
        """Compare the transparency log with the database, and nothing else."""
        self.check(stages.LOG, None, None, batch)
        whole = audit_log.differences()
        for difference in whole:
            self.report(difference)
        if self.resume:
            self.resume.unlink(missing_ok=True)
        if count := len(whole) + len(self.position.differences):
            raise CommandError(f"{count} differences: {self.position.leaves} leaves of the log")
        self.stdout.write(f"equal: {self.position.leaves} leaves of the log")

    def check(self, stages: Sequence[Stage], tournament: int | None, since: date | None, size: int) -> None:
        """Run audits one after the other, each from `self.position` on."""
        for stage in stages:
            batches = stage.batches(tournament, since, self.position, size)
            try:
                self.follow(stage, batches, stage.left(tournament, since, self.position))
            except FilesUnavailable as error:
                raise CommandError(f"uploaded files cannot be read: {error}", returncode=2) from error

    def follow(self, stage: Stage, batches: Iterable[verify.Batch], left: int) -> None:
        """Report the differences of an audit, save the position, and print the progress every few seconds.

        left: number of units still to check
        """
        (unit, units_field), (item, items_field) = stage.units, stage.items
        total, before = getattr(self.position, units_field) + left, getattr(self.position, items_field)
        started = printed = time.monotonic()
        for batch in batches:
            self.position.add(stage.last, batch)
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
        day, differences = stages.whole_database()
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
