"""For some days a director corrects and annuls alone. Afterwards a second person decides."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.urls import reverse
from django.utils import timezone

from players.models import Proposal
from players.services import proposals
from scoring.annulments import annulment_act
from scoring.annulments import services as annulments
from scoring.ledger.correcting import Window, window_of
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.services import runs
from scoring.letters import kinds
from scoring.letters.composing import texts_of
from scoring.letters.models import Letter, Notice
from scoring.letters.notifying import notify
from scoring.letters.registry import Text
from scoring.uploads.services.confirm import NotConfirmable, confirm
from tests import factories
from tests.pages import open_page
from tests.scoring.uploads.makers import approve
from tests.scoring.uploads.test_approval import received, region_admin, score, waiting
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
MADRID = ZoneInfo("Europe/Madrid")
# Confirmed half an hour after midnight, which is still the day before in UTC. Summer time begins on the 29th.
CONFIRMED = datetime(2026, 3, 16, 0, 30, tzinfo=MADRID)
LAST_MINUTE = datetime(2026, 3, 30, 23, 59, 59, tzinfo=MADRID)
TOO_LATE = datetime(2026, 3, 31, 0, 0, 0, tzinfo=MADRID)


@pytest.fixture
def clock(monkeypatch, client, director):
    """Return a function that sets the time of the application and signs in the director."""

    def put(moment: datetime) -> None:
        monkeypatch.setattr(timezone, "now", lambda: moment)
        client.force_login(director)  # sessions end after twelve hours

    put(CONFIRMED)
    return put


@pytest.fixture
def played(clock, director, club, pairs):
    """Return a scored pool that was confirmed at CONFIRMED."""
    upload = received(director, club, pairs)
    confirm(upload, director)
    return score(upload).tournament


def correction(director, played, pairs, **fields):
    fields = {"corrects": played, "reason": "Estaba al revés", **fields}
    return received(director, played.club, pairs[::-1], **fields)


def earned() -> dict[int, int]:
    entries = LedgerEntry.objects.filter(reversed_by=None).exclude(kind="reversal")
    return dict(entries.values_list("player_id", "points"))


@pytest.mark.parametrize(
    ("moment", "state"), [(LAST_MINUTE, ScoringRun.State.PENDING), (TOO_LATE, ScoringRun.State.WAITING)]
)
def test_corrections_are_free_until_the_end_of_the_last_day(clock, director, played, pairs, moment, state):
    assert window_of(played) == Window(date(2026, 3, 30), True)
    clock(moment)
    assert confirm(correction(director, played, pairs), director).state == state


def test_a_late_correction_counts_once_the_office_approves_it(clock, director, played, pairs):
    before = earned()
    clock(TOO_LATE)
    upload = correction(director, played, pairs)
    confirm(upload, director)
    assert earned() == before and waiting().reason == "Estaba al revés"
    with pytest.raises(PermissionDenied):
        approve(region_admin(played.club.region), waiting())
    approve(factories.office(), waiting())
    assert score(upload).state == ScoringRun.State.DONE
    assert earned() != before


def test_corrections_do_not_extend_the_days(clock, director, played, pairs):
    clock(LAST_MINUTE)
    upload = correction(director, played, pairs, end_date="2026-03-30")
    confirm(upload, director)
    score(upload)
    clock(TOO_LATE)
    played.refresh_from_db()
    assert played.end_date == date(2026, 3, 30)
    again = received(director, played.club, pairs, corrects=played, reason="Vuelta atrás")
    assert confirm(again, director).state == ScoringRun.State.WAITING


def test_the_days_of_a_tournament_of_several_days_begin_when_it_is_confirmed(clock, settings):
    settings.CORRECTION_DAYS = {"pool": 0}  # that day alone
    two_days = {"start_date": date(2026, 3, 14), "end_date": date(2026, 3, 15)}
    tournament = factories.revision(*factories.pairs(factories.players(4)), **two_days).tournament
    clock(datetime(2026, 3, 16, 23, 59, tzinfo=MADRID))
    assert window_of(tournament) == Window(date(2026, 3, 16), True)
    clock(datetime(2026, 3, 17, 0, 0, tzinfo=MADRID))
    assert window_of(tournament).late


def test_a_type_that_needs_approval_has_no_free_days(played):
    Tournament.objects.update(event_type="national")
    played.refresh_from_db()
    assert window_of(played) == Window(None, False)


def test_the_pages_say_until_when_and_what_happens_after(clock, client, director, played, pairs):
    def shows(address: str) -> str:
        return " ".join(client.get(address).content.decode().split())

    start = f"{reverse('upload_start')}?corrige={played.pk}"
    own = f"{played.get_absolute_url()}?yo=1"
    receipt = reverse("upload_receipt", args=[played.revisions.get().upload.pk])
    for address in (start, receipt, own):
        assert "Hasta el 30 mar 2026" in shows(address), address
    upload = correction(director, played, pairs)
    confirming = reverse("upload_confirm", args=[upload.pk])
    assert "Confirmar la corrección" in shows(confirming)
    seen = client.get(confirming).context["review"].digest
    clock(TOO_LATE)
    for address in (start, receipt, own):
        assert "terminó el 30 mar 2026" in shows(address), address
    assert "Pedir la corrección" in shows(confirming)
    # The page was opened in the last minute: what the button does has changed, so it is shown again.
    client.post(confirming, {"seen": seen})
    assert not Proposal.objects.exists()
    client.post(confirming)
    assert waiting().prepared_by == director


def annul_by_page(client, tournament, act: str):
    return client.post(f"{tournament.get_absolute_url()}anular/", {"reason": "Repetido", "act": act})


def test_a_late_annulment_by_the_club_waits_for_the_office(clock, client, played):
    clock(TOO_LATE)
    before = earned()
    answer = annul_by_page(client, played, "annulled")
    assert answer.url == waiting().get_absolute_url()
    played.refresh_from_db()
    assert played.annulled_at is None and earned() == before
    assert annul_by_page(client, played, "annulled").status_code == 422
    approve(factories.office(), waiting())
    runs.score(ScoringRun.objects.latest("pk").pk)
    assert earned() == {}
    # The club may restore what it annulled, which waits too.
    annul_by_page(client, played, "restored")
    approve(factories.office(), waiting())
    runs.score(ScoringRun.objects.latest("pk").pk)
    assert earned() == before


@pytest.mark.parametrize(
    ("act", "announced"),
    [("annulled", "Se ha pedido anular este torneo"), ("restored", "Se ha pedido restablecer este torneo")],
)
def test_a_waiting_annulment_is_announced_and_not_asked_for_twice(clock, client, played, act, announced):
    """Readers who may not see the proposal get a link to the tournament's page, which says what waits."""
    director, office = waiting_annulment(clock, client, played, act), factories.office()
    colleague = factories.director(played.club)
    readers = ((director, waiting()), (office, waiting()), (colleague, played))
    for user, linked in readers[: 3 if act == "annulled" else 2]:
        client.force_login(user)
        page = client.get(played.get_absolute_url(), {"yo": "1"}).content.decode()
        assert announced in page and "la oficina de la federación o el comité" in page
        offers = ["?corrige=", "anular/", ">Corregir una mano"]
        assert [offer for offer in offers if offer in page] == []
        asked = open_page(client, f"{played.get_absolute_url()}anular/").main
        assert (asked.forms, linked.get_absolute_url() in asked.addresses) == ([], True)
        assert client.get(linked.get_absolute_url()).status_code == 200
        # The office, which needs nobody, does not annul past the proposal either.
        assert annul_by_page(client, played, act).status_code == 422
    assert Proposal.objects.filter(state="pending").count() == 1


