"""Read the members of a club who have no account yet."""

from datetime import timedelta

from django.conf import settings
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from players.ages import OWN_ACCOUNT
from players.models import Club, Player, SignUpKey
from ui.clock import today


def members_without_account(club: Club) -> QuerySet[Player]:
    """Return the club's members who can make an account and have none, sorted by name.

    `printed_at` is when a code that still works was printed for them, or None.
    """
    since = timezone.now() - timedelta(days=settings.SIGN_UP_CODE_DAYS)
    codes = SignUpKey.objects.filter(player=OuterRef("pk"), way=SignUpKey.Way.CODE, made_at__gt=since).values(
        "made_at"
    )
    return (
        Player.objects.unmerged()
        .filter(
            Q(birth_year=None) | Q(birth_year__lt=today().year - OWN_ACCOUNT),
            club=club,
            user=None,
            deceased_on=None,
            erased_on=None,
        )
        .annotate(printed_at=Subquery(codes[:1]))
        .select_related("club")
        .order_by("sort_key", "pk")
    )
