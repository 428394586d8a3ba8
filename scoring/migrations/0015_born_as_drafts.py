"""Triggers for the two ways round those that refuse changes: inserting what is finished, and replacing by inserting.

A campaign begins as a draft. On SQLite INSERT OR REPLACE deletes the rows that stand in the way without their
DELETE triggers; tables with rows that are kept refuse a row that would do that. PostgreSQL has no such act.
"""

from importlib import import_module

from django.db import migrations

guarded = import_module("scoring.migrations.0010_campaigns_are_guarded")

CAMPAIGN = "scoring_promotioncampaign"
LATER = [
    "snapshot_id", "frozen_by_id", "approved_at", "approved_by_id", "published_at", "claims_until", "applied_at",
    "reversed_at",
]  # fmt: skip
# Rows that are kept, and what makes a new one take the place of another, besides its id. In the words of the
# unique indexes, so that each is looked up and no table is walked through for every row.
KEPT = {
    "scoring_ledgerentry": [
        "old.reverses_id = NEW.reverses_id",
        "old.source_key = NEW.source_key AND NOT (old.source_key = '')",
        "old.run_id = NEW.run_id AND old.player_id = NEW.player_id AND old.kind = 'award' AND NEW.kind = 'award'",
    ],
    "scoring_campaignsnapshot": ["old.campaign_id = NEW.campaign_id AND old.version = NEW.version"],
    "scoring_snapshotlist": ["old.snapshot_id = NEW.snapshot_id AND old.category_id = NEW.category_id"],
    "scoring_campaignclaim": [],
    "scoring_claimanswer": ["old.claim_id = NEW.claim_id"],
    "scoring_campaigndecision": ["old.answer_id = NEW.answer_id"],
    "scoring_campaignact": [],
    "scoring_rulesetchange": [],
    CAMPAIGN: [
        "old.snapshot_id = NEW.snapshot_id",
        "old.family = NEW.family AND old.year = NEW.year "
        "AND NOT (old.state IN ('reversed', 'abandoned')) AND NEW.state NOT IN ('reversed', 'abandoned')",
    ],
    "scoring_campaigntask": [
        "old.campaign_id = NEW.campaign_id "
        "AND old.state IN ('pending', 'running') AND NEW.state IN ('pending', 'running')",
    ],
    "scoring_campaignchange": [
        "old.campaign_id = NEW.campaign_id AND old.player_id = NEW.player_id",
        "old.assignment_id = NEW.assignment_id", "old.restored_id = NEW.restored_id",
    ],
    "players_categoryassignment": [
        "old.player_id = NEW.player_id AND old.category_id = NEW.category_id "
        "AND old.valid_from = NEW.valid_from AND old.revoked_at IS NULL AND NEW.revoked_at IS NULL",
    ],
}  # fmt: skip


def _checks(vendor: str):
    """As in the migration that this one adds to: table, acts, name, condition of refusal, message."""
    begun = " OR ".join(f"NEW.{name} IS NOT NULL" for name in LATER)
    condition = f"NEW.state <> 'draft' OR NEW.approved_digest <> '' OR {begun}"
    yield CAMPAIGN, ["INSERT"], "begins", condition, "a campaign begins as a draft"
    if vendor == "sqlite":
        for table, keys in KEPT.items():
            rows = [f"EXISTS (SELECT 1 FROM {table} old WHERE {key})" for key in ["old.id = NEW.id", *keys]]
            condition = f"({' OR '.join(rows)})"
            yield table, ["INSERT"], "not_replaced", condition, "this row would take the place of one that is kept"


BOTH = {vendor: getattr(guarded, vendor)(_checks(vendor)) for vendor in ("postgresql", "sqlite")}
CREATE = {vendor: statements[0] for vendor, statements in BOTH.items()}
DROP = {vendor: statements[1] for vendor, statements in BOTH.items()}


class Migration(migrations.Migration):
    dependencies = [("scoring", "0014_compress_frozen_lists"), ("players", "0004_merges")]
    operations = [migrations.RunPython(guarded.run(CREATE), guarded.run(DROP))]
