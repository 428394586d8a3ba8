"""Triggers in the database refuse changes of a campaign's tables that bypass the services."""

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from players import triggers
from players.models import CategoryAssignment
from players.services import categories
from scoring.promotions.acts.approve import Approve
from scoring.promotions.acts.claims import Answer, Claim, Close
from scoring.promotions.acts.publish import Publish, Withdraw
from scoring.promotions.models import CampaignTask, PromotionCampaign
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.campaigns import list_digest
from tests import factories as make
from tests.scoring.promotions import campaigns

pytestmark = pytest.mark.django_db
CAMPAIGN, CHANGE = "promotions_promotioncampaign", "promotions_campaignchange"
ASSIGNMENT, TASK = "players_categoryassignment", "promotions_campaigntask"


def run_sql(statement: str, *values) -> int:
    """Execute an SQL statement. Return the number of rows that it wrote."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.rowcount


def update_row(table: str, pk: int, **columns) -> int:
    """Set columns of a row with plain SQL, bypassing the services. Return the number of rows written."""
    assigned = ", ".join(f"{name} = %s" for name in columns)
    return run_sql(f"UPDATE {table} SET {assigned} WHERE id = %s", *columns.values(), pk)


def database_refuses(match: str):
    return pytest.raises(DatabaseError, match=match)


# --- The campaign ---------------------------------------------------------------------------------------
def test_the_database_ties_an_approval_to_the_approved_lists(people):
    campaign = campaigns.published(people)
    claims = {"published_at": None, "claims_until": None}
    with database_refuses("taken off"):
        update_row(CAMPAIGN, campaign.pk, state="frozen", **claims)
    at = campaign.published_at
    for half in ({"approved_digest": "x"}, {"approved_at": at}, {"approved_by_id": campaigns.committee().pk}):
        with database_refuses("dated anew"):
            update_row(CAMPAIGN, campaign.pk, **half)
    assert update_row(
        CAMPAIGN, campaign.pk, approved_digest="x", approved_at=at, approved_by_id=people.committee.pk
    )
    gone = {"approved_digest": "", "approved_at": None, "approved_by_id": None}
    assert update_row(CAMPAIGN, campaign.pk, state="frozen", **claims, **gone)


def test_the_database_keeps_the_snapshot_of_a_campaign(people):
    campaign = campaigns.frozen(people)
    first = campaign.snapshot_id
    campaigns.carry_out(campaign, Verb.FREEZE, people.office, "late club")
    campaigns.approve(campaign, people)
    with database_refuses("changes with another step"):
        update_row(CAMPAIGN, campaign.pk, snapshot_id=first)


# --- Its lists ------------------------------------------------------------------------------------------
def test_the_database_refuses_new_lists_in_a_frozen_snapshot(people):
    campaign = campaigns.frozen(people)
    slip_in = f"""
        INSERT INTO promotions_snapshotlist (snapshot_id, category_id, body, sessions)
        VALUES ({campaign.snapshot_id}, {make.category("MN-O").pk}, '', '')"""
    with database_refuses("takes no lists"):
        run_sql(slip_in)
    # Nor while the freezing of another version is running.
    CampaignTask.objects.create(campaign=campaign, verb="freeze", state="running", created_by=people.office)
    with database_refuses("takes no lists"):
        run_sql(slip_in)


# --- Its tasks ------------------------------------------------------------------------------------------
def test_the_database_refuses_to_delete_or_restart_tasks(people):
    campaign = campaigns.draft(people)
    task = campaigns.carry_out(campaign, Verb.FREEZE, people.office)
    with database_refuses("never deleted"):
        run_sql(f"DELETE FROM {TASK}")
    for state in ("pending", "running", "cancelled"):
        with database_refuses("not begun again"):
            update_row(TASK, task.pk, state=state)
    if connection.vendor == "postgresql":
        # Run the deferred checks first: TRUNCATE fails, for another reason, while any is pending.
        connection.check_constraints()
        with database_refuses("never deleted"):
            run_sql(f"TRUNCATE {TASK}")


# --- Its assignments ------------------------------------------------------------------------------------
def test_the_database_refuses_to_edit_categories_given_by_a_campaign(people, clock):
    campaign = campaigns.applied(people, clock)
    assignment = campaign.changes.select_related("assignment").first().assignment
    for columns in (
        {"category_id": make.category("1P").pk},
        {"player_id": people.spade.pk},
        {"valid_from": "2020-01-01"},
        {"origin": "initial"},
        {"reason": "a gift"},
        {"created_by_id": people.committee.pk},
        {"evidence": "Acta 4"},
    ):
        with database_refuses("never edited"):
            update_row(ASSIGNMENT, assignment.pk, **columns)
    by_hand = CategoryAssignment.objects.filter(player=people.spade).get()
    with database_refuses("never edited"):
        update_row(ASSIGNMENT, by_hand.pk, origin="campaign")
    categories.revoke(assignment.pk, "a mistake", people.office, evidence="Acta 9")
    for columns in (
        {"revoked_at": None},
        {"revoked_reason": "another"},
        {"revoked_by_id": None},
        {"revoked_evidence": ""},
    ):
        with database_refuses("never edited"):
            update_row(ASSIGNMENT, assignment.pk, **columns)


@pytest.mark.parametrize(
    "day", [campaigns.AFTER_CLAIMS, campaigns.EFFECTIVE_ON.replace(day=2)], ids=["revoked", "given back"]
)
def test_the_database_lets_a_change_be_undone_only_once(people, clock, day):
    campaign = campaigns.applied(people, clock)
    change = campaign.changes.first()
    with database_refuses("not in a state"):
        update_row(CHANGE, change.pk, undone="conflict")
    clock(day)
    campaigns.carry_out(campaign, Verb.REVERSE, people.office, "wrong rules")
    change.refresh_from_db()
    assert change.undone in ("revoked", "restored")
    other = campaign.changes.exclude(pk=change.pk).first()
    for columns in (
        {"undone": ""},
        {"undone": "conflict"},
        {"problem": "changed", "assignment_id": None},
        {"player_id": people.spade.pk},
        {"target_id": make.category("1P").pk},
        {"category_id": other.target_id},
    ):
        with database_refuses("never edited"):
            update_row(CHANGE, change.pk, **columns)
    if change.undone == "restored":
        with database_refuses("never edited"):
            update_row(CHANGE, change.pk, restored_id=None)


def test_the_database_allows_every_act_of_the_services(people, clock):
    """The triggers allow the services to withdraw, freeze again, end the claims period, apply and reverse."""
    campaign = campaigns.published(people)
    Withdraw().perform(campaign.pk, people.office, "late club")
    campaign.refresh_from_db()
    campaigns.carry_out(campaign, Verb.FREEZE, people.office, "late club")
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office, campaigns.CLAIMS_UNTIL)
    Close().perform(campaign.pk, people.committee, "all were heard")
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    campaigns.carry_out(campaign, Verb.REVERSE, people.office, "wrong rules")
    assert campaign.state == "reversed" and campaign.snapshot.version == 2


# --- Circumvention --------------------------------------------------------------------------------------
def insert_copy(table: str, pk: int, verb: str = "INSERT", **columns) -> int:
    """Insert a copy of a row with plain SQL, with other values in some columns.

    verb: INSERT or a statement that replaces rows
    """
    with connection.cursor() as cursor:
        names = [item.name for item in connection.introspection.get_table_description(cursor, table)]
    taken = ", ".join("%s" if name in columns else f'"{name}"' for name in names)
    values = [columns[name] for name in names if name in columns]
    into = ", ".join(f'"{name}"' for name in names)
    return run_sql(f"{verb} INTO {table} ({into}) SELECT {taken} FROM {table} WHERE id = %s", *values, pk)


def test_the_database_accepts_new_campaigns_only_as_drafts(people, clock):
    campaign = campaigns.in_state("applied", people, clock)
    draft = {
        "state": "draft", "snapshot_id": None, "frozen_by_id": None, "approved_digest": "",
        "approved_at": None, "approved_by_id": None, "published_at": None, "claims_until": None,
        "applied_at": None,
    }  # fmt: skip
    for number, (name, value) in enumerate(draft.items()):
        begun = {key: values for key, values in draft.items() if key != name}
        with database_refuses("begins as a draft|take the place"):
            insert_copy(CAMPAIGN, campaign.pk, id=9000 + number, year=2019, **begun)
        assert value != getattr(campaign, name)
    assert insert_copy(CAMPAIGN, campaign.pk, id=9100, year=2019, **draft) == 1


KEPT = {  # append-only tables, and a value that marks a forged row
    "ledger_ledgerentry": {"title": "x"}, "promotions_campaignsnapshot": {"digest": "x"},
    "promotions_snapshotlist": {"body": "x"}, "promotions_campaignclaim": {"text": "x"},
    "promotions_claimanswer": {"text": "x"}, "promotions_campaigndecision": {"reason": "x"},
    "promotions_campaignact": {"reason": "x"}, TASK: {"reason": "x"}, CHANGE: {"problem": "x"},
    ASSIGNMENT: {"reason": "x"}, CAMPAIGN: {"year": 2019, "state": "draft"},
}  # fmt: skip
ONCE = {
    "promotions_campaignsnapshot",
    "promotions_snapshotlist",
    "promotions_claimanswer",
    CHANGE,
    ASSIGNMENT,
}
KEPT_ELSEWHERE = {  # the other tables whose rows are never replaced
    "cases_case", "cases_casemessage", "players_accountevent", "players_consent",
    "players_organisationchange", "players_playerchange", "players_proposal", "promotions_rulesetchange",
    "ratings_ratedplayerchange", "transparency_checkpoint", "transparency_cosignature", "transparency_leaf",
    "transparency_node", "transparency_pseudonym", "transparency_stamp",
}  # fmt: skip
REPLACING = {"sqlite": "INSERT OR REPLACE"}  # PostgreSQL has no REPLACE: it refuses the duplicate key


@pytest.mark.parametrize("table", KEPT)
def test_the_database_refuses_to_replace_kept_rows_by_inserting(people, clock, table):
    campaign = campaigns.in_state("published", people, clock)
    claimant = people.diamonds[5]
    claimant.user = make.user()
    claimant.save()
    claimed = Claim().perform(campaign.pk, claimant, "One is missing", claimant.user)
    Answer().perform(claimed.pk, True, "So it is", make.category("2C"), people.office)
    Approve().perform(
        campaign.pk, people.committee, list_digest(PromotionCampaign.objects.get(pk=campaign.pk))
    )
    clock(campaigns.AFTER_CLAIMS)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT max(id), count(*) FROM {table}")
        newest, count = cursor.fetchone()
    verb = REPLACING.get(connection.vendor, "INSERT")
    for pk in (newest, newest + 1000):  # with the same id, and with another id but the same unique key
        if pk == newest or table in ONCE:
            with pytest.raises(IntegrityError):
                insert_copy(table, newest, verb, id=pk, **KEPT[table])
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")
        assert cursor.fetchone() == (count,)


def test_the_trigger_against_replacing_rows_scans_no_table():
    """The trigger that prevents replacing rows finds the old row with an index, without scanning a table.

    The trigger runs for each new row: a scan of a ledger of a million rows would stop all posting.
    """
    if connection.vendor != "sqlite":
        assert not [guard for guard in triggers.declared(connection.vendor) if guard.name == "not_replaced"]
        return
    guards = [guard for guard in triggers.declared("sqlite") if guard.name == "not_replaced"]
    assert sorted(guard.table for guard in guards) == sorted({*KEPT, *KEPT_ELSEWHERE})
    with connection.cursor() as cursor:
        for guard in guards:
            row = f"(SELECT * FROM {guard.table} LIMIT 1) NEW"
            cursor.execute(f"EXPLAIN QUERY PLAN SELECT {guard.condition} FROM {row}")
            plan = [words for *_numbers, words in cursor.fetchall() if " old" in words]
            assert plan and all(words.startswith("SEARCH old") for words in plan), (guard.table, plan)


# --- Rows that never change -----------------------------------------------------------------------------
@pytest.mark.parametrize(
    "rows",
    [
        lambda c: c.acts.all(),
        lambda c: c.decisions.all(),
        lambda c: c.claims.all(),
        lambda c: c.snapshots.all(),
        lambda c: c.snapshot.lists.all(),
        lambda c: type(c.claims.get().answer).objects.all(),
    ],
    ids=["acts", "decisions", "claims", "snapshots", "lists", "answers"],
)
def test_the_records_of_a_campaign_cannot_be_changed_or_deleted(people, clock, rows):
    campaign = campaigns.published(people)
    claim = campaigns.file_claim(campaign, people.diamonds[1])
    Answer().perform(claim.pk, True, "Right", make.category("2C"), people.office)
    result = rows(campaign)
    assert result.exists()
    pk = result.first().pk
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        result.filter(pk=pk).update(id=pk)
    with pytest.raises(DatabaseError), transaction.atomic():
        result.filter(pk=pk)._raw_delete("default")
    with pytest.raises(DatabaseError), transaction.atomic():
        PromotionCampaign.objects.filter(pk=campaign.pk)._raw_delete("default")
