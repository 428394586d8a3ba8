"""The order that rows have by themselves is one of their own columns: it joins no other table."""

import pytest
from django.apps import apps

from federation.accounts import OUR_APPS

# Few rows each, and the order means something to their reader.
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
def test_the_order_of_rows_joins_no_other_table(model):
    """`ordering = ["contestant"]` is the order of contestants, of their revision, of its tournament."""
    assert " JOIN " not in str(model._default_manager.all().query)
