"""Open cases, write in them, pass them on and close them. Other rooms open cases by `open_case`.

Every act locks the case, checks the state machine and who acts, stores a message, and notifies those whom
it concerns.
"""

from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import Club, Player, Role
from players.services import limits
from scoring.cases import states
from scoring.cases.access import party_of
from scoring.cases.models import LONGEST_TEXT, Case, CaseMessage
from scoring.cases.notices import tell_of
from scoring.cases.states import Act, Party, State
from tournaments.models import Revision, Tournament
from ui.text import without_direction_marks

# Per account. Opening is rarer than writing; those who answer are not limited.
OPENING = limits.Limit(free=5, first=timedelta(minutes=10), longest=timedelta(days=1))
WRITING = limits.Limit(free=20, first=timedelta(minutes=5), longest=timedelta(hours=6))
WORDLESS = {Act.CLOSE}  # acts that need no text
BATCH = 500  # cases that one run of a daily chore changes


class NotPossible(ValidationError):
    """Raised if the state of a case does not allow an act, for example because somebody was quicker."""

    def __init__(self) -> None:
        super().__init__(_("The case has changed in the meantime. Look at it again."))


def open_case(
    player: Player,
    account: Any,
    kind: str,
    text: str,
    *,
    club: Club | None = None,
    day: date | None = None,
    tournament: Tournament | None = None,
    limited: bool = True,
) -> Case:
    """Open a case, and return it. Opening the same case twice returns the first one.

    Cases about personal data go to the office, which alone reads them. The others go to the club, if one is
    named and has a director or an administrator other than the player; otherwise to the office.

    account: who opens it
    kind: a value of `Case.Kind`
    club: by default that of the tournament
    limited: whether to count it against the account's limit; False for what another page limits

    Raises ValidationError for a text that is empty or too long, and `limits.TooSoon`.
    """
    kind, text = Case.Kind(kind), _cleaned(text, Act.OPEN)
    if tournament:
        club, day = tournament.club, tournament.end_date
    reader = None if kind == Case.Kind.PERSONAL else club
    begins = State.CLUB if reader and can_answer(reader, player) else State.OFFICE
    with transaction.atomic():
        # The lock makes two clicks on the button one case.
        Player.objects.select_for_update().get(pk=player.pk)
        if same := _already_open(player, kind, text, reader, day, tournament):
            return same
        if limited:
            limits.take({f"cases of {account.pk}": OPENING})
        now = timezone.now()
        case = Case.objects.create(
            kind=kind,
            player=player,
            club=reader,
            day=day,
            tournament=tournament,
            state=begins,
            opened_at=now,
            opened_by=account,
            waiting_since=now,
        )
        _store(case, Act.OPEN, Party.PLAYER, account, text, now)
    return case


def can_answer(club: Club, player: Player) -> bool:
    """Return whether the club has an open account that may answer cases of this player."""
    kinds = (Role.Kind.DIRECTOR, Role.Kind.CLUB_ADMIN)
    people = Role.objects.filter(club=club, kind__in=kinds, user__is_active=True)
    own = player.current.user_id
    return people.exclude(user=own).exists() if own else people.exists()


def _already_open(
    player: Player,
    kind: str,
    text: str,
    club: Club | None,
    day: date | None,
    tournament: Tournament | None,
) -> Case | None:
    rows = Case.objects.filter(player=player, kind=kind, club=club, day=day, tournament=tournament)
    waiting = rows.filter(state__in=states.WAITING, messages__act=Act.OPEN, messages__text=text)
    return waiting.first()


