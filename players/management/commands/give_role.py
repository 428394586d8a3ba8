"""`manage.py give_role`: grant a role without approval, for the first roles or if no approver is left."""

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from players.models import Role
from players.services import accounts, passwords
from players.services.role_changes import GiveRole

EVERYWHERE = (Role.Kind.AUDITOR, Role.Kind.COMMITTEE, Role.Kind.OFFICE)


class Command(BaseCommand):
    help = "Give an account a role for the whole federation: office, committee or auditor."

    def add_arguments(self, parser) -> None:
        parser.add_argument("username")
        parser.add_argument("role", choices=[kind.value for kind in EVERYWHERE])
        parser.add_argument(
            "--new", action="store_true", help="make the account; a code for its password is printed"
        )
        parser.add_argument("--email", default="", help="of a new account")

    @transaction.atomic
    def handle(self, *args, username: str, role: str, new: bool, email: str, **options) -> None:
        try:
            account = accounts.create(username, email, "", "", None) if new else self._existing(username)
            accounts.change(GiveRole(account, Role.Kind(role)), None)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        self.stdout.write(f"{username} has the role {role}.")
        if new:
            code = passwords.print_code(account, None)
            self.stdout.write(f"Code for a password, to be typed at /cuenta/clave/codigo/: {code}")

    def _existing(self, username: str):
        account = get_user_model().objects.filter(username=username).first()
        if account is None:
            raise CommandError(f"There is no account {username!r}: --new makes one.")
        return account
