from django.apps import AppConfig


class UploadsConfig(AppConfig):
    name = "scoring.uploads"

    def ready(self) -> None:
        from players.proposals import register
        from scoring.uploads.approval_act import TournamentAct
        from scoring.uploads.services.review import issues_of
        from tournaments.services import uploads

        register(TournamentAct())
        uploads.register_check(issues_of)
