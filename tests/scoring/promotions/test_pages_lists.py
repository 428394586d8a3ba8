"""The pages on which a campaign is reviewed.

They show the lists, a single player of a list (the dossier), late results, snapshots, and the report on
applying.
"""

import csv
import io
from datetime import date
from decimal import Decimal

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import gettext

from players.models import CategoryAssignment, Role
from scoring.ledger.models import LedgerEntry
from scoring.office.services import merges
from scoring.promotions.act_pages import PAGES, page_of
from scoring.promotions.acts.claims import Answer, Claim
from scoring.promotions.acts.decide import Decide
from scoring.promotions.acts.open import Abandon
from scoring.promotions.acts.publish import Publish, Withdraw
from scoring.promotions.models import PromotionRule, Simulation
from scoring.promotions.pure.averages import Sessions
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import candidates
from scoring.promotions.services import simulations
from scoring.promotions.views import outcome, versions
from tests import factories as make
from tests.pages import Page
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.campaigns import response_for
from tests.scoring.promotions.sessions import Year
from ui.paging import ROWS

pytestmark = pytest.mark.django_db


def csv_numbers(response) -> list[str]:
    """Return the federation numbers in a downloaded CSV file."""
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return [row[1] for row in csv.reader(io.StringIO(text), delimiter=";")][1:]


# --- Lists ----------------------------------------------------------------------------------------------
def test_the_list_shows_every_player_with_the_state(client, people):
    campaign = campaigns.frozen(people)
    response = response_for(client, people.committee, "campaign_review", campaign.pk, "2d")
    html = response.content.decode()
    assert (response.context["entered"], response.context["moving"]) == (10, 1)
    for player in people.diamonds:
        assert reverse("campaign_player", args=[campaign.pk, player.number]) in html
    assert people.diamonds[0].club.region.name in html
    assert people.hearts[0].public_name not in html


def test_the_office_sees_hidden_names_marked_and_files_contain_numbers(client, people, clock):
    hidden = people.diamonds[0]
    hidden.hidden, hidden.given_name, hidden.surname = True, "Secundina", "Ocultada"
    hidden.save()
    campaign = campaigns.frozen(people)
    campaigns.post_points(hidden, 5000, date(2025, 7, 1))

    def reads(account, name: str, *args) -> bool:
        html = response_for(client, account, name, campaign.pk, *args).content.decode()
        return "Secundina Ocultada (nombre oculto)" in html

    auditor = make.user()
    make.role(auditor, Role.Kind.AUDITOR)
    for account in (people.office, people.committee, auditor):
        assert reads(account, "campaign_review", "2d")
    assert reads(people.committee, "campaign_player", hidden.number)
    campaigns.compare_late_results(campaign)
    assert (
        response_for(client, people.office, "campaign_late", campaign.pk).content.decode().count("Secundina")
        == 2
    )
    campaigns.carry_out(campaign, Verb.FREEZE, people.office, "late club")
    assert reads(people.committee, "campaign_versions")
    file = response_for(client, people.office, "campaign_review", campaign.pk, "2d", formato="csv")
    assert b"Secundina" not in b"".join(file.streaming_content)
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office)
    make.assign(hidden, "1D", date(2026, 1, 25), origin=CategoryAssignment.Origin.MANUAL, reason="A")
    assert reads(people.committee, "campaign_report")
    clock(campaigns.AFTER_CLAIMS)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    assert reads(people.committee, "campaign_report")
    file = response_for(client, people.office, "campaign_report", campaign.pk, formato="csv")
    assert b"Secundina" not in b"".join(file.streaming_content)
    client.force_login(people.office)
    assert "Secundina" not in client.get(reverse("promotion", args=[2025, "2d"])).content.decode()


def test_the_exported_file_contains_the_filtered_list(client, people):
    campaign = campaigns.frozen(people)
    best, second, third = people.diamonds[:3]
    Decide().perform(campaign.pk, second.pk, make.category("2C"), "Acta 3", people.office)
    asked = {
        "": [diamond.number for diamond in people.diamonds],
        "se-mueven": [best.number, second.number],
        "decididos": [second.number],
        "frenados": [],
        "corte": [diamond.number for diamond in people.diamonds],
        "no such": [diamond.number for diamond in people.diamonds],
    }
    for show, expected in asked.items():
        file = response_for(
            client, people.office, "campaign_review", campaign.pk, "2d", ver=show, formato="csv"
        )
        assert csv_numbers(file) == expected, show
    shown = response_for(
        client, people.office, "campaign_review", campaign.pk, "2d", ver="decididos"
    ).content.decode()
    assert "Acta 3" in shown
    assert third.public_name not in shown


