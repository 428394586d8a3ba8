"""Digests of a draft, by which a page that was opened earlier is known to be older than the draft."""

import hashlib
import json
from typing import Any

from tournaments.formats.types import ParsedResult
from tournaments.models import ResultUpload

from .drafts import Draft
from .people import seats_of


def version_of(upload: ResultUpload) -> str:
    """Changes whenever somebody changes the draft. Results of boards change with the ranking only."""
    parsed = {name: value for name, value in upload.parsed.items() if name != "boards"}
    return _digest(
        json.dumps([upload.club_id, upload.details, upload.accepted_codes, parsed], sort_keys=True)
    )


def people_version_of(upload: ResultUpload) -> str:
    """Changes when other people are on the seats, so that a seat of an old page may be somebody else's."""
    entries = ParsedResult.from_json({**upload.parsed, "boards": ()}).entries
    return _digest([(seat, person.name, line) for seat, person, line in seats_of(entries)])


def warnings_version(draft: Draft) -> str:
    """Changes with the warnings, so that a tick of an old page may be for another text."""
    return _digest(sorted((tick, [repr(each) for each in found]) for tick, found in draft.by_tick.items()))


def _digest(state: Any) -> str:
    text = state if isinstance(state, str) else repr(state)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
