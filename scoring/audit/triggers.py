"""The audit of the guards: the triggers of the database are those declared (`players.triggers`)."""

from django.db import connection

from players import triggers
from scoring.audit.verify import Difference


def wrong() -> list[Difference]:
    """Guards that are missing, changed or declared by nobody; two queries."""
    return [
        Difference("guard", None, problem, "as declared", None, None)
        for problem in triggers.problems(connection)
    ]
