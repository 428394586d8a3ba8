"""`manage.py upload_token`: make a token with which a club's computer sends files, and print it."""

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from players.models import Club, Role
from players.services import tokens


class Command(BaseCommand):
    help = "Make a token with which a club's computer sends files, and print it. It cannot be printed again."

    def add_arguments(self, parser) -> None:
        parser.add_argument("club", help="the club's code")
        parser.add_argument(
            "--user", help="in whose name it acts; by default, of an administrator of the club or the office"
        )
        parser.add_argument("--name", default="manage.py", help="which computer or program it is for")
        parser.add_argument("--may-confirm", action="store_true", help="it may confirm what has no problems")

    def handle(self, *args, club: str, user: str | None, name: str, may_confirm: bool, **options) -> None:
        owner = Club.objects.filter(code__iexact=club).first()
        if owner is None:
            raise CommandError(f"There is no club with the code {club!r}.")
        accounts = get_user_model().objects.order_by("roles__kind", "pk")  # club administrators come first
        if user:
            accounts = accounts.filter(username=user)
        else:
            kinds = [Role.Kind.CLUB_ADMIN, Role.Kind.OFFICE]
            accounts = accounts.filter(roles__kind__in=kinds, is_active=True)
        error = ValidationError("There is no such account.")
        for account in accounts:
            try:
                with translation.override("en"):  # as the command's own errors
                    _token, secret = tokens.make(owner, name, account, may_confirm=may_confirm)
            except ValidationError as refusal:
                error = refusal
            else:
                self.stdout.write(secret)
                return
        raise CommandError(" ".join(error.messages))
