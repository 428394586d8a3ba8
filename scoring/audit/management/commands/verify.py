"""Derive points, ratings and board figures again, read files again, and report what differs.

See docs/verify.md.
"""

import json
import os
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from uuid import UUID

from django.core.management import BaseCommand, CommandError

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
    """How far an audit has come, to resume from there: the last items checked, and the numbers so far.

    Its fields are the format of the position file.
    """

    since: str | None = None
    last: int = 0
    tournaments: int = 0
    runs: int = 0
    awards: int = 0
    go_last: list | None = None  # [last day, id] of the last Go tournament that was checked
    go_tournaments: int = 0
    ratings: int = 0
    games: int = 0
    ranking: int = 0  # id of the last ranking with boards that was checked
    rankings: int = 0
    results: int = 0
    file: str = str(verify_files.FIRST)  # id of the last upload that was checked
    go_file: str = str(verify_files.FIRST)
    files: int = 0
    deleted: int = 0  # number of files that retention has deleted
    read_last: int = 0  # id of the last ranking that was read again
    read_again: int = 0
    unread: dict[str, int] = field(default_factory=dict)  # number of rankings not read again, by reason
    differences: list[dict] = field(default_factory=list)

    def add(self, batch: verify.Batch) -> None:
        self.last = batch.last
        self.tournaments += batch.tournaments
        self.runs += batch.runs
        self.awards += batch.awards
        self.differences += map(asdict, batch.differences)

    def add_go(self, batch: verify_go.Batch) -> None:
        self.go_last = [batch.last[0].isoformat(), batch.last[1]]
        self.go_tournaments += batch.tournaments
        self.ratings += batch.ratings
        self.games += batch.games
        self.differences += map(asdict, batch.differences)

    def add_boards(self, batch: strength.Batch) -> None:
        self.ranking = batch.last
        self.rankings += batch.rankings
        self.results += batch.results
        self.differences += map(asdict, batch.differences)

    def add_files(self, batch: verify_files.Batch, go: bool) -> None:
        if go:
            self.go_file = str(batch.last)
        else:
            self.file = str(batch.last)
        self.files += batch.files
        self.deleted += batch.deleted
        self.differences += map(asdict, batch.differences)

    def add_read(self, batch: verify_read.Batch) -> None:
        self.read_last = batch.last
        self.read_again += batch.read
        self.unread = dict(batch.unread + Counter(self.unread))
        self.differences += map(asdict, batch.differences)

    @property
    def go_after(self) -> verify_go.Position | None:
        return (date.fromisoformat(self.go_last[0]), self.go_last[1]) if self.go_last else None

    def save(self, path: Path) -> None:
        """Replace the file atomically, so that a crash leaves either the old or the new position."""
        fresh = path.with_name(f"{path.name}.new")
        fresh.write_text(json.dumps(asdict(self)))
        os.replace(fresh, path)


class Progress:
    """Prints the progress of an audit every few seconds."""

    def __init__(self, command: BaseCommand, total: int, before: int) -> None:
        self.command, self.total, self.before = command, total, before
        self.started = self.last = time.monotonic()

    def update(self, units: str, done: int, items: str, count: int) -> None:
        """Print the progress.

        units, items: plural nouns to print, such as tournaments and awards
        done: number of units checked
        count: number of items in these units; also printed per second
        """
        now = time.monotonic()
        if now - self.last < INTERVAL and done < self.total:
            return
        self.last = now
        rate = (count - self.before) / max(now - self.started, 1e-9)
        line = f"{done} of {self.total} {units}, {count} {items}, {rate:.0f} a second"
        self.command.stderr.write(line, self.command.style.NOTICE)


