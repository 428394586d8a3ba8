"""The migrations of the ledger, with those in this folder after them."""

from pathlib import Path

from scoring.ledger import migrations

__path__ = [*migrations.__path__, *__path__]
LAST = sorted(path.stem for path in Path(migrations.__file__).parent.glob("[0-8]*.py"))[-1]
