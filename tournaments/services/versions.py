"""Digests of a draft, to detect that a page was opened before the draft changed."""

import hashlib
import json
from typing import Any

from tournaments.formats.types import ParsedResult
from tournaments.models import ResultUpload

from .drafts import Draft
from .people import seats_of


def version_of(upload: ResultUpload) -> str:
    """Return a digest of the draft. Board results are left out, because they only change with the ranking."""
    parsed = {name: value for name, value in upload.parsed.items() if name != "boards"}
    return _digest(json.dumps([upload.club_id, upload.details, upload.ticks, parsed], sort_keys=True))


def people_version_of(upload: ResultUpload) -> str:
    """Return a digest of the person in each seat, to detect a page that shows a seat with another person."""
    entries = ParsedResult.from_json({**upload.parsed, "boards": ()}).entries
    return _digest([(seat, person.name, line) for seat, person, line in seats_of(entries)])


def ranking_version(draft: Draft) -> str:
    """Return a digest of the ranking and the layout of its form, to detect an outdated form."""
    return _digest((draft.entries, draft.known.format, draft.known.ranking))


def warnings_version(draft: Draft) -> str:
    """Return a digest of the warnings, to detect that a tick was meant for a warning that has changed."""
    return _digest(
        sorted((tick, [repr(issue) for issue in issues]) for tick, issues in draft.by_tick.items())
    )


def _digest(state: Any) -> str:
    text = state if isinstance(state, str) else repr(state)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
