"""Uploads that give points of systems other than the federation's own."""

from datetime import date
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from players.models import Proposal
from scoring.ledger.models import LedgerEntry, ScoringFactor
from scoring.ledger.services import runs
from tests import factories as make
from tests.languages import speak
from tests.pages import Page, open_page
from tests.scoring.uploads.makers import approve, csv_of, details, post_file, sent, tick_and_confirm
from tournaments.models import ResultUpload, Tournament

pytestmark = pytest.mark.django_db
ALL = ["aeb", "sbf-bronze", "sbf-silver", "acbl"]
OVERALL = {"family": "acbl", "event_type": "overall", "rating": "sectional", "sessions": "2", "tables": "2.5"}


@pytest.fixture
def all_systems(settings):
    settings.FAMILIES = ALL


def confirmed(client, upload) -> Tournament:
    """Confirm an upload, approve it if necessary, score it and return the tournament."""
    tick_and_confirm(client, upload)
    upload.refresh_from_db()
    for waiting in Proposal.objects.filter(state="pending"):
        approve(make.office(), waiting)
    run = upload.revision.runs.get()
    runs.score(run.pk)
    return upload.revision.tournament


def enter(client, **values):
    data = {
        "regulation": "acbl-overall",
        "name": "M",
        "case": "",
        "value": "1",
        "source": "Manual, p. 3",
        "valid_from": "2026-01-01",
        **values,
    }
    return client.post(reverse("office_factors"), data)


OWN = {
    "aeb": set(),
    "sbf-bronze": {"decimals", "places_table"},
    "sbf-silver": {"decimals"},
    "acbl": {"tables", "rating", "sessions", "restriction", "limit", "contest"},
}


@pytest.mark.parametrize("page", ["upload_start", "upload_typed"])
def test_a_federation_with_one_points_system_is_not_asked_for_it(signed_in, page):
    response = signed_in.get(reverse(page), {"sistema": "acbl"})
    assert "family" not in response.context["form"].fields
    assert response.context["systems"] == [] and "points-systems" not in response.content.decode()


@pytest.mark.parametrize("page", ["upload_start", "upload_typed"])
@pytest.mark.parametrize("family", ALL)
def test_the_form_shows_only_the_fields_of_the_chosen_system(all_systems, signed_in, page, family):
    response = signed_in.get(reverse(page), {"sistema": family})
    form = response.context["form"]
    assert set.union(*OWN.values()) & form.fields.keys() == OWN[family]
    assert form["family"].value() == family and form["family"].is_hidden
    (current,) = [item for item in response.context["systems"] if item["current"]]
    assert current["url"] == f"?sistema={family}" and len(response.context["systems"]) == len(ALL)
    kinds = (
        {code for code, _label in form.fields["event_type"].choices} if "event_type" in form.fields else ()
    )
    assert ("pool" in kinds, "overall" in kinds) == (family == "aeb", family == "acbl")
    other = {"upload_start": "upload_typed", "upload_typed": "upload_start"}[page]
    query = "" if family == "aeb" else f"?sistema={family}"
    assert f"{reverse(other)}{query}" in Page(response).addresses


def test_a_form_without_the_points_system_is_that_of_the_address(all_systems, signed_in, club, pairs):
    assert "family" not in sent(signed_in, club, csv_of(pairs)).details
    other = sent(signed_in, club, csv_of(pairs, less=1), query="?sistema=sbf-silver", event_type="")
    assert (other.details["family"], other.details["event_type"]) == ("sbf-silver", "silver")


@pytest.mark.parametrize("asked", ["", "egf", "AEB"])
def test_without_a_valid_choice_the_federations_own_system_is_used(all_systems, signed_in, asked):
    form = signed_in.get(reverse("upload_start"), {"sistema": asked}).context["form"]
    assert form["family"].value() == "aeb"


def test_the_review_can_change_the_points_system(all_systems, signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs), family="aeb")
    review = reverse("upload_review", args=[upload.pk])
    offered = signed_in.get(review).context["systems"]
    assert [item["family"] for item in offered if item["current"]] == ["aeb"] and len(offered) == len(ALL)
    typed = {"club": club.pk, **details(family="aeb", name="Otro nombre"), "system": "acbl"}
    signed_in.post(review, typed)
    page = signed_in.get(review)
    assert OWN["acbl"] <= page.context["form"].fields.keys()
    assert page.context["form"]["name"].value() == "Otro nombre"
    assert "missing_event_type" in {issue.code for issue in page.context["review"].issues}
    values = details(family="acbl", event_type="club")
    saved = signed_in.post(review, {"action": "details", "club": club.pk, **values})
    assert saved.status_code == 302
    upload.refresh_from_db()
    assert (upload.details["family"], upload.details["event_type"]) == ("acbl", "club")
    assert confirmed(signed_in, upload).family == "acbl"


def test_a_points_system_that_is_not_offered_cannot_be_chosen(signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs), family="sbf-bronze", event_type="pool")
    assert confirmed(signed_in, upload).family == "aeb"


