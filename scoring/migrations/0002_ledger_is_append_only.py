"""Triggers that refuse UPDATE and DELETE on the ledger, on PostgreSQL and SQLite alike."""

from django.db import migrations

TABLE = "scoring_ledgerentry"
MESSAGE = "the ledger is append-only: add a reversing entry"

CREATE = {
    "postgresql": [
        f"""CREATE FUNCTION {TABLE}_refuse() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION '{MESSAGE}' USING ERRCODE = 'integrity_constraint_violation'; END $$""",
        f"""CREATE TRIGGER {TABLE}_append_only BEFORE UPDATE OR DELETE ON {TABLE}
            FOR EACH ROW EXECUTE FUNCTION {TABLE}_refuse()""",
        # TRUNCATE would get round a row trigger.
        f"""CREATE TRIGGER {TABLE}_no_truncate BEFORE TRUNCATE ON {TABLE}
            FOR EACH STATEMENT EXECUTE FUNCTION {TABLE}_refuse()""",
    ],
    "sqlite": [
        f"""CREATE TRIGGER {TABLE}_no_update BEFORE UPDATE ON {TABLE}
            BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END""",
        f"""CREATE TRIGGER {TABLE}_no_delete BEFORE DELETE ON {TABLE}
            BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END""",
    ],
}
DROP = {
    "postgresql": [
        f"DROP TRIGGER {TABLE}_append_only ON {TABLE}",
        f"DROP TRIGGER {TABLE}_no_truncate ON {TABLE}",
        f"DROP FUNCTION {TABLE}_refuse()",
    ],
    "sqlite": [f"DROP TRIGGER {TABLE}_no_update", f"DROP TRIGGER {TABLE}_no_delete"],
}


def run(statements):
    def apply(apps, schema_editor):
        for statement in statements[schema_editor.connection.vendor]:
            schema_editor.execute(statement)

    return apply


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial")]
    operations = [migrations.RunPython(run(CREATE), run(DROP))]
