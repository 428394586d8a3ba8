"""Pure scoring engine: types, ranking, exact arithmetic, strict JSON and digests. No Django, no database.

The regulations in ``scoring.regulations`` are built from these parts.
"""

# Stored with every run. Raise it whenever the same inputs could produce a different award, so that a
# mismatch on recomputation can be told from a change of rules.
ENGINE_VERSION = "1"
