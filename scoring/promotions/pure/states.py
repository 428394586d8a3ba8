"""The state machine of a campaign: its states, and the state to which each act leads.

Uses no database. The acts, the database triggers, the queries and the pages all use these constants. An act
is refused if `STEPS` has no key (state, verb) for it.
"""

from enum import StrEnum


class State(StrEnum):
    """The state of a campaign, as stored. `PromotionCampaign.State` adds the labels."""

    DRAFT = "draft"
    FROZEN = "frozen"
    APPROVED = "approved"
    PUBLISHED = "published"
    APPLIED = "applied"
    REVERSED = "reversed"
    ABANDONED = "abandoned"


class Verb(StrEnum):
    """The identifiers of a campaign's acts, as stored in its log. Pages offer the acts in this order."""

    EDIT = "edit"  # change the dates or the rule set
    FREEZE = "freeze"  # store the first version of the lists, or the next one
    DECIDE = "decide"  # overrule the list for one player
    APPROVE = "approve"  # by a second person; again if claims have changed the published lists
    RETURN = "return"  # the committee revokes its approval
    PUBLISH = "publish"
    CLAIM = "claim"  # by a player
    ANSWER = "answer"
    CLOSE = "close"  # the committee ends the claims period early
    SCHEDULE = "schedule"  # apply on a later day
    UNSCHEDULE = "unschedule"
    APPLY = "apply"
    WITHDRAW = "withdraw"  # unpublish
    REVERSE = "reverse"
    ABANDON = "abandon"


# Verbs that only the log uses: they change no state.
OPENED = "open"  # the campaign begins
STOPPED = "stop"  # a task ended without any effect; `detail` names it

STEPS: dict[tuple[str, str], State] = {
    (State.DRAFT, Verb.EDIT): State.DRAFT,
    (State.DRAFT, Verb.FREEZE): State.FROZEN,
    (State.DRAFT, Verb.ABANDON): State.ABANDONED,
    (State.FROZEN, Verb.FREEZE): State.FROZEN,
    (State.FROZEN, Verb.DECIDE): State.FROZEN,
    (State.FROZEN, Verb.APPROVE): State.APPROVED,
    (State.FROZEN, Verb.ABANDON): State.ABANDONED,
    (State.APPROVED, Verb.RETURN): State.FROZEN,
    (State.APPROVED, Verb.PUBLISH): State.PUBLISHED,
    (State.APPROVED, Verb.ABANDON): State.ABANDONED,
    (State.PUBLISHED, Verb.CLAIM): State.PUBLISHED,
    (State.PUBLISHED, Verb.ANSWER): State.PUBLISHED,
    (State.PUBLISHED, Verb.CLOSE): State.PUBLISHED,
    (State.PUBLISHED, Verb.APPROVE): State.PUBLISHED,
    (State.PUBLISHED, Verb.WITHDRAW): State.FROZEN,
    (State.PUBLISHED, Verb.SCHEDULE): State.PUBLISHED,
    (State.PUBLISHED, Verb.UNSCHEDULE): State.PUBLISHED,
    (State.PUBLISHED, Verb.APPLY): State.APPLIED,
    (State.APPLIED, Verb.REVERSE): State.REVERSED,
}
# The acts that move a campaign forward. The first possible one is the main button of its page.
ONWARD: dict[str, tuple[Verb, ...]] = {
    State.DRAFT: (Verb.FREEZE,),
    State.FROZEN: (Verb.APPROVE,),
    State.APPROVED: (Verb.PUBLISH,),
    State.PUBLISHED: (Verb.APPROVE, Verb.APPLY, Verb.SCHEDULE),
}

PATH = (State.DRAFT, State.FROZEN, State.APPROVED, State.PUBLISHED, State.APPLIED)  # usual order
LISTED = (State.FROZEN, State.APPROVED, State.PUBLISHED)  # the lists are frozen and not applied yet
PUBLIC = (State.PUBLISHED, State.APPLIED)  # everybody can read the lists
VOID = (State.REVERSED, State.ABANDONED)  # another campaign can be opened for the year


def after(state: str, verb: str) -> State | None:
    """Return the state to which an act leads from `state`, None if the act is not allowed in `state`."""
    return STEPS.get((state, verb))


def leading_on(state: str) -> Verb | None:
    """Return the act that takes a campaign to the next state of `PATH`, None if there is no next state."""
    return next((verb for verb in ONWARD.get(state, ()) if after(state, verb) != state), None)


def before(*verbs: str) -> list[str]:
    """Return the states in which at least one of the acts is allowed."""
    return list(dict.fromkeys(state for state, verb in STEPS if verb in verbs))


def transitions(*verbs: str) -> list[str]:
    """Return the state changes that these acts make, as texts such as "draft>frozen"."""
    return [
        f"{state}>{following}" for verb in verbs for (state, act), following in STEPS.items() if act == verb
    ]
