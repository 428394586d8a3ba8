"""The default ordering of every model uses its own columns, so that it joins no other table."""

import pytest
from django.apps import apps

OUR_APPS = ["players", "tournaments", "ledger", "promotions", "ratings", "annulments", "office"]

# Models with few rows, whose ordering has a meaning for readers.
ALLOWED = {"PromotionRule", "SnapshotList", "RatingGame", "Standing"}


@pytest.mark.parametrize(
    "model",
    [
        model
        for room in OUR_APPS
        for model in apps.get_app_config(room).get_models()
        if model.__name__ not in ALLOWED
    ],
    ids=lambda model: model.__name__,
)
def test_default_ordering_joins_no_other_table(model):
    """A model's rows are in the order of its own columns.

    An `ordering` by a foreign key, such as ["contestant"], would join the table of the contestants, and those
    by which contestants are ordered.
    """
    assert " JOIN " not in str(model._default_manager.all().query)
