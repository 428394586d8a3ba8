"""manage.py changepassword: Django's command, recorded in the journal of accounts."""

from django.contrib.auth import get_user_model
from django.contrib.auth.management.commands import changepassword

from players.services.passwords import record_change


class Command(changepassword.Command):
    def handle(self, *args, **options) -> str:
        message = super().handle(*args, **options)
        username = options["username"] or changepassword.getpass.getuser()
        record_change(get_user_model().objects.get(username=username), None)
        return message
