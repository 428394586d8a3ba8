"""Recognise the words that files put in the place of a pair or a person who is missing.

At a table with a missing pair, a phantom in the glossary, the other pair sits out.
"""

import re

from . import values

_WORDS = frozenset(
    [
        "descanso", "descansa", "descansan", "pareja descanso", "sin pareja", "no hay pareja", "fantasma",
        "pareja fantasma", "ausente", "ausentes", "pareja ausente", "bye", "sitout", "sit out", "sits out",
        "phantom", "phantom pair", "no pair", "missing pair", "absent",
    ]
)  # fmt: skip
_NUMBERED = re.compile(r"\s*[0-9]{1,3}$")


def is_sit_out(name: str) -> bool:
    """Return whether a name stands for nobody: `DESCANSO`, `~SITOUT`, `Phantom 2`."""
    return _NUMBERED.sub("", values.fold(name)) in _WORDS
