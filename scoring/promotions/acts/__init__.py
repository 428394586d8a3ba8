"""The acts of a campaign, one class each: who may, its form and words, what it waits for, what it does.

Every module of this package is imported here, so an act is known once its file is there. `base` says what an
act is; `scoring.promotions.pure.states` says in which states each is possible, and where it leads.
"""

from importlib import import_module
from pkgutil import iter_modules

from scoring.promotions.acts.base import act_by_verb, logged_words, page_acts, reminders

__all__ = ["act_by_verb", "logged_words", "page_acts", "reminders"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
