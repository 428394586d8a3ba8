"""Measurements of speed. Each is compared with simpler code timed in the same run, as a ratio.

README.md states the limits for some of these ratios; the code calls a limit "bar".
"""
