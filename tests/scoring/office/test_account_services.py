"""Services of accounts: changes by one or two persons, the journal, and passwords only the user knows."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from players.access import APPROVERS
from players.models import AccountEvent, Proposal, Role
from players.proposals import act_of, labels
from players.services import account_changes as changes
from players.services import accounts, journal, passwords, proposals
from tests import factories

pytestmark = pytest.mark.django_db
Kind = Role.Kind


@pytest.fixture
def office():
    return factories.office()


@pytest.fixture
def committee():
    return account(Kind.COMMITTEE)


def account(*kinds):
    made = factories.user()
    for kind in kinds:
        factories.role(made, kind)
    return made


def approve_proposal(proposal: Proposal, by) -> None:
    proposals.approve(proposal.pk, by, act_of(proposal).effect(proposal, by).digest)


def kinds_of(who) -> list[str]:
    return list(who.events.order_by("pk").values_list("kind", flat=True))


def move_clock_past_waiting(monkeypatch, **span) -> None:
    then = timezone.now() + timedelta(**span)
    monkeypatch.setattr(timezone, "now", lambda: then)


# --- Roles ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [Kind.OFFICE, Kind.COMMITTEE, Kind.AUDITOR])
def test_the_office_gives_itself_no_role_of_the_federation(office, committee, kind):
    wanted = changes.GiveRole(office if kind != Kind.OFFICE else factories.user(), kind)
    proposal = accounts.change(wanted, office, "we need one")
    assert not wanted.held()
    with pytest.raises(PermissionDenied):
        approve_proposal(proposal, office)
    approve_proposal(proposal, committee)
    assert wanted.held()
    event = wanted.account.events.get()
    assert (event.kind, event.by, event.proposal, event.detail["role"]) == (
        "role_given",
        committee,
        proposal,
        kind,
    )
    proposal = accounts.change(changes.TakeRole(wanted.account, kind), office, "no longer")
    assert wanted.held()
    approve_proposal(proposal, committee)
    assert not wanted.held()


def test_one_person_may_give_and_take_roles_of_a_club(office):
    club, lola = factories.club(), factories.user()
    for kind in (Kind.CLUB_ADMIN, Kind.DIRECTOR):
        wanted = changes.GiveRole(lola, kind, club)
        assert accounts.change(wanted, office) is None and wanted.held()
    accounts.change(changes.TakeRole(lola, Kind.CLUB_ADMIN, club), office)
    assert kinds_of(lola) == ["role_given", "role_given", "role_taken"]
    assert journal.held_until(lola) is None


def test_roles_that_approve_need_two_persons_and_a_waiting_time(office, committee):
    club, lola = factories.club(), factories.user()
    for kind in APPROVERS:
        scope = {"region": club.region} if kind == Kind.REGION_ADMIN else {}
        holder = factories.user()
        giving = accounts.change(changes.GiveRole(holder, kind, **scope), office, "elected")
        assert not holder.roles.exists()
        approve_proposal(giving, committee)
        assert journal.held_until(holder), kind
        taking = accounts.change(changes.TakeRole(holder, kind, **scope), office, "resigned")
        assert holder.roles.exists()
        for change in (changes.Close(holder), changes.SetAddress(holder, "new@example.org")):
            assert change.needs_second_person()
        approve_proposal(taking, committee)
        assert not holder.roles.exists()
    assert not changes.Close(lola).needs_second_person()


def test_the_roles_that_approve_something_are_declared():
    """All roles that may decide on any kind of proposal are declared as approving roles."""
    club = factories.club()
    scopes = {Kind.CLUB_ADMIN: {"club": club}, Kind.DIRECTOR: {"club": club}}
    scopes[Kind.REGION_ADMIN] = {"region": club.region}
    data = {"account": 0, "accounts": [], "uploaded_by": 0, "regional": True, "region": club.region.pk}
    acts = [Proposal(kind=name, data=data) for name in labels()]
    deciding = set()
    for kind in Kind:
        holder = factories.user()
        factories.role(holder, kind, **scopes.get(kind, {}))
        if any(act_of(proposal).may_decide(holder, proposal) for proposal in acts):
            deciding.add(kind)
    assert deciding == APPROVERS


def test_the_last_administrator_of_a_region_may_lose_the_role(office, committee):
    club, lola = factories.club(), factories.user()
    factories.role(lola, Kind.REGION_ADMIN, region=club.region)
    approve_proposal(
        accounts.change(changes.TakeRole(lola, Kind.REGION_ADMIN, None, club.region), office, "x"), committee
    )
    assert not lola.roles.exists()


def test_accounts_without_the_office_role_cannot_change_accounts(committee):
    with pytest.raises(PermissionDenied):
        accounts.change(changes.GiveRole(factories.user(), Kind.DIRECTOR, factories.club()), committee)


def test_nobody_approves_a_change_of_their_own_account(office, committee):
    proposal = accounts.change(changes.GiveRole(committee, Kind.AUDITOR), office, "x")
    with pytest.raises(PermissionDenied):
        approve_proposal(proposal, committee)


def test_a_second_person_needs_a_reason(office):
    with pytest.raises(ValidationError) as refused:
        accounts.change(changes.GiveRole(factories.user(), Kind.OFFICE), office, " ")
    assert "reason" in refused.value.error_dict


@pytest.mark.parametrize("kind", [Kind.OFFICE, Kind.COMMITTEE])
@pytest.mark.parametrize("how", ["take", "close"])
def test_the_last_office_or_committee_account_cannot_be_removed(office, committee, kind, how):
    last = office if kind == Kind.OFFICE else committee
    wanted = changes.TakeRole(last, kind) if how == "take" else changes.Close(last)
    closed = account(kind)
    closed.is_active = False
    closed.save()
    with pytest.raises(ValidationError, match="Nobody else|Nadie más"):
        accounts.change(wanted, office, "x")


@pytest.mark.parametrize("how", ["take", "close"])
def test_the_last_two_holders_of_a_role_cannot_both_lose_it_at_once(office, committee, how):
    kind = changes.Close if how == "close" else lambda who: changes.TakeRole(who, Kind.COMMITTEE)
    clerk, second = factories.office(), account(Kind.COMMITTEE)
    first = accounts.change(kind(committee), office, "x")
    other = accounts.change(kind(second), office, "x")
    approve_proposal(first, clerk)
    with pytest.raises(ValidationError):
        approve_proposal(other, clerk)
    with pytest.raises(ValidationError), transaction.atomic():
        kind(second).apply(clerk)  # even when the service is called without the page
    assert Role.objects.filter(kind=Kind.COMMITTEE, user=second, user__is_active=True).exists()


def test_the_office_role_does_not_open_the_admin_site(office, committee):
    lola = factories.user()
    approve_proposal(accounts.change(changes.GiveRole(lola, Kind.OFFICE), office, "x"), committee)
    lola = get_user_model().objects.get(pk=lola.pk)
    assert not lola.is_staff and not lola.groups.exists()


def test_the_name_of_an_accounts_owner_is_changed_by_one_person_and_written_down(office):
    lola = factories.user(first_name="Lola", last_name="Gil")
    factories.role(lola, Kind.AUDITOR)
    assert accounts.change(changes.SetName(lola, "Lola", "Gil Soto"), office) is None
    lola.refresh_from_db()
    assert lola.get_full_name() == "Lola Gil Soto"
    assert lola.events.get(kind="name").detail == {"before": "Lola Gil", "after": "Lola Gil Soto"}
    with pytest.raises(ValidationError):
        accounts.change(changes.SetName(lola, "Lola", "Gil Soto"), office)


# --- Accounts and links ---------------------------------------------------------------------------------
def test_changing_a_powerful_accounts_address_or_state_needs_two_persons(office, committee):
    plain = factories.user()
    assert accounts.change(changes.SetAddress(plain, "new@example.org"), office) is None
    assert accounts.change(changes.Close(plain), office) is None
    assert kinds_of(plain) == ["address", "closed"]
    auditor = account(Kind.AUDITOR)
    address = accounts.change(changes.SetAddress(auditor, "mine@example.org"), office, "x")
    closing = accounts.change(changes.Close(auditor), office, "x")
    approve_proposal(address, committee)
    approve_proposal(closing, committee)
    auditor.refresh_from_db()
    assert (auditor.email, auditor.is_active) == ("mine@example.org", False)


def test_linking_a_player_needs_one_person_and_changing_the_link_two(office, committee):
    lola, eva, player, other = factories.user(), factories.user(), factories.player(), factories.player()
    assert accounts.change(changes.Link(lola, player), office) is None
    moved = accounts.change(changes.Link(lola, other), office, "wrong number")
    taking = accounts.change(changes.Link(eva, player), office, "it is hers")
    parted = accounts.change(changes.Unlink(lola, player), office, "left")
    assert all((moved, taking, parted))
    approve_proposal(taking, committee)
    player.refresh_from_db()
    assert player.user == eva
    assert (kinds_of(lola), kinds_of(eva)) == (["linked", "unlinked"], ["linked"])
    with pytest.raises(ValidationError):
        approve_proposal(parted, committee)


# --- The journal, and waiting periods -------------------------------------------------------------------
def test_the_journal_is_never_changed(office):
    event = journal.note(office, journal.Kind.CLOSED, None)
    for statement in ("UPDATE players_accountevent SET by_id = 1", "DELETE FROM players_accountevent"):
        refused = pytest.raises(DatabaseError, match="never changed")
        with refused, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert AccountEvent.objects.get() == event


def test_a_new_holder_of_a_role_cannot_approve_for_some_days(office, committee, monkeypatch):
    lola = factories.user()
    approve_proposal(accounts.change(changes.GiveRole(lola, Kind.OFFICE), office, "x"), committee)
    lola = get_user_model().objects.get(pk=lola.pk)
    waiting = accounts.change(changes.GiveRole(factories.user(), Kind.AUDITOR), office, "x")
    with pytest.raises(ValidationError) as refused:
        approve_proposal(waiting, lola)
    assert refused.value.code == "waiting"
    proposals.give_back(waiting.pk, lola, "returning harms nobody")
    again = accounts.change(changes.GiveRole(factories.user(), Kind.AUDITOR), office, "x")
    move_clock_past_waiting(monkeypatch, days=3, minutes=1)
    approve_proposal(again, lola)


def test_the_command_line_gives_the_first_roles_without_waiting(capsys):
    call_command("give_role", "maria", "office", "--new", "--email", "maria@example.org")
    call_command("give_role", "maria", "committee")
    maria = get_user_model().objects.get()
    assert set(maria.roles.values_list("kind", flat=True)) == {"office", "committee"}
    assert set(maria.events.values_list("by", flat=True)) == {None}
    code = capsys.readouterr().out.split("/codigo/: ")[1].splitlines()[0]
    assert passwords.use_code("maria", code, "a-long-new-password")
    assert journal.held_until(maria) is None
    for wrong in (["maria", "office"], ["nadie", "office"]):
        with pytest.raises(CommandError):
            call_command("give_role", *wrong)


# --- Passwords ------------------------------------------------------------------------------------------
def test_a_printed_code_lets_only_its_owner_set_a_password_once(office, monkeypatch):
    lola = factories.user()
    code = passwords.print_code(lola, office)
    assert not passwords.use_code("nadie", code, "x") and not passwords.use_code(lola.username, "AB", "x")
    assert not passwords.use_code(office.username, code, "x")
    assert passwords.use_code(lola.username, code.lower().replace(" ", "-"), "a-long-new-password")
    assert not passwords.use_code(lola.username, code, "another-one")
    lola.refresh_from_db()
    assert lola.check_password("a-long-new-password")
    assert kinds_of(lola) == ["code", "reset"]
    assert journal.held_until(lola)


@pytest.mark.parametrize("kind", [Kind.COMMITTEE, Kind.AUDITOR])
def test_printing_a_code_for_a_powerful_account_needs_two_persons(office, committee, monkeypatch, kind):
    lola = account(kind)
    changes.SetAddress(lola, "").apply(None)
    with pytest.raises(PermissionDenied):
        passwords.print_code(lola, office)
    with pytest.raises(ValidationError):
        accounts.change(changes.AllowCode(lola), office)
    approve_proposal(accounts.change(changes.AllowCode(lola), office, "forgot it"), committee)
    code = passwords.print_code(lola, office)
    assert passwords.use_code(lola.username, code, "a-long-new-password")
    with pytest.raises(PermissionDenied):
        passwords.print_code(lola, office)
    assert kinds_of(lola) == ["address", "code_allowed", "code", "reset"]
    approve_proposal(accounts.change(changes.AllowCode(lola), office, "forgot it again"), committee)
    move_clock_past_waiting(monkeypatch, days=4)
    assert not passwords.may_print_code(lola), "nobody printed it in time"


@pytest.mark.parametrize("kind", [Kind.COMMITTEE, Kind.OFFICE, Kind.AUDITOR])
def test_a_printed_code_stops_working_when_its_account_gets_a_powerful_role(office, committee, kind):
    """A printed code stops working when its account gets a role with power.

    Otherwise the person who printed the code could use it to get a powerful account alone.
    """
    lola = accounts.create("lola", "", "Lola", "", office)
    code = passwords.print_code(lola, office)
    proposal = accounts.change(changes.GiveRole(lola, kind), office, "we need one")
    assert passwords.account_for_code("lola", code) == lola
    approve_proposal(proposal, committee)
    assert passwords.use_code("lola", code, "a-long-new-password") is None
    approve_proposal(accounts.change(changes.AllowCode(lola), office, "her first"), committee)
    assert passwords.use_code("lola", code, "a-long-new-password") is None, "only a new one works"
    allowed = passwords.print_code(lola, office)
    assert passwords.use_code("lola", allowed, "a-long-new-password") == lola


def test_a_printed_code_still_works_after_its_account_gets_another_role(office):
    lola = factories.user()
    code = passwords.print_code(lola, office)
    accounts.change(changes.GiveRole(lola, Kind.DIRECTOR, factories.club()), office)
    assert passwords.account_for_code(lola.username, code) == lola


def test_a_code_from_the_command_line_still_works_after_any_new_role(office, committee, capsys):
    call_command("give_role", "maria", "office", new=True)
    code = capsys.readouterr().out.split("/codigo/: ")[1].splitlines()[0]
    maria = get_user_model().objects.get(username="maria")
    approve_proposal(accounts.change(changes.GiveRole(maria, Kind.AUDITOR), office, "also"), committee)
    assert passwords.use_code("maria", code, "a-long-new-password") == maria


def test_a_permission_to_print_a_code_ends_with_a_powerful_role(office, committee):
    """A role with power ends the permission to print a code for the account's password.

    Whoever has the code can choose the password. While the account has no powerful role, one person alone
    may give the permission. That must not suffice once the account has such a role.
    """
    lola = factories.user()
    changes.SetAddress(lola, "").apply(None)
    accounts.change(changes.AllowCode(lola), office)
    approve_proposal(
        accounts.change(changes.GiveRole(lola, Kind.COMMITTEE), office, "we need one"), committee
    )
    assert not passwords.may_print_code(lola)


def test_the_approver_of_a_role_reads_who_else_could_use_the_account(office, committee):
    lola = accounts.create("lola", "", "Lola", "", office)
    wanted = changes.GiveRole(lola, Kind.COMMITTEE)

    def about_access() -> list[str]:
        return [sentence for sentence in wanted.effect() if sentence.startswith(office.username)]

    (made,) = about_access()
    code = passwords.print_code(lola, office)
    assert about_access()[0] == made and about_access()[1].endswith("Si nadie lo ha usado, deja de valer.")
    passwords.use_code("lola", code, "a-long-new-password")
    lola.refresh_from_db()
    assert len(about_access()) == 2
    assert len(changes.GiveRole(lola, Kind.DIRECTOR, factories.club()).effect()) == 2


def test_a_printed_code_expires(office, monkeypatch):
    lola = factories.user()
    code = passwords.print_code(lola, office)
    monkeypatch.setattr(
        passwords._codes, "_now", lambda: timezone.now().replace(tzinfo=None) + timedelta(days=4)
    )
    assert passwords.account_for_code(lola.username, code) is None


def test_a_closed_account_has_no_code(office):
    lola = factories.user()
    code = passwords.print_code(lola, office)
    changes.Close(lola).apply(None)
    assert not passwords.use_code(lola.username, code, "a-long-new-password")
