"""Triggers, on PostgreSQL and SQLite alike, that refuse what no campaign may do.

Documents and logs are append-only; a campaign goes only from a state to one that follows it, and is never
deleted; decisions, claims and changes come only while the campaign is in a state that has them.
"""

from django.db import migrations

from players.triggers import postgresql, run, sqlite

CAMPAIGN = "scoring_promotioncampaign"
APPEND_ONLY = [
    "scoring_campaignsnapshot", "scoring_snapshotlist", "scoring_campaignclaim", "scoring_claimanswer",
    "scoring_campaigndecision", "scoring_campaignact", "scoring_rulesetchange",
]  # fmt: skip
# scoring.promotions.pure.states, as it was when this migration was written; a test compares the two.
STEPS = [
    ("draft", "frozen"), ("draft", "abandoned"), ("frozen", "approved"), ("frozen", "abandoned"),
    ("approved", "frozen"), ("approved", "published"), ("approved", "abandoned"), ("published", "frozen"),
    ("published", "applied"), ("applied", "reversed"),
]  # fmt: skip
ONLY_IN = [  # table, act, the campaign's id, states
    ("scoring_campaignsnapshot", "INSERT", "NEW.campaign_id", ["draft", "frozen"]),
    ("scoring_campaigndecision", "INSERT", "NEW.campaign_id", ["frozen", "published"]),
    ("scoring_campaignclaim", "INSERT", "NEW.campaign_id", ["published"]),
    ("scoring_claimanswer", "INSERT",
     "(SELECT campaign_id FROM scoring_campaignclaim WHERE id = NEW.claim_id)", ["published"]),
    ("scoring_campaignchange", "INSERT", "NEW.campaign_id", ["applied"]),
    ("scoring_campaignchange", "UPDATE", "NEW.campaign_id", ["reversed"]),
]  # fmt: skip


def _quoted(values) -> str:
    return ", ".join(f"'{value}'" for value in values)


def _checks():
    """(table, acts, name, condition under which it is refused, message); no condition: always refused."""
    for table in APPEND_ONLY:
        yield table, ["UPDATE", "DELETE"], "append_only", "", "rows of a campaign's file are never changed"
    yield CAMPAIGN, ["DELETE"], "kept", "", "a campaign is never deleted"
    yield "scoring_campaignchange", ["DELETE"], "kept", "", "changes of a campaign are never deleted"
    steps = _quoted(f"{old}>{new}" for old, new in STEPS)
    condition = f"OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN ({steps})"
    yield CAMPAIGN, ["UPDATE"], "steps", condition, "a campaign does not go from that state to that one"
    for table, act, campaign, states in ONLY_IN:
        found = f"(SELECT state FROM {CAMPAIGN} WHERE id = {campaign})"
        condition = f"{found} NOT IN ({_quoted(states)})"
        yield table, [act], f"in_{act.lower()}", condition, "the campaign is not in a state that allows this"


BOTH = {"postgresql": postgresql(_checks()), "sqlite": sqlite(_checks())}
CREATE = {vendor: statements[0] for vendor, statements in BOTH.items()}
DROP = {vendor: statements[1] for vendor, statements in BOTH.items()}


class Migration(migrations.Migration):
    dependencies = [("scoring", "0009_rules_by_category")]
    operations = [
        migrations.RemoveField("promotionruleset", "veto"),
        migrations.RunPython(run(CREATE), run(DROP)),
    ]
