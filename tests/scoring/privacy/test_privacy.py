"""Hiding the name, minors, the copy of one's data, and erasure."""

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.urls import reverse

from players.models import AccountEvent, Consent, Player, PlayerChange, Proposal
from players.proposals import act_of
from players.services import licences, persons, privacy, proposals
from players.services.journal import note
from scoring.cases.models import Case, CaseMessage
from scoring.cases.services import open_case
from scoring.ledger.models import LedgerEntry, Standing
from scoring.letters.choices import choose
from scoring.office.lists import imports
from scoring.privacy import copies, erasing
from scoring.privacy.erasure_act import ask
from scoring.privacy.models import DataCopy, Erasure
from tests import factories
from tests.pages import Page, open_page
from tests.scoring.office.lists import issues, plan_of, table, work
from tournaments.models import RememberedName, ResultUpload

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]


@pytest.fixture
def member():
    """A player with an account, a partner and points from a tournament of eight."""
    account = factories.user("ana", email="ana@example.org")
    player = factories.player(
        given_name="Zoraida", surname="Quevedo Luz", user=account, email="z@example.org", category="2P"
    )
    factories.scored(*factories.pairs([player, *factories.players(7, category="2P")]))
    return player


def year_of_age(age: int) -> int:
    return factories.today().year - age


# --- Hiding ------------------------------------------------------------------------------------------------
def test_hiding_takes_effect_at_once_and_can_be_undone(client, member):
    """The public pages are asked for before, so that whatever caches them has the name."""
    pages = [reverse("standing", args=["2p"]), reverse("players"), member.get_absolute_url()]

    def shown() -> list[bool]:
        return ["Zoraida" in client.get(page, follow=True).content.decode() for page in pages]

    assert shown() == [True] * 3
    client.force_login(member.user)
    assert client.post(reverse("privacy_hide"), {"hidden": "1"}).status_code == 302
    client.logout()
    assert shown() == [False] * 3
    privacy.set_hidden(member.pk, False, member.user)
    assert shown() == [True] * 3
    kinds = list(Consent.objects.order_by("pk").values_list("kind", "by"))
    assert kinds == [("hidden", member.user_id), ("shown", member.user_id)]
    assert PlayerChange.objects.filter(player=member, after={"hidden": True}).exists()


def test_hiding_hides_merged_numbers_too(member):
    other = factories.player(merged_into=member)
    privacy.set_hidden(member.pk, True, member.user)
    other.refresh_from_db()
    assert other.hidden


def test_nobody_else_hides_or_shows_a_name(member):
    for account in (factories.user(), factories.director(member.club)):
        with pytest.raises(PermissionDenied):
            privacy.set_hidden(member.pk, True, account)
    privacy.set_hidden(member.pk, True, factories.office())
    assert Consent.objects.get().kind == Consent.Kind.HIDDEN


def test_the_log_of_decisions_is_never_changed(member):
    privacy.set_hidden(member.pk, True, member.user)
    for sql in ("UPDATE players_consent SET kind = 'shown'", "DELETE FROM players_consent"):
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            connection.cursor().execute(sql)


def test_the_log_has_which_notices_come_by_email(client, member):
    choose(member.user, {"own_points": "weekly"})
    client.force_login(member.user)
    assert "(weekly)" in open_page(client, reverse("privacy_choices")).text


# --- Minors ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("age", "hidden"), [(12, True), (18, True), (19, False)])
def test_new_minors_are_hidden(age, hidden):
    values = {"given_name": "Nora", "surname": "Sol Mar", "birth_year": year_of_age(age)}
    assert persons.add(values, factories.office(), "New member").hidden is hidden


def test_a_member_who_turns_out_to_be_a_minor_is_hidden(member):
    values = {"birth_year": year_of_age(15)}
    persons.change(member.pk, values, factories.office(), "By letter", persons.fingerprint(member))
    member.refresh_from_db()
    assert member.hidden


def test_minors_are_shown_by_the_office_alone(client, member):
    Player.objects.filter(pk=member.pk).update(birth_year=year_of_age(15), hidden=True)
    with pytest.raises(ValidationError, match="minors"):
        privacy.set_hidden(member.pk, False, member.user)
    client.force_login(member.user)
    page = open_page(client, reverse("privacy_choices"))
    assert "The names of minors are hidden." in page.text
    assert "Show my name again" not in page.text
    assert not privacy.set_hidden(member.pk, False, factories.office()).hidden