@pytest.mark.parametrize(
    ("decimals", "points", "total"), [("0", "8", "16"), ("1", "8.0", "16.0"), ("2", "8.00", "16.00")]
)
def test_the_preview_shows_points_with_the_events_decimals(
    all_systems, signed_in, club, pairs, decimals, points, total
):
    upload = sent(signed_in, club, csv_of(pairs), family="sbf-bronze", decimals=decimals, places_table="A")
    speak(signed_in, "en")
    review = open_page(signed_in, reverse("upload_review", args=[upload.pk]))
    assert [cell.text for cell in review.all("td")].count(points) == 1  # once for the pair
    confirm = signed_in.get(reverse("upload_confirm", args=[upload.pk]))
    assert f"gives {total} points in all" in confirm.content.decode()
    confirmed(signed_in, upload)
    receipt = open_page(signed_in, reverse("upload_receipt", args=[upload.pk]))
    assert f"got {total} points in all" in receipt.text
    assert points in [cell.text for cell in receipt.all("td")]


def test_a_swedish_event_is_uploaded_confirmed_and_scored(all_systems, signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs), family="sbf-bronze", decimals="0", places_table="A")
    tournament = confirmed(signed_in, upload)
    assert (tournament.family, tournament.event_type) == ("sbf-bronze", "bronze")
    assert tournament.params == {"decimals": 0, "places_table": "A"}
    # For four pairs the winner's award W is 8, and only one place earns points.
    entries = LedgerEntry.objects.filter(tournament=tournament)
    assert {(entry.family, entry.points) for entry in entries} == {("sbf-bronze", 800)}
    assert signed_in.get(reverse("upload_receipt", args=[upload.pk])).context["paid"] == 2


def test_the_review_of_another_system_shows_its_form_and_figures(all_systems, signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs), family="sbf-silver")
    page = signed_in.get(reverse("upload_review", args=[upload.pk]))
    assert page.context["form"].initial["family"] == "sbf-silver"
    assert page.context["lines"][0]["by_place"] and "C4" not in Page(page).text
    saved = signed_in.post(
        reverse("upload_review", args=[upload.pk]),
        {"action": "details", "club": club.pk, **details(family="sbf-silver", decimals="2")},
    )
    assert saved.status_code == 302
    upload.refresh_from_db()
    assert upload.details["params"] == {"decimals": 2} and upload.details["event_type"] == "silver"


def test_an_acbl_event_cannot_be_confirmed_without_its_factors(all_systems, signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs), **OVERALL)
    page = signed_in.get(reverse("upload_review", args=[upload.pk]))
    (tournament,) = [issue for issue in page.context["review"].issues if issue.code == "missing_factor"]
    assert tournament.value == "M" and page.context["review"].has_errors
    office = make.office()
    signed_in.force_login(office)
    assert enter(signed_in).status_code == 302
    assert enter(signed_in, name="T", value="0.9").status_code == 302
    assert enter(signed_in, name="depth", value="0.5").status_code == 302
    assert ScoringFactor.objects.filter(set_by=office).count() == 3
    signed_in.force_login(upload.created_by)
    tournament = confirmed(signed_in, ResultUpload.objects.get(pk=upload.pk))
    assert tournament.params == {"tables": "2.5", "rating": "sectional", "sessions": 2}
    entries = LedgerEntry.objects.filter(tournament=tournament, family="acbl")
    assert len(entries) == 4  # two people in each of two paid pairs


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"family": "acbl", "event_type": "pool"}, "event_type"),
        ({"family": "aeb", "event_type": "overall"}, "event_type"),
        ({"family": "acbl", "event_type": "overall"}, "rating"),
        ({"family": "egf"}, "family"),
        ({"family": "sbf-bronze", "decimals": "3"}, "decimals"),
        ({"family": "sbf-silver", "decimals": "3"}, "decimals"),
        ({"family": "sbf-silver", "decimals": "-1"}, "decimals"),
        ({"family": "acbl", "event_type": "overall", "rating": "unit", "sessions": "6"}, "sessions"),
        ({"family": "acbl", "event_type": "overall", "rating": "unit", "limit": "no such"}, "limit"),
    ],
)
def test_values_that_do_not_fit_the_system_are_errors_at_their_fields(
    all_systems, signed_in, club, pairs, values, field
):
    page = post_file(signed_in, club, csv_of(pairs), **values)
    assert field in page.context["form"].errors
    assert not ResultUpload.objects.exists()


def test_the_form_of_a_correction_starts_with_the_points_system(
    all_systems, signed_in, club, pairs, settings
):
    tournament = confirmed(signed_in, sent(signed_in, club, csv_of(pairs), family="sbf-bronze", decimals="1"))
    form = signed_in.get(reverse("upload_start"), {"corrige": tournament.pk}).context["form"]
    assert (form.initial["family"], form.initial["decimals"]) == ("sbf-bronze", 1)
    other = signed_in.get(reverse("upload_start"), {"corrige": tournament.pk, "sistema": "acbl"})
    assert other.context["form"].system.family == "acbl"
    assert f"?sistema=sbf-bronze&amp;corrige={tournament.pk}" in other.content.decode()


