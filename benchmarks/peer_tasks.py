"""The tasks of the libraries that `peers.py` compares with, run in their own environment without the project.

    python peer_tasks.py TASK FILE

Prints the seconds of the task as JSON, without the time to import the library.
"""

import json
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

GAMES = """SELECT game.tournament_id, a.player_id, b.player_id, game.half_points
           FROM ratings_ratinggame game
           JOIN ratings_ratingentrant a ON a.id = game.first_id
           JOIN ratings_ratingentrant b ON b.id = game.second_id
           JOIN ratings_ratingtournament event ON event.id = game.tournament_id
           WHERE game.rated ORDER BY event.end_date, event.id, game.id"""
START = 1500


def games(file: str) -> Iterator[tuple[int, int, int, float]]:
    """Yield (tournament, first player, second player, score of the first) of the stored games, in order."""
    with sqlite3.connect(file) as database:
        for tournament, first, second, half_points in database.execute(GAMES):
            yield tournament, first, second, half_points / 2


def elote(file: str) -> Callable[[], object]:
    """Rate every stored game with elote's plain Elo."""
    from elote import EloCompetitor

    def task() -> None:
        players: dict[int, EloCompetitor] = {}
        for _tournament, first, second, score in games(file):
            one = players.setdefault(first, EloCompetitor(initial_rating=START))
            other = players.setdefault(second, EloCompetitor(initial_rating=START))
            if score == 0.5:
                one.tied(other)
            elif score:
                one.beat(other)
            else:
                other.beat(one)

    return task


def glicko2(file: str) -> Callable[[], object]:
    """Rate all stored tournaments with glicko2. Each tournament is a rating period."""
    from glicko2 import Player

    def task() -> None:
        players: dict[int, Player] = {}
        period: dict[int, list[tuple[int, float]]] = {}
        current = None
        for tournament, first, second, score in games(file):
            if tournament != current:
                rate(players, period)
                current = tournament
            for player, opponent, points in ((first, second, score), (second, first, 1 - score)):
                players.setdefault(player, Player())
                period.setdefault(player, []).append((opponent, points))
        rate(players, period)

    def rate(players: dict[int, Player], period: dict[int, list[tuple[int, float]]]) -> None:
        before = {player: (players[player].rating, players[player].rd) for player in period}
        for player, results in period.items():
            ratings, deviations = zip(*(before[opponent] for opponent, _points in results), strict=True)
            players[player].update_player(list(ratings), list(deviations), [points for _o, points in results])
        period.clear()

    return task


def cg(file: str) -> Callable[[], object]:
    """Solve the equations of the strengths of a session with SciPy's conjugate gradients."""
    import numpy
    from scipy.sparse import csr_array, diags_array
    from scipy.sparse.linalg import cg as solve

    data = numpy.load(file)
    size = len(data["played"])
    met = csr_array((data["boards"], (data["row"], data["opponent"])), shape=(size, size))
    matrix, right = csr_array(diags_array(data["played"]) - met), data["played"] * data["sigma"]

    def task() -> None:
        _solution, info = solve(matrix, right, rtol=1e-12)
        assert info == 0

    return task


def lxml(file: str) -> Callable[[], object]:
    """Parse an XML file into a tree, and do nothing with it."""
    from lxml import etree

    return lambda: etree.fromstring(Path(file).read_bytes())


def endplay(file: str) -> Callable[[], object]:
    """Read the boards of a PBN file."""
    from endplay.parsers import pbn

    def task() -> None:
        with open(file, encoding="latin-1") as text:
            assert pbn.load(text)

    return task


def main() -> None:
    name, file = sys.argv[1:]
    task = {"elote": elote, "glicko2": glicko2, "cg": cg, "lxml": lxml, "endplay": endplay}[name](file)
    started = time.perf_counter()
    task()
    if name in ("cg", "lxml"):  # short: the first time warms up
        started = time.perf_counter()
        task()
    print(json.dumps(time.perf_counter() - started))


if __name__ == "__main__":
    main()