# --- The copy ----------------------------------------------------------------------------------------------
def test_a_copy_is_made_by_a_worker_and_only_its_owner_downloads_it(client, member):
    client.force_login(member.user)
    client.post(reverse("data_copy"))
    client.post(reverse("data_copy"))  # twice: one copy
    copy = DataCopy.objects.get()
    copies.make(copy.pk)
    page = open_page(client, reverse("privacy_choices"))
    (link,) = [href for href in page.addresses if "/copia/" in href]
    response = client.get(link)
    assert response["Content-Type"] == "application/zip"
    assert response.content[:2] == b"PK"
    client.force_login(factories.user())
    assert client.get(link).status_code == 404


def test_copies_are_deleted_after_their_days(member, settings):
    copies.make(copies.ask(member.user).pk)
    copies.delete_old(factories.today())
    assert DataCopy.objects.exists()
    DataCopy.objects.update(created_at=F("created_at") - settings.KEEP_DATA_COPIES)
    copies.delete_old(factories.today())
    assert not DataCopy.objects.exists()


def test_a_correction_is_a_case_that_only_the_office_reads(client, member):
    client.force_login(member.user)
    assert client.post(reverse("privacy_correct"), {"text": ""}).status_code == 422
    answer = client.post(reverse("privacy_correct"), {"text": "My surname is Quevedo"}, follow=True)
    assert Page(answer).messages == ["Sent to the office. You see the answer on this page."]
    case = Case.objects.get()
    assert (case.kind, case.club) == (Case.Kind.PERSONAL, None)


# --- Erasure -----------------------------------------------------------------------------------------------
def erased(member: Player) -> Erasure:
    """Erase a player's data as asked for by the player and approved by the office."""
    proposal = ask(member, member.user, "I want to")
    office = factories.office()
    digest = act_of(proposal).effect(proposal, office).digest
    proposals.approve(proposal.pk, office, digest=digest)
    erasure = Erasure.objects.get()
    erasing.erase_rest(erasure.pk)
    return Erasure.objects.get()


def test_erasure_leaves_points_places_and_proofs_as_they_were(client, member, capsys):
    entries = list(LedgerEntry.objects.order_by("pk").values())
    standings = list(Standing.objects.order_by("pk").values("player", "points"))
    erasure = erased(member)
    assert (erasure.state, erasure.words) == ("done", [])
    assert list(LedgerEntry.objects.order_by("pk").values()) == entries
    assert list(Standing.objects.order_by("pk").values("player", "points")) == standings
    call_command("verify")
    assert "equal" in capsys.readouterr().out
    page = open_page(client, reverse("player", args=[member.number]))
    assert f"Player {member.number}" in page.text


def test_erasure_empties_all_that_is_stored_for_the_person(member):
    account, number = member.user, member.number
    note(account, AccountEvent.Kind.ADDRESS, account, before="old@example.org", after="z@example.org")
    open_case(member, account, Case.Kind.OTHER, "I am Zoraida")
    RememberedName.objects.create(
        club=member.club, key="quevedo", written="Z. Quevedo", player=member, updated_by=account
    )
    persons.change(
        member.pk, {"email": "new@example.org"}, factories.office(), "By letter", persons.fingerprint(member)
    )
    erased(member)
    member.refresh_from_db()
    account.refresh_from_db()
    assert (member.number, member.given_name, member.surname, member.email) == (number, "", "", "")
    assert (member.hidden, member.user, member.birth_year) == (True, None, None)
    assert (account.is_active, account.email) == (False, "")
    assert "ana" not in account.username
    assert not RememberedName.objects.exists()
    assert set(CaseMessage.objects.values_list("text", flat=True)) == {""}
    assert not list(AccountEvent.objects.filter(account=account).exclude(detail={}))
    assert set(PlayerChange.objects.filter(player=member).values_list("reason", flat=True)) == {""}


