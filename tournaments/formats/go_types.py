"""The output of the readers of Go results: players and games."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from .types import HasIssues, Issue

# Reasons for which a game is not rated. A rated game has a blank reason.
FORFEIT, UNFINISHED, BOTH, NEITHER = "forfeit", "unfinished", "both_win", "both_lose"


@dataclass(frozen=True, slots=True)
class GoPlayer:
    """A player in the file of a Go tournament.

    grade: from 30k to 9d
    rating: the European rating stated in the file; "" if there is none
    """

    line: int
    name: str
    grade: str
    pin: str = ""
    country: str = ""
    rating: str = ""


@dataclass(frozen=True, slots=True)
class GoGame:
    """A game of two players.

    first, second: the players' positions in the file's list of players, from 1
    colours: if true, the first player has White and gives `handicap` stones; if false, colours are unknown
    score: the first player's score: "1", "0.5", "0", or "" if there is none
    reason: why the game is not rated; "" if it is rated
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
class GoResult(HasIssues):
    """A parsed file. Unknown texts are "".

    start, end: ISO days
    tournament_class: a letter from A to D
    code: the tournament's code in the European Go Database, which contains its first day (T260314A)
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

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(
            **{
                **data,
                "players": tuple(GoPlayer(**item) for item in data["players"]),
                "games": tuple(GoGame(**item) for item in data["games"]),
                "issues": tuple(Issue.from_json(item) for item in data["issues"]),
            }
        )
