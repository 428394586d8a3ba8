"""Labels of regulations are marked for translation as the texts of the engine are."""

from scoring.engine.labels import gettext_noop

__all__ = ["gettext_noop"]