def test_erasure_reaches_files_that_were_read_and_requests_that_were_decided(member):
    revision = member.seats.get().revision
    names = ["Quevedo Luz, Zoraida", "ZORAIDA QUEVEDO LUZ", "Otra Persona"]
    upload = ResultUpload.objects.create(
        club=member.club,
        created_by=factories.office(),
        revision=revision,
        confirmed_at=revision.created_at,
        state="confirmed",
        parsed={"participants": [{"name": name, "number": member.number} for name in names]},
    )
    decided = Proposal.objects.create(
        kind="club_name", key="1", data={"new": "Zoraida Quevedo Luz"}, prepared_by=member.user
    )
    Proposal.objects.filter(pk=decided.pk).update(state="withdrawn", decided_at=revision.created_at)
    assert erased(member).changed == 2
    upload.refresh_from_db()
    decided.refresh_from_db()
    assert [row["name"] for row in upload.parsed["participants"]] == ["", "", "Otra Persona"]
    assert {row["number"] for row in upload.parsed["participants"]} == {member.number}
    assert decided.data == {"new": ""}


def test_only_erasing_changes_an_act_that_was_decided(member):
    proposal = Proposal.objects.create(kind="club_name", key="1", data={"a": "b"}, prepared_by=member.user)
    rows = Proposal.objects.filter(pk=proposal.pk)
    with pytest.raises(DatabaseError, match="as it was prepared"), transaction.atomic():
        rows.update(data={})
    rows.update(state="withdrawn", decided_at=proposal.prepared_at)
    with pytest.raises(DatabaseError, match="decided"), transaction.atomic():
        rows.update(data={})
    with pytest.raises(DatabaseError, match="decided"), transaction.atomic():
        rows.update(erased_at=proposal.prepared_at, reason="another")
    assert rows.update(data={}, erased_at=proposal.prepared_at) == 1


def test_an_account_with_roles_is_not_erased(member):
    factories.role(member.user, "director", club=member.club)
    with pytest.raises(ValidationError, match="has roles"):
        ask(member, member.user, "")


def test_asking_needs_the_tick_and_keeps_what_was_typed(client, member):
    client.force_login(member.user)
    response = client.post(reverse("privacy_erase"), {"reason": "I moved"})
    assert response.status_code == 422
    assert "I moved" in response.content.decode()
    client.post(reverse("privacy_erase"), {"reason": "I moved", "understood": "on"})
    assert Proposal.objects.get().prepared_by == member.user
    assert "You asked for it" in open_page(client, reverse("privacy_choices")).text


def test_the_office_prepares_an_erasure_asked_for_in_writing(client, member):
    office = factories.office()
    client.force_login(office)
    address = reverse("office_erase", args=[member.number])
    assert client.post(address, {"understood": "on"}).status_code == 422  # without saying how
    client.post(address, {"understood": "on", "reason": "Letter of today, with a copy of the document"})
    with pytest.raises(PermissionDenied):  # not the same person
        proposals.approve(Proposal.objects.get().pk, office, digest="")


def test_the_sheet_of_an_erased_person_says_so_and_nothing_brings_the_data_back(client, member):
    office = factories.office()
    licence = member.licences.get()
    client.force_login(office)
    offered = open_page(client, reverse("person", args=[member.number])).addresses
    erased(member)
    page = open_page(client, reverse("person", args=[member.number]))
    assert page.headings()[0] == f"Player {member.number}"
    assert "The personal data were erased on" in page.lead
    kept = set(page.addresses)
    edits = {
        reverse("person_licence", args=[member.number, licence.pk]),
        f"{reverse('office_invitations')}?q={member.number}",
        reverse("merges"),
    }
    assert edits <= set(offered) | {f"{reverse('office_invitations')}?q={member.number}"}
    assert not edits & kept
    assert "Change the entry" not in page.text and "Add a licence" not in page.text
    member.refresh_from_db()
    with pytest.raises(ValidationError, match="erased"):
        persons.change(member.pk, {"surname": "Quevedo"}, office, "Again", persons.fingerprint(member))
    with pytest.raises(ValidationError, match="erased"):
        licences.remove(licence.pk, office, "Again")
    batch = imports.receive("players", "p.csv", table("players", f"{member.number};Zoraida;Quevedo"), office)
    work()
    assert issues(batch, factories.today()) == [("number_erased", 2)]
    assert plan_of(batch, factories.today()).counts == {"added": 0, "changed": 0, "same": 0}
