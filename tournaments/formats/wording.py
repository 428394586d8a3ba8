"""Describe issues in words."""

from collections.abc import Callable
from dataclasses import dataclass

from .catalogue import CATALOGUE
from .definitions import gettext_noop
from .registry import get, instead_of
from .types import Issue

ACCEPTED = gettext_noop("Upload a file in one of these formats: %(accepted)s.")


@dataclass(frozen=True, slots=True)
class Description:
    """The texts of an issue: `message` says what is wrong, `remedy` how to mend it; `remedy` may be ""."""

    message: str
    remedy: str


def describe(issue: Issue, translate: Callable[[str], str] = str) -> Description:
    """Return the texts of an issue, translated by `translate` (gettext in a web page).

    Two kinds of issue refuse a file, and have a remedy that depends on their parameters. If `found` names a
    format that is refused with this issue, the remedy says what to upload instead. If `accepted` has the
    codes of the formats that the page reads, the remedy names these formats.
    """
    definition = CATALOGUE[issue.code]
    values = {"line": issue.line, "field": issue.field, "value": issue.value, **issue.params}
    remedy = definition.remedy
    if isinstance(name := issue.params.get("found"), str):
        values["found"] = translate(name)
        remedy = instead_of(name, issue.code) or remedy
    if isinstance(codes := issue.params.get("accepted"), str):
        formats = [file_format for code in codes.split() if (file_format := get(code))]
        values["accepted"] = ", ".join(translate(file_format.name) for file_format in formats)
        remedy = ACCEPTED
    return Description(translate(definition.message) % values, translate(remedy) % values if remedy else "")
