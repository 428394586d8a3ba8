"""Promotion rules: the shipped sets, validation, years and history."""

from datetime import date
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import translation

from players.models import Category
from scoring.ledger.models import StandingsState
from scoring.promotions.models import PromotionRule, PromotionRuleSet, RuleSetChange
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.candidates import rule_set_of
from scoring.promotions.services import rule_sets as service
from scoring.promotions.wording import differences, sentences, years_of
from tests import factories as make
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.rules import rows_of, spans, store

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english(clock):
    """Use English, so that messages can be compared with those in the code."""
    with translation.override("en"):
        yield


@pytest.fixture
def old() -> PromotionRuleSet:
    return PromotionRuleSet.objects.get(name="AEB 2022")


@pytest.fixture
def new() -> PromotionRuleSet:
    return PromotionRuleSet.objects.get(name="AEB 2026")


def row(rows: list[PromotionRule], code: str) -> PromotionRule:
    return next(item for item in rows if item.category.code == code)


def wrong_fields(rule_set, rows) -> list[str]:
    return [problem.field for problem in service.problems(rule_set, rows)]


# --- The shipped sets -----------------------------------------------------------------------------------
def test_the_two_shipped_rule_sets_are_unconfirmed_and_only_the_first_blocks(old, new):
    assert (old.valid_from, old.valid_to) == (date(2022, 12, 31), date(2025, 12, 31))
    assert (new.valid_from, new.valid_to) == (date(2026, 12, 31), None)
    for rule_set, effect in ((old, "block"), (new, "none")):
        assert not rule_set.confirmed
        assert rule_set.source == service.PROPOSAL
        assert rule_set.average == "strength"
        rows = rows_of(rule_set)
        assert [item.category for item in rows] == service.ladder_on(rule_set.valid_from)
        following = [*(item.category for item in rows[1:]), None]
        assert [item.target for item in rows] == following
        assert {(item.top_share, item.minimum, item.average_effect) for item in rows} == {
            (Decimal("0.1"), 1, effect)
        }
        assert {item.average_threshold for item in rows} == {Decimal(50)}
        assert not any(item.confirmed for item in rows)
        assert wrong_fields(rule_set, rows) == ["valid_from"] * (
            rule_set == old
        )  # its first years are closed


# --- Validation -----------------------------------------------------------------------------------------
def category(code: str) -> Category:
    return Category.objects.get(code=code)


@pytest.mark.parametrize(
    ("code", "figures", "field"),
    [
        ("2P", {"target": "2C"}, "target"),
        ("2P", {"target": "2P"}, "target"),
        ("2P", {"target": "MN-O"}, "target"),
        ("1P", {"target": "ME-O"}, "target"),
        ("1P", {"target": "MM-O"}, "target"),
        ("1P", {"target": "MN"}, "target"),  # MN is no longer in force in 2026
        ("2P", {"top_share": None}, "top_share"),
        ("2P", {"average_threshold": None, "average_effect": "warn"}, "average_threshold"),
        ("2P", {"demotion_target": "1D", "demotion_threshold": 100}, "demotion_target"),
        ("2P", {"demotion_target": "2C"}, "demotion_threshold"),
        ("2P", {"demotion_threshold": 100}, "demotion_threshold"),
    ],
    ids=str,
)
def test_an_invalid_rule_is_reported_and_not_stored(new, code, figures, field):
    rows = rows_of(new)
    changed = row(rows, code)
    for name, value in figures.items():
        setattr(changed, name, category(value) if isinstance(value, str) and "target" in name else value)
    assert service.problems(new, rows) == [
        service.Problem(changed.category_id, field, service.problems(new, rows)[0].text)
    ]
    with pytest.raises(ValidationError):
        store(new, rows)
    assert not RuleSetChange.objects.exists()


@pytest.mark.parametrize(
    ("code", "figures"),
    [
        ("1P", {"target": "MN-O", "top_count": 3}),
        ("2P", {"target": "1P"}),
        ("2P", {"top_share": None, "points_threshold": 50_000}),
        ("2P", {"demotion_target": "2C", "demotion_threshold": 100}),
        ("2P", {"target": None, "top_share": None}),
    ],
    ids=str,
)
def test_valid_rules_are_stored(new, code, figures):
    rows = rows_of(new)
    for name, value in figures.items():
        values = category(value) if isinstance(value, str) else value
        setattr(row(rows, code), name, values)
    assert service.problems(new, rows) == []
    store(new, rows)


