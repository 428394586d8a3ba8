"""The engine and the regulations do not import Django or other packages of the application."""

import subprocess
import sys
import tomllib

import pytest

from tests.folders import ROOT

LOAD = """
import sys
import scoring.engine.digest, scoring.engine.eventjson, scoring.engine.ranking, scoring.regulations
foreign = ("django", "numpy", "players", "tournaments", "federation", "scoring.ledger", "scoring.pages")
print([name for name in sys.modules if name.startswith(foreign)])
"""


def test_importing_the_regulations_imports_nothing_of_the_application():
    """Importing the regulations imports neither the application nor numpy, which takes long to load."""
    done = subprocess.run([sys.executable, "-c", LOAD], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("folder", ["scoring/engine", "scoring/regulations"])
def test_the_linter_forbids_importing_django_in_the_engine(folder):
    config = tomllib.loads((ROOT / folder / "ruff.toml").read_text())
    assert config["extend"] == "../../pyproject.toml"
    assert "django" in config["lint"]["flake8-tidy-imports"]["banned-api"]
