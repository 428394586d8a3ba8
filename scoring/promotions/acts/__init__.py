"""The acts of a campaign, one class each: who may perform it, its form, its texts and its effects.

Every module of this package is imported here, so a new file is enough to add an act. `base` defines the
interface; `scoring.promotions.pure.states` defines in which states each act is possible, and its next state.
"""

from importlib import import_module
from pkgutil import iter_modules

from scoring.promotions.acts.base import act_by_verb, logged_words, page_acts, reminders

__all__ = ["act_by_verb", "logged_words", "page_acts", "reminders"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