def test_a_correction_keeps_a_points_system_that_is_no_longer_offered(signed_in, club, pairs, settings):
    settings.FAMILIES = ALL
    tournament = confirmed(signed_in, sent(signed_in, club, csv_of(pairs), family="sbf-bronze", decimals="1"))
    settings.FAMILIES = ["aeb"]
    query = f"?corrige={tournament.pk}"
    page = signed_in.get(reverse("upload_start") + query)
    assert page.context["form"].initial["family"] == "sbf-bronze" and len(page.context["systems"]) == 2
    values = {"family": "sbf-bronze", "decimals": "0", "reason": "Otro orden"}
    again = sent(signed_in, club, csv_of(pairs[::-1]), "otro.csv", query, **values)
    corrected = confirmed(signed_in, again)
    assert (corrected.pk, corrected.family, corrected.params) == (
        tournament.pk,
        "sbf-bronze",
        {"decimals": 0},
    )


def test_a_day_without_a_regulation_raises_an_issue(all_systems, signed_in, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs), family="sbf-bronze", end_date="2018-06-01")
    assert "no_regulation" in {
        issue.code
        for issue in signed_in.get(reverse("upload_review", args=[upload.pk])).context["review"].issues
    }


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"value": "0"}, "value"),
        ({"value": "-1"}, "value"),
        ({"value": "1001"}, "value"),
        ({"value": "NaN"}, "value"),
        ({"name": "depth", "value": "1.5"}, "value"),
        ({"name": "depth", "case": "x", "value": "0.4"}, "case"),
        ({"name": "R", "case": "galactic"}, "case"),
        ({"regulation": "acbl-club"}, "name"),
        ({"regulation": "aeb-2026"}, "regulation"),
        ({"source": ""}, "source"),
        ({"valid_from": ""}, "valid_from"),
    ],
)
def test_an_impossible_factor_is_refused_in_the_form(client, values, field):
    client.force_login(make.office())
    page = enter(client, **values)
    assert page.status_code == 422 and field in page.context["form"].errors
    assert not ScoringFactor.objects.exists()


@pytest.mark.parametrize(
    "values",
    [
        {"value": Decimal(0)},
        {"value": Decimal("1000.0001")},
        {"name": "depth", "value": Decimal("1.0001")},
        {"regulation": "acbl-club", "name": "depth", "value": Decimal(2)},
        {"regulation": "acbl-club"},
        {"name": "Q"},
        {"regulation": "aeb-2026"},
    ],
)
def test_the_database_refuses_impossible_factors_too(values):
    """The database refuses the factors that the form refuses, because they would prevent scoring."""
    row = {"regulation": "acbl-overall", "name": "M", "value": Decimal(1), "source": "Manual"}
    row |= {"valid_from": date(2026, 1, 1), "set_by": make.office()}
    with pytest.raises(IntegrityError), transaction.atomic():
        ScoringFactor.objects.create(**row | values)
    ScoringFactor.objects.create(**row | {"value": Decimal(1000)})
    ScoringFactor.objects.create(**row | {"name": "depth"})


def test_the_factors_page_names_what_is_missing(client):
    client.force_login(make.office())
    assert len(client.get(reverse("office_factors")).context["missing"]) == 3
    enter(client, name="depth", value="0.4")
    page = client.get(reverse("office_factors"))
    assert len(page.context["missing"]) == 2
    row = ScoringFactor.objects.get()
    assert (row.value, row.valid_from, row.source) == (Decimal("0.4"), date(2026, 1, 1), "Manual, p. 3")
    assert row.source in page.content.decode()


# --- The number of tables -------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["5,5", "5.5", " 5,50 "])
def test_half_tables_can_be_typed_with_a_comma_or_a_point(all_systems, signed_in, club, pairs, text):
    upload = sent(signed_in, club, csv_of(pairs), **{**OVERALL, "tables": text})
    assert upload.details["params"]["tables"] == "5.5"
    page = signed_in.get(reverse("upload_review", args=[upload.pk]))
    box = Page(page).the("input", name="tables")
    assert (box["value"], box["type"], box["inputmode"]) == ("5,5", "text", "decimal")


@pytest.mark.parametrize("text", ["cinco", "5,3", "0,5", "1.000,5", "5,5,5", "NaN", "1e9", "٥"])
def test_a_wrong_number_of_tables_is_an_error_at_its_field(all_systems, signed_in, club, pairs, text):
    upload = sent(signed_in, club, csv_of(pairs), **OVERALL)
    typed = {**details(**OVERALL), "tables": text, "name": "Otro", "club": club.pk}
    page = signed_in.post(reverse("upload_review", args=[upload.pk]), {"action": "details", **typed})
    assert page.status_code == 200 and page.context["form"]["tables"].errors
    assert Page(page).values("tables") == [text]
    upload.refresh_from_db()
    assert upload.details["name"] == "Otro" and upload.details["params"]["tables"] == "2.5"
