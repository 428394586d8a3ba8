"""The AEB's regulation of points of 2 January 2022."""

from .rules import REGULATION

__all__ = ["REGULATION"]
