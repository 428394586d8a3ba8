"""Describe issues in words."""

from collections.abc import Callable
from dataclasses import dataclass

from .catalogue import CATALOGUE
from .registry import instead_of
from .types import Issue


@dataclass(frozen=True, slots=True)
class Description:
    """The texts of an issue: `message` says what is wrong, `remedy` how to mend it; `remedy` may be ""."""

    message: str
    remedy: str


def describe(issue: Issue, translate: Callable[[str], str] = str) -> Description:
    """Return the texts of an issue, translated by `translate` (gettext in a web page).

    If the issue refuses a format that cannot be read, the remedy says what to upload instead of that format.
    """
    definition = CATALOGUE[issue.code]
    values = {"line": issue.line, "field": issue.field, "value": issue.value, **issue.params}
    remedy = definition.remedy
    if isinstance(name := issue.params.get("found"), str):
        values["found"] = translate(name)
        remedy = instead_of(name) or remedy
    return Description(translate(definition.message) % values, translate(remedy) % values if remedy else "")
