"""Read result tables of the European Go Database (.h9) and of the French federation (.tou).

Each row is a player, and each column of results is a round. A result is the number of the opponent's row, a
symbol for the score, and optionally colour and handicap: `12+/w3`. The number is that of the row in the
file, not the printed place, which programs leave blank for ties.

Other columns next to the results, such as tie-break criteria, may look like results. Therefore the reader
finds the longest sequence of results in each row. The most common length of these sequences is the number of
rounds, and only that many results from the end of each sequence are used.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.formats.declaration import Evidence, GoFormat, RawFile
from tournaments.formats.definitions import gettext_noop
from tournaments.formats.go_checks import (
    check_board_size,
    check_games,
    check_players,
    check_rengo,
    grade_steps,
    read_day,
    read_grade,
)
from tournaments.formats.go_types import FORFEIT, NEITHER, UNFINISHED, GoGame, GoPlayer, GoResult
from tournaments.formats.issues import IssueList
from tournaments.formats.text import decode

CODE = "egd"
_MARKS = re.compile(r"^;\s*(?:TC|CL|EV|PC|DT|HA|KM)\[|^;name=", re.MULTILINE)
_ROW = re.compile(r"\s\d{1,2}[kdp]\s.*?\s\d{1,5}(?:[+\-=][!?]?|\?)(?:/[bw]?\d?)?(?:\s|$)", re.IGNORECASE)
_LINES_TRIED, _LINE_TRIED = 40, 400  # lines, and characters of each, that are tried to recognise a table
_HEADER = re.compile(r";\s*([A-Z]{2})\[(.*)\]\s*")
_FRENCH_HEADER = re.compile(r";\s*(name|date|comm|vill|size)\s*=(.*)", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]\d{6}[A-Z]?")
_RESULT = re.compile(r"(\d{1,5})([+\-=?!]{1,3})/?(?:([bw])(\d)?)?", re.IGNORECASE)
_GRADE = re.compile(r"\d{1,2}[kdp]", re.IGNORECASE)
_CUT_GRADE = re.compile(r"[12][0-9]|30")
_PIN = re.compile(r"\|\s*(\d{8})\s*$")
_COUNTRY = re.compile(r"[A-Za-z]{2}")
_SCORES = {"+": "1", "-": "0", "=": "0.5"}
_OPPONENT_SCORES = {"1": "0", "0": "1", "0.5": "0.5"}


@dataclass(frozen=True, slots=True)
class _Token:
    """A player's result in a round.

    text: the result as in the file, for messages
    opponent: the number of the opponent's row, from 1; 0 if there was no opponent
    score: "1", "0.5" or "0"; "" if there is none
    """

    text: str
    opponent: int
    score: str
    forfeit: bool
    unfinished: bool
    colour: str
    handicap: int


# Tables made by hand have "?" for a round without a game.
_UNPLAYED = _Token("?", 0, "", False, True, "", 0)


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    player: GoPlayer
    results: tuple[_Token, ...]


def parse_egd(file_name: str, data: bytes) -> GoResult:
    """Read a Go result table. Problems become issues of the result; no exception is raised."""
    decoded = decode(data)
    issues = IssueList(decoded.issues)
    if decoded.text is None:
        return GoResult(CODE, file_name, issues=issues.done())
    headers, rows = _lines(decoded.text, issues)
    rounds = _rounds(rows)
    for row in rows:
        if len(row.results) < rounds:
            name, count = row.player.name, len(row.results)
            issues.add("go_rounds_differ", line=row.line, name=name, count=count, rounds=rounds)
    players = tuple(row.player for row in rows)
    check_players(players, issues)
    games: tuple[GoGame, ...] = ()
    if not issues.has_errors:
        games = tuple(
            _games([row.results[len(row.results) - rounds :] for row in rows], players, headers, issues)
        )
        check_games(games, players, issues)
    start, end = _dates(headers, issues)
    check_board_size(headers.get("size", ""), issues)
    check_rengo((headers.get(name, "") for name in ("EV", "CM", "name", "comm", "vill")), players, issues)
    letter = headers.get("CL", "").strip().upper()
    code = headers.get("TC", "").strip().upper()
    return GoResult(
        CODE,
        file_name,
        decoded.encoding or "",
        (headers.get("EV") or headers.get("name", "")).strip()[:150],
        start,
        end,
        letter if letter in ("A", "B", "C", "D") else "",
        players,
        games,
        issues.done(),
        code if _CODE.fullmatch(code) else "",
    )


def _lines(text: str, issues: IssueList) -> tuple[dict[str, str], list[_Row]]:
    """Return {key: value} of the header's comments, and the rows of the players."""
    headers: dict[str, str] = {}
    rows: list[_Row] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if match := _HEADER.fullmatch(line.strip()):
            headers.setdefault(match[1], match[2])
        elif match := _FRENCH_HEADER.fullmatch(line.strip()):
            headers.setdefault(match[1].lower(), match[2])
        content = line.partition(";")[0].strip()
        if not content:
            continue
        row = _row(content, number, issues)
        if row is None:
            issues.add("go_row_unreadable", line=number, value=content)
        else:
            rows.append(row)
    return headers, rows


