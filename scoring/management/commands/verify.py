"""Derive every award in the database again and say "equal", or what differs (docs/verify.md)."""

import json
import os
import time
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path

from django.core.management import BaseCommand, CommandError

from scoring.queries.evidence import tournaments
from scoring.services import verify

EVERY = 2  # seconds between two lines of progress


@dataclass
class Position:
    """How far an audit has come, as its file keeps it."""

    since: str | None = None
    last: int = 0
    tournaments: int = 0
    runs: int = 0
    awards: int = 0
    differences: list[dict] = field(default_factory=list)

    def add(self, batch: verify.Batch) -> None:
        self.last = batch.last
        self.tournaments += batch.tournaments
        self.runs += batch.runs
        self.awards += batch.awards
        self.differences += map(asdict, batch.differences)

    def save(self, path: Path) -> None:
        """Replace the file at once: a crash leaves the old position or the new one."""
        fresh = path.with_name(f"{path.name}.new")
        fresh.write_text(json.dumps(asdict(self)))
        os.replace(fresh, path)


def read(path: Path | None, since: str | None) -> Position:
    """Where the file says an audit stopped; the beginning if there is no file."""
    if path is None or not path.exists():
        return Position(since)
    try:
        position = Position(**json.loads(path.read_text()))
    except (OSError, TypeError, ValueError) as error:
        raise CommandError(f"{path} is no position of an audit: {error}", returncode=2) from error
    if position.since != since:
        message = f"{path} belongs to an audit with --since {position.since}: use the same, or another file"
        raise CommandError(message, returncode=2)
    return position


class Command(BaseCommand):
    help = "Derives every award again from its stored inputs; says equal, or each difference. Only reads."
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
        tail = f"{position.tournaments} tournaments, {position.runs} runs, {position.awards} awards"
        number = len(position.differences)
        if tournament is None:
            words, more = self.check_whole()
            tail, number = f"{tail}; {words}", number + more
        if resume:
            resume.unlink(missing_ok=True)
        if number:
            raise CommandError(f"{number} differences: {tail}")
        self.stdout.write(f"equal: {tail}")

    def check(self, position: Position, tournament, since, resume: Path | None, size: int) -> None:
        """Check tournament by tournament from the position on."""
        started = told = time.monotonic()
        before = position.awards
        left = tournaments(tournament, since, position.last).count()
        total = position.tournaments + left
        for found in verify.batches(tournament, since, position.last, size):
            position.add(found)
            for each in found.differences:
                self.tell(each)
            if resume:
                position.save(resume)
            now = time.monotonic()
            if now - told >= EVERY or position.tournaments >= total:
                told = now
                rate = (position.awards - before) / max(now - started, 1e-9)
                self.stderr.write(
                    f"{position.tournaments} of {total} tournaments, {position.awards} awards, "
                    f"{rate:.0f} a second",
                    self.style.NOTICE,
                )

    def check_whole(self) -> tuple[str, int]:
        """What no single tournament shows: in words, and how many differences there were."""
        self.stderr.write("comparing the standings with the ledger", self.style.NOTICE)
        day, wrong = verify.compared_standings()
        wrong += verify.loose()
        for each in wrong:
            self.tell(each)
        counts = verify.underivable()
        words = f"standings of {day}" if day else "no standings yet"
        openings, adjustments = counts.get("opening", 0), counts.get("adjustment", 0)
        return f"{words}; not derivable: {openings} opening balances, {adjustments} adjustments", len(wrong)

    def tell(self, difference: verify.Difference) -> None:
        """One line a difference, its columns separated by tabs."""
        columns = (
            difference.code, difference.tournament, difference.run, difference.player,
            difference.stored, difference.derived,
        )  # fmt: skip
        self.stdout.write("\t".join("-" if each in (None, "") else _flat(each) for each in columns))


def _flat(value: object) -> str:
    """One line without tabs, whatever somebody wrote into the database."""
    return " ".join(str(value).split())
