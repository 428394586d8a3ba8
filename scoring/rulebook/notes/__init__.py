"""Notes on the regulations: rulings of this project, and misprints of the documents.

The README in each regulation's folder has them in full, and the engine's tests cover every one.
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
