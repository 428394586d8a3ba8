"""The issues of a changeover in words."""

from typing import Any

from scoring.changeover.models import Changeover
from scoring.changeover.queries import issues_of
from tournaments.services.issues import issue_groups


def groups_of(changeover: Changeover) -> list[dict[str, Any]]:
    """Return the issues as the template `tournaments/_issues.html` shows them."""
    files = list(changeover.files.values_list("name", flat=True))
    return issue_groups(issues_of(changeover), files=files)
