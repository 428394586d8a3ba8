"""A log with a key, of a small federation with points, and the script with which anybody checks it."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from scoring.transparency import publishing, services
from scoring.transparency.notes import Signer
from tests import factories as make
from tests.folders import ROOT

SCRIPT = ROOT / "tools" / "verify_log.py"


@pytest.fixture
def key(settings) -> Signer:
    signer = Signer.generate("federation.test/transparencia")
    settings.LOG_KEY = str(signer)
    return signer


@pytest.fixture
def log(db, key) -> SimpleNamespace:
    """Return two pools of four players and an annulled one, all in the log, which is signed."""
    players = make.players(4, category="2P")
    pairs = make.pairs(players)
    first = make.scored(*pairs)
    second = make.scored(*reversed(pairs))
    services.append()
    return SimpleNamespace(players=players, pairs=pairs, first=first, second=second, key=key)


@pytest.fixture
def published(log, tmp_path) -> Path:
    """Return the folder of the published log."""
    folder = tmp_path / "log"
    publishing.publish(folder)
    return folder


def check(*arguments) -> tuple[int, str]:
    """Run `verify_log.py` as anybody would. Return its exit status and output."""
    command = [sys.executable, "-I", str(SCRIPT), *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert not result.stderr, result.stderr
    return result.returncode, result.stdout.strip()
