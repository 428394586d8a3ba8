"""The acts of a campaign: freeze, approve, publish and so on, one class each.

Each class defines who may perform its act, what prevents the act, what it changes and how it is logged.
Importing this package imports all its modules, which registers the acts. `base` defines the interface.
`scoring.promotions.pure.states` defines in which states of the campaign each act is possible, and the state
that follows. `scoring.promotions.act_pages` defines the pages of the acts.
"""

from importlib import import_module
from pkgutil import iter_modules

from scoring.promotions.acts.base import act_by_verb, logged_words

__all__ = ["act_by_verb", "logged_words"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