def test_every_category_of_the_ladder_has_one_rule(new):
    rows = rows_of(new)
    assert wrong_fields(new, rows[1:]) == ["valid_from"]
    assert wrong_fields(new, [*rows, rows[0]]) == ["valid_from"]


def test_without_a_method_of_the_average_no_rule_can_warn_or_block_by_it(new):
    rows = rows_of(new)
    new.average = "none"
    assert wrong_fields(new, rows) == []
    rows[0].average_effect = "block"
    assert wrong_fields(new, rows) == ["average_effect"]


def test_confirming_figures_needs_a_document(new):
    rows = rows_of(new)
    rows[0].confirmed = True
    assert wrong_fields(new, rows) == ["source"]
    rows[0].confirmed, new.confirmed = False, True
    assert wrong_fields(new, rows) == ["source"]
    new.source = "Circular 3 of 2026, page 2"
    assert wrong_fields(new, rows) == []


def test_two_rule_sets_cannot_have_the_same_name(new):
    new.name = "AEB 2022"
    assert wrong_fields(new, rows_of(new)) == ["name"]


# --- Dates ----------------------------------------------------------------------------------------------
def test_moving_the_first_year_moves_the_end_of_the_previous_rule_set(old, new):
    new.valid_from = date(2025, 12, 31)
    store(new, rows_of(new))
    assert spans() == [(2022, 2024), (2025, None)]
    assert set(RuleSetChange.objects.values_list("rule_set", flat=True)) == {old.pk, new.pk}


@pytest.mark.parametrize(
    ("name", "year"),
    [("AEB 2026", 2022), ("AEB 2026", 2020), ("AEB 2022", 2027), ("AEB 2022", 2022), ("AEB 2022", 2023)],
)
def test_rule_sets_keep_their_order_and_closed_years_their_rules(name, year):
    moved = PromotionRuleSet.objects.get(name=name)
    moved.valid_from = service.year_end(year)
    moved.claims_days = 20
    assert "valid_from" in wrong_fields(moved, rows_of(moved))
    with pytest.raises(ValidationError):
        store(moved, rows_of(moved))
    assert spans() == [(2022, 2025), (2026, None)]


def test_changing_figures_from_a_year_on_keeps_those_of_earlier_years(old, clock):
    before = {year: service.figures(rule_set_of(year)) for year in (2022, 2023)}
    clock(date(2025, 6, 1))  # 2023 is closed; 2024 is still open during the following year
    rows = rows_of(old)
    row(rows, "2P").top_share = Decimal("0.25")
    old.valid_from, old.name = service.year_end(2024), "AEB 2024"
    made = store(old, rows)
    assert spans() == [(2022, 2023), (2024, 2025), (2026, None)]
    assert made.rules.get(category__code="2P").top_share == Decimal("0.25")
    assert made.rules.count() == 9
    for year, figures in before.items():
        assert service.figures(rule_set_of(year)) == figures | {"valid_to": "2023-12-31"}
    change = RuleSetChange.objects.get(rule_set=made)
    assert {difference.label for difference in differences(change.before, change.after)} >= {"top share"}


def test_unchanged_figures_cannot_be_stored_from_a_later_year_on(old):
    old.valid_from, old.name = service.year_end(2025), "AEB 2025"
    with pytest.raises(ValidationError, match="Nothing was changed"):
        store(old, rows_of(old))
    assert spans() == [(2022, 2025), (2026, None)]


def test_an_applied_campaign_closes_its_year_for_rule_changes(old, new, people, clock):
    assert (service.closed_until("aeb"), service.open_from(old)) == (2024, 2025)
    campaigns.in_state("applied", people, clock)
    assert (service.closed_until("aeb"), service.open_from(old)) == (2025, None)
    assert service.open_from(new) == 2026


def test_lists_can_be_frozen_again_with_changed_figures(old, people):
    campaign = campaigns.frozen(people)
    changed = PromotionRuleSet.objects.get(pk=old.pk)
    changed.valid_from, changed.name, changed.claims_days = service.year_end(2025), "AEB 2025", 20
    changed.source = "Circular 3 of 2026, page 2"
    changed = store(changed, rows_of(old))
    campaigns.carry_out(campaign, Verb.FREEZE, people.office, "The circular came")
    assert campaign.rule_set == changed
    assert campaign.snapshot.rules["claims_days"] == 20


