"""The acts of a campaign: freeze, approve, publish and so on, one class each.

A class defines who may perform its act, the form, the texts and the effects. Every module of this package is
imported here, so a new file is enough to add an act. `base` defines the interface.
`scoring.promotions.pure.states` defines in which states of the campaign each act is possible, and the state
that follows.
"""

from importlib import import_module
from pkgutil import iter_modules

from scoring.promotions.acts.base import act_by_verb, logged_words, page_acts, reminders

__all__ = ["act_by_verb", "logged_words", "page_acts", "reminders"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