def _row(content: str, line: int, issues: IssueList) -> _Row | None:
    pin = _PIN.search(content)
    words = (content[: pin.start()] if pin else content.partition("|")[0]).split()
    grade_index = next((k for k in range(1, len(words)) if _is_grade(words, k)), None)
    if grade_index is None:
        return None
    names = words[:grade_index]
    if names[0].rstrip(".").isdecimal():
        names = names[1:]
    if not names:
        return None
    name = " ".join(names).replace("_", " ")
    # Of three words nobody knows which are the surname: programs join the words of a name by underscores.
    given_name = names[1].replace("_", " ") if len(names) == 2 else ""
    grade, rest = words[grade_index], words[grade_index + 1 :]
    country = rest[0].upper() if rest and _COUNTRY.fullmatch(rest[0]) else ""
    # In a column of two characters, grades from 10k down lose their letter.
    grade = read_grade(grade + ("k" if grade.isdecimal() else ""), name, line, issues)
    player = GoPlayer(line, name[:120], grade, pin[1] if pin else "", country, given_name=given_name[:120])
    return _Row(line, player, tuple(_longest_run(rest)))


def _is_grade(words: list[str], k: int) -> bool:
    if _CUT_GRADE.fullmatch(words[k]):
        return bool(k + 1 < len(words) and _COUNTRY.fullmatch(words[k + 1]))
    return bool(_GRADE.fullmatch(words[k]))


def _longest_run(words: list[str]) -> list[_Token]:
    """Return the longest sequence of results among the words of a row.

    If several sequences are equally long, return the last one.
    """
    matches = [_RESULT.fullmatch(word) for word in words]
    best, start = range(0), 0
    for k, word in enumerate(words):
        if matches[k] is None and word != "?":
            start = k + 1
        elif k + 1 - start >= len(best):
            best = range(start, k + 1)
    return [_token(match) if (match := matches[k]) else _UNPLAYED for k in best]


def _token(match: re.Match[str]) -> _Token:
    symbols = match[2]
    plain = symbols.strip("!?")
    return _Token(
        match[0],
        int(match[1]),
        _SCORES.get(plain[:1], ""),
        "!" in symbols,
        "?" in symbols,
        (match[3] or "").lower(),
        int(match[4] or 0),
    )


def _rounds(rows: list[_Row]) -> int:
    """Return the most common number of results per row; the lower one if two are equally common."""
    counts = Counter(len(row.results) for row in rows)
    return min(counts, key=lambda count: (-counts[count], count), default=0)


