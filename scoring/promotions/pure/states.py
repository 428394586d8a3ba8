"""Which step of a campaign leads from where to where. Every pair that is not in `STEPS` is refused. Pure."""

from enum import StrEnum


class Verb(StrEnum):
    """What people, or the clock, do to a campaign."""

    EDIT = "edit"  # other dates or another rule set
    FREEZE = "freeze"  # take the snapshot, or the next version of it
    DECIDE = "decide"  # one player moves or stays whatever the list says
    APPROVE = "approve"  # by somebody else; in a published campaign what claims changed
    RETURN = "return"  # the committee gives it back
    PUBLISH = "publish"
    CLAIM = "claim"  # by a player
    ANSWER = "answer"
    CLOSE = "close"  # the committee ends the time for claims before its last day
    WITHDRAW = "withdraw"  # take the publication back
    SCHEDULE = "schedule"  # to be applied on its day
    UNSCHEDULE = "unschedule"
    APPLY = "apply"
    REVERSE = "reverse"
    ABANDON = "abandon"


# Names of `PromotionCampaign.State`; that model may not be imported here.
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
    """The state that a step leads to; None where the step is not allowed."""
    return STEPS.get((state, verb))
