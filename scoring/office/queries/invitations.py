"""Read which members have an account, were invited to make one, or were given a code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.ages import OWN_ACCOUNT
from players.categories import categories_on, ids_read_as
from players.models import Category, CategoryAssignment, Club, Player, SignUpKey
from scoring.letters.models import Mail
from scoring.signups.models import SignUpLetter

# The values of the filters, with their labels.
WITHOUT, INVITED, NEW, WITH = "sin", "invitados", "nuevos", "con"
STATES = {
    WITHOUT: _("who have no account"),
    NEW: _("whom nobody has invited"),
    INVITED: _("who were invited and did not come"),
    WITH: _("who have an account"),
}
ADDRESS, NO_ADDRESS = "con", "sin"
ADDRESSES = {ADDRESS: _("with an e-mail address"), NO_ADDRESS: _("without an e-mail address")}
LICENSED, UNLICENSED = "con", "sin"
LICENCES = {LICENSED: _("with a licence"), UNLICENSED: _("without a licence")}
WAITING = Q(kind="invited", state__in=["pending", "running"])


@dataclass(frozen=True, slots=True)
class InvitationFilter:
    """The filters of the list of members.

    number: a federation number, or ""
    state, address, licence: keys of STATES, ADDRESSES and LICENCES; "" for all
    """

    number: str = ""
    club: Club | None = None
    category: Category | None = None
    state: str = ""
    address: str = ""
    licence: str = ""


def members(filters: InvitationFilter, day: date) -> QuerySet[Player]:
    """Return the members that the filters leave, sorted by name, with what `records` needs.

    Members who cannot have an account are left out: the dead, those whose data are erased, and those under
    14.
    """
    letters = SignUpLetter.objects.filter(WAITING, player=OuterRef("pk"))
    keys = _keys().filter(player=OuterRef("pk"))
    players = (
        Player.objects.unmerged()
        .filter(Q(birth_year=None) | Q(birth_year__lt=day.year - OWN_ACCOUNT))
        .filter(deceased_on=None, erased_on=None)
        .annotate(
            linked_at=Subquery(keys.filter(way=SignUpKey.Way.LINK).values("made_at")[:1]),
            printed_at=Subquery(keys.filter(way=SignUpKey.Way.CODE).values("made_at")[:1]),
            letter_waits=Exists(letters),
        )
        .select_related("club", "user")
        .order_by("sort_key", "pk")
    )
    if filters.number:
        players = players.filter(number=filters.number)
    if filters.club:
        players = players.filter(club=filters.club)
    if filters.category:
        held = CategoryAssignment.objects.filter(player=OuterRef("pk")).in_force(day).values("category")
        players = players.annotate(held=Subquery(held)).filter(held__in=ids_read_as(filters.category, day))
    if filters.licence:
        players = players.with_licence(day).filter(licensed=filters.licence == LICENSED)
    if filters.address:
        is_blank = Q(email="")
        players = players.filter(is_blank if filters.address == NO_ADDRESS else ~is_blank)
    return players.filter(_STATES[filters.state]())


def _keys(**fields: Any) -> QuerySet[SignUpKey]:
    """Return the keys of invitations by letter and on paper."""
    return SignUpKey.objects.filter(made_by__isnull=False, **fields)


def _has(rows: QuerySet[Any]) -> Q:
    """Return the condition for members to whom one of the rows belongs.

    The database reads the rows once. It would compute a condition with an annotation of `members` for each of
    them.
    """
    return Q(pk__in=rows.filter(player__isnull=False).values("player"))


def _waits() -> Q:
    return _has(SignUpLetter.objects.filter(WAITING))


_STATES: dict[str, Callable[[], Q]] = {
    "": Q,
    WITHOUT: lambda: Q(user=None),
    NEW: lambda: Q(user=None) & ~_has(_keys()) & ~_waits(),
    INVITED: lambda: Q(user=None) & _has(_keys()),
    WITH: lambda: Q(user__isnull=False),
}


def _gets_letter() -> Q:
    """Return the condition for members who get a letter if they are invited now.

    They have an e-mail address and no account, and nobody invited them by letter as long as the last link
    works.
    """
    since = timezone.now() - timedelta(days=settings.SIGN_UP_LINK_DAYS)
    recent = _has(_keys(way=SignUpKey.Way.LINK, made_at__gt=since))
    return Q(user=None) & ~Q(email="") & ~recent & ~_waits()


def _gets_code(*, again: bool) -> Q:
    """Return the condition for members for whom codes can be printed: without account and e-mail address.

    again: whether to include members whose code still works; it becomes void then
    """
    nobody = Q(user=None, email="")
    since = timezone.now() - timedelta(days=settings.SIGN_UP_CODE_DAYS)
    return nobody if again else nobody & ~_has(_keys(way=SignUpKey.Way.CODE, made_at__gt=since))


def to_write_to(players: QuerySet[Player]) -> QuerySet[Player]:
    """Return those of the members who get a letter if they are invited now."""
    return players.filter(_gets_letter())


def to_print_for(players: QuerySet[Player], *, again: bool) -> QuerySet[Player]:
    """Return those of the members for whom codes can be printed, as for `_gets_code`."""
    return players.filter(_gets_code(again=again))


def count(players: QuerySet[Player]) -> dict[str, int]:
    """Return how many members there are, and how many get a letter or a code. One query."""
    return players.order_by().aggregate(
        all=Count("pk"),
        letters=Count("pk", filter=_gets_letter()),
        print=Count("pk", filter=_gets_code(again=False)),
        print_again=Count("pk", filter=_gets_code(again=True)),
    )


def records(players: Sequence[Any], day: date) -> list[dict[str, Any]]:
    """Return the records of `InvitationTable` for players of `members`. Two queries."""
    categories = categories_on(day, [player.pk for player in players])
    return [
        {
            "name": player.desk_name,
            "number": player.number,
            "club": player.club and player.club.name,
            "category": categories[player.pk].code if player.pk in categories else None,
            "has_address": bool(player.email),
            "account": player.user and player.user.get_username(),
            "account_id": player.user_id,
            "letter_waits": player.letter_waits,
            "linked_at": player.linked_at,
            "printed_at": player.printed_at,
        }
        for player in players
    ]


def progress() -> dict[str, int]:
    """Return figures about all letters of the last weeks, by the name of what they count. One query."""
    states = Mail.State
    return SignUpLetter.objects.filter(kind="invited").aggregate(
        waiting=Count("pk", filter=WAITING),
        sent=Count("pk", filter=Q(state=states.DONE)),
        lost=Count("pk", filter=Q(state__in=[states.LOST, states.FAILED])),
        came=Count("player", filter=Q(state=states.DONE, player__user__isnull=False), distinct=True),
    )