def waiting_annulment(clock, client, played, act: str):
    """Let the signed-in director ask, too late, for annulling or restoring. Return the director."""
    director = played.revisions.get().created_by
    if act == "restored":
        runs.score(annulments.annul(played.pk, "Repetido", director).pk)
    clock(TOO_LATE)
    annul_by_page(client, played, act)
    return director


def notice_that_it_waits(account) -> Text:
    """Return the text of the account's notice of the proposal that waits."""
    notice = Notice.objects.get(account=account, kind=kinds.WAITING.code, data={"proposal": waiting().pk})
    return texts_of(account, [notice])[notice.pk]


@pytest.mark.parametrize(
    ("act", "text"),
    [("annulled", "La anulación de Pool"), ("restored", "El restablecimiento de Pool")],
)
def test_notices_of_what_waits_name_the_act_and_link_a_page_that_opens(clock, client, played, act, text):
    """The club's other director, who confirmed a correction before, may not see the proposal."""
    colleague = factories.director(played.club)
    director = waiting_annulment(clock, client, played, act)
    notify(kinds.WAITING, [colleague.pk], str(waiting().pk), {"proposal": waiting().pk})
    for account, linked in ((director, waiting()), (colleague, played)):
        notice = notice_that_it_waits(account)
        assert notice.path == linked.get_absolute_url() and text in notice.paragraphs[0]
        client.force_login(account)
        assert client.get(notice.path).status_code == 200


