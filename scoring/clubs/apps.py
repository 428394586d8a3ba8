from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "scoring.clubs"

    def ready(self) -> None:
        from players import inbox
        from players.proposals import register
        from players.services import invitations
        from scoring.clubs.requests import REQUESTS
        from scoring.clubs.waiting import TRANSFERS_AWAY
        from scoring.ledger import work

        for act in REQUESTS.values():
            register(act)
        inbox.register(TRANSFERS_AWAY)
        work.register_daily(invitations.delete_old)
