"""Pure scoring engine: types, ranking, exact arithmetic, strict JSON and digests. No Django, no database.

The regulations in ``scoring.regulations`` are built from these parts.
"""

# Stored with every run. Raise it whenever the same inputs could give another award. If an award differs when
# it is computed again, the version then shows whether another engine computed it.
ENGINE_VERSION = "1"
