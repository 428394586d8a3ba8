"""Read the notices of an account."""

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from scoring.letters.models import Notice


def notices_of(account: User, *, unseen: bool = False) -> QuerySet[Notice]:
    """Return an account's notices, latest first.

    unseen: return only those that the account has not seen
    """
    notices = Notice.objects.filter(account=account).order_by("-pk")
    return notices.filter(seen_at=None) if unseen else notices


def unseen_count(user: User | AnonymousUser) -> int:
    """Return the number of notices that the account has not seen. One query on an index of these alone.

    Cached on the user object for the request, like its roles.
    """
    if not user.is_authenticated:
        return 0
    count = getattr(user, "_baza_unseen", None)
    if count is None:
        count = user._baza_unseen = Notice.objects.filter(account=user, seen_at=None).count()
    return count
