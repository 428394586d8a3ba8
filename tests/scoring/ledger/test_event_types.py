"""Which event types are offered: those of the points system and of the regulations in force in a span."""

from datetime import date

import pytest

from scoring.ledger import event_types

OLD, NEW = "pairs_championship_open", "league"  # types of 2022 alone and of 2026 alone
LAST, FIRST = date(2025, 12, 31), date(2026, 1, 1)  # of the regulations of 2022 and 2026


@pytest.mark.parametrize(
    ("first", "last", "titles", "codes"),
    [
        (FIRST, None, 1, {NEW}),
        (None, LAST, 1, {OLD}),
        (LAST, LAST, 1, {OLD}),
        (LAST, FIRST, 2, {OLD, NEW}),
        (None, None, 2, {OLD, NEW}),
        (date(2021, 1, 1), date(2021, 12, 31), 0, set()),
    ],
)
def test_the_federations_types_are_those_in_force_on_some_day_of_the_span(first, last, titles, codes):
    groups = event_types.own_groups(first, last)
    assert len(groups) == titles
    assert {OLD, NEW} & set(event_types.flat(groups)) == codes
    assert [title for title, _kinds in groups][:1] == [""] * bool(groups)
    assert all("AEB 2022" in title for title, _kinds in groups[1:])


def test_only_the_types_of_systems_that_the_installation_offers_are_offered(settings):
    settings.FAMILIES = ["aeb", "sbf-bronze"]
    assert {NEW, "bronze"} <= set(event_types.flat(event_types.groups_of()))
    assert "overall" not in event_types.flat(event_types.groups_of())
    assert event_types.groups_of("acbl") == []
    assert list(event_types.flat(event_types.groups_of("sbf-bronze"))) == ["bronze"]
    assert all(title for title, _kinds in event_types.groups_of())  # several systems: each below its name
    settings.FAMILIES = ["aeb"]
    assert [title for title, _kinds in event_types.groups_of("", FIRST)] == [""]


def test_groups_without_a_wanted_type_are_left_out():
    groups = event_types.only(event_types.own_groups(), {"pool", NEW})
    assert set(event_types.flat(groups)) == {"pool", NEW} and len(groups) == 1
    *types, (title, earlier) = event_types.as_choices(event_types.own_groups(LAST, FIRST))
    assert (NEW in dict(types), OLD in dict(earlier), "AEB 2022" in title) == (True, True, True)
