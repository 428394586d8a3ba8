from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "scoring.clubs"

    def ready(self) -> None:
        from players.proposals import register
        from scoring.clubs.requests import REQUESTS

        for act in REQUESTS.values():
            register(act)
