"""Database triggers that protect the tables of the year-end change (see `players.triggers`).

Frozen lists, claims, answers, decisions and logs are append-only. A campaign begins as a draft and is never
deleted. Its state changes only as the state machine allows, and each of its columns only together with
certain changes of the state. Decisions, claims, category changes and lists are inserted only while the
campaign is in a state that allows them.
"""

from collections.abc import Iterator

from players.triggers import Guard, changed, not_replaced, quoted
from scoring.promotions.pure import states
from scoring.promotions.pure.states import State, Verb

CAMPAIGN, TASK = "promotions_promotioncampaign", "promotions_campaigntask"
CHANGE, CLAIM = "promotions_campaignchange", "promotions_campaignclaim"
SNAPSHOT, LIST = "promotions_campaignsnapshot", "promotions_snapshotlist"
ANSWER, DECISION = "promotions_claimanswer", "promotions_campaigndecision"
ACT, RULE_SET_CHANGE = "promotions_campaignact", "promotions_rulesetchange"
# Append-only tables, with the unique keys (besides the id) through which a new row could replace an old one.
APPEND_ONLY = {
    SNAPSHOT: ["old.campaign_id = NEW.campaign_id AND old.version = NEW.version"],
    LIST: ["old.snapshot_id = NEW.snapshot_id AND old.category_id = NEW.category_id"],
    CLAIM: [],
    ANSWER: ["old.claim_id = NEW.claim_id"],
    DECISION: ["old.answer_id = NEW.answer_id"],
    ACT: [],
    RULE_SET_CHANGE: [],
}
OF_ANSWER = f"(SELECT campaign_id FROM {CLAIM} WHERE id = NEW.claim_id)"  # noqa: S608 (a trigger of ours)
ONLY_IN = [  # table, operation, SQL for the campaign's id, allowed states
    (SNAPSHOT, "INSERT", "NEW.campaign_id", states.before(Verb.FREEZE)),
    (DECISION, "INSERT", "NEW.campaign_id", states.before(Verb.DECIDE, Verb.ANSWER)),
    (CLAIM, "INSERT", "NEW.campaign_id", states.before(Verb.CLAIM)),
    (ANSWER, "INSERT", OF_ANSWER, states.before(Verb.ANSWER)),
    # Applying and reversing change the state first.
    (CHANGE, "INSERT", "NEW.campaign_id", [State.APPLIED]),
    (CHANGE, "UPDATE", "NEW.campaign_id", [State.REVERSED]),
]
LATER = [  # columns of a campaign that are null in a draft
    "snapshot_id",
    "frozen_by_id",
    "approved_at",
    "approved_by_id",
    "published_at",
    "claims_until",
    "applied_at",
    "reversed_at",
]
APPROVED = ["approved_at", "approved_by_id", "approved_digest"]
UNDER_REVIEW = (Verb.RETURN, Verb.WITHDRAW)
CHANGES_WITH: list[tuple[list[str], tuple[Verb, ...]]] = [  # columns of a campaign, the acts that change them
    (["family", "year", "opened_at", "opened_by_id"], ()),
    (["intake_until", "effective_on"], (Verb.EDIT,)),
    (["snapshot_id", "frozen_by_id"], (Verb.FREEZE,)),
    (APPROVED, (Verb.APPROVE, *UNDER_REVIEW)),
    (["published_at"], (Verb.PUBLISH, Verb.WITHDRAW)),
    (["claims_until"], (Verb.PUBLISH, Verb.CLOSE, Verb.WITHDRAW)),
    (["applied_at"], (Verb.APPLY,)),
    (["reversed_at"], (Verb.REVERSE,)),
]
OF_CHANGE = ["campaign_id", "player_id", "category_id", "target_id", "assignment_id", "problem"]
# SQL expression for an integer under a key of a JSON column, by database vendor.
OF_JSON = {
    "postgresql": "({column} ->> '{key}')::bigint",
    "sqlite": "json_extract({column}, '$.{key}')",
}


def guards(vendor: str) -> Iterator[Guard]:
    """Yield the guards (database triggers) of all tables. `vendor` is "postgresql" or "sqlite"."""
    yield from _documents(vendor)
    yield from _campaigns(vendor)
    yield from _approvals(vendor)
    yield from _tasks(vendor)
    yield from _changes(vendor)
    yield from _by_state()


def _documents(vendor: str) -> Iterator[Guard]:
    for table, keys in APPEND_ONLY.items():
        message = "rows of a campaign's file are never changed"
        yield Guard(table, ("UPDATE", "DELETE"), "append_only", "", message)
        yield from not_replaced(vendor, table, *keys)
    # In one transaction, freezing logs the version and its task, stores the lists and then ends the task. So
    # a version takes lists only while the task in its log line is running.
    task, version = (OF_JSON[vendor].format(column="act.detail", key=key) for key in ("task", "version"))
    open_versions = (
        f"(SELECT count(*) FROM {SNAPSHOT} snapshot "  # noqa: S608 (a trigger of ours)
        f"JOIN {ACT} act ON act.campaign_id = snapshot.campaign_id AND act.verb = 'freeze' "
        f"JOIN {TASK} task ON task.id = {task} "
        f"WHERE snapshot.id = NEW.snapshot_id AND snapshot.version = {version} AND task.state = 'running')"
    )
    message = "a version takes no lists once it is frozen"
    yield Guard(LIST, ("INSERT",), "with_version", f"{open_versions} = 0", message)


