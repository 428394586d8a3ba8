"""Take over the points of a former program from files: `manage.py changeover FILE… --by ACCOUNT`."""

from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management.base import BaseCommand, CommandError

from players.models import Proposal
from scoring.changeover import queries, services, wording, working
from scoring.changeover.models import Changeover
from ui.formatting import format_points, format_whole

LANGUAGE = "en"
SHOWN = 20  # issues and differences that are printed


class Command(BaseCommand):
    help = (
        "Read the awards of a former program, print what they add up to and where that differs from its last "
        "list, and with --apply post them. Undo it on the page of the office."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, help="CSV files, plain or compressed (.gz, .zip)")
        parser.add_argument("--by", required=True, help="user name of an account of the office")
        parser.add_argument("--list", type=Path, help="the last list of the former program: number, points")
        parser.add_argument("--day", type=date.fromisoformat, help="day of the list, YYYY-MM-DD")
        parser.add_argument(
            "--period", choices=Changeover.Period.values, default="year", help="points that the list counts"
        )
        parser.add_argument("--apply", action="store_true", help="post the awards, or propose it")
        parser.add_argument(
            "--accept-differences", action="store_true", help="apply although points differ from the list"
        )
        parser.add_argument("--reason", default="", help="for the second person, if one has to approve it")
        parser.add_argument(
            "--document", default="", help="where the decision is written, for the second person"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["list"] is None) != (options["day"] is None):
            raise CommandError("--list and --day belong together")
        by = User.objects.filter(username=options["by"]).first()
        if by is None:
            raise CommandError(f"there is no account {options['by']!r}")
        try:
            changeover = self._read(by, options)
            if options["apply"]:
                self._apply(changeover, by, options)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        except PermissionDenied:
            raise CommandError(f"the account {by.username!r} does not belong to the office") from None

    def _read(self, by: User, options: dict[str, Any]) -> Changeover:
        history = [_file(path) for path in options["files"]]
        old_list = _file(options["list"]) if options["list"] else None
        changeover = services.receive(history, by, old_list, options["day"], options["period"])
        working.perform(changeover.pk)
        return self._report(changeover)

    def _report(self, changeover: Changeover) -> Changeover:
        changeover.refresh_from_db()
        for year in changeover.totals.get("years", []):
            points = format_points(year["points"], LANGUAGE)
            self.stdout.write(
                f"{year['year']}: {format_whole(year['awards'], LANGUAGE)} awards of "
                f"{format_whole(year['players'], LANGUAGE)} players, {points} points"
            )
        self.stdout.write(f"In the ledger already: {format_whole(changeover.same, LANGUAGE)} awards")
        for group in wording.groups_of(changeover)[:SHOWN]:
            for item in group["items"][:SHOWN]:
                self.stdout.write(f"{group['severity']}: {item['place']}: {item['message']} {item['remedy']}")
        if changeover.list_day:
            self.stdout.write(f"Differences from the list: {format_whole(changeover.differences, LANGUAGE)}")
        for row in queries.with_players(changeover.balances.all()[:SHOWN]):
            stated, computed = (
                "—" if row[key] is None else format_points(row[key], LANGUAGE)
                for key in ("stated", "computed")
            )
            self.stdout.write(f"  {row['number']}: list {stated}, files {computed}")
        self.stdout.write(f"Page: {changeover.get_absolute_url()}")
        return changeover

    def _apply(self, changeover: Changeover, by: User, options: dict[str, Any]) -> None:
        result = services.apply(
            changeover.pk,
            by,
            changeover.digest,
            accept_differences=options["accept_differences"],
            reason=options["reason"],
            evidence=options["document"],
        )
        if isinstance(result, Proposal):
            self.stdout.write(f"A second person has to approve it: {result.get_absolute_url()}")
            return
        working.perform(changeover.pk)
        changeover.refresh_from_db()
        if not changeover.is_applied:
            raise CommandError(f"nothing was posted: {changeover.refusal or changeover.error}")
        self.stdout.write(f"Posted: {format_whole(changeover.number, LANGUAGE)} awards")


def _file(path: Path) -> services.File:
    try:
        return services.File(path.name, path.read_bytes())
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
