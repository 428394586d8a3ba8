"""`make mutants`: change one small thing of the code at a time, and see whether a test notices.

A seeded sample of changes is tried in two copies of the project; the working tree stays as it is. What was
tried is kept in `var/mutants/`: a run that is stopped, or whose time is over, goes on where it was. See
docs/testing.md.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tools.mutants import trial
from tools.mutants.found import ROOMS, ROOT, Mutant, mutants, sampled

EXPLAINED = Path(__file__).parent / "explained.txt"
RESULTS = ROOT / "var" / "mutants" / "results.jsonl"


def explained() -> set[str]:
    """The mutants that nobody can see. Lines of the list that begin with # say why of those below them."""
    lines = EXPLAINED.read_text(encoding="utf-8").splitlines()
    return {line.strip() for line in lines if line.strip() and not line.startswith("#")}


def known() -> dict[str, str]:
    """What was tried, and how it ended: a line for each, the last one counts."""
    lines = RESULTS.read_text(encoding="utf-8").splitlines() if RESULTS.exists() else []
    return dict(json.loads(line) for line in lines)


def drawn(seed: int, number: int) -> list[tuple[str, Mutant]]:
    """The sample, kept from its first run on: what is changed in the code meanwhile must not draw another."""
    kept = RESULTS.parent / f"sample-{seed}-{number}.json"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps([each.key for _room, each in sampled(seed, number)]), encoding="utf-8")
    order = {key: place for place, key in enumerate(json.loads(kept.read_text(encoding="utf-8")))}
    there = [(room, each) for room in ROOMS for each in mutants(room) if each.key in order]
    if len(there) < number:  # others take the place of those that went with code that was changed
        more = [each.key for _room, each in sampled(seed, number) if each.key not in order]
        kept.write_text(json.dumps([*order, *more[: number - len(there)]]), encoding="utf-8")
        return drawn(seed, number)
    return sorted(there, key=lambda job: order[job[1].key])


def report(chosen: list[tuple[str, Mutant]]) -> int:
    """Say how the sample ended; 0 where all of it was tried and exactly those survived that are explained."""
    results, reasons = known(), explained()
    for room in ROOMS:
        counts = Counter(results.get(each.key, "not tried") for of, each in chosen if of == room)
        print(f"{room:12}", ", ".join(f"{number} {word}" for word, number in counts.most_common()))
    survived = [each.key for _room, each in chosen if results.get(each.key) == "survived"]
    there = {each.key for room in ROOMS for each in mutants(room)}
    wrong = {
        "survived": [key for key in survived if key not in reasons],
        "could not be tried": [each.key for _room, each in chosen if results.get(each.key) == "broken"],
        "explained, but noticed": [k for k in sorted(reasons) if results.get(k, "survived") != "survived"],
        "explained, but gone": sorted(reasons - there),
    }
    for title, keys in wrong.items():
        for key in keys:
            print(f"{title}: {key}")
    totals = Counter(results.get(each.key, "not tried") for _room, each in chosen)
    print(f"{len(chosen)} in all:", ", ".join(f"{number} {word}" for word, number in totals.most_common()))
    return 1 if totals["not tried"] or any(wrong.values()) else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=600, help="mutants of the sample")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60, help="when to stop; the next run goes on")
    parser.add_argument("--rooms", nargs="+", choices=ROOMS, default=list(ROOMS), help="try these alone")
    parser.add_argument("--again", action="store_true", help="once more those that survived unexplained")
    options = parser.parse_args()
    until = time.time() + 60 * options.minutes
    chosen = drawn(options.seed, options.number)
    results, reasons = known(), explained()
    wanted = {None} if not options.again else {"survived", "broken"}
    jobs = [
        (room, each)
        for room, each in chosen
        if room in options.rooms
        and results.get(each.key) in wanted
        and each.key not in reasons & results.keys()
    ]
    jobs.sort(key=lambda job: not job[1].function)  # those are tried much quicker
    if jobs:
        with tempfile.TemporaryDirectory(prefix="baza-mutants-") as folder:
            trial.run(Path(folder), jobs, until, RESULTS)
    return report(chosen)


if __name__ == "__main__":
    sys.exit(main())
