"""How accounts come to be: the office makes them, nobody signs up."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedAccountAdapter(DefaultAccountAdapter):
    """allauth's adapter with sign-up closed."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never: an account belongs to a player or to a role that the office grants."""
        return False
