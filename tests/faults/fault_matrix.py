"""Each fault of `matrix.FAULTS` with each seed: no tournament is lost, doubled, half-written or parked.

`make faults FAULTS="5 18" SEEDS="1 2"` chooses faults and seeds.
"""

import os
import re
from collections import Counter

import pytest

from tests import servers
from tests.faults.conftest import VERDICTS
from tests.faults.harness import Run, summary
from tests.faults.matrix import FAULTS
from tests.faults.scene import Scene
from tests.system.conftest import Installation

CHOSEN = os.environ.get("FAULTS", "").split() or list(FAULTS)
SEEDS = [int(seed) for seed in os.environ.get("SEEDS", "1").split()]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("number", [number for number in CHOSEN if number in FAULTS])
def test_a_fault_harms_no_tournament(
    number: str, seed: int, faulty_cluster: servers.Postgres, faulty_site: Installation, scene: Scene
):
    verdict = Run(FAULTS[number], seed, faulty_site, faulty_cluster, scene).judge()
    VERDICTS.append(verdict)
    print(summary([verdict]), *verdict.complaints, sep="\n", flush=True)  # `make faults` shows it at once
    raised = Counter(re.findall(r"^\W*([\w.]+(?:Error|Exception): .*)", faulty_site.log_text("web"), re.M))
    assert verdict.complaints == [], (raised.most_common(20), faulty_site.log_text("workers")[-3000:])
