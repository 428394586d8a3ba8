"""Audit the guards: the database must have exactly the triggers that the application declares."""

from django.db import connection

from players import triggers
from scoring.audit.verify import Difference


def differences() -> list[Difference]:
    """Return a difference for each missing, changed or additional trigger. Two queries."""
    return [
        Difference("guard", None, problem, "as declared", None, None)
        for problem in triggers.problems(connection)
    ]
