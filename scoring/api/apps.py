from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "scoring.api"

    def ready(self) -> None:
        from scoring.api.problems import ISSUES
        from tournaments.formats.catalogue import add_issues

        add_issues(ISSUES)
