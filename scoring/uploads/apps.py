from django.apps import AppConfig


class UploadsConfig(AppConfig):
    name = "scoring.uploads"

    def ready(self) -> None:
        from players.proposals import register
        from scoring.uploads.approval_act import TournamentAct
        from scoring.uploads.recount import recount
        from scoring.uploads.scored_boards import score_boards
        from scoring.uploads.services.review import errors_of
        from tournaments.services import scorings, uploads

        register(TournamentAct())
        uploads.register_check(errors_of)
        scorings.register_scorer(score_boards, recount)
