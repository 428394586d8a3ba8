"""The stored inputs of a run: one spelling for one event, and its SHA-256."""

from __future__ import annotations

import hashlib
import json

from .eventjson import event_from_json, event_to_json
from .types import Event

__all__ = ["canonical", "digest", "event_from_json", "event_to_json"]


def canonical(event: Event) -> str:
    """The event as ASCII JSON with sorted keys, no spaces and no floats."""
    return json.dumps(event_to_json(event), sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def digest(event: Event) -> str:
    """The SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(event).encode("ascii")).hexdigest()
