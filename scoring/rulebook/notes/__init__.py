"""What a reader of a regulation should know beside its tables: our rulings, and misprints of the document.

Fuller versions stand in the README of each regulation's folder; every one of them is a test of the engine.
"""

from . import acbl, aeb, egf, sbf, strength
from .shapes import Erratum, Text

FAMILIES = (aeb, sbf, acbl, egf, strength)
RULINGS: dict[str, tuple[Text, ...]] = {
    code: texts for family in FAMILIES for code, texts in family.RULINGS.items()
}
ERRATA: dict[str, tuple[Erratum, ...]] = {
    code: errata for family in FAMILIES for code, errata in family.ERRATA.items()
}
