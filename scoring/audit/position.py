"""How far an audit has come: the last items checked, the counts and the differences so far."""

import json
import os
from collections import Counter
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder

from scoring.audit import files as verify_files
from scoring.audit import go as verify_go
from scoring.audit import verify


@dataclass
class Position:
    """How far an audit has come, so that it can be resumed: the last items checked, counts and differences.

    A position is stored as JSON with these fields.
    """

    since: str | None = None
    last: int = 0
    tournaments: int = 0
    runs: int = 0
    awards: int = 0
    go_last: verify_go.Position | None = None  # of the last Go tournament that was checked
    go_tournaments: int = 0
    ratings: int = 0
    games: int = 0
    ranking: int = 0  # id of the last ranking with boards that was checked
    rankings: int = 0
    results: int = 0
    file: UUID = verify_files.FIRST  # id of the last upload that was checked
    further: int = 0
    go_file: UUID = verify_files.FIRST
    files: int = 0
    deleted: int = 0  # number of files that retention has deleted
    read_last: int = 0  # id of the last ranking that was read again
    read_again: int = 0
    unread: dict[str, int] = field(default_factory=dict)  # number of rankings not read again, by reason
    log_next: int = 0  # index of the next leaf of the log to check
    leaves: int = 0
    differences: list[dict] = field(default_factory=list)

    @property
    def rankings_done(self) -> int:
        """The number of rankings processed, whether their file was read again or could not be."""
        return self.read_again + sum(self.unread.values())

    def add(self, last: str, batch: verify.Batch) -> None:
        """Add the counts and differences of a batch, and store the last item checked.

        last: name of the field in which the last item is stored
        """
        setattr(self, last, batch.last)
        for name, number in batch.counts.items():
            setattr(self, name, getattr(self, name) + number)
        self.unread = dict(batch.unread + Counter(self.unread))
        self.differences += map(asdict, batch.differences)

    def save(self, path: Path) -> None:
        """Replace the file atomically, so that a crash leaves either the old or the new position."""
        fresh = path.with_name(f"{path.name}.new")
        fresh.write_text(self.as_json())
        os.replace(fresh, path)

    @classmethod
    def load(cls, values: dict[str, Any]) -> "Position":
        """Return the position that was stored as JSON.

        Raises LookupError, TypeError, ValueError or AttributeError if it is none.
        """
        position = cls(**values)
        position.file, position.go_file = UUID(str(position.file)), UUID(str(position.go_file))
        if position.go_last:
            day, pk = position.go_last
            position.go_last = date.fromisoformat(str(day)), pk
        return position

    def as_json(self) -> str:
        """Return the position as JSON."""
        return json.dumps(asdict(self), cls=DjangoJSONEncoder)
