from django.apps import AppConfig


class UploadsConfig(AppConfig):
    name = "scoring.uploads"

    def ready(self) -> None:
        from players.proposals import register
        from scoring.uploads.approval_act import TournamentAct

        register(TournamentAct())
