"""The pages of promotion rules: their content, who may open them, and what the form stores and refuses."""

from datetime import date
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Role
from scoring.promotions.models import CampaignSnapshot, PromotionCampaign, PromotionRuleSet, RuleSetChange
from scoring.promotions.services import rule_sets as service
from scoring.promotions.wording import differences
from tests import factories as make
from tests.languages import speak
from tests.pages import Page, client_of, open_page
from tests.scoring.promotions.rules import rows_of, spans, store
from tests.undone import rolled_back

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]


@pytest.fixture
def rules_2026() -> PromotionRuleSet:
    return PromotionRuleSet.objects.get(name="AEB 2026")


@pytest.fixture
def office(client) -> Client:
    account = make.office()
    client.force_login(account)
    client.account = account
    return client


def form_data(page, **changes) -> dict:
    """Return the data that a browser would send from the page's form, with a note and these changes."""
    form = Page(page).main.form("note")
    return {name: values[0] for name, values in form.values.items()} | {"note": "Circular 3"} | changes


def edit_url(rule_set) -> str:
    return reverse("rule_set_edit", args=[rule_set.pk])


@pytest.fixture(scope="module")
def unchanged(django_db_setup, django_db_blocker) -> dict:
    """The data that a browser would send from the form of AEB 2026 in English, with a note as only change."""
    with rolled_back(django_db_blocker):
        client = client_of(make.office())
        speak(client, "en")
        return form_data(client.get(edit_url(PromotionRuleSet.objects.get(name="AEB 2026"))))


def test_the_office_changes_a_rule_set_with_the_form(office, rules_2026):
    page = office.get(edit_url(rules_2026))
    data = form_data(
        page,
        **{
            "2p-top_share": "12.5",
            "2p-points_threshold": "1,234.56",
            "2p-average_threshold": "48.5",
            "2p-average_effect": "warn",
            "claims_days": "20",
        },
    )
    answer = office.post(edit_url(rules_2026), data)
    assert answer.status_code == 302, [row.errors for row in answer.context["editor"].faulty_rows]
    changed = rules_2026.rules.get(category__code="2P")
    assert (changed.top_share, changed.points_threshold) == (Decimal("0.125"), 123_456)
    assert (changed.average_threshold, changed.average_effect) == (Decimal("48.5"), "warn")
    change = RuleSetChange.objects.get()
    assert (change.by, change.note) == (office.account, "Circular 3")
    # The form changed no other figure.
    assert len(differences(change.before, change.after)) == 5
    shown = office.get(answer.url).content.decode()
    assert "Circular 3" in shown
    assert "12.5%" in shown


@pytest.mark.parametrize(
    ("weight", "words"), [("1", "1 punto porcentual por"), ("1.5", "1,5 puntos porcentuales por")]
)
def test_the_text_on_the_shift_agrees_with_singular_and_plural(client, rules_2026, weight, words):
    client.force_login(make.office())
    speak(client, "es")
    PromotionRuleSet.objects.filter(pk=rules_2026.pk).update(field_weight=Decimal(weight))
    assert words in client.get(reverse("rule_set", args=[rules_2026.pk])).content.decode()


def test_numbers_are_typed_with_the_spanish_decimal_comma(office, rules_2026):
    speak(office, "es")
    page = office.get(edit_url(rules_2026))
    shown = Page(page)
    assert "50,00" in [value for name in shown.main.fields for value in shown.values(name)]
    data = form_data(page, **{"2p-top_share": "12,5", "2p-points_threshold": "1.234,56"})
    data["field_weight"] = "1,25"
    assert office.post(edit_url(rules_2026), data).status_code == 302
    changed = rules_2026.rules.select_related("rule_set").get(category__code="2P")
    assert (changed.top_share, changed.points_threshold) == (Decimal("0.125"), 123_456)
    assert changed.rule_set.field_weight == Decimal("1.25")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("2p-top_share", "0"), ("2p-top_share", "100.01"), ("2p-top_share", "x"),
        ("2p-points_threshold", "1.234"), ("2p-points_threshold", "-1"), ("2p-points_threshold", "9" * 12),
        ("2p-average_threshold", "101"), ("2p-minimum", "-1"), ("2p-target", "999999"), ("2p-target", ""),
        ("first_year", "2022"), ("name", ""), ("note", ""), ("claims_days", "0"), ("confirmed", "on"),
    ],
)  # fmt: skip
def test_the_form_refuses_invalid_figures(office, rules_2026, unchanged, name, value):
    answer = office.post(edit_url(rules_2026), unchanged | {name: value})
    if (name, value) == ("2p-target", ""):  # a rule without target is allowed: nobody moves up
        assert answer.status_code == 302
        return
    assert answer.status_code == 422
    editor = answer.context["editor"]
    faulty = {"source" if name == "confirmed" else name}
    assert {f"{row.prefix}-{field}" for row in editor.faulty_rows for field in row.errors} | set(
        editor.form.errors
    ) == faulty
    assert not RuleSetChange.objects.exists()