@pytest.mark.parametrize(
    ("year", "expected"),
    [(2028, [(2022, 2025), (2026, 2027), (2028, None)]), (2025, [(2022, 2024), (2025, 2025), (2026, None)])],
)
def test_a_new_rule_set_ends_the_previous_one_and_is_unconfirmed(new, year, expected):
    PromotionRuleSet.objects.filter(pk=new.pk).update(confirmed=True)
    PromotionRule.objects.filter(rule_set=new).update(confirmed=True)
    read = service.digest_of(service.figures(PromotionRuleSet.objects.get(pk=new.pk)))
    made, rows = service.copy(new)
    made.valid_from = service.year_end(year)
    made.name = f"AEB {year} too"
    store(made, rows, read=read)
    assert spans() == expected
    assert not made.confirmed
    assert made.rules.count() == 9
    assert not made.rules.filter(confirmed=True).exists()
    assert new.rules.count() == 9  # the original keeps its rules
    assert RuleSetChange.objects.get(rule_set=made).before == {}


# --- History ----------------------------------------------------------------------------------------
def test_a_change_stores_old_and_new_figures_and_renews_pages(new):
    version = StandingsState.objects.create(family="test", as_of=date(2026, 1, 1)).version
    by, rows = make.office(), rows_of(new)
    before = service.figures(new)
    row(rows, "2P").top_share = Decimal("0.125")
    row(rows, "2P").points_threshold = 12_345
    store(new, rows, by=by, note="Circular 3")
    change = RuleSetChange.objects.get()
    assert (change.rule_set, change.by, change.note, change.before) == (new, by, "Circular 3", before)
    assert change.after == service.figures(PromotionRuleSet.objects.get(pk=new.pk))
    text = [
        (difference.category, difference.before, difference.after)
        for difference in differences(change.before, change.after)
    ]
    assert [(category[:2], *rest) for category, *rest in text] == [
        ("2P", "10%", "12.5%"),
        ("2P", "–", "123.45"),
    ]
    assert StandingsState.objects.get(family="test").version > version


def test_storing_unchanged_figures_records_no_change(new):
    with pytest.raises(ValidationError, match="Nothing was changed"):
        store(new, rows_of(new))
    assert not RuleSetChange.objects.exists()


def test_the_second_of_two_editors_is_refused(new):
    read = service.digest_of(service.figures(new))
    theirs, mine = rows_of(new), rows_of(new)
    theirs[0].minimum = 2
    store(new, theirs, read=read)
    mine[0].minimum = 3
    with pytest.raises(service.Superseded):
        store(new, mine, read=read)
    assert new.rules.get(category=mine[0].category).minimum == 2
    made, rows = service.copy(new)
    with pytest.raises(service.Superseded):
        store(made, rows, read=read)


def test_a_rule_set_is_stored_completely_or_not_at_all(new, monkeypatch):
    def broken():
        raise IntegrityError("the database went away")

    monkeypatch.setattr(service.standings, "bump", broken)
    rows = rows_of(new)
    rows[0].minimum = 5
    with pytest.raises(IntegrityError):
        store(new, rows)
    assert new.rules.get(category=rows[0].category).minimum == 1
    assert not RuleSetChange.objects.exists()


def test_the_history_of_rule_sets_cannot_be_changed(new):
    rows = rows_of(new)
    rows[0].minimum = 5
    store(new, rows)
    with pytest.raises(IntegrityError), transaction.atomic():
        RuleSetChange.objects.update(note="another")
    with pytest.raises(IntegrityError), transaction.atomic():
        RuleSetChange.objects.all().delete()


# --- In words -------------------------------------------------------------------------------------------
def test_years_and_rules_are_described_in_words(old, new):
    assert years_of(old) == "2022–2025"
    assert years_of(new) == "from 2026 on"
    blocks, shows = row(rows_of(old), "2P"), row(rows_of(new), "2P")
    assert any("blocks" in text for text in sentences(blocks, old.average))
    assert "The modified average is shown; it decides nothing." in sentences(shows, new.average)
    assert not any("average" in text for text in sentences(shows, "none"))
    shows.demotion_target, shows.demotion_threshold = category("2C"), 1_000
    assert any("10.00" in text for text in sentences(shows, "none"))
    assert sentences(row(rows_of(new), "1P"), new.average) == ["Nobody of this category moves up by points."]
