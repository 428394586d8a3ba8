"""Which test files run here."""

import os

# Real files live outside the project: their tests exist only where the folder is named.
collect_ignore = [] if os.environ.get("BAZA_SAMPLES") else ["test_samples.py"]
