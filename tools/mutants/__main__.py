"""`make mutants`: change one small thing in the code at a time, and see whether a test fails.

A seeded sample of mutants is tried in two copies of the project; the working tree is not changed. Results are
stored in `var/mutants/`, so that a run that was stopped, or whose time is over, can be continued. See
docs/mutants.md.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tools.mutants import trial
from tools.mutants.mutations import ROOMS, ROOT, Mutant, mutants, sampled

MINUTES = (
    "begin no mutant later than this after the start; the next run continues. The recording of the tests, "
    "which comes before the first mutant of all, is not cut short and may take longer"
)
EXPLAINED = Path(__file__).parent / "explained.txt"
RESULTS = ROOT / "var" / "mutants" / "results.jsonl"


def explained() -> set[str]:
    """Return the keys of the mutants listed in explained.txt.

    The file lists mutants that no test could notice, because they do not change what the code does. Its lines
    that begin with # give the reason for the keys below them.
    """
    lines = EXPLAINED.read_text(encoding="utf-8").splitlines()
    return {line.strip() for line in lines if line.strip() and not line.startswith("#")}


def stored_results() -> dict[str, str]:
    """Return {mutant's key: its latest outcome} of all mutants tried so far."""
    lines = RESULTS.read_text(encoding="utf-8").splitlines() if RESULTS.exists() else []
    return dict(json.loads(line) for line in lines)


def stored_sample(seed: int, number: int) -> list[tuple[str, Mutant]]:
    """Return the sample of `number` mutants drawn with this seed, as (room, mutant).

    The room is the key of `ROOMS` for the part of the code that contains the mutant.

    The sample is stored when it is first drawn, so that later changes of the code do not change it. Only
    mutants of code that no longer exists are replaced.
    """
    path = RESULTS.parent / f"sample-{seed}-{number}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps([mutant.key for _room, mutant in sampled(seed, number)]), encoding="utf-8")
    order = {key: place for place, key in enumerate(json.loads(path.read_text(encoding="utf-8")))}
    existing = [(room, mutant) for room in ROOMS for mutant in mutants(room) if mutant.key in order]
    if len(existing) < number:  # replace mutants of code that no longer exists
        more = [mutant.key for _room, mutant in sampled(seed, number) if mutant.key not in order]
        path.write_text(json.dumps([*order, *more[: number - len(existing)]]), encoding="utf-8")
        return stored_sample(seed, number)
    return sorted(existing, key=lambda job: order[job[1].key])


def report(sample: list[tuple[str, Mutant]]) -> int:
    """Print the results of a sample, and return the exit code of the command.

    It is 0 if every mutant was tried, and those that survived are exactly those listed in explained.txt.
    """
    results, reasons = stored_results(), explained()
    outcomes = [(room, mutant.key, results.get(mutant.key, "not tried")) for room, mutant in sample]
    for room in ROOMS:
        print(f"{room:12}", _counts(outcome for its_room, _key, outcome in outcomes if its_room == room))
    existing = {mutant.key for room in ROOMS for mutant in mutants(room)}
    wrong = {
        "survived": [key for _room, key, outcome in outcomes if outcome == "survived" and key not in reasons],
        "could not be tried": [key for _room, key, outcome in outcomes if outcome == "broken"],
        "explained, but noticed": [k for k in sorted(reasons) if results.get(k, "survived") != "survived"],
        "explained, but gone": sorted(reasons - existing),
    }
    for title, keys in wrong.items():
        for key in keys:
            print(f"{title}: {key}")
    print(f"{len(sample)} in all:", _counts(outcome for _room, _key, outcome in outcomes))
    not_tried = any(outcome == "not tried" for _room, _key, outcome in outcomes)
    return 1 if not_tried or any(wrong.values()) else 0


def _counts(outcomes: Iterable[str]) -> str:
    return ", ".join(f"{number} {outcome}" for outcome, number in Counter(outcomes).most_common())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=600, help="size of the sample")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60, help=MINUTES)
    parser.add_argument("--rooms", nargs="+", choices=ROOMS, default=list(ROOMS), help="try only these")
    parser.add_argument("--again", action="store_true", help="retry those that survived unexplained")
    options = parser.parse_args()
    until = time.time() + 60 * options.minutes
    sample = stored_sample(options.seed, options.number)
    results, reasons = stored_results(), explained()
    to_try = {None} if not options.again else {"survived", "broken"}
    jobs = [
        (room, mutant)
        for room, mutant in sample
        if room in options.rooms
        and results.get(mutant.key) in to_try
        and mutant.key not in reasons & results.keys()
    ]
    jobs.sort(key=lambda job: not job[1].function)  # mutants in functions first: they are much quicker to try
    if jobs:
        with tempfile.TemporaryDirectory(prefix="baza-mutants-") as folder:
            trial.run(Path(folder), jobs, until, RESULTS)
    return report(sample)


if __name__ == "__main__":
    sys.exit(main())
