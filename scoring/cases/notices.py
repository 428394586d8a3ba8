"""Notices about cases: to the player, that a case was answered; to those who answer, that a case is new."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from players.models import Player, Role
from scoring.cases.models import Case, CaseMessage
from scoring.cases.states import Act, State
from scoring.letters.models import Delivery, Notice
from scoring.letters.notifying import notify
from scoring.letters.registry import Audience, Kind, Text
from ui.formatting import format_date


def _texts(write: Callable[[Case], Text]) -> Callable[[User, Sequence[Notice]], dict[int, Text]]:
    """Return a function that writes all notices of an account, each about one case. One query."""

    def texts(account: User, notices: Sequence[Notice]) -> dict[int, Text]:
        ids = {notice.data["case"] for notice in notices}
        cases = Case.objects.select_related("club", "tournament__club").in_bulk(ids)
        return {
            notice.pk: write(cases[notice.data["case"]]) for notice in notices if notice.data["case"] in cases
        }

    return texts


def _about(case: Case) -> list[str]:
    """Return what a case is about, without any person: its kind, and the tournament or the day."""
    parts = [str(case.get_kind_display())]
    if case.tournament:
        parts.append(case.tournament.name)
    if case.club:
        parts.append(case.club.name)
    if case.day:
        parts.append(format_date(case.day, get_language() or ""))
    return [f"{', '.join(parts)}."]


def _answered(case: Case) -> Text:
    if case.kind == Case.Kind.PERSONAL:
        return _answered_request(case)
    subject = _("Your case no. %(number)s was answered") % {"number": case.pk}
    act = _("Read the answer on the page of the case. If it is fine, close the case; if not, write again.")
    return Text(subject, [*_about(case), act], case.get_absolute_url(), over=case.state == State.CLOSED)


def _answered_request(case: Case) -> Text:
    """Write that a request about personal data was answered, without repeating the data in an e-mail."""
    day = format_date(timezone.localdate(case.opened_at), get_language() or "")
    asked = _(
        "On %(day)s you asked the federation office about your personal data (case no. %(number)s). The"
        " office has answered."
    )
    act = _("Read the answer on the page of the case. If it is fine, close the case; if not, write again.")
    return Text(
        _("Your request about your personal data was answered"),
        [asked % {"day": day, "number": case.pk}, act],
        case.get_absolute_url(),
        over=case.state == State.CLOSED,
    )


def _new(case: Case) -> Text:
    subject = _("Case no. %(number)s waits for your club's answer") % {"number": case.pk}
    return Text(subject, _about(case), case.get_absolute_url(), over=case.state != State.CLUB)


ANSWERED = Kind(
    "case_answered",
    gettext_lazy("when what you reported is answered: missing points, a mistake, your personal data"),
    Audience.PLAYER,
    _texts(_answered),
)
NEW = Kind(
    "case_new",
    gettext_lazy("when a player's case waits for an answer of your club"),
    Audience.CLUB,
    _texts(_new),
    default=Delivery.ONCE,
)


def tell_of(message: CaseMessage) -> None:
    """Notify those concerned by a new message of a case."""
    case = message.case
    if message.act == Act.ANSWER:
        notify(ANSWERED, [case.player.current.user_id], str(message.pk), {"case": case.pk})
    elif message.state == State.CLUB and message.act != Act.WRITE:
        kinds = (Role.Kind.DIRECTOR, Role.Kind.CLUB_ADMIN)
        people: Any = Role.objects.filter(club=case.club_id, kind__in=kinds)
        own = Player.objects.numbers_of(case.player.current).filter(user__isnull=False)
        people = people.exclude(user__in=own.values("user"))
        notify(NEW, people.values_list("user", flat=True), str(message.pk), {"case": case.pk})
