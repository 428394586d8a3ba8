"""Mark notices as seen, and return or delete what is stored about an account."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scoring.letters.choices import choices_of
from scoring.letters.composing import texts_of
from scoring.letters.models import Choice, Letter, Notice, Reader


def see(account: User, until: int) -> None:
    """Mark an account's notices up to this id as seen."""
    Notice.objects.filter(account=account, pk__lte=until, seen_at=None).update(seen_at=timezone.now())


def export(account: User) -> dict[str, Any]:
    """Return what is stored about an account as JSON values: its notices, choices, letters and language."""
    notices = list(Notice.objects.filter(account=account).order_by("pk"))
    texts = texts_of(account, notices)
    letters = Letter.objects.filter(account=account).order_by("pk")
    reader = Reader.objects.filter(account=account).first()
    return {
        "language": reader.language if reader else None,
        "refused_address": reader.refused if reader else "",
        "choices": choices_of(account),
        "notices": [
            {
                "kind": notice.kind,
                "made_at": notice.made_at.isoformat(),
                "seen_at": notice.seen_at and notice.seen_at.isoformat(),
                "text": [texts[notice.pk].subject, *texts[notice.pk].paragraphs]
                if notice.pk in texts
                else [],
                "data": notice.data,
            }
            for notice in notices
        ],
        "letters": [
            {
                "kind": letter.kind,
                "state": letter.state,
                "created_at": letter.created_at.isoformat(),
                "finished_at": letter.finished_at and letter.finished_at.isoformat(),
            }
            for letter in letters
        ],
    }


@transaction.atomic
def erase(account: User) -> None:
    """Delete an account's notices, choices, letters and language."""
    for model in (Letter, Notice, Choice, Reader):
        model.objects.filter(account=account).delete()
