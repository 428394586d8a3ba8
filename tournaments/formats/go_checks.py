"""Grades, names and checks that all Go tournaments share."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from . import limits, values
from .go_types import GoGame, GoPlayer, GoResult
from .issues import IssueList
from .types import Issue

_GRADE = re.compile(r"([1-9][0-9]?)([kdp])", re.IGNORECASE)
_RENGO = re.compile(r"\brengo\b|\bpair[\s-]?go\b|\bgo (?:en|por) parejas\b", re.IGNORECASE)
_TWO_NAMES = re.compile(r"\s[&+]\s|/")
_SMALL_BOARDS = ("9", "13")
_PIN = re.compile(r"\d{8}")
_RATING = re.compile(r"-?\d{1,4}")
_MOST_ROUNDS, _MOST_STONES = 99, 9
_MAX_GRADES = {"k": 30, "d": 9, "p": 9}
LONG_DAYS = 60  # a longer tournament probably has a wrong month or year
PROFESSIONAL = "7d"  # the nominal ratings of professionals begin here


@dataclass(frozen=True, slots=True)
class StatedGame:
    """A game as an XML file states it, not checked yet.

    round, handicap, result: texts of the file
    sides: the texts by which the file names White and Black
    outcome: White's score and the reason why the game is not rated, as in `GoGame`; None if the result is
        of no known kind
    """

    line: int
    round: str
    sides: tuple[str, str]
    handicap: str
    result: str
    outcome: tuple[str, str] | None
    colours: bool = True


def read_game(stated: StatedGame, find: Callable[[str], int | None], issues: IssueList) -> GoGame | None:
    """Return the game. If it is impossible, add an issue and return None.

    find: returns the position of the player whom the file names by a text; None if there is no such player
    """
    if not _is_number(stated.round, 1, _MOST_ROUNDS):
        issues.add("go_bad_game", stated.line, "roundNumber", stated.round, round=stated.round)
        return None
    if stated.outcome is None or not _is_number(stated.handicap, 0, _MOST_STONES):
        value = stated.result if stated.outcome is None else stated.handicap
        issues.add("go_bad_game", stated.line, "result", value, round=stated.round)
        return None
    white, black = (find(name) for name in stated.sides)
    for side, name, position in zip(
        ("whitePlayer", "blackPlayer"), stated.sides, (white, black), strict=True
    ):
        if position is None:
            issues.add("go_unknown_player", stated.line, side, name, round=stated.round)
    if white is None or black is None:
        return None
    number, stones, (score, reason) = int(stated.round), int(stated.handicap), stated.outcome
    return GoGame(number, white, black, score, stones, stated.colours, reason, stated.line)


def _is_number(text: str, least: int, most: int) -> bool:
    return text.isdecimal() and least <= int(text[:5]) <= most


def pin_or_blank(text: str) -> str:
    """Return a PIN of the European Go Database, which has eight digits; "" for any other text."""
    return text.strip() if _PIN.fullmatch(text.strip()) else ""


def rating_or_blank(text: str) -> str:
    """Return a rating, a whole number; "" for any other text."""
    return text.strip() if _RATING.fullmatch(text.strip()) else ""


def name_key(text: str) -> str:
    """Return a name for comparison, without accents, blanks or case. Turkish letters become Latin ones."""
    plain = unicodedata.normalize("NFKD", text.replace("ı", "i").replace("İ", "I"))
    return "".join(
        char for char in plain if not unicodedata.combining(char) and not char.isspace()
    ).casefold()


def is_grade(text: str) -> bool:
    """Return whether the text is a Go grade: 30k to 1k (kyu), 1d to 9d (dan), or 1p to 9p (professional)."""
    match = _GRADE.fullmatch(text.strip())
    return match is not None and int(match[1]) <= _MAX_GRADES[match[2].lower()]


def read_grade(text: str, name: str, line: int, issues: IssueList) -> str:
    """Return a Go grade in lower case, such as 12k or 5d. A professional's grade counts as 7d.

    If the grade is invalid, add an issue and return "".
    """
    if not is_grade(text):
        issues.add("go_bad_grade", line=line, field="grade", value=text, name=name)
        return ""
    grade = text.strip().lower()
    if grade.endswith("p"):
        issues.add("go_professional", line=line, field="grade", value=text, name=name)
        return PROFESSIONAL
    return grade


def read_day(text: str, field: str, issues: IssueList) -> str:
    """Return a day as ISO text.

    For a blank day return "". For an unreadable day add an issue and return "".
    """
    day = values.date_text(text)
    if day is None:
        issues.add("go_bad_date", field=field, value=text.strip())
    return day or ""


def check_board_size(text: str, issues: IssueList) -> None:
    """Add a warning if the games were played on a small board, because such games are not rated."""
    if text.strip() in _SMALL_BOARDS:
        issues.add("go_board_size", field="size", value=text.strip())


def is_rengo(text: str) -> bool:
    """Return whether the text mentions rengo or pair go, played by two against two."""
    return bool(_RENGO.search(text))


def check_rengo(texts: Iterable[str], players: Sequence[GoPlayer], issues: IssueList) -> None:
    """Add a warning if the tournament seems to be rengo, which is not rated.

    It does if one of the texts mentions rengo, or if most entries in the list of players name two people.
    """
    text = next(filter(is_rengo, texts), "")
    double_names = [player.name for player in players if _TWO_NAMES.search(player.name)]
    if text or len(double_names) > len(players) / 2:
        issues.add("go_rengo", value=text or double_names[0])


def grade_steps(grade: str) -> int:
    """Return the number of grades that a grade is above 1k: 0 for 1k, 1 for 1d, -1 for 2k.

    The handicap of a game is computed from the difference between the two players' results of this function.
    """
    number = int(grade[:-1])
    return number if grade.endswith("d") else 1 - number


def check_players(players: Sequence[GoPlayer], issues: IssueList) -> None:
    """Add issues for too many players or none, for players listed twice, and for missing PINs."""
    if len(players) > limits.RESULT_ENTRIES:
        issues.add("too_many_entries", count=len(players), limit=limits.RESULT_ENTRIES)
    if not players and not issues.has_errors:
        issues.add("go_no_players")
    first_lines: dict[tuple[str, str], int] = {}
    for player in players:
        key = (player.pin, "") if player.pin else (name_key(player.name), player.country)
        if key in first_lines:
            params = {"value": player.pin or player.name, "first": first_lines[key]}
            issues.add("go_listed_twice", line=player.line, field="player", **params)
        first_lines.setdefault(key, player.line)
    if missing := sum(not player.pin for player in players):
        issues.add("go_no_pin", count=missing)


def check_games(games: Iterable[GoGame], players: Sequence[GoPlayer], issues: IssueList) -> None:
    """Add issues for impossible games, for unrated games, and for a tournament without rated games.

    It is impossible that a player has two games in a round, or plays against themselves.
    """
    first_games: dict[tuple[int, int], GoGame] = {}
    unrated = rated = 0
    for game in games:
        for position in (game.first, game.second):
            first = first_games.setdefault((game.round, position), game)
            if first is not game:
                name = players[position - 1].name
                issues.add("go_played_twice", line=game.line, name=name, round=game.round, first=first.line)
        if game.first == game.second:
            name = players[game.first - 1].name
            issues.add("go_bad_game", line=game.line, field="opponent", value=name, round=game.round)
        unrated, rated = unrated + bool(game.reason), rated + (not game.reason)
    if unrated:
        issues.add("go_not_rated", count=unrated)
    if not rated and not issues.has_errors:
        issues.add("go_no_games")


def check_event(result: GoResult, name: str, start: date, end: date) -> tuple[Issue, ...]:
    """Return warnings if the name indicates rengo, or if the dates seem wrong.

    name, start, end: from the form, or from the file if the form leaves them blank
    """
    issues = IssueList()
    if is_rengo(name) and not any(item.code == "go_rengo" for item in result.issues):
        issues.add("go_rengo", value=name)
    if not result.end and result.start == end.isoformat():
        issues.add("go_one_day", day=result.start)
    days = (end - start).days + 1
    if days > LONG_DAYS:
        issues.add("go_long", count=days)
    if result.code and result.code[1:7] != f"{start:%y%m%d}":
        issues.add("go_code_differs", value=result.code)
    return issues.done()
