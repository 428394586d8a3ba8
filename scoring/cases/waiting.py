"""What waits for accounts: cases to answer, and answers to the player's own cases."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.access import Roles
from players.inbox import Matter, Rows, Source
from players.models import Club
from scoring.cases.access import name_of
from scoring.cases.models import Case
from scoring.cases.queries import lists
from ui.formatting import format_date

MOST = 20  # cases that the inbox of a club's desk lists


class CasesToAnswer(Source):
    """Cases that wait for an answer of the account: of its clubs, and for the office all with the office."""

    kind = "cases"
    label = _("Case to answer")

    def rows(self, user: Any, roles: Roles) -> Rows:
        return lists.to_answer(user, roles)

    def matters(self, rows: Sequence[Case], user: Any, roles: Roles) -> list[Matter]:
        return [self.of(case, user) for case in rows]

    def of(self, case: Case, user: Any) -> Matter:
        """Return the matter of a case. No query if the case came with its player, club and tournament."""
        about = [name_of(user, case.player.current), case.club.name if case.club else ""]
        if case.tournament:
            about.append(case.tournament.name)
        return self.matter(
            title=lists.title_of(case),
            url=case.get_absolute_url(),
            act=gettext("Read and answer"),
            since=case.waiting_since,
            note=", ".join(filter(None, about)),
        )


class CasesAnswered(Source):
    """The player's own cases that were answered, until they are closed."""

    kind = "answered_cases"
    label = _("Case answered")

    def rows(self, user: Any, roles: Roles) -> Rows:
        player = getattr(user, "player", None)
        return lists.answered_news(player) if player else ()

    def matters(self, rows: Sequence[Case], user: Any, roles: Roles) -> list[Matter]:
        return [
            self.matter(
                title=lists.title_of(case),
                url=case.get_absolute_url(),
                act=gettext("Read the answer"),
                since=case.answered_at,
                note=_what_next(case),
            )
            for case in rows
        ]


def _what_next(case: Case) -> str:
    day = format_date(timezone.localdate(case.reopens_until), get_language() or "")
    text = gettext("Answered: close it if it is fine, or write again. It closes by itself on %(day)s.")
    return text % {"day": day}


TO_ANSWER, ANSWERED = CasesToAnswer(), CasesAnswered()


def matters_of(club: Club, viewer: Any) -> Iterator[Matter]:
    """Yield the cases that the club has to answer, for the inbox of its desk. One query."""
    for case in lists.waiting_of(club)[:MOST]:
        yield TO_ANSWER.of(case, viewer)