def _games(
    results: Sequence[Sequence[_Token]],
    players: Sequence[GoPlayer],
    headers: dict[str, str],
    issues: IssueList,
) -> list[GoGame]:
    """Return the games. Each game is in the rows of both players; add an issue if the two rows disagree.

    results: the results of each row
    """
    games, rebuilt = [], 0
    reduction = re.fullmatch(r"\s*h(\d)\s*", headers.get("HA", ""), re.IGNORECASE)
    for position, tokens in enumerate(results, start=1):
        for number, token in enumerate(tokens, start=1):
            if not token.opponent:
                continue
            line = players[position - 1].line
            if token.opponent > len(players) or token.opponent == position:
                issues.add("go_unknown_opponent", line=line, value=token.text, round=number)
                continue
            answer = results[token.opponent - 1][number - 1]
            if not _agree(position, token, answer):
                issues.add(
                    "go_not_reciprocal",
                    line=line,
                    value=token.text,
                    round=number,
                    other=players[token.opponent - 1].line,
                    answer=answer.text,
                )
            elif position < token.opponent:
                game = _game(number, position, token, answer, line)
                if reduction and not game.colours and not game.reason:
                    game = _with_handicap(game, players, int(reduction[1]))
                    rebuilt += bool(game.handicap)
                games.append(game)
    if rebuilt:
        issues.add("go_handicap_rebuilt", count=rebuilt)
    return games


def _agree(position: int, token: _Token, answer: _Token) -> bool:
    """Return whether the rows of both players state the same game.

    position: number of the player's row
    token: the result in the player's row
    answer: the result of the same round in the opponent's row
    """
    if answer.opponent != position or token.unfinished != answer.unfinished:
        return False
    both = token.colour and answer.colour
    if both and (token.colour == answer.colour or token.handicap != answer.handicap):
        return False
    # Both players can lose a forfeited game. In any other game, the two scores add up to one.
    both_lose = token.score == answer.score == "0" and (token.forfeit or answer.forfeit)
    no_score = token.score == answer.score == ""
    return both_lose or no_score or _OPPONENT_SCORES.get(token.score) == answer.score


def _game(number: int, position: int, token: _Token, answer: _Token, line: int) -> GoGame:
    colour = token.colour or {"w": "b", "b": "w"}.get(answer.colour, "")
    reason = ""
    if token.forfeit or answer.forfeit:
        reason = NEITHER if token.score == answer.score == "0" else FORFEIT
    elif token.unfinished or not token.score:
        reason = UNFINISHED
    handicap = token.handicap if token.colour else answer.handicap
    first, second, score = position, token.opponent, token.score
    if colour == "b":
        first, second, score = second, first, _OPPONENT_SCORES.get(score, "")
    return GoGame(number, first, second, score, handicap, bool(colour), reason, line)


def _with_handicap(game: GoGame, players: Sequence[GoPlayer], reduction: int) -> GoGame:
    """Return the game with a handicap computed from the players' grades, because the file states none.

    The handicap is the difference of the grades minus `reduction`, from 0 to 9. If it is not 0, `first` of
    the returned game is the player with the higher grade.
    """
    difference = grade_steps(players[game.first - 1].grade) - grade_steps(players[game.second - 1].grade)
    stones = min(max(abs(difference) - reduction, 0), 9)
    first, second, score = game.first, game.second, game.score
    if stones and difference < 0:
        first, second, score = second, first, _OPPONENT_SCORES[score]
    return GoGame(game.round, first, second, score, stones, False, "", game.line)


def _dates(headers: dict[str, str], issues: IssueList) -> tuple[str, str]:
    """Return the first and the last day in the header; "" if missing. French headers have no last day."""
    if "DT" not in headers:
        return read_day(headers.get("date", ""), "date", issues), ""
    days = [read_day(part, "DT", issues) for part in headers["DT"].split(",")]
    return days[0], days[-1]


def _sniff(file: RawFile) -> Evidence:
    """Return how strongly the file indicates a Go result table.

    A table made by hand has no header: most of its lines have a grade and, after it, a result.
    """
    lines = [line for line in file.head.splitlines()[:_LINES_TRIED] if line.strip()]
    rows = sum(bool(_ROW.search(line[:_LINE_TRIED])) for line in lines)
    if _MARKS.search(file.head) or rows > len(lines) / 2:
        return Evidence.MARKS
    return Evidence.EXTENSION if file.extension in (".h9", ".tou") else Evidence.NONE


FORMATS = (
    GoFormat(
        code=CODE,
        name="H9 / TOU",
        extensions=(".h9", ".tou", ".txt"),
        sniff=_sniff,
        read=parse_egd,
        reads=gettext_noop(
            "Result tables of the European Go Database (.h9) and of the French federation (.tou)."
        ),
    ),
)
