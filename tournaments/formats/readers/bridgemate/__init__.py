"""Bridgemate databases (BWS), and other Access databases, which are recognised only."""

from .reader import FORMATS

__all__ = ["FORMATS"]
