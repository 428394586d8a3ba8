"""Measure tasks of the product beside libraries of others that do a similar task, in turns.

    python -m benchmarks.peers [tournaments [players]]

The libraries are installed in a virtual environment of their own (requirements-peers.txt). Those that cannot
be installed are named and left out. The tasks:

* a stored history of Go tournaments (`go_history.fill`, SQLite): computing all ratings and comparing them
  with those stored, as the product's replays and audits do; against reading the same games and rating them
  with elote's plain Elo, or with glicko2, and storing nothing. These libraries compute other formulas;
* the strengths of 2,000 contestants, without building the matrix; against SciPy's conjugate gradients;
* reading a USEBIO file of 120 pairs into results; against lxml, which only builds the tree;
* reading a PBN file of boards into results; against endplay, which reads the deals and contracts.

A run has 1,000 tournaments with 100,000 games. `python -m benchmarks.peers 10000 20000` has a million games.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from random import Random
from statistics import median

from .timing import line, seconds

TOURNAMENTS, PLAYERS, ROUNDS = 1_000, 2_000, 3
REQUIREMENTS = Path(__file__).with_name("requirements-peers.txt")
TASKS = Path(__file__).with_name("peer_tasks.py")
ELOTE_BAR = 2.0
PBN_BOARDS, PBN_PAIRS = 36, 24


class Peers:
    """The environment in which the libraries of others are installed."""

    def __init__(self, folder: Path) -> None:
        self.python = folder / "bin/python"
        if not self.python.exists():
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        self.missing: set[str] = set()
        for requirement in REQUIREMENTS.read_text().splitlines():
            if requirement and not requirement.startswith("#"):
                command = [self.python, "-m", "pip", "install", "--quiet", requirement]
                if subprocess.run(command, check=False, capture_output=True).returncode:
                    self.missing.add(requirement.partition("==")[0])

    def seconds(self, task: str, file: Path) -> float | None:
        """Return the seconds of a task on a file, or None if it failed."""
        command = [self.python, TASKS, task, str(file)]
        output = subprocess.run(command, check=False, capture_output=True, text=True)
        return None if output.returncode else json.loads(output.stdout)

    def compare(
        self, label: str, task: str, file: Path, ours: Callable[[], object], bar: float | None = None
    ) -> None:
        """Run a task of the product and one of a library in turns, and print both and their ratio.

        bar: how many times as long the product may take
        """
        own, theirs = [], []
        for _round in range(ROUNDS):
            own.append(seconds(ours))
            theirs.append(self.seconds(task, file))
        line(f"{label}: the product", f"{median(own):.3f} s")
        measured = [value for value in theirs if value is not None]
        if not measured:
            line(f"{label}: {task}", "not installed" if self.missing else "failed")
            return
        ratio = median(own) / median(measured)
        line(f"{label}: {task}", f"{median(measured):.3f} s")
        limit = f"at most {bar:.0f}" if bar else ""
        line(f"{label}: the product : {task}", f"{ratio:.2f}", limit, ratio <= bar if bar else None)


def compare_ratings(peers: Peers, folder: Path, tournaments: int, players: int) -> None:
    """Compare deriving a stored history of ratings."""
    from django.core.management import call_command

    from scoring.ratings.models import RatingGame, RatingReplay
    from scoring.ratings.services import replays

    from .go_history import fill

    call_command("migrate", verbosity=0)
    fill(tournaments, players)
    replays.replay(RatingReplay.objects.create(since=date.min).pk)
    file, label = folder / "peers.sqlite3", f"{RatingGame.objects.count():,} games"

    def derive() -> None:
        assert sum(1 for _difference in replays.differences(date.min)) == 0

    peers.compare(label, "elote", file, derive, ELOTE_BAR)
    peers.compare(label, "glicko2", file, derive)


def compare_strength(peers: Peers, folder: Path) -> None:
    """Compare solving the equations of the strengths of opponents."""
    import numpy as np

    from scoring.regulations.strength.graph import Meetings, components
    from scoring.regulations.strength.solve import centred, fixed_point

    from .strength import CONTESTANTS, session

    ns, ew, mean = session(np.random.default_rng(11))
    meetings = Meetings.of(CONTESTANTS, ns, ew)
    component = components(meetings)
    sigma = centred(mean, meetings, component)
    names = ("row", "opponent", "boards", "played")
    np.savez(folder / "cg.npz", sigma=sigma, **{name: getattr(meetings, name) for name in names})
    solve = lambda: fixed_point(sigma, meetings, component)  # noqa: E731
    solve()
    peers.compare(f"strengths of {CONTESTANTS:,}", "cg", folder / "cg.npz", solve)


def compare_reading(peers: Peers, folder: Path) -> None:
    """Compare reading files of results."""
    from scoring.demo.files import usebio_bytes
    from scoring.demo.session import Entrant, play_session
    from tournaments.formats import read_results

    people = [Entrant(str(20_000 + number), f"Nombre{number} Apellido") for number in range(240)]
    pairs = list(zip(people[::2], people[1::2], strict=True))
    played = play_session(pairs, [0.0] * len(pairs), 27, Random(4))
    usebio = usebio_bytes(played, "Torneo", "Club", "C0001", date(2026, 3, 1), identifier="peers")
    pbn = pbn_bytes(play_session(pairs[:PBN_PAIRS], [0.0] * PBN_PAIRS, PBN_BOARDS, Random(4)))
    for name, task, data in (("torneo.xml", "lxml", usebio), ("torneo.pbn", "endplay", pbn)):
        (folder / name).write_bytes(data)
        result = read_results(name, data)
        assert result.boards, result.issues
        label = f"{name}, {len(data) / 1e3:,.0f} kB, {len(result.boards):,} results"
        peers.compare(label, task, folder / name, lambda: read_results(name, data))  # noqa: B023


def pbn_bytes(played) -> bytes:
    """Format a session as a PBN file, with its deals and the results of all tables."""
    columns = r"PairId_NS\2R;PairId_EW\2R;Contract\4L;Declarer\1L;Result\2R;Score_NS\6R"
    parts = ["% PBN 2.1\n% EXPORT\n"]
    for deal in played.deals:
        lines = [line for line in played.travellers if line.board == deal.board]
        first = lines[0].play
        tags = {
            "Event": "Torneo",
            "Date": "2026.03.01",
            "Board": deal.board,
            "Dealer": deal.dealer,
            "Vulnerable": {"none": "None", "both": "All"}.get(deal.vulnerable, deal.vulnerable),
            "Deal": "N:" + " ".join(deal.hands),
            "Declarer": first.declarer,
            "Contract": first.contract.replace("N", "NT"),
            "Result": first.tricks,
        }
        parts += [f'[{name} "{value}"]\n' for name, value in tags.items()]
        parts.append(f'[ScoreTable "{columns}"]\n')
        for row in lines:
            contract = row.play.contract.replace("N", "NT")
            cells = (row.ns, row.ew, contract, row.play.declarer, row.play.tricks, row.score)
            parts.append(" ".join(map(str, cells)) + "\n")
        parts.append("\n")
    return "".join(parts).encode("latin-1")


def main() -> None:
    tournaments, players = (*map(int, sys.argv[1:]), *(TOURNAMENTS, PLAYERS)[len(sys.argv) - 1 :])
    peers = Peers(Path(os.environ.get("BAZA_VAR", "var")).resolve() / "peers")
    with tempfile.TemporaryDirectory(prefix="baza-peers-") as name:
        folder = Path(name)
        os.environ.update(
            DATABASE_URL=f"sqlite:///{folder}/peers.sqlite3", DJANGO_SETTINGS_MODULE="federation.settings"
        )
        import django

        django.setup()
        print(f"Beside other libraries, in turns, median of {ROUNDS} rounds, load {os.getloadavg()[0]:.1f}")
        for missing in sorted(peers.missing):
            line(missing, "not installed")
        compare_strength(peers, folder)
        compare_reading(peers, folder)
        compare_ratings(peers, folder, tournaments, players)


if __name__ == "__main__":
    main()
