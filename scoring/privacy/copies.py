"""Make the zip file with everything about a person. A worker makes it; it is kept for some days."""

import json
import zipfile
from datetime import date, timedelta
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from players.models import Consent
from players.services import limits
from scoring.ledger.models.work import RUNNING
from scoring.ledger.services import queue
from scoring.letters.models import Reader
from scoring.privacy.models import DataCopy
from scoring.privacy.person import Person, of_account
from scoring.privacy.sections import SECTIONS
from scoring.privacy.spreadsheet import csv_of

State = DataCopy.State
LIMIT = limits.Limit(free=3, first=timedelta(minutes=10), longest=timedelta(days=1))
LEASE = queue.LONGEST_LEASE


def ask(account: Any) -> DataCopy:
    """Ask for a copy of the account's data, and return it. One that is under way is returned instead.

    Raises `limits.TooSoon` after several copies.
    """
    if under_way := latest(account, (State.PENDING, State.RUNNING)):
        return under_way
    limits.take({f"data copies of {account.pk}": LIMIT})
    try:
        with transaction.atomic():
            copy = DataCopy.objects.create(account=account)
            if player := of_account(account).player:
                Consent.objects.create(player=player, kind=Consent.Kind.COPY, by=account)
    except IntegrityError:  # asked for by two clicks at once
        return DataCopy.objects.get(account=account, state__in=(State.PENDING, State.RUNNING))
    queue.enqueue_on_commit(copy)
    return copy


def latest(account: Any, states: tuple[str, ...] = tuple(State.values)) -> DataCopy | None:
    """Return the account's latest copy in one of the states, without its content."""
    return DataCopy.objects.filter(account=account, state__in=states).defer("content").first()


def make(copy_id: int) -> None:
    """Make a copy that waits. The work of `DataCopy`; safe to repeat."""
    queue.work_on(DataCopy, copy_id, LEASE, _make)


def _make(copy: DataCopy) -> None:
    content = zip_of(of_account(copy.account), lambda done: _note(copy, done))
    queue.finish(copy, content=content)


def _note(copy: DataCopy, done: int) -> None:
    queue.renew(copy, LEASE, done=done, total=len(SECTIONS))


def zip_of(person: Person, note=lambda done: None) -> bytes:
    """Return a zip file with a JSON and a CSV file of each section, and a page that says what they are.

    note: function called with the number of finished sections
    """
    reader = Reader.objects.filter(account=person.account).first()
    target, everything, listed = BytesIO(), {}, []
    with (
        translation.override(reader.language if reader else settings.LANGUAGE_CODE),
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file,
    ):
        for number, section in enumerate(SECTIONS, start=1):
            rows = section.rows(person)
            everything[section.name] = rows
            listed.append((section.name, str(section.about), len(rows)))
            if rows:
                file.writestr(f"csv/{section.name}.csv", csv_of(section, rows))
            note(number)
        text = json.dumps(everything, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        file.writestr("datos.json", text)
        context = {"sections": listed, "day": timezone.localdate(), "federation": settings.FEDERATION_NAME}
        file.writestr(_("README.txt"), render_to_string("privacy/copy.txt", context))
    return target.getvalue()


def delete_old(day: date) -> None:
    """Delete the copies that were made more than `KEEP_DATA_COPIES` ago."""
    limit = queue.now() - settings.KEEP_DATA_COPIES
    DataCopy.objects.filter(created_at__lt=limit).exclude(state=RUNNING).delete()