def load_position(path: Path | None, since: str | None) -> Position:
    """Return the position that an earlier audit saved in the file, or the start if there is no file.

    Raise CommandError if the file is unreadable or belongs to an audit with another `since`.
    """
    if path is None or not path.exists():
        return Position(since)
    try:
        position = Position(**json.loads(path.read_text()))
        _ = position.go_after, UUID(position.file), UUID(position.go_file)
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
        for values in position.differences:
            self.report(verify.Difference(**values))
        self.check(position, tournament, since, resume, batch)
        self.check_boards(position, tournament, since, resume, batch)
        self.check_files(position, tournament, since, resume, batch)
        self.check_read(position, tournament, since, resume, batch)
        summary = f"{position.tournaments} tournaments, {position.runs} runs, {position.awards} awards"
        whole, count = "", 0
        if tournament is None:
            self.check_go(position, since, resume, batch)
            self.check_files(position, None, since, resume, batch, go=True)
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

    def check(self, position: Position, tournament, since, resume: Path | None, size: int) -> None:
        """Check the points of tournaments, starting after `position`."""
        left = tournaments(tournament, since, position.last).count()
        progress = Progress(self, position.tournaments + left, position.awards)
        for checked in verify.batches(tournament, since, position.last, size):
            position.add(checked)
            self.record(checked.differences, position, resume)
            progress.update("tournaments", position.tournaments, "awards", position.awards)

    def check_go(self, position: Position, since, resume: Path | None, size: int) -> None:
        """Check Go tournaments in the order of rating, starting after `position`."""
        left = verify_go.tournaments(since, position.go_after).count()
        progress = Progress(self, position.go_tournaments + left, position.ratings)
        for checked in verify_go.batches(since, position.go_after, size):
            position.add_go(checked)
            self.record(checked.differences, position, resume)
            progress.update("tournaments of Go", position.go_tournaments, "ratings", position.ratings)

    def check_boards(self, position: Position, tournament, since, resume: Path | None, size: int) -> None:
        """Check the stored board figures, starting after `position`."""
        left = revisions(tournament, since, position.ranking).count()
        progress = Progress(self, position.rankings + left, position.results)
        for checked in strength.batches(tournament, since, position.ranking, size):
            position.add_boards(checked)
            self.record(checked.differences, position, resume)
            progress.update("rankings with boards", position.rankings, "results", position.results)

    def check_files(
        self, position: Position, tournament, since, resume: Path | None, size: int, go: bool = False
    ) -> None:
        """Check uploaded files of bridge or Go, starting after `position`."""
        after = UUID(position.go_file if go else position.file)
        if go:
            left, batches = verify_files.go_uploads(since, after), verify_files.go_batches(since, after, size)
        else:
            left = verify_files.uploads(tournament, since, after)
            batches = verify_files.batches(tournament, since, after, size)
        progress = Progress(self, position.files + left.count(), position.files)
        for checked in batches:
            position.add_files(checked, go)
            self.record(checked.differences, position, resume)
            progress.update("uploads", position.files, "files", position.files)

    def check_read(self, position: Position, tournament, since, resume: Path | None, size: int) -> None:
        """Read the files of rankings again, starting after `position`."""
        left = rankings(tournament, since, position.read_last).count()
        done = position.read_again + sum(position.unread.values())
        progress = Progress(self, done + left, position.read_again)
        for checked in verify_read.batches(tournament, since, position.read_last, size):
            position.add_read(checked)
            self.record(checked.differences, position, resume)
            done = position.read_again + sum(position.unread.values())
            progress.update("rankings", done, "read again from their files", position.read_again)

    def record(self, differences: list[verify.Difference], position: Position, resume: Path | None) -> None:
        """Report the differences of a batch and save the position."""
        for difference in differences:
            self.report(difference)
        if resume:
            position.save(resume)

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
    """Return a text with the numbers of rankings read again and, by reason, of those not read again."""
    reasons = ", ".join(f"{position.unread.get(reason, 0)} {reason}" for reason in verify_read.Unread)
    return f"{position.read_again} rankings read again from their files; not read again: {reasons}"


def _flat(value: object) -> str:
    """Return the value as text without line breaks and tabs. Tampered rows may contain any text."""
    return " ".join(str(value).split())
