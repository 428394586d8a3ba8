from django.apps import AppConfig


class UploadsConfig(AppConfig):
    name = "scoring.uploads"

    def ready(self) -> None:
        from players.proposals import register
        from scoring.uploads.approval_act import TournamentAct
        from scoring.uploads.services.review import errors_of
        from tournaments.services import uploads

        register(TournamentAct())
        uploads.register_check(errors_of)
