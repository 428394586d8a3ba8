"""Measurements: ratios within one run, compared with the bars that README.md states."""
