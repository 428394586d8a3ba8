"""The state machine of a case: its states, the state to which each act leads, and who may perform it.

Uses no database. The services, the database triggers and the pages all use these constants. An act is
refused if `STEPS` has no key (state, act) for it, or if the person is of no party in `ACTORS`.
"""

from enum import StrEnum


class State(StrEnum):
    """The state of a case, as stored. `Case.State` adds the labels."""

    CLUB = "club"  # a director or an administrator of the club answers next
    OFFICE = "office"  # the office answers next
    ANSWERED = "answered"
    CLOSED = "closed"


class Party(StrEnum):
    """Who performs an act."""

    PLAYER = "player"  # the player whom the case is about
    CLUB = "club"  # the directors and administrators of the club
    OFFICE = "office"
    SYSTEM = "system"  # the daily chores


class Act(StrEnum):
    """An act, as stored with its message."""

    OPEN = "open"
    WRITE = "write"  # the player adds something
    ANSWER = "answer"
    HAND_OVER = "hand_over"  # from the club to the office, or back
    ESCALATE = "escalate"  # to the office, because the club did not answer in time
    CLOSE = "close"
    REOPEN = "reopen"
    EXPIRE = "expire"  # closed, because the player did not write after the answer


STEPS: dict[tuple[str, str], State] = {
    (State.CLUB, Act.WRITE): State.CLUB,
    (State.CLUB, Act.ANSWER): State.ANSWERED,
    (State.CLUB, Act.HAND_OVER): State.OFFICE,
    (State.CLUB, Act.ESCALATE): State.OFFICE,
    (State.CLUB, Act.CLOSE): State.CLOSED,
    (State.OFFICE, Act.WRITE): State.OFFICE,
    (State.OFFICE, Act.ANSWER): State.ANSWERED,
    (State.OFFICE, Act.HAND_OVER): State.CLUB,
    (State.OFFICE, Act.CLOSE): State.CLOSED,
    (State.ANSWERED, Act.ANSWER): State.ANSWERED,  # a further answer, for example once it is corrected
    (State.ANSWERED, Act.REOPEN): State.OFFICE,
    (State.ANSWERED, Act.CLOSE): State.CLOSED,
    (State.ANSWERED, Act.EXPIRE): State.CLOSED,
    (State.CLOSED, Act.REOPEN): State.OFFICE,
}
# Who may perform an act: {act: parties}. In `_OFFICE_ALONE` only the office may.
ACTORS: dict[str, frozenset[Party]] = {
    Act.WRITE: frozenset({Party.PLAYER}),
    Act.CLOSE: frozenset({Party.PLAYER}),
    Act.REOPEN: frozenset({Party.PLAYER}),
    Act.ANSWER: frozenset({Party.CLUB, Party.OFFICE}),
    Act.HAND_OVER: frozenset({Party.CLUB, Party.OFFICE}),
    Act.ESCALATE: frozenset({Party.SYSTEM}),
    Act.EXPIRE: frozenset({Party.SYSTEM}),
}
_OFFICE_ALONE = {(State.OFFICE, Act.ANSWER), (State.OFFICE, Act.HAND_OVER)}
WAITING = (State.CLUB, State.OFFICE)  # somebody has to answer
BEGINNINGS = WAITING  # the states in which a case is opened


def after(state: str, act: str) -> State | None:
    """Return the state to which an act leads from `state`; None if the act is not allowed in `state`."""
    return STEPS.get((state, act))


def allows(state: str, act: str, party: str) -> bool:
    """Return whether a party may perform an act on a case in `state`."""
    if after(state, act) is None or party not in ACTORS[act]:
        return False
    return party == Party.OFFICE or (state, act) not in _OFFICE_ALONE


def acts_of(state: str, party: str) -> list[Act]:
    """Return the acts that a party may perform on a case in `state`."""
    return [act for act in Act if act in ACTORS and allows(state, act, party)]


def transitions() -> list[str]:
    """Return all changes of state that are allowed, as texts such as "club>office"."""
    return sorted({f"{old}>{new}" for (old, _act), new in STEPS.items()})
