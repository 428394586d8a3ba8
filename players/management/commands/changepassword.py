"""manage.py changepassword, as Django has it, with a line in the journal of accounts."""

from django.contrib.auth import get_user_model
from django.contrib.auth.management.commands import changepassword

from players.services.passwords import was_changed


class Command(changepassword.Command):
    def handle(self, *args, **options) -> str:
        answer = super().handle(*args, **options)
        username = options["username"] or changepassword.getpass.getuser()
        was_changed(get_user_model().objects.get(username=username), None)
        return answer
