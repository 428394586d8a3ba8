"""The page of the committee and of auditors: what changed since they last looked."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.models import AccountEvent, CategoryAssignment, PlayerMerge, Role
from scoring.annulments import services as annulments
from scoring.ledger.models import ScoringRun
from scoring.office.lists import imports
from scoring.office.models import Look, OfficeImport
from scoring.office.queries.changes import KINDS, Changes
from scoring.office.services import merges
from scoring.promotions.models import PromotionRuleSet, RuleSetChange
from tests import factories as make
from tests import second
from tests.pages import open_page
from tests.scoring.audit.test_verify import store_correction
from tests.scoring.office.lists import TODAY, approve_all, plan_of, table, work

pytestmark = pytest.mark.django_db


def reader(kind=Role.Kind.AUDITOR) -> Client:
    account = make.user()
    make.role(account, kind)
    client = Client()
    client.force_login(account)
    client.account = account
    return client


def change_everything(office) -> None:
    """Make a change of many kinds."""
    merge = merges.merge(make.player(), make.player(), "Registered twice", office)
    merges.undo(merge.pk, "They are two", office)
    four = make.players(4)
    tournament = make.scored(*make.pairs(four))
    revision = store_correction(tournament, *make.pairs(four[::-1]))
    ScoringRun.objects.filter(revision=revision).update(reason="wrong order")
    annulments.annul(tournament.pk, "Played twice", office)
    assignment = make.assign(four[0], "2P")
    CategoryAssignment.objects.filter(pk=assignment.pk).update(
        revoked_at=timezone.now(), revoked_by=office, revoked_reason="A slip"
    )
    AccountEvent.objects.create(account=make.user(), kind="role_given", by=office, detail={"role": "office"})
    rules = PromotionRuleSet.objects.latest("valid_from")
    RuleSetChange.objects.create(rule_set=rules, by=office, note="Minutes 3", before={}, after={})
    OfficeImport.objects.create(
        kind="players", state="undone", file_name="a.csv", created_by=office, applied_at=timezone.now(),
        applied_by=office, undone_at=timezone.now(), undone_by=office, undone_reason="Wrong list",
    )  # fmt: skip


def test_the_page_lists_changes_of_every_kind_and_marks_them_as_looked_at():
    auditor, office = reader(), make.office()
    change_everything(office)
    page = auditor.get(reverse("oversight"))
    changed = "merged parted corrected annulled given revoked roles rules lists undone"
    expected = set(changed.split())
    assert {item.kind for item, _number in page.context["counts"]} == expected
    text = page.content.decode()
    reasons = ("Registered twice", "They are two", "wrong order", "Played twice", "Minutes 3", "Wrong list")
    assert [words for words in reasons if words not in text] == []
    until = page.context["now"]
    RuleSetChange.objects.create(
        rule_set=PromotionRuleSet.objects.latest("valid_from"), by=office, note="Later", before={}, after={}
    )
    assert auditor.post(reverse("oversight_looked"), {"until": until}).status_code == 302
    # What changed between opening the page and marking it is still new.
    page = auditor.get(reverse("oversight"))
    assert [(item.kind, number) for item, number in page.context["counts"]] == [("rules", 1)]
    assert "Later" in page.content.decode()
    whole = auditor.get(reverse("oversight"), {"desde": "ano", "tipo": "annulled"})
    assert whole.context["total"] > 10 and "Minutes 3" not in whole.content.decode()
    other = reader(Role.Kind.COMMITTEE)
    assert other.get(reverse("oversight")).context["total"] == whole.context["total"]


@pytest.mark.usefixtures("english")
def test_who_never_looked_reads_the_changes_of_30_days_and_reaches_them_from_their_place():
    for kind in (Role.Kind.COMMITTEE, Role.Kind.AUDITOR):
        client = reader(kind)
        AccountEvent.objects.create(account=client.account, kind="role_given", detail={"role": kind})
        place = open_page(client, reverse("my_place"))
        assert {reverse("oversight"), reverse("audits")} <= set(place.addresses)
        page = open_page(client, reverse("oversight"))
        assert "in 30 days" in page.text and "since your last look" not in page.text
        assert "command line" in page.text and "my last look" not in page.text
        client.post(reverse("oversight_looked"), {"until": page.context["now"]})
        assert "Nothing has changed since your last look" in open_page(client, reverse("oversight")).text
        assert reverse("oversight") in open_page(client, reverse("audits")).addresses


def test_the_committee_gets_no_links_to_pages_that_it_may_not_open():
    committee, office = reader(Role.Kind.COMMITTEE), make.office()
    change_everything(office)
    merge = PlayerMerge.objects.get()
    text = committee.get(reverse("oversight")).content.decode()
    assert "Registered twice" in text and "They are two" in text
    for url in (reverse("merge", args=[merge.pk]), reverse("account_journal"), reverse("accounts")):
        assert url not in text
    assert reverse("merge", args=[merge.pk]) in reader().get(reverse("oversight")).content.decode()


@pytest.mark.usefixtures("english")
def test_categories_of_a_list_are_one_line_that_opens_and_a_revocation_by_hand_is_one_of_its_own():
    office, people = make.office(), make.players(3, category="3D")
    rows = [f"{player.number};2D;01/01/2026;Minutes 3" for player in people]
    batch = imports.receive("categories", "ascensos.csv", table("categories", *rows), office)
    work()
    plan = plan_of(batch, TODAY, office)
    imports.apply(batch.pk, plan.digest, office, "Minutes 3", "Minutes 3", list(plan.by_tick))
    approve_all()
    batch.refresh_from_db()
    committee = reader(Role.Kind.COMMITTEE)
    page = open_page(committee, reverse("oversight"), tipo="given")
    assert "ascensos.csv" not in page.text
    kinds = {item.kind: number for item, number in page.context["counts"]}
    assert (kinds["lists"], kinds["given"]) == (1, 3)  # those with which the three began
    link = open_page(committee, reverse("oversight"), tipo="lists").link("3 categories")
    listed = open_page(committee, link).table("Categories that the list gave").records
    assert {row["Number"] for row in listed} == {player.number for player in people}

    one = CategoryAssignment.objects.get(pk=batch.parts.get().written["created"][0])
    CategoryAssignment.objects.filter(pk=one.pk).update(
        revoked_at=timezone.now(), revoked_by=office, revoked_reason="A slip"
    )
    undoing = imports.undoing_of(batch, TODAY, office)
    imports.undo(batch.pk, undoing.digest, office, "Wrong list", "Minutes 4")
    approve_all()
    counts = {item.kind: number for item, number in Changes(timezone.now() - timedelta(days=1)).counts}
    assert (counts["undone"], counts["revoked"]) == (1, 1)


@pytest.mark.parametrize("until", ["", "nonsense", "2020-01-01", "9999-12-31T00:00:00+00:00", "0" * 300])
def test_a_moment_that_is_none_or_in_the_future_counts_as_now(until):
    auditor, before = reader(), timezone.now()
    assert auditor.post(reverse("oversight_looked"), {"until": until}).status_code == 302
    assert before <= Look.objects.get().until <= timezone.now()


def test_pages_hold_the_latest_first_and_queries_do_not_grow():
    office, since = make.office(), timezone.now() - timedelta(days=1)
    rules, queries = PromotionRuleSet.objects.latest("valid_from"), []
    for number in (1, 2, 3):
        RuleSetChange.objects.create(rule_set=rules, by=office, note=f"r{number}", before={}, after={})
        merges.merge(make.player(), make.player(), f"m{number}", office)
        with CaptureQueriesContext(connection) as captured:
            rows = Changes(since).rows(0, 50)
        queries.append(len(captured))
        assert len(rows) == 2 * number
    assert queries[0] == queries[2]
    reasons = [row["reason"] for row in rows]
    assert reasons == ["m3", "r3", "m2", "r2", "m1", "r1"]
    assert [row["reason"] for row in Changes(since).rows(2, 4)] == ["m2", "r2"]
    assert [row["reason"] for row in Changes(since, "rules").rows(0, 2)] == ["r3", "r2"]


def test_the_page_shows_what_waits(monkeypatch):
    second.alone(monkeypatch)
    committee = reader(Role.Kind.COMMITTEE)
    proposal = second.prepared(make.office())
    page = committee.get(reverse("oversight"))
    assert [matter.url for matter in page.context["inbox"].matters] == [proposal.get_absolute_url()]
    assert len({item.kind for item in KINDS}) == len(KINDS)
