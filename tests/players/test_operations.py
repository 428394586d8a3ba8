"""The operations that add and remove an index while rows are written."""

import pytest
from django.db import connection, models
from django.db.migrations.state import ProjectState

from players.models import Region
from players.operations import AddIndexOnline, RemoveIndexOnline

NAME = "region_by_slug_and_code"


def indexes() -> set[str]:
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, Region._meta.db_table)
    return {name for name, details in constraints.items() if details["index"]}


@pytest.mark.django_db(transaction=True)
def test_an_index_is_added_and_removed_outside_a_transaction():
    operation = AddIndexOnline("Region", models.Index(fields=["slug", "code"], name=NAME))
    before = ProjectState.from_apps(Region._meta.apps)
    after = before.clone()
    operation.state_forwards("players", after)
    with connection.schema_editor(atomic=False) as editor:
        operation.database_forwards("players", editor, before, after)
    assert NAME in indexes()
    with connection.schema_editor(atomic=False) as editor:
        operation.database_backwards("players", editor, after, before)
    assert NAME not in indexes()


@pytest.mark.django_db(transaction=True)
def test_an_index_is_removed_and_added_again_outside_a_transaction():
    add = AddIndexOnline("Region", models.Index(fields=["slug", "code"], name=NAME))
    remove = RemoveIndexOnline("Region", NAME)
    without = ProjectState.from_apps(Region._meta.apps)
    with_index, removed = without.clone(), without.clone()
    add.state_forwards("players", with_index)
    with connection.schema_editor(atomic=False) as editor:
        add.database_forwards("players", editor, without, with_index)
    with connection.schema_editor(atomic=False) as editor:
        remove.database_forwards("players", editor, with_index, removed)
    assert NAME not in indexes()
    with connection.schema_editor(atomic=False) as editor:
        remove.database_backwards("players", editor, removed, with_index)
    assert NAME in indexes()
    with connection.schema_editor(atomic=False) as editor:
        add.database_backwards("players", editor, with_index, without)
    assert NAME not in indexes()
