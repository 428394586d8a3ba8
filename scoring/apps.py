from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """The app that provides the management command `score`.

    The subfolders of `scoring` that have models or other commands are apps of their own.
    """

    name = "scoring"
