"""The audit compares runs with the tournament's stored data: type, days, boards, regulation, parameters."""

from datetime import date

import pytest

from scoring.ledger.models import ScoringFactor
from tests import factories as f
from tests.scoring.audit.test_verify import all_differences
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_changed_data_of_a_tournament_are_reported(pool):
    Tournament.objects.update(boards=40, boards_scheduled=40)
    assert [item.stored for item in all_differences()] == ["boards: 40", "boards_scheduled: 40"]


def test_a_run_with_another_regulation_than_the_tournaments_is_reported(pool):
    Tournament.objects.update(regulation_override="aeb-2022", override_reason="asked for")
    (difference,) = all_differences()
    assert (difference.code, difference.stored, difference.derived) == (
        "data",
        "regulation: aeb-2026",
        "regulation: aeb-2022",
    )
    Tournament.objects.update(regulation_override="egf-2021")
    assert ["none (" in item.derived for item in all_differences()] == [True]


def test_changed_data_of_another_points_system_are_reported(four):
    a, b, c, d = four
    params = {"decimals": 1, "places_table": "AY"}
    f.scored((a, b), (c, d), family="sbf-bronze", event_type="bronze", params=params)
    assert all_differences() == []
    Tournament.objects.update(params={"decimals": 0})
    assert [(issue.code, issue.stored, issue.derived) for issue in all_differences()] == [
        ("data", "params.decimals: 0", "params.decimals: 1")
    ]
    Tournament.objects.update(params={}, family="sbf-silver", event_type="silver")
    assert {item.stored for item in all_differences()} == {
        "regulation: sbf-2019-bronze",
        "family: sbf-silver",
    }


@pytest.mark.parametrize("tables", ["3", "x", None, []])
def test_a_changed_number_of_tables_is_reported(four, tables):
    factors = {"M": "1", "T": "1", "depth": "0.25"}
    for name, value in factors.items():
        ScoringFactor.objects.create(
            regulation="acbl-overall",
            name=name,
            value=value,
            source="Handbook",
            valid_from=date(2026, 1, 1),
            set_by=f.user(),
        )
    params = {"rating": "sectional", "sessions": 2, "tables": "2.50"}
    f.scored(*f.pairs(f.players(8)), family="acbl", event_type="overall", params=params)
    assert all_differences() == []
    Tournament.objects.update(params={**params, "tables": "2.5"})
    assert all_differences() == []
    Tournament.objects.update(params={**params, "tables": tables})
    assert [item.stored for item in all_differences()] == [f"params.tables: {tables}"]
