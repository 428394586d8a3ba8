"""Run the command `verify` in tests, as an auditor does."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone

from scoring.ledger.services.posting import OpeningRow, post_opening
from scoring.office.models import ListPart, OfficeImport


def bring_in(rows: Iterable[OpeningRow], office: User) -> None:
    """Post awards from before, as an imported list of the office does."""
    list_openings(post_opening(rows, office), office)


def list_openings(entries: Iterable[int], office: User) -> None:
    """Store the imported list that posted these openings."""
    batch = OfficeImport.objects.create(kind="opening", created_by=office, applied_at=timezone.now())
    ListPart.objects.create(batch=batch, position=1, written={"created": list(entries)})


def run_audit(*arguments: str) -> tuple[list[str], str]:
    """Run `verify`. Return the lines of its output and its result.

    The result is "equal", or the exit status with the error message.
    """
    out, err = StringIO(), StringIO()
    try:
        call_command("verify", *arguments, stdout=out, stderr=err)
        text = "equal"
    except CommandError as error:
        text = f"{error.returncode}: {error}"
    return out.getvalue().splitlines(), text


@contextmanager
def read_only_database() -> Iterator[None]:
    """Make the database refuse all writes inside the context."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET TRANSACTION READ ONLY")  # applies until the savepoint ends
            yield
        else:
            cursor.execute("PRAGMA query_only = ON")
            try:
                yield
            finally:
                cursor.execute("PRAGMA query_only = OFF")


class ResumedAudit(NamedTuple):
    """The observations of an audit that was interrupted and resumed.

    left: content, after the interruption, of the file that stores the audit's position
    resumed_with: arguments with which the resumed audit called `batches`
    lines, ending: what `run_audit` returned for the resumed audit
    """

    left: dict[str, Any]
    resumed_with: tuple
    lines: list[str]
    ending: str


def resumed_audit(checking: ModuleType, folder: Path, monkeypatch) -> ResumedAudit:
    """Interrupt an audit after two batches, resume it, and return what was observed.

    Assert that the resumed audit deletes the file that stores its position.

    checking: module of the audit, whose function `batches` is interrupted
    folder: where the audit stores its position
    """
    position, real = folder / "position.json", checking.batches
    how = "--batch", "1", "--resume", str(position)

    def interrupted(*arguments):
        yield from list(real(*arguments))[:2]
        raise KeyboardInterrupt

    monkeypatch.setattr(checking, "batches", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_audit(*how)
    left, resumed_with = json.loads(position.read_text()), []
    monkeypatch.setattr(
        checking, "batches", lambda *arguments: resumed_with.append(arguments) or real(*arguments)
    )
    lines, text = run_audit(*how)
    assert not position.exists()
    return ResumedAudit(left, resumed_with[0], lines, text)
