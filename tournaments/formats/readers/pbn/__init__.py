"""Reader of Portable Bridge Notation (PBN): `notation` parses the text, `event` and `reader` interpret it."""

from .reader import FORMATS

__all__ = ["FORMATS"]
