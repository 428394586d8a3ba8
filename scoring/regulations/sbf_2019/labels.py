"""Headings of the Swedish document, which has no numbered articles."""

from scoring.regulations.labels import gettext_noop

ARTICLES = {
    "winner": gettext_noop("points of the winner"),
    "places": gettext_noop("points by place"),
    "silver": gettext_noop("silver points"),
}
