"""The pure scoring engine: types, ranking, exact arithmetic, strict JSON and digests. No Django, no database.

Rule books live in ``scoring.regulations`` and are built from these parts.
"""

# Part of every stored run. Raise it whenever the same inputs could give another award, so that a
# recomputation that differs can be told from a change of rules.
ENGINE_VERSION = "1"
