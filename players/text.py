"""Comparing what people type."""

import unicodedata


def fold(text: str) -> str:
    """Lower case, without accents or double blanks: 'Núñez  Ruiz' -> 'nunez ruiz'."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in decomposed if not unicodedata.combining(c)).split())
