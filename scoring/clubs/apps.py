from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "scoring.clubs"

    def ready(self) -> None:
        from players.proposals import register
        from players.services import invitations
        from scoring.clubs.requests import REQUESTS
        from scoring.ledger import work

        for act in REQUESTS.values():
            register(act)
        work.register_daily(invitations.delete_old)
