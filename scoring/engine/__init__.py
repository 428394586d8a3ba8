"""The scoring engine: types, ranking, exact arithmetic, strict JSON and digests. No Django, no database.

The regulations in ``scoring.regulations`` are built from these parts.
"""

# The version is stored with every run. Raise it whenever the same inputs could give a different award. If an
# award differs when it is computed again, the version shows whether a different engine had computed it.
ENGINE_VERSION = "1"
