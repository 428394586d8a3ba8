"""Template tags about corrections."""

from django import template

from scoring.ledger.correcting import window_of

register = template.Library()
register.simple_tag(window_of, name="correction_window")