def test_the_filter_near_the_cut_shows_ten_players_on_either_side(client, people):
    for place in range(30):
        campaigns.post_points(make.player(category="2D"), 50 - place)
    PromotionRule.objects.filter(category__code="2D").update(top_share=Decimal("0.5"))
    campaign = campaigns.frozen(people)
    file = response_for(
        client, people.office, "campaign_review", campaign.pk, "2d", ver="corte", formato="csv"
    )
    assert len(csv_numbers(file)) == 20


def test_the_whole_list_can_be_shown_on_one_page(client, people):
    for place in range(60):
        campaigns.post_points(make.player(category="2D"), 50 + place)
    campaign = campaigns.frozen(people)
    page = response_for(client, people.office, "campaign_review", campaign.pk, "2d").content.decode()
    whole = response_for(
        client, people.office, "campaign_review", campaign.pk, "2d", entera="1"
    ).content.decode()
    assert page.count("/jugador/") == 50
    assert whole.count("/jugador/") == 70


LISTS = ["campaign_review", "campaign_player", "campaign_late", "campaign_versions", "campaign_report"]


@pytest.mark.parametrize("name", LISTS)
def test_pages_of_lists_say_that_the_lists_are_not_frozen_yet(client, people, name):
    campaign = campaigns.draft(people)
    args = {"campaign_review": ["2d"], "campaign_player": [people.diamonds[0].number]}.get(name, [])
    response = response_for(client, people.office, name, campaign.pk, *args)
    assert response.url == campaign.get_absolute_url()
    text = [str(message) for message in get_messages(response.wsgi_request)]
    assert text == [gettext("The lists of this campaign are not frozen yet.")]


@pytest.mark.parametrize("code", ["zz", "3d"])
def test_a_category_without_a_list_is_not_found(client, people, code):
    campaign = campaigns.frozen(people)
    assert response_for(client, people.office, "campaign_review", campaign.pk, code).status_code == (
        200 if code == "3d" else 404
    )


# --- One player -----------------------------------------------------------------------------------------
def post_decision(client, account, campaign, player, target: str, reason: str = "Acta 3"):
    client.force_login(account)
    address = reverse("campaign_player", args=[campaign.pk, player.number])
    return client.post(address, {"target": target, "reason": reason})


def test_the_office_decides_on_players_and_the_page_shows_it(client, people):
    campaign = campaigns.frozen(people)
    best, second = people.diamonds[:2]
    assert post_decision(client, people.office, campaign, second, "2C").status_code == 302
    assert post_decision(client, people.office, campaign, best, "-").status_code == 302
    held = {
        decision.player_id: decision.target and decision.target.code for decision in campaign.decisions.all()
    }
    assert held == {second.pk: "2C", best.pk: None}
    shown = response_for(client, people.committee, "campaign_player", campaign.pk, second.number)
    assert "Acta 3" in shown.content.decode()
    assert shown.context["form"] is None


@pytest.mark.parametrize(
    ("target", "reason"), [("2C", " "), ("", "x"), ("2D", "x"), ("ZZ", "x"), ("MN-O", "x")]
)
def test_an_impossible_decision_is_refused_on_the_page(client, people, target, reason):
    campaign = campaigns.frozen(people)
    response = post_decision(client, people.office, campaign, people.diamonds[1], target, reason)
    assert response.status_code == 422
    assert response.context["form"].errors
    assert not campaign.decisions.exists()


def test_only_the_office_decides_and_only_before_approval(client, people):
    campaign = campaigns.frozen(people)
    assert post_decision(client, people.committee, campaign, people.diamonds[1], "2C").status_code == 403
    campaigns.approve(campaign, people)
    shown = response_for(client, people.office, "campaign_player", campaign.pk, people.diamonds[1].number)
    assert shown.context["form"] is None
    late = post_decision(client, people.office, campaign, people.diamonds[1], "2C")
    assert late.status_code == 302
    assert len(list(get_messages(late.wsgi_request))) == 1
    assert not campaign.decisions.exists()


