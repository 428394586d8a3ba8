"""Measurements: ratios within one run, against bars that README.md states."""