def _campaigns(vendor: str) -> Iterator[Guard]:
    yield Guard(CAMPAIGN, ("DELETE",), "kept", "", "a campaign is never deleted")
    begun = " OR ".join(f"NEW.{name} IS NOT NULL" for name in LATER)
    condition = f"NEW.state <> 'draft' OR NEW.approved_digest <> '' OR {begun}"
    yield Guard(CAMPAIGN, ("INSERT",), "begins", condition, "a campaign begins as a draft")
    steps = sorted({f"{old}>{new}" for (old, _verb), new in states.STEPS.items() if old != new})
    condition = f"OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN ({quoted(steps)})"
    message = "a campaign does not go from that state to that one"
    yield Guard(CAMPAIGN, ("UPDATE",), "steps", condition, message)
    for columns, verbs in CHANGES_WITH:
        allowed = quoted(["", *states.transitions(*verbs)])
        condition = f"{changed(vendor, columns)} AND OLD.state || '>' || NEW.state NOT IN ({allowed})"
        message = f"{columns[-1]} of a campaign changes with another step, or never"
        yield Guard(CAMPAIGN, ("UPDATE",), f"with_{columns[-1]}", condition, message)
    # A campaign that is frozen again may take over the rules that are now in force for its year.
    frozen_again = f"(OLD.state || '>' || NEW.state = 'frozen>frozen' AND {changed(vendor, ['snapshot_id'])})"
    condition = (
        f"{changed(vendor, ['rule_set_id'])} AND OLD.state || '>' || NEW.state NOT IN ('', 'draft>draft') "
        f"AND NOT {frozen_again}"
    )
    message = "rule_set_id of a campaign changes with another step, or never"
    yield Guard(CAMPAIGN, ("UPDATE",), "with_rule_set_id", condition, message)
    yield from not_replaced(
        vendor,
        CAMPAIGN,
        "old.snapshot_id = NEW.snapshot_id",
        "old.family = NEW.family AND old.year = NEW.year "
        "AND NOT (old.state IN ('reversed', 'abandoned')) AND NEW.state NOT IN ('reversed', 'abandoned')",
    )


def _approvals(vendor: str) -> Iterator[Guard]:
    digest, when = changed(vendor, ["approved_digest"]), changed(vendor, ["approved_at"])
    to_review = quoted(states.transitions(*UNDER_REVIEW))
    condition = (
        f"(OLD.state || '>' || NEW.state IN ({to_review}) AND NEW.approved_digest <> '') OR "
        f"(OLD.state = NEW.state AND {digest} AND NOT {when}) OR "
        f"(OLD.state = NEW.state AND {changed(vendor, APPROVED)} AND NOT {digest})"
    )
    message = "an approval is of one list: taken off with it, dated anew for another"
    yield Guard(CAMPAIGN, ("UPDATE",), "with_approval", condition, message)
    condition = "OLD.state = NEW.state AND NEW.claims_until > OLD.claims_until"
    message = "the last day for claims only comes nearer"
    yield Guard(CAMPAIGN, ("UPDATE",), "with_claims", condition, message)


def _tasks(vendor: str) -> Iterator[Guard]:
    yield Guard(TASK, ("DELETE",), "kept", "", "work of a campaign is never deleted")
    condition = "OLD.state IN ('done', 'failed', 'cancelled') AND OLD.state <> NEW.state"
    message = "work of a campaign that has ended is not begun again"
    yield Guard(TASK, ("UPDATE",), "ended", condition, message)
    yield from not_replaced(
        vendor,
        TASK,
        "old.campaign_id = NEW.campaign_id "
        "AND old.state IN ('pending', 'running') AND NEW.state IN ('pending', 'running')",
    )


def _changes(vendor: str) -> Iterator[Guard]:
    yield Guard(CHANGE, ("DELETE",), "kept", "", "changes of a campaign are never deleted")
    condition = (
        f"{changed(vendor, OF_CHANGE)} OR (OLD.undone <> '' AND {changed(vendor, ['undone'])}) "
        f"OR (OLD.restored_id IS NOT NULL AND {changed(vendor, ['restored_id'])})"
    )
    message = "a change of a campaign is undone, once, and never edited"
    yield Guard(CHANGE, ("UPDATE",), "once", condition, message)
    yield from not_replaced(
        vendor,
        CHANGE,
        "old.campaign_id = NEW.campaign_id AND old.player_id = NEW.player_id",
        "old.assignment_id = NEW.assignment_id",
        "old.restored_id = NEW.restored_id",
    )


def _by_state() -> Iterator[Guard]:
    for table, operation, campaign, allowed in ONLY_IN:
        state = f"(SELECT state FROM {CAMPAIGN} WHERE id = {campaign})"  # noqa: S608 (a trigger of ours)
        condition = f"{state} NOT IN ({quoted(allowed)})"
        message = "the campaign is not in a state that allows this"
        yield Guard(table, (operation,), f"in_{operation.lower()}", condition, message)
