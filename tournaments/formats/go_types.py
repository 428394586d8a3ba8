"""What the readers of Go results hand over: players, games, and which of the games can be rated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .types import Issue

# Why a game is not rated; an empty reason is a game that is.
FORFEIT, UNFINISHED, BOTH, NEITHER = "forfeit", "unfinished", "both_win", "both_lose"


@dataclass(frozen=True, slots=True)
class GoPlayer:
    """One row. `grade` is one of 30k to 9d; `rating` the European rating the file gives, "" for none."""

    line: int
    name: str
    grade: str
    pin: str = ""
    country: str = ""
    rating: str = ""


@dataclass(frozen=True, slots=True)
class GoGame:
    """A game of two players, by their positions in the list from 1.

    first: White, who gives `handicap` stones, where `colours` are known; else the one listed first
    score: the first player's, "1", "0.5" or "0"; "" where there is none
    reason: why it is not rated, "" when it is
    """

    round: int
    first: int
    second: int
    score: str
    handicap: int = 0
    colours: bool = True
    reason: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class GoResult:
    """A whole file; `start` and `end` are ISO days or "", `tournament_class` a letter or "".

    code: the European database's code of the tournament, which holds its first day (T260314A), or ""
    """

    format_name: str
    file_name: str
    encoding: str = ""
    name: str = ""
    start: str = ""
    end: str = ""
    tournament_class: str = ""
    players: tuple[GoPlayer, ...] = ()
    games: tuple[GoGame, ...] = ()
    issues: tuple[Issue, ...] = ()
    code: str = ""

    @property
    def has_errors(self) -> bool:
        return any(each.severity == "error" for each in self.issues)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> GoResult:
        return cls(
            **{
                **data,
                "players": tuple(GoPlayer(**each) for each in data["players"]),
                "games": tuple(GoGame(**each) for each in data["games"]),
                "issues": tuple(Issue.from_json(each) for each in data["issues"]),
            }
        )