def test_the_notice_of_a_waiting_correction_links_a_page_that_opens(clock, client, played, pairs, club):
    clock(TOO_LATE)
    colleague = factories.director(club)
    confirm(correction(colleague, played, pairs), colleague)
    director = played.revisions.get(number=1).created_by
    notice = notice_that_it_waits(director)
    assert notice.path == played.get_absolute_url() and "Una corrección" in notice.paragraphs[0]
    assert Letter.objects.get(kind=kinds.WAITING.code, account=director).key == str(waiting().pk)


def test_a_late_annulment_can_only_be_returned_once_the_office_annulled(clock, client, played):
    clock(TOO_LATE)
    annul_by_page(client, played, "annulled")
    office = factories.office()
    annulments.annul(played.pk, "Repetido", office)
    client.force_login(office)
    page = client.get(waiting().get_absolute_url())
    assert page.context["obstacles"] and "Anular Pool" in page.content.decode()


def test_the_club_annuls_alone_while_corrections_are_free(clock, client, played):
    clock(LAST_MINUTE)
    annul_by_page(client, played, "annulled")
    played.refresh_from_db()
    assert played.annulled_at and not Proposal.objects.exists()


def test_nobody_corrects_a_tournament_whose_annulment_waits(clock, client, director, played, pairs):
    clock(TOO_LATE)
    upload = correction(director, played, pairs)
    proposal = annulment_act.request(played, "annulled", "Repetido", director)
    before = earned()
    for account in (director, factories.office()):
        with pytest.raises(NotConfirmable) as refused:
            confirm(upload, account)
        assert refused.value.codes == ["awaits_annulment"]
    review = reverse("upload_review", args=[upload.pk])
    assert client.post(reverse("upload_confirm", args=[upload.pk])).url == review
    page = open_page(client, review)
    assert f"La anulación de «{played.name}»" in page.text
    assert proposal.get_absolute_url() in page.addresses
    assert earned() == before
    proposals.withdraw(proposal.pk, director)
    assert proposal.get_absolute_url() not in open_page(client, review).addresses
    assert confirm(upload, director).state == ScoringRun.State.WAITING


def test_a_correction_is_confirmed_once_the_annulment_was_returned(clock, director, played, pairs):
    clock(TOO_LATE)
    proposal = annulment_act.request(played, "annulled", "Repetido", director)
    proposals.give_back(proposal.pk, factories.office(), "Corregidlo")
    assert confirm(correction(director, played, pairs), director).state == ScoringRun.State.WAITING


def test_an_annulment_is_not_asked_for_while_a_correction_waits(clock, director, played, pairs):
    clock(TOO_LATE)
    confirm(correction(director, played, pairs), director)
    with pytest.raises(ValidationError, match="corrección"):
        annulment_act.request(played, "annulled", "Repetido", director)