def perform(
    case_id: int,
    act: str,
    account: Any,
    text: str = "",
    *,
    club: Club | None = None,
    revision: Revision | None = None,
    seen: int | None = None,
) -> Case:
    """Perform an act of a person on a case, and return the case.

    club: to which the office passes the case; by default the club that the case has
    revision: for an answer, the ranking that mended what the case is about
    seen: how many messages the account has read; by default all of them

    Raises PermissionDenied for accounts that may not act on the case at all, NotPossible if its state does
    not allow the act or somebody has written since, ValidationError for a missing or too long text, and
    `limits.TooSoon`.
    """
    text = _cleaned(text, act)
    with transaction.atomic():
        case = Case.objects.select_for_update().get(pk=case_id)
        party = party_of(account, case)
        if party is None or act not in states.ACTORS or party not in states.ACTORS[act]:
            raise PermissionDenied
        if not states.allows(case.state, act, party):
            raise NotPossible
        if seen is not None and case.messages.count() != seen:
            raise NotPossible
        now = timezone.now()
        if act == Act.REOPEN and now > case.reopens_until:
            raise ValidationError(_("The time for reopening this case is over. Open a new one."))
        if act == Act.HAND_OVER and case.state == State.OFFICE:
            _give_to_club(case, club or case.club)
        if party == Party.PLAYER and act != Act.CLOSE:
            limits.take({f"messages in cases of {account.pk}": WRITING})
        _change(case, act, party, account, text, now, revision if act == Act.ANSWER else None)
    return case


def _give_to_club(case: Case, club: Club | None) -> None:
    """Set the club to which the office passes a case. Raises ValidationError if that cannot answer it."""
    if case.kind == Case.Kind.PERSONAL:
        raise ValidationError(_("Only the office answers cases about personal data."))
    if club is None:
        raise ValidationError(_("Say which club shall answer."))
    if not can_answer(club, case.player):
        raise ValidationError(_("Nobody in this club can answer: it has no director and no administrator."))
    case.club = club


def _change(
    case: Case,
    act: str,
    party: Party,
    account: Any,
    text: str,
    now: datetime,
    revision: Revision | None = None,
) -> None:
    """Store an act that is allowed: the message, and the case's new state."""
    before, case.state = case.state, states.after(case.state, act) or case.state
    days = None
    if act == Act.ANSWER:
        if before in states.WAITING:
            days = (timezone.localdate(now) - timezone.localdate(case.waiting_since)).days
        case.answered_at = now
    elif case.state != before and case.state in states.WAITING:
        case.waiting_since = now
    case.closed_at = now if case.state == State.CLOSED else None
    case.save()
    _store(case, act, party, account, text, now, revision, days)


def _store(
    case: Case,
    act: str,
    party: Party,
    account: Any,
    text: str,
    now: datetime,
    revision: Revision | None = None,
    days: int | None = None,
) -> None:
    message = CaseMessage.objects.create(
        case=case,
        act=act,
        party=party,
        state=case.state,
        text=text,
        revision=revision,
        days=days,
        at=now,
        by=account,
    )
    tell_of(message)


def _cleaned(text: str, act: str) -> str:
    """Return a text as it is stored. Raises ValidationError if it is missing or too long."""
    text = without_direction_marks(text).replace("\x00", "").replace("\r\n", "\n").strip()
    if not text and act not in WORDLESS:
        raise ValidationError({"text": _("Write what it is about.")})
    if len(text) > LONGEST_TEXT:
        message = _("The text is too long: at most %(limit)s characters.")
        raise ValidationError({"text": message % {"limit": LONGEST_TEXT}})
    return text


def escalate(day: date) -> None:
    """Pass to the office what a club has not answered in `settings.CASE_CLUB_DAYS` days. A daily chore."""
    before = timezone.now() - timedelta(days=settings.CASE_CLUB_DAYS)
    _for_all(Case.objects.filter(state=State.CLUB, waiting_since__lt=before), Act.ESCALATE)


def expire(day: date) -> None:
    """Close the cases in which nobody wrote in the days after the answer. A daily chore."""
    before = timezone.now() - timedelta(days=settings.CASE_REOPEN_DAYS)
    _for_all(Case.objects.filter(state=State.ANSWERED, answered_at__lt=before), Act.EXPIRE)


def _for_all(cases, act: Act) -> None:
    """Perform an act of the system on all these cases, in batches, each in a transaction of its own."""
    while ids := list(cases.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        with transaction.atomic():
            for case in cases.select_for_update().filter(pk__in=ids):
                _change(case, act, Party.SYSTEM, None, "", timezone.now())


def erase_texts(player: Player) -> int:
    """Erase the texts of a person's cases, which are personal data. Return how many there were.

    The cases, their dates and their states remain.
    """
    numbers = Player.objects.numbers_of(player)
    return CaseMessage.objects.filter(case__player__in=numbers).exclude(text="").update(text="")