def test_the_dossier_shows_every_session_of_the_modified_average(client, people, monkeypatch):
    best = people.diamonds[0]
    event = make.tournament(name="Pool del faro", end_date=date(2025, 3, 1))
    played = (event.pk, event.end_date, 24, 11_300, [12_080])

    def only_session(*_scope, codes: dict[int, str]) -> list[Sessions]:
        seat = (sorted(codes).index(best.pk), 0, 24, 551_200, None)
        return [Year("field", Decimal(1), [played], [seat], [0] * len(codes)).sessions()]

    monkeypatch.setattr(candidates, "sessions_by_month", only_session)
    campaign = campaigns.frozen(people)
    html = response_for(client, people.office, "campaign_player", campaign.pk, best.number).content.decode()
    for figure in ("Pool del faro", event.get_absolute_url(), "55,12", "54,34", "−0,78", "1,13"):
        assert figure in html
    other = response_for(
        client, people.office, "campaign_player", campaign.pk, people.diamonds[1].number
    ).content.decode()
    assert "Pool del faro" not in other


def test_a_player_who_is_in_no_list_has_no_dossier(client, people):
    campaign = campaigns.frozen(people)
    for number in (make.player(category="2D").number, "999999999"):
        assert response_for(client, people.office, "campaign_player", campaign.pk, number).status_code == 404


# --- Late results and versions --------------------------------------------------------------------------
def test_late_results_are_shown_and_change_nothing(client, people):
    campaign = campaigns.frozen(people)
    response = response_for(client, people.committee, "campaign_late", campaign.pk)
    assert "todavía no se han comparado" in response.content.decode()
    campaigns.compare_late_results(campaign)
    response = response_for(client, people.committee, "campaign_late", campaign.pk)
    assert (response.context["differing"], response.context["outdated"]) == (0, False)
    campaigns.post_points(people.diamonds[9], 5000, date(2025, 7, 1))
    response = response_for(client, people.committee, "campaign_late", campaign.pk)
    assert (response.context["differing"], response.context["outdated"]) == (0, True)
    campaigns.compare_late_results(campaign)
    response = response_for(client, people.office, "campaign_late", campaign.pk)
    assert (response.context["differing"], response.context["otherwise"]) == (2, 2)
    html = response.content.decode()
    assert "Open of 5000" in html
    assert people.diamonds[9].public_name in html
    assert people.diamonds[4].public_name not in html
    shown = response_for(
        client, people.office, "campaign_review", campaign.pk, "2d", ver="se-mueven", formato="csv"
    )
    assert csv_numbers(shown) == [people.diamonds[0].number]


def test_late_results_are_compared_by_a_worker_when_somebody_asks(client, people, monkeypatch):
    monkeypatch.setattr(simulations, "WAIT_SECONDS", 0)
    campaign = campaigns.frozen(people)
    campaigns.post_points(people.diamonds[9], 5000, date(2025, 7, 1))
    address = reverse("campaign_late", args=[campaign.pk])
    client.force_login(people.committee)
    assert client.post(address).url == address
    (asked,) = Simulation.objects.all()
    assert reverse("campaign_simulation_progress", args=[asked.pk]) in client.get(address).content.decode()
    simulations.perform(asked.pk)
    assert client.get(address).context["differing"] == 2
    # Lists that are frozen again have not been compared yet.
    campaigns.carry_out(campaign, Verb.FREEZE, people.office, "late club")
    assert client.get(address).context["computed_at"] is None


def test_late_tournaments_and_players_are_paged_separately(client, people, monkeypatch):
    monkeypatch.setattr(versions, "CAUSES", 2)
    campaign = campaigns.frozen(people)
    for place, player in enumerate(people.diamonds[:3]):
        campaigns.post_points(player, 21 + place, date(2025, 7, 1 + place))
    campaigns.compare_late_results(campaign)
    first = response_for(client, people.office, "campaign_late", campaign.pk)
    causes = Page(first.context["causes_html"])
    assert causes.table().column("Torneo") == ["Open of 23", "Open of 22"]
    assert "?torneos-pagina=2" in causes.addresses
    assert not Page(first.context["table_html"]).all(class_="pager")
    second = response_for(client, people.office, "campaign_late", campaign.pk, **{"torneos-pagina": 2})
    assert Page(second.context["causes_html"]).table().column("Torneo") == ["Open of 21"]
    assert second.context["table_html"] == first.context["table_html"]


