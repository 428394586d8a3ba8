"""Folders of the project that the tests read."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"
REGULATIONS = ROOT / "scoring" / "regulations"
SCHEMAS = ROOT / "docs" / "schemas"
