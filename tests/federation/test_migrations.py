"""Migrations after the last release leave its code working, while they run and later (docs/migrations.md).

`python -m tests.federation.test_migrations` writes the file that names the migrations of a release.
"""

import os
from pathlib import Path

if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    django.setup()

from django.apps import apps
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState

from players.operations import AddIndexOnline
from tests.test_architecture import PACKAGES

RELEASED = Path(__file__).with_name("released_migrations.txt")
# Changes of the models alone: the tables stay.
OF_STATE = (migrations.AlterModelOptions, migrations.AlterModelManagers)
# What a migration may declare, with the reason, if a person has judged what this test cannot.
REASON = "old_code_works_because"


def own_apps() -> set[str]:
    """Return the labels of the project's apps."""
    return {config.label for config in apps.get_app_configs() if config.name.split(".")[0] in PACKAGES}


def objections(migration: migrations.Migration, before: ProjectState) -> list[str]:
    """Return what old code would not survive, one line for each operation.

    before: the state of the models before the migration
    """
    if getattr(migration, REASON, ""):
        return []
    created = [item for item in migration.operations if isinstance(item, migrations.CreateModel)]
    new = {operation.name_lower for operation in created}
    lines = []
    for operation in migration.operations:
        if reason := _objection(operation, migration.app_label, new, before):
            lines.append(f"{migration.app_label}.{migration.name}: {operation.describe()}: {reason}")
    if not migration.atomic and len(migration.operations) > 1:
        lines.append(f"{migration.app_label}.{migration.name}: not atomic, so it may do only one thing")
    return lines


def _objection(operation: Operation, app: str, new: set[str], before: ProjectState) -> str:
    """Return why old code would not survive an operation; "" if it would.

    new: the models that the migration itself creates
    """
    if isinstance(operation, (migrations.CreateModel, AddIndexOnline, *OF_STATE)):
        return ""
    if getattr(operation, "model_name_lower", None) in new:
        return ""
    if isinstance(operation, migrations.AddField):
        return (
            ""
            if _optional(operation.field)
            else "old code writes no value: make it null, or give it db_default"
        )
    if isinstance(operation, migrations.AlterField):
        old = before.models[app, operation.model_name_lower].fields[operation.name]
        return "" if _wider(old, operation.field) else "old code may write what the column no longer takes"
    if isinstance(operation, migrations.AddIndex):
        return "writes wait for it: use AddIndexOnline in a migration of its own"
    return f"not known to be harmless; declare `{REASON}` if it is"


def _optional(field: models.Field) -> bool:
    return field.null or field.has_db_default() or isinstance(field, models.ManyToManyField)


def _wider(old: models.Field, new: models.Field) -> bool:
    """Return whether the new column takes all that the old one did, and is not rewritten."""

    def kept(field: models.Field) -> tuple:
        _name, path, args, options = field.deconstruct()
        return path, args, {key: value for key, value in options.items() if key not in field.non_db_attrs}

    (old_path, old_args, before), (new_path, new_args, after) = kept(old), kept(new)
    widened = {"null": after.get("null", False), "max_length": after.get("max_length")}
    narrower = old.null and not new.null or (old.max_length or 0) > (new.max_length or 0)
    return not narrower and (old_path, old_args, before | widened) == (new_path, new_args, after | widened)


def leaves(loader: MigrationLoader) -> dict[str, str]:
    return {app: name for app, name in sorted(loader.graph.leaf_nodes()) if app in own_apps()}


def released() -> dict[str, str]:
    lines = [line.split() for line in RELEASED.read_text().splitlines() if not line.startswith("#")]
    return {app: name for app, name in lines}


def test_new_migrations_leave_old_code_working():
    loader = MigrationLoader(None, ignore_no_migrations=True)
    known = {node for leaf in released().items() for node in loader.graph.forwards_plan(leaf)}
    new = [node for node in loader.graph.nodes if node[0] in own_apps() and node not in known]
    lines = []
    for app, name in sorted(new):
        lines += objections(loader.get_migration(app, name), loader.project_state((app, name), at_end=False))
    assert lines == []


def judge(*operations: Operation, atomic: bool = True, reason: str = "") -> list[str]:
    """Return the objections to a migration of an app with a model `Person`."""
    name = models.CharField(max_length=20)
    before = ProjectState()
    before.add_model(
        ModelState("club", "Person", [("id", models.BigAutoField(primary_key=True)), ("name", name)])
    )
    kind = type(
        "Migration", (migrations.Migration,), {"operations": operations, "atomic": atomic, REASON: reason}
    )
    return [line.partition(": ")[2].rpartition(": ")[2] for line in objections(kind("0002", "club"), before)]


def test_what_old_code_survives():
    index = models.Index(fields=["name"], name="by_name")
    columns = [("id", models.BigAutoField(primary_key=True)), ("name", models.TextField())]
    table = migrations.CreateModel("Dog", columns)
    assert judge(table, migrations.AddIndex("Dog", index)) == []
    assert judge(migrations.AddField("Person", "note", models.TextField(null=True))) == []
    assert judge(migrations.AddField("Person", "rank", models.IntegerField(default=0, db_default=0))) == []
    assert judge(AddIndexOnline("Person", index), atomic=False) == []
    assert judge(migrations.AlterField("Person", "name", models.CharField("Name", max_length=20))) == []
    assert judge(migrations.AlterField("Person", "name", models.CharField(max_length=30, null=True))) == []
    assert judge(migrations.RemoveField("Person", "name"), reason="0001 is two releases old") == []


def test_what_old_code_does_not_survive():
    index = models.Index(fields=["name"], name="by_name")
    required = models.IntegerField(default=0)
    no_value = "make it null, or give it db_default"
    unknown = f"not known to be harmless; declare `{REASON}` if it is"
    assert judge(migrations.AddField("Person", "rank", required)) == [no_value]
    assert judge(migrations.AddIndex("Person", index)) == ["use AddIndexOnline in a migration of its own"]
    narrower = models.CharField(max_length=10)
    column = "old code may write what the column no longer takes"
    assert judge(migrations.AlterField("Person", "name", narrower)) == [column]
    assert judge(migrations.AlterField("Person", "name", models.IntegerField())) == [column]
    for operation in (
        migrations.RemoveField("Person", "name"),
        migrations.RenameField("Person", "name", "title"),
        migrations.DeleteModel("Person"),
        migrations.RunSQL("DELETE FROM club_person"),
        migrations.AddConstraint("Person", models.UniqueConstraint(fields=["name"], name="one")),
    ):
        assert judge(operation) == [unknown]
    two = [
        AddIndexOnline("Person", index),
        migrations.AddField("Person", "note", models.TextField(null=True)),
    ]
    assert judge(*two, atomic=False) == ["not atomic, so it may do only one thing"]


if __name__ == "__main__":
    head = [line for line in RELEASED.read_text().splitlines() if line.startswith("#")]
    last = [f"{app} {name}" for app, name in leaves(MigrationLoader(None)).items()]
    RELEASED.write_text("\n".join([*head, *last]) + "\n")
