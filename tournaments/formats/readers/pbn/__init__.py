"""Portable Bridge Notation: `notation` parses the text, `event` and `reader` give it its meaning."""

from .reader import FORMATS

__all__ = ["FORMATS"]
