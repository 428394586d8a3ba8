"""Join the files of one event into one result, or say why they are not of one event. Pure Python.

`join.join` does it; `catalogue` has its issues.
"""
