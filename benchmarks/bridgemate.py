"""Measure reading a Bridgemate database of 24 pairs: from its bytes to the ranking.

    python -m benchmarks.bridgemate [rounds]

The child process of the sandbox reads it with mdbtools, and the boards are scored in this process. It is
compared with reading a small CSV file in the same sandbox: what is left of the difference is mdbtools, the
rows and the scoring.
"""

import sys

from .timing import alternate, line

ROUNDS, TABLES, BOARDS, BAR = 9, 12, 2, 1.0


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    from scoring.uploads.scored_boards import score_boards
    from tests.tournaments.formats import makers
    from tests.tournaments.formats.bridgemates import mitchell
    from tournaments.formats.sandbox import read_results_safely
    from tournaments.services.scorings import MATCHPOINTS

    data, table = mitchell(TABLES, BOARDS).data(), makers.csv_table(makers.PAIRS_TABLE)
    parsed = read_results_safely("martes.bws", data)
    assert len(parsed.entries) == 2 * TABLES, parsed.issues
    times = alternate(
        rounds,
        small=lambda: read_results_safely("martes.csv", table),
        scoring=lambda: score_boards(parsed, MATCHPOINTS),
        whole=lambda: score_boards(read_results_safely("martes.bws", data), MATCHPOINTS),
    )
    print(f"A database of {2 * TABLES} pairs and {len(parsed.boards)} results, {rounds} rounds")
    line("a small CSV file in the sandbox", f"{times['small'] * 1e3:.0f} ms")
    line("scoring the boards", f"{times['scoring'] * 1e3:.0f} ms")
    line("bytes to ranking", f"{times['whole'] * 1e3:.0f} ms", f"under {BAR:.0f} s", times["whole"] < BAR)
    line("times a small CSV file", f"{times['whole'] / times['small']:.2f}")


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    django.setup()
    main()
