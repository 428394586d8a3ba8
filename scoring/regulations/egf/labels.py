"""Headings of the rules in the documents on Go ratings, which have no numbered articles."""

from scoring.regulations.labels import gettext_noop

ARTICLES = {
    "rating": gettext_noop("new rating"),
    "expected": gettext_noop("expected score"),
    "con": gettext_noop("con"),
    "bonus": gettext_noop("bonus"),
    "reset": gettext_noop("reset"),
}
