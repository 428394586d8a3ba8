"""Remove the tournament directors of a club. Club administrators do this on their own pages."""

from django.db import transaction

from players.models import Role
from players.services.role_changes import TakeRole


@transaction.atomic
def remove_director(role: Role, by) -> None:
    """Remove a tournament director's role. The account's uploads are kept."""
    TakeRole(role.user, Role.Kind.DIRECTOR, role.club).apply(by)
