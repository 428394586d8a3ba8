"""Measurements of speed: ratios within one run, compared with the limits ("bars") that README.md states."""
