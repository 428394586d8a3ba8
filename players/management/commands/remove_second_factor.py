"""`manage.py remove_second_factor`: remove a lost second factor if nobody can approve it on the site."""

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from players.services import second_factors


class Command(BaseCommand):
    help = "Remove the second factors of an account whose owner lost them, and end its sessions."

    def add_arguments(self, parser) -> None:
        parser.add_argument("username")

    def handle(self, *args, username: str, **options) -> None:
        account = get_user_model().objects.filter(username=username).first()
        if account is None:
            raise CommandError(f"There is no account {username!r}.")
        if not second_factors.has_second_factor(account):
            raise CommandError(f"{username} has no second factor.")
        second_factors.remove_lost(account, None)
        self.stdout.write(f"{username} signs in with the password alone.")