def test_a_new_rule_set_is_stored_from_the_form(office, rules_2026):
    url = reverse("rule_set_new")
    page = office.get(url)
    assert page.context["editor"].form["first_year"].value() == 2027
    answer = office.post(url, form_data(page, first_year="2028", name="AEB 2028"))
    made = PromotionRuleSet.objects.get(name="AEB 2028")
    assert answer.url == reverse("rule_set", args=[made.pk])
    assert spans()[-2:] == [(2026, 2027), (2028, None)]
    assert made.rules.count() == 9


def test_figures_are_confirmed_in_the_form_with_their_source(office, rules_2026):
    page = office.get(edit_url(rules_2026))
    ticks = {f"{row.prefix}-confirmed": "on" for row in page.context["editor"].rows}
    data = form_data(page, confirmed="on", source="Circular 3 of 2026, page 2", **ticks)
    assert office.post(edit_url(rules_2026), data).status_code == 302
    rules_2026.refresh_from_db()
    assert rules_2026.confirmed
    assert rules_2026.rules.filter(confirmed=True).count() == 9


def test_the_second_of_two_editors_is_warned_on_the_page(office, rules_2026):
    data = form_data(office.get(edit_url(rules_2026)), **{"2p-minimum": "4"})
    rows = rows_of(rules_2026)
    rows[0].minimum = 2
    store(rules_2026, rows)
    answer = office.post(edit_url(rules_2026), data)
    assert answer.status_code == 409
    change = RuleSetChange.objects.get()
    assert f"{change.by} has stored changes to these rules" in Page(answer).text
    assert f"“{change.note}”" in Page(answer).text
    assert rules_2026.rules.get(category__code="2P").minimum == 1
    # All that was entered is kept, and whoever was warned can store it.
    again = form_data(answer, note="Circular 3")
    assert again["2p-minimum"] == "4"
    assert office.post(edit_url(rules_2026), again).status_code == 302
    assert rules_2026.rules.get(category__code="2P").minimum == 4


def test_the_second_of_two_who_add_rules_is_not_told_of_a_name(office):
    url = reverse("rule_set_new")
    data = form_data(office.get(url))
    assert office.post(url, data).status_code == 302
    answer = office.post(url, data)
    assert answer.status_code == 409
    assert "has stored changes to these rules" in Page(answer).text
    assert "Another set" not in Page(answer).text


def test_the_page_of_a_rule_set_names_campaigns_frozen_with_it(office, rules_2026):
    by = office.account
    campaign = PromotionCampaign.objects.create(
        year=2026,
        rule_set=rules_2026,
        intake_until=date(2027, 1, 15),
        effective_on=date(2027, 3, 1),
        opened_by=by,
    )
    url = reverse("rule_set", args=[rules_2026.pk])
    assert "keep the figures" not in office.get(url).content.decode()
    campaign.snapshot = CampaignSnapshot.objects.create(
        campaign=campaign, version=1, taken_by=by, rules={}, players=0, digest="0" * 64
    )
    campaign.state, campaign.frozen_by = "frozen", by
    campaign.save()
    for page in (url, edit_url(rules_2026)):
        text = office.get(page).content.decode()
        assert "keep the figures" in text
        assert campaign.get_absolute_url() in text


