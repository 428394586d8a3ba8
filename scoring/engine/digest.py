"""The SHA-256 digest of a stored event (the engine's input), computed from canonical JSON."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def digest(stored: dict[str, Any]) -> str:
    """Return the hexadecimal digest of an event's canonical JSON: ASCII, sorted keys, no spaces."""
    text = json.dumps(stored, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
