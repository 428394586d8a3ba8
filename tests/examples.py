"""How many examples a property test tries, and which: the same in every run, or others (`make explore`).

A suite that fails once in ten runs hides the fault behind luck. `make test` therefore tries the same examples
in each run, and `make explore` looks for new ones.
"""

import os

import hypothesis

# How many times as many examples to try, with random seeds; 0 is `make test`.
EXPLORE = int(os.environ.get("BAZA_EXPLORE") or 0)
TIMES = max(EXPLORE, 1)
USUAL = 100  # examples of a property test that does not choose their number


def load_profile() -> None:
    """Choose the settings of all property tests. No deadlines: on a busy machine an example may take long."""
    hypothesis.settings.register_profile(
        "baza", max_examples=USUAL * TIMES, deadline=None, derandomize=not EXPLORE, print_blob=True
    )
    hypothesis.settings.load_profile("baza")


def examples(number: int, **options) -> hypothesis.settings:
    """Return the decorator of a property test that tries this number of examples.

    options: other settings of Hypothesis
    """
    return hypothesis.settings(max_examples=number * TIMES, **options)