def test_a_new_snapshot_shows_its_differences(client, people):
    campaign = campaigns.frozen(people)
    first = response_for(client, people.office, "campaign_versions", campaign.pk)
    assert first.context["older"] is None
    campaigns.post_points(people.diamonds[9], 5000, date(2025, 7, 1))
    campaigns.carry_out(campaign, Verb.FREEZE, people.office, "late club")
    response = response_for(client, people.committee, "campaign_versions", campaign.pk)
    assert (response.context["newer"].version, response.context["differing"]) == (2, 2)
    assert people.diamonds[9].public_name in response.content.decode()
    back = response_for(client, people.committee, "campaign_versions", campaign.pk, version="1")
    assert back.context["older"] is None


# --- Report ---------------------------------------------------------------------------------------------
def test_the_report_shows_the_changes_before_and_after_applying(client, people, clock):
    campaign = campaigns.published(people)
    make.assign(
        people.hearts[0], "1D", date(2026, 1, 25), origin=CategoryAssignment.Origin.MANUAL, reason="A"
    )
    ahead = response_for(client, people.committee, "campaign_report", campaign.pk)
    assert (ahead.context["changed"], ahead.context["problems"]) == (1, 1)
    assert people.hearts[0].public_name in ahead.content.decode()
    clock(campaigns.AFTER_CLAIMS)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    after = response_for(client, people.committee, "campaign_report", campaign.pk)
    assert (after.context["changed"], after.context["problems"]) == (1, 1)
    assert people.diamonds[0].public_name in after.content.decode()
    only = response_for(
        client, people.committee, "campaign_report", campaign.pk, ver="conflictos"
    ).content.decode()
    assert people.hearts[0].public_name in only
    assert people.diamonds[0].public_name not in only
    file = b"".join(
        response_for(client, people.office, "campaign_report", campaign.pk, formato="csv").streaming_content
    )
    head, *lines = file.decode("utf-8-sig").splitlines()
    assert head == "Número federativo;Jugador;Club;Categoría antes;Según la lista;Desde;Resultado"
    assert len(lines) == 2
    only = response_for(
        client, people.office, "campaign_report", campaign.pk, ver="conflictos", formato="csv"
    )
    lines = b"".join(only.streaming_content).decode("utf-8-sig").splitlines()[1:]
    assert [line.split(";")[0] for line in lines] == [people.hearts[0].number]
    campaigns.carry_out(campaign, Verb.REVERSE, people.office, "wrong rules")
    reversed_ = response_for(client, people.office, "campaign_report", campaign.pk)
    assert reversed_.context["undone"] == {"revoked": 1}


def test_the_report_before_applying_lists_skipped_players_in_pages(client, people, monkeypatch):
    campaign = campaigns.published(people)
    make.assign(
        people.hearts[0], "1D", date(2026, 1, 25), origin=CategoryAssignment.Origin.MANUAL, reason="A"
    )
    stopped = [grant for grant in outcome.planned_grants(campaign) if grant.problem]
    monkeypatch.setattr(outcome, "planned_grants", lambda _campaign: stopped * 120)
    ahead = response_for(client, people.office, "campaign_report", campaign.pk)
    assert ahead.context["problems"] == 120
    assert (
        ahead.context["table_html"].count(people.hearts[0].number) == 2 * ROWS
    )  # in the URL and in the text
    last = response_for(client, people.office, "campaign_report", campaign.pk, pagina=3)
    assert last.context["table_html"].count(people.hearts[0].number) == 2 * 20


