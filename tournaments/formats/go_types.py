"""The output of the readers of Go results: players and games."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from .types import HasIssues, Issue

# Reasons for which a game is not rated. A rated game has a blank reason.
FORFEIT, UNFINISHED, BOTH, NEITHER = "forfeit", "unfinished", "both_win", "both_lose"


def natural_name(name: str, given_name: str) -> str:
    """Return a name as the site writes names, the given name first.

    name: as Go files write it, the surname first
    given_name: the end of `name`; "" if unknown, then `name` is returned as it is
    """
    surname = name.removesuffix(given_name).strip() if given_name else ""
    return f"{given_name} {surname}" if surname else name


@dataclass(frozen=True, slots=True)
class GoPlayer:
    """A player in the file of a Go tournament.

    name: as Go files write it, the surname first
    given_name: the part of the name that stands last in it; "" if the file does not tell it apart
    grade: from 30k to 9d
    rating: the European rating stated in the file; "" if there is none
    """

    line: int
    name: str
    grade: str
    pin: str = ""
    country: str = ""
    rating: str = ""
    given_name: str = ""

    @property
    def natural_name(self) -> str:
        """The name with the given name first, as pages show it."""
        return natural_name(self.name, self.given_name)


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
