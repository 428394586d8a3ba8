"""Triggers, on PostgreSQL and SQLite alike, for the columns of a campaign: each changes with its own step.

What a row says of a step already taken, the categories that applying gave, the lists of a version and the
work done are then as the steps left them, whatever writes to the tables.
"""

from importlib import import_module

from django.db import migrations

guarded = import_module("scoring.migrations.0010_campaigns_are_guarded")

TASK, CHANGE = "scoring_campaigntask", "scoring_campaignchange"
ASSIGNMENT, LIST = "players_categoryassignment", "scoring_snapshotlist"
APPROVED = ["approved_at", "approved_by_id", "approved_digest"]
UNDER_REVIEW = ["approved>frozen", "published>frozen"]
CHANGES_WITH = [  # columns of a campaign, and the steps that may change them: state before > state after
    (["family", "year", "opened_at", "opened_by_id"], []),
    (["rule_set_id", "intake_until", "effective_on"], ["draft>draft"]),
    (["snapshot_id", "frozen_by_id"], ["draft>frozen", "frozen>frozen"]),
    (APPROVED, ["frozen>approved", "published>published", *UNDER_REVIEW]),
    (["published_at"], ["approved>published", "published>frozen"]),
    (["claims_until"], ["approved>published", "published>published", "published>frozen"]),
    (["applied_at"], ["published>applied"]),
    (["reversed_at"], ["applied>reversed"]),
]  # fmt: skip
GIVEN = ["player_id", "category_id", "valid_from", "origin", "reason", "created_at", "created_by_id"]
REVOKED = ["revoked_at", "revoked_by_id", "revoked_reason"]
OF_CHANGE = ["campaign_id", "player_id", "category_id", "target_id", "assignment_id", "problem"]
# How the databases say that two values differ, empty ones too, and what a key of a JSON column holds.
SAID_BY = {
    "postgresql": ("IS DISTINCT FROM", "({column} ->> '{key}')::bigint"),
    "sqlite": ("IS NOT", "json_extract({column}, '$.{key}')"),
}


def _checks(vendor: str):
    """As in the migration that this one adds to: table, acts, name, condition of refusal, message."""
    differs, of_json = SAID_BY[vendor]

    def changed(columns: list[str]) -> str:
        return "(" + " OR ".join(f"OLD.{name} {differs} NEW.{name}" for name in columns) + ")"

    for columns, steps in CHANGES_WITH:
        known = ", ".join(f"'{step}'" for step in ["", *steps])
        condition = f"{changed(columns)} AND OLD.state || '>' || NEW.state NOT IN ({known})"
        message = f"{columns[-1]} of a campaign changes with another step, or never"
        yield guarded.CAMPAIGN, ["UPDATE"], f"with_{columns[-1]}", condition, message
    kept = ", ".join(f"'{step}'" for step in UNDER_REVIEW)
    condition = (
        f"(OLD.state || '>' || NEW.state IN ({kept}) AND NEW.approved_digest <> '') OR "
        f"(OLD.state = NEW.state AND {changed(['approved_digest'])} AND NOT {changed(['approved_at'])}) OR "
        f"(OLD.state = NEW.state AND {changed(APPROVED)} AND NOT {changed(['approved_digest'])})"
    )
    message = "an approval is of one list: taken off with it, dated anew for another"
    yield guarded.CAMPAIGN, ["UPDATE"], "with_approval", condition, message
    condition = "OLD.state = NEW.state AND NEW.claims_until > OLD.claims_until"
    yield guarded.CAMPAIGN, ["UPDATE"], "with_claims", condition, "the last day for claims only comes nearer"

    condition = (
        f"(OLD.origin = 'campaign' OR NEW.origin = 'campaign') AND ({changed(GIVEN)} "
        f"OR (OLD.revoked_at IS NOT NULL AND {changed(REVOKED)}))"
    )
    message = "a category that a campaign gave is revoked, once, and never edited"
    yield ASSIGNMENT, ["UPDATE"], "of_campaign", condition, message

    yield TASK, ["DELETE"], "kept", "", "work of a campaign is never deleted"
    condition = "OLD.state IN ('done', 'failed', 'cancelled') AND OLD.state <> NEW.state"
    yield TASK, ["UPDATE"], "ended", condition, "work of a campaign that has ended is not begun again"

    condition = (
        f"{changed(OF_CHANGE)} OR (OLD.undone <> '' AND {changed(['undone'])}) "
        f"OR (OLD.restored_id IS NOT NULL AND {changed(['restored_id'])})"
    )
    yield CHANGE, ["UPDATE"], "once", condition, "a change of a campaign is undone, once, and never edited"

    # The log has the version, and who works on it, before the lists are stored; that work ends with them.
    task, version = (of_json.format(column="act.detail", key=key) for key in ("task", "version"))
    making = (
        f"(SELECT count(*) FROM scoring_campaignsnapshot snapshot "
        f"JOIN scoring_campaignact act ON act.campaign_id = snapshot.campaign_id AND act.verb = 'freeze' "
        f"JOIN {TASK} task ON task.id = {task} "
        f"WHERE snapshot.id = NEW.snapshot_id AND snapshot.version = {version} AND task.state = 'running')"
    )
    message = "a version takes no lists once it is frozen"
    yield LIST, ["INSERT"], "with_version", f"{making} = 0", message


BOTH = {vendor: getattr(guarded, vendor)(_checks(vendor)) for vendor in SAID_BY}
CREATE = {vendor: statements[0] for vendor, statements in BOTH.items()}
DROP = {vendor: statements[1] for vendor, statements in BOTH.items()}


class Migration(migrations.Migration):
    dependencies = [("scoring", "0012_plain_orders"), ("players", "0004_merges")]
    operations = [migrations.RunPython(guarded.run(CREATE), guarded.run(DROP))]
