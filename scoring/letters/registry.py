"""The registry of the kinds of notices. Each room registers its own in `AppConfig.ready`.

    CASE_ANSWERED = Kind(
        code="case_answered",
        label=_("when your case is answered"),
        audience=Audience.PLAYER,
        write=write_answered,
    )
    registry.register(CASE_ANSWERED)                                     # in AppConfig.ready
    notifying.notify(CASE_ANSWERED, [account.pk], key, {"case": pk})     # in the transaction that answers

`write_answered(account, notices)` returns {notice id: Text} in the active language, with a number of queries
that does not depend on the number of notices.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.contrib.auth.models import User
from django.utils.functional import Promise

from players.access import roles_of
from scoring.letters.models import Delivery, Notice


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a notice, in one language.

    subject: the heading in the page, and the subject of the letter
    paragraphs: plain text
    path: the page that the notice leads to; "" for none
    over: whether nothing is left to do, so that no letter is sent any more
    """

    subject: str
    paragraphs: list[str]
    path: str
    over: bool = False


class Audience(StrEnum):
    """The accounts to which a kind is offered in the settings of notices.

    PLAYER: accounts of players
    CLUB: directors and administrators of clubs and regions, and the office
    OFFICE: the office, the committee, auditors and administrators of regions
    """

    PLAYER = "player"
    CLUB = "club"
    OFFICE = "office"
    EVERYBODY = "everybody"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of notice.

    code: identifies the kind in the database
    label: says in a clause when the notice comes, after "You get this e-mail"
    audience: the accounts to which the settings offer the kind
    write: returns {id of a notice: its text} for notices of this kind and one account, in the active
        language. A notice whose object no longer exists is left out.
    default: whether an account that made no choice gets the notice by e-mail, too
    offered: returns whether the settings offer the kind to an account of the audience; None for always
    concerned: returns those of these account ids whom a notice with these data concerns, for kinds that
        `notifying.broadcast` makes
    fixed: whether accounts cannot choose, as for notices about the security of the account
    """

    code: str
    label: str | Promise
    audience: Audience
    write: Callable[[User, Sequence[Notice]], Mapping[int, Text]]
    default: Delivery = Delivery.NONE
    fixed: bool = False
    offered: Callable[[User], bool] | None = None
    concerned: Callable[[Sequence[int], Mapping[str, Any]], Iterable[int]] | None = None


KINDS: dict[str, Kind] = {}


def register(*kinds: Kind) -> None:
    """Register kinds of notices, in the order of the settings page. Safe to repeat."""
    for kind in kinds:
        KINDS[kind.code] = kind


def audiences_of(account: User) -> set[Audience]:
    """Return the audiences to which an account belongs."""
    roles, audiences = roles_of(account), {Audience.EVERYBODY}
    if getattr(account, "player", None):
        audiences.add(Audience.PLAYER)
    if roles.office or roles.clubs or roles.regions:
        audiences.add(Audience.CLUB)
    if roles.everywhere or roles.regions:
        audiences.add(Audience.OFFICE)
    return audiences
