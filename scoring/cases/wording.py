"""Word the messages of a case."""

from typing import Any

from django.conf import settings
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from scoring.cases.access import is_own, name_of
from scoring.cases.models import Case, CaseMessage
from scoring.cases.states import Act, Party, State
from ui.formatting import format_date

ACTS = {
    Act.OPEN: gettext_lazy("case opened"),
    Act.WRITE: gettext_lazy("addition"),
    Act.ANSWER: gettext_lazy("answer"),
    Act.HAND_OVER: gettext_lazy("passed on"),
    Act.ESCALATE: gettext_lazy("passed to the office"),
    Act.CLOSE: gettext_lazy("case closed"),
    Act.REOPEN: gettext_lazy("case reopened"),
    Act.EXPIRE: gettext_lazy("closed, because nothing more was written"),
}
WITH_TEXT = (Act.OPEN, Act.WRITE, Act.ANSWER, Act.HAND_OVER, Act.REOPEN)  # acts that come with a text


def message_records(case: Case, viewer: Any) -> list[dict[str, Any]]:
    """Return a record for each message of a case, the first first. One query.

    Players read that the club or the office wrote, not which person; the others read the account's name too.
    """
    rows = case.messages.select_related("by", "revision__tournament")
    own, name = is_own(viewer, case), name_of(viewer, case.player.current)
    return [
        {
            "who": _who(message, case, own, name),
            "did": _did(message),
            "party": message.party,
            "at": message.at,
            "text": message.text,
            "erased": not message.text and message.act in WITH_TEXT,
            "mended_by": _mended_by(message),
        }
        for message in rows
    ]


def _who(message: CaseMessage, case: Case, own: bool, name: str) -> str:
    if message.party == Party.SYSTEM:
        return _("Automatic")
    if message.party == Party.PLAYER:
        return _("You") if own else name
    role = _("The office") if message.party == Party.OFFICE else _club_name(case)
    if own or message.by is None:
        return role
    return f"{role} ({message.by.get_username()})"


def _club_name(case: Case) -> str:
    return case.club.name if case.club else _("The club")


def _did(message: CaseMessage) -> str:
    """Return what happened in a few words."""
    if message.act == Act.HAND_OVER:
        return _("passed to the club") if message.state == State.CLUB else _("passed to the office")
    if message.act == Act.ESCALATE:
        text = ngettext(
            "passed to the office: the club did not answer within %(number)s day",
            "passed to the office: the club did not answer within %(number)s days",
            settings.CASE_CLUB_DAYS,
        )
        return text % {"number": settings.CASE_CLUB_DAYS}
    return str(ACTS[Act(message.act)])


def _mended_by(message: CaseMessage) -> dict[str, str] | None:
    """Return the address and the name of the result that mended it; None without one."""
    if message.revision is None:
        return None
    tournament = message.revision.tournament
    name = f"{tournament.name}, {format_date(tournament.end_date, get_language() or '')}"
    return {"url": f"{tournament.get_absolute_url()}#historia", "name": name}