def test_the_number_of_queries_does_not_grow_with_rule_sets_and_changes(office, rules_2026):
    pages = [reverse("rule_sets"), reverse("rule_set", args=[rules_2026.pk]), edit_url(rules_2026)]

    def counts() -> list[int]:
        result = []
        for url in pages:
            with CaptureQueriesContext(connection) as queries:
                assert office.get(url).status_code == 200
            result.append(len(queries))
        return result

    def change(minimum: int) -> None:
        rows = rows_of(rules_2026)
        rows[0].minimum = minimum
        store(rules_2026, rows)

    change(2)
    counts()
    few = counts()
    for minimum in (3, 4):
        change(minimum)
    made, rows = service.copy(rules_2026)
    store(made, rows, read=service.digest_of(service.figures(rules_2026)))
    assert counts() == few


def test_the_form_of_a_used_rule_set_starts_with_the_first_open_year(office, clock):
    old = PromotionRuleSet.objects.get(name="AEB 2022")
    page = office.get(edit_url(old))  # when the new set is already in force
    assert page.context["editor"].form["first_year"].value() == 2025
    assert "the years before 2025 are closed" in page.content.decode()
    answer = office.post(edit_url(old), form_data(page, claims_days="20"))
    made = PromotionRuleSet.objects.get(name="AEB 2025")
    assert answer.url == reverse("rule_set", args=[made.pk])
    assert spans() == [(2022, 2024), (2025, 2025), (2026, None)]
    shown = office.get(reverse("rule_set", args=[old.pk])).content.decode()
    assert "All years of these rules are closed" in shown
    assert edit_url(old) not in shown
    refused = office.post(
        edit_url(old), form_data(office.get(edit_url(old)), first_year="2024", claims_days="9")
    )
    assert refused.status_code == 422
    assert "first_year" in refused.context["editor"].form.errors


@pytest.mark.parametrize(
    ("kind", "reads", "edits"),
    [
        (None, 403, 403),
        (Role.Kind.COMMITTEE, 200, 403),
        (Role.Kind.AUDITOR, 200, 403),
        (Role.Kind.OFFICE, 200, 200),
    ],
)
def test_each_role_may_read_or_edit_rule_sets_as_intended(client, rules_2026, kind, reads, edits):
    account = make.user()
    if kind:
        make.role(account, kind)
    client.force_login(account)
    assert client.get(reverse("rule_sets")).status_code == reads
    page = client.get(reverse("rule_set", args=[rules_2026.pk]))
    assert page.status_code == reads
    assert (edit_url(rules_2026) in page.content.decode()) == (edits == 200)
    for url in (edit_url(rules_2026), reverse("rule_set_new")):
        assert client.get(url).status_code == edits
        if edits == 403:
            assert client.post(url, {}).status_code == 403
    assert not RuleSetChange.objects.exists()


def test_a_figure_is_made_the_same_for_all_without_storing_anything(office, rules_2026, unchanged):
    opened = open_page(office, edit_url(rules_2026))
    same = opened.main.all("button", name="same")[0]
    assert "btn-secondary" in same.classes and same["formaction"] == "#rules-caption"
    editor = opened.context["editor"]
    prefixes = [row.prefix for row in editor.rows]
    data = unchanged | {f"{prefixes[0]}-points_threshold": "77", "same": "points_threshold"}
    answer = office.post(edit_url(rules_2026), data)
    assert answer.status_code == 200 and not RuleSetChange.objects.exists()
    filled = form_data(answer)
    assert {filled[f"{prefix}-points_threshold"] for prefix in prefixes} == {"77"}
    changed = {name for name in filled if filled[name] != unchanged.get(name)}
    assert changed - {"csrfmiddlewaretoken"} <= {f"{prefix}-points_threshold" for prefix in prefixes}
    unsaid = office.post(edit_url(rules_2026), data | {"note": ""})
    assert not unsaid.context["editor"].form.errors and not unsaid.context["editor"].faulty_rows
    boxes = [f"{prefix}-confirmed" for prefix in prefixes]
    ticked = office.post(edit_url(rules_2026), data | {boxes[0]: "on", "same": "confirmed"})
    assert all(row["confirmed"].value() for row in ticked.context["editor"].rows)
    cleared = {name: value for name, value in data.items() if name != boxes[0]} | {boxes[1]: "on"}
    answer = office.post(edit_url(rules_2026), cleared | {"same": "confirmed"})
    assert not any(row["confirmed"].value() for row in answer.context["editor"].rows)
    own = office.post(edit_url(rules_2026), data | {"same": "target"})
    assert form_data(own)[f"{prefixes[1]}-target"] == data[f"{prefixes[1]}-target"]
