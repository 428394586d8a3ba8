"""Derive points, ratings and boards again, read files again, and say what differs (docs/verify.md)."""

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

EVERY = 2  # seconds between two lines of progress


@dataclass
class Position:
    """How far an audit has come, as its file keeps it."""

    since: str | None = None
    last: int = 0
    tournaments: int = 0
    runs: int = 0
    awards: int = 0
    go_last: list | None = None  # day and id of the last tournament of Go
    go_tournaments: int = 0
    ratings: int = 0
    games: int = 0
    ranking: int = 0  # the last with boards
    rankings: int = 0
    results: int = 0
    file: str = str(verify_files.FIRST)  # the last upload
    go_file: str = str(verify_files.FIRST)
    files: int = 0
    deleted: int = 0  # files that are no longer kept
    read_last: int = 0  # the last ranking looked at for its file
    read_again: int = 0
    unread: dict[str, int] = field(default_factory=dict)  # why -> how many rankings were not read again
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
        """Replace the file at once: a crash leaves the old position or the new one."""
        fresh = path.with_name(f"{path.name}.new")
        fresh.write_text(json.dumps(asdict(self)))
        os.replace(fresh, path)


class Progress:
    """Lines of progress, one every few seconds."""

    def __init__(self, command: BaseCommand, total: int, before: int) -> None:
        self.command, self.total, self.before = command, total, before
        self.started = self.told = time.monotonic()

    def tell(self, what: str, done: int, of_what: str, number: int) -> None:
        """Say how many have been checked, and how many awards or ratings that makes a second."""
        now = time.monotonic()
        if now - self.told < EVERY and done < self.total:
            return
        self.told = now
        rate = (number - self.before) / max(now - self.started, 1e-9)
        line = f"{done} of {self.total} {what}, {number} {of_what}, {rate:.0f} a second"
        self.command.stderr.write(line, self.command.style.NOTICE)


def read(path: Path | None, since: str | None) -> Position:
    """Where the file says an audit stopped; the beginning if there is no file."""
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
        position = read(resume, since and since.isoformat())
        for each in position.differences:
            self.tell(verify.Difference(**each))
        self.check(position, tournament, since, resume, batch)
        self.check_boards(position, tournament, since, resume, batch)
        self.check_files(position, tournament, since, resume, batch)
        self.check_read(position, tournament, since, resume, batch)
        tail = f"{position.tournaments} tournaments, {position.runs} runs, {position.awards} awards"
        whole, number = "", 0
        if tournament is None:
            self.check_go(position, since, resume, batch)
            self.check_files(position, None, since, resume, batch, go=True)
            tail += f"; {position.go_tournaments} of Go, {position.ratings} ratings, {position.games} games"
            whole, number = self.check_whole(since)
        number += len(position.differences)
        tail += f"; {position.rankings} rankings with {position.results} results of boards"
        tail += f"; {position.files} files; {_read_in_words(position)}"
        tail += f"; {position.deleted} files no longer kept{whole}"
        if resume:
            resume.unlink(missing_ok=True)
        if number:
            raise CommandError(f"{number} differences: {tail}")
        self.stdout.write(f"equal: {tail}")

    def check(self, position: Position, tournament, since, resume: Path | None, size: int) -> None:
        """Check tournament by tournament from the position on."""
        left = tournaments(tournament, since, position.last).count()
        progress = Progress(self, position.tournaments + left, position.awards)
        for found in verify.batches(tournament, since, position.last, size):
            position.add(found)
            self.keep(found.differences, position, resume)
            progress.tell("tournaments", position.tournaments, "awards", position.awards)

    def check_go(self, position: Position, since, resume: Path | None, size: int) -> None:
        """The same for tournaments of Go, in the order of rating."""
        left = verify_go.tournaments(since, position.go_after).count()
        progress = Progress(self, position.go_tournaments + left, position.ratings)
        for found in verify_go.batches(since, position.go_after, size):
            position.add_go(found)
            self.keep(found.differences, position, resume)
            progress.tell("tournaments of Go", position.go_tournaments, "ratings", position.ratings)

    def check_boards(self, position: Position, tournament, since, resume: Path | None, size: int) -> None:
        """The same for what is stored of boards, ranking by ranking."""
        left = revisions(tournament, since, position.ranking).count()
        progress = Progress(self, position.rankings + left, position.results)
        for found in strength.batches(tournament, since, position.ranking, size):
            position.add_boards(found)
            self.keep(found.differences, position, resume)
            progress.tell("rankings with boards", position.rankings, "results", position.results)

    def check_files(
        self, position: Position, tournament, since, resume: Path | None, size: int, go: bool = False
    ) -> None:
        """The same for the files that were uploaded; those of Go are of no single tournament of bridge."""
        after = UUID(position.go_file if go else position.file)
        if go:
            left, batches = verify_files.go_uploads(since, after), verify_files.go_batches(since, after, size)
        else:
            left = verify_files.uploads(tournament, since, after)
            batches = verify_files.batches(tournament, since, after, size)
        progress = Progress(self, position.files + left.count(), position.files)
        for found in batches:
            position.add_files(found, go)
            self.keep(found.differences, position, resume)
            progress.tell("uploads", position.files, "files", position.files)

    def check_read(self, position: Position, tournament, since, resume: Path | None, size: int) -> None:
        """The same for rankings that came with a file, which is read again."""
        left = rankings(tournament, since, position.read_last).count()
        looked_at = position.read_again + sum(position.unread.values())
        progress = Progress(self, looked_at + left, position.read_again)
        for found in verify_read.batches(tournament, since, position.read_last, size):
            position.add_read(found)
            self.keep(found.differences, position, resume)
            looked_at = position.read_again + sum(position.unread.values())
            progress.tell("rankings", looked_at, "read again from their files", position.read_again)

    def keep(self, differences: list[verify.Difference], position: Position, resume: Path | None) -> None:
        """Tell what was found, and where the audit is now."""
        for each in differences:
            self.tell(each)
        if resume:
            position.save(resume)

    def check_whole(self, since) -> tuple[str, int]:
        """What no single tournament shows: in words, and how many differences there were."""
        self.stderr.write("comparing the standings with the ledger", self.style.NOTICE)
        day, wrong = verify.compared_standings()
        wrong += verify.loose()
        wrong += transfers.wrong()
        wrong += approved.wrong()
        wrong += verify_go.players()
        wrong += campaigns.wrong()
        wrong += triggers.wrong()
        for each in wrong:
            self.tell(each)
        counts = verify.underivable()
        words = f"; standings of {day}" if day else "; no standings yet"
        openings, adjustments = counts.get("opening", 0), counts.get("adjustment", 0)
        words = f"{words}; not derivable: {openings} opening balances, {adjustments} adjustments"
        if waiting := verify_go.waiting(since):
            words = f"{words}; {waiting} tournaments of Go wait for their ratings"
        return words, len(wrong)

    def tell(self, difference: verify.Difference) -> None:
        """One line a difference, its columns separated by tabs."""
        columns = (
            difference.code, difference.tournament, difference.run, difference.player,
            difference.stored, difference.derived,
        )  # fmt: skip
        self.stdout.write("\t".join("-" if each in (None, "") else _flat(each) for each in columns))


def _read_in_words(position: Position) -> str:
    """How many rankings were read again from their files, and how many of which kind could not be."""
    others = ", ".join(f"{position.unread.get(reason, 0)} {reason}" for reason in verify_read.Unread)
    return f"{position.read_again} rankings read again from their files; not read again: {others}"


def _flat(value: object) -> str:
    """One line without tabs, whatever somebody wrote into the database."""
    return " ".join(str(value).split())
