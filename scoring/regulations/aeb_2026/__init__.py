"""The AEB's regulation of points of 1 January 2026."""

from .rules import REGULATION

__all__ = ["REGULATION"]
