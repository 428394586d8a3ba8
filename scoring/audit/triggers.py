"""The audit of the guards: the triggers of the database are those declared (`players.triggers`)."""

from django.db import connection

from players import triggers
from scoring.audit.verify import Difference


def wrong() -> list[Difference]:
    """Return a difference for each trigger that is not as declared. Two queries."""
    return [
        Difference("guard", None, problem, "as declared", None, None)
        for problem in triggers.problems(connection)
    ]
