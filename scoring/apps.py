from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """The engine's command line. Everything else is an app of its own: a folder beside this file."""

    name = "scoring"
