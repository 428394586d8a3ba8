"""Headings of the ACBL's documents, and names of the values in its tables, marked for translation."""

from scoring.regulations.labels import gettext_noop

# Headings of the documents, which have no numbered articles.
ARTICLES = {
    "formula": gettext_noop("formula"),
    "B": gettext_noop("size of the field"),
    "places": gettext_noop("points by place"),
    "club": gettext_noop("calculating the awards"),
}
RATINGS = {
    "unit": gettext_noop("Unit championship"),
    "sectional": gettext_noop("Sectional"),
    "regional": gettext_noop("Regional"),
    "national": gettext_noop("National"),
}
RESTRICTIONS = {
    "none": gettext_noop("Open to everybody"),
    "one": gettext_noop("One restriction by gender or age"),
    "two": gettext_noop("Two restrictions by gender or age"),
}
PIGMENTS = {
    "platinum": gettext_noop("Platinum"),
    "gold": gettext_noop("Gold"),
    "silver": gettext_noop("Silver"),
    "black": gettext_noop("Black"),
    "none": gettext_noop("Unpigmented, as it was played online"),
    "": gettext_noop("Not stated in the sources at hand"),
}