# --- Decisions on numbers merged later ------------------------------------------------------------------
def test_a_decision_links_to_the_dossier_of_a_number_merged_later(client, people):
    campaign = campaigns.frozen(people)
    merged = people.diamonds[1]
    Decide().perform(campaign.pk, merged.pk, make.category("2C"), "merit", people.office)
    merges.merge(merged, make.player(category="2D"), "registered twice", people.office)
    page = response_for(client, people.committee, "campaign_step", campaign.pk, "approve")
    dossier = reverse("campaign_player", args=[campaign.pk, merged.number])
    assert dossier in Page(page.context["decided_html"]).addresses
    assert client.get(dossier).status_code == 200


def test_the_dossier_says_that_a_decision_has_lapsed(client, people):
    campaign, player = campaigns.frozen(people), people.diamonds[3]
    Decide().perform(campaign.pk, player.pk, make.category("2C"), "merit", people.office)
    shown = response_for(client, people.office, "campaign_player", campaign.pk, player.number)
    words = gettext("%(decision)s: made for another category, it holds no more").partition(":")[2]
    assert words not in shown.content.decode()
    make.assign(player, "2C", date(2025, 2, 1))
    campaigns.carry_out(campaign, Verb.FREEZE, people.office, "a category was missing")
    shown = response_for(client, people.office, "campaign_player", campaign.pk, player.number)
    assert words in shown.context["decisions_html"]


def test_approving_after_claims_does_not_announce_publishing(client, people):
    campaign = campaigns.published(people)
    claimant = people.diamonds[1]
    claimant.user = make.user()
    claimant.save()
    made = Claim().perform(campaign.pk, claimant, "Look again", claimant.user)
    Answer().perform(made.pk, True, "Right", make.category("2C"), people.office)
    page = response_for(client, people.committee, "campaign_step", campaign.pk, "approve")
    assert str(page_of(campaign, Verb.APPROVE).says) in page.text
    assert str(PAGES[Verb.APPROVE].says) not in page.text
    data = {"digest": page.context["form"].initial["digest"], "sure": "on"}
    assert client.post(page.request["PATH_INFO"], data).status_code == 302
    campaign.refresh_from_db()
    assert campaign.approved_digest == data["digest"]


# --- Queries --------------------------------------------------------------------------------------------
def query_count(client, address: str) -> int:
    client.get(address)  # fill the process's cache of frozen lists
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200, address
    return len(queries)


def test_the_number_of_queries_does_not_grow_with_rows_of_lists(client, people, clock):
    names = ["campaign_late", "campaign_versions", "campaign_report", "campaign_letters", "campaign_claims"]

    def addresses(campaign) -> list[str]:
        named = [reverse(name, args=[campaign.pk]) for name in names]
        return [
            *named,
            f"{named[3]}?categoria=2d",
            reverse("campaign_review", args=[campaign.pk, "2d"]),
            reverse("campaign_player", args=[campaign.pk, people.diamonds[0].number]),
        ]

    def carried(movers: int, late: int) -> list[int]:
        """Publish a campaign, count the queries of each of its pages, and abandon it. Return the counts.

        movers: number of players of 2D who move
        late: how many snapshots follow the first one; the campaign has as many claims and late results
        """
        campaign = campaigns.frozen(people)
        for version in range(late):
            campaigns.post_points(people.diamonds[5 + version], 20 + version, date(2025, 8, 1 + version))
            campaigns.carry_out(campaign, Verb.FREEZE, people.office, "again")
        for player in people.diamonds[1:movers]:
            Decide().perform(campaign.pk, player.pk, make.category("2C"), "Acta 3", people.office)
        for times in range(late):
            Decide().perform(
                campaign.pk, people.diamonds[0].pk, make.category("2C"), f"{times}", people.office
            )
        campaigns.approve(campaign, people)
        Publish().perform(campaign.pk, people.office)
        for player in people.diamonds[:late]:
            player.user = player.user or make.user()
            player.save()
            Claim().perform(campaign.pk, player, "wrong", player.user)
            campaigns.post_points(player, 30, date(2025, 9, 1 + late))
        campaigns.compare_late_results(campaign)
        client.force_login(people.office)
        result = [query_count(client, address) for address in addresses(campaign)]
        Withdraw().perform(campaign.pk, people.office, "again")
        Abandon().perform(campaign.pk, people.office, "again")
        return result

    first = carried(2, 1)
    assert LedgerEntry.objects.exists()
    assert carried(4, 3) == first
    assert max(first) <= 45
