"""The state machine of a campaign. Every (state, verb) that is not in `STEPS` is refused. Pure."""

from enum import StrEnum


class Verb(StrEnum):
    """A step that a person, or a schedule, takes in a campaign."""

    EDIT = "edit"  # change the dates or the rule set
    FREEZE = "freeze"  # take the first snapshot, or the next version
    DECIDE = "decide"  # overrule the list for one player
    APPROVE = "approve"  # by a second person; in a published campaign, what claims changed
    RETURN = "return"  # the committee revokes its approval
    PUBLISH = "publish"
    CLAIM = "claim"  # by a player
    ANSWER = "answer"
    CLOSE = "close"  # the committee ends the claims period early
    WITHDRAW = "withdraw"  # unpublish
    SCHEDULE = "schedule"  # apply on a later day
    UNSCHEDULE = "unschedule"
    APPLY = "apply"
    REVERSE = "reverse"
    ABANDON = "abandon"


# Values of `PromotionCampaign.State`, a model that may not be imported here.
STEPS: dict[tuple[str, Verb], str] = {
    ("draft", Verb.EDIT): "draft",
    ("draft", Verb.FREEZE): "frozen",
    ("draft", Verb.ABANDON): "abandoned",
    ("frozen", Verb.FREEZE): "frozen",
    ("frozen", Verb.DECIDE): "frozen",
    ("frozen", Verb.APPROVE): "approved",
    ("frozen", Verb.ABANDON): "abandoned",
    ("approved", Verb.RETURN): "frozen",
    ("approved", Verb.PUBLISH): "published",
    ("approved", Verb.ABANDON): "abandoned",
    ("published", Verb.CLAIM): "published",
    ("published", Verb.ANSWER): "published",
    ("published", Verb.CLOSE): "published",
    ("published", Verb.APPROVE): "published",
    ("published", Verb.WITHDRAW): "frozen",
    ("published", Verb.SCHEDULE): "published",
    ("published", Verb.UNSCHEDULE): "published",
    ("published", Verb.APPLY): "applied",
    ("applied", Verb.REVERSE): "reversed",
}


def after(state: str, verb: Verb) -> str | None:
    """Return the state that a step leads to, None if the step is not allowed."""
    return STEPS.get((state, verb))
