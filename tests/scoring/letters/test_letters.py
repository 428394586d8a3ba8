"""Letters: who gets which one, what it says, and what happens if mail servers and workers fail."""

from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from players.models import Player
from players.services import proposals
from scoring.annulments import services as annulments
from scoring.ledger import work
from scoring.ledger.services import queue, runs, sweeper
from scoring.letters import choices, delivery, kinds, occasions, registry, sending
from scoring.letters.models import Delivery, Letter
from scoring.letters.notifying import notify
from scoring.office.services import merges
from scoring.uploads.services.confirm import confirm
from tests import factories as make
from tests import servers
from tests.languages import speak
from tests.scoring.pages.test_corrections import correct
from tests.scoring.uploads.makers import approve
from tests.scoring.uploads.test_approval import NATIONAL, received, score, waiting
from tournaments.models import Tournament
from ui.formatting import format_points

pytestmark = pytest.mark.django_db
State = Letter.State


@pytest.fixture
def club():
    return make.club(name="Club Norte")


@pytest.fixture
def director(club):
    return make.director(club)


@pytest.fixture
def pairs(club):
    return make.pairs(make.players(12, club=club, category="2P"))


@pytest.fixture
def server(settings):
    """A mail server that the application uses."""
    with servers.mail_server() as started:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", started.port
        settings.EMAIL_USE_TLS, settings.EMAIL_TIMEOUT = False, 1
        yield started


def post() -> None:
    """Send everything that waits, like a worker that comes when all waiting times are over."""
    Letter.objects.update(created_at=F("created_at") - timedelta(seconds=10), not_before=None)
    for pk in list(Letter.objects.filter(state=State.PENDING).values_list("pk", flat=True)):
        sending.send(pk)


def queued() -> list[tuple[str, str]]:
    """Return the kinds and readers of the letters that wait."""
    rows = Letter.objects.filter(state=State.PENDING).order_by("pk")
    return [(letter.kind, letter.account.username) for letter in rows.select_related("account")]


def letters() -> list[str]:
    """Send what waits. Return recipient, subject and text of the letters that were sent."""
    mail.outbox.clear()
    post()
    return [f"{letter.to[0]} {letter.subject} {letter.body}" for letter in mail.outbox]


def linked(player: Player, *wanted: registry.Kind):
    """Give a player an account, which gets these kinds of notices by e-mail at once."""
    player.user = make.user()
    player.save()
    choices.choose(player.user, {kind.code: Delivery.ONCE for kind in wanted or (kinds.OWN_POINTS,)})
    return player.user


def one(account=None) -> Letter:
    """Queue a letter about a tournament's points."""
    account = account or make.user()
    tournament = make.scored(*make.pairs(make.players(4)))
    run = tournament.runs.get()
    notify(kinds.POINTS, [account.pk], str(run.pk), {"run": run.pk})
    return Letter.objects.get(key=run.pk)


# --- Who gets which -------------------------------------------------------------------------------------
def test_the_director_gets_a_letter_when_the_points_are_in(director, club, pairs):
    upload = received(director, club, pairs, name="Pool del martes")
    confirm(upload, director)
    assert queued() == []
    score(upload)
    (letter,) = letters()
    assert letter.startswith(f"{director.email} Baza: Puntos de Pool del martes")
    assert "Ya están los puntos de Pool del martes (Club Norte, 14 mar 2026)." in letter
    assert f"http://localhost:8000{reverse('upload_receipt', args=[upload.pk])}" in letter
    assert "12 jugadores" in letter and not any(player.surname in letter for pair in pairs for player in pair)


def test_the_receipt_says_whether_a_letter_will_come(client, settings, director, club, pairs):
    upload = received(director, club, pairs)
    confirm(upload, director)
    client.force_login(director)
    receipt = reverse("upload_receipt", args=[upload.pk])
    assert f"un correo a {director.email}" in client.get(receipt).content.decode()
    settings.MAIL = False
    assert "no envía correos" in client.get(receipt).content.decode()
    score(upload)
    assert "envía correos" not in client.get(receipt).content.decode() and not Letter.objects.exists()


def test_a_tournament_that_does_not_count_says_why(director, club, pairs):
    upload = received(director, club, pairs, boards=18)
    confirm(upload, director)
    score(upload)
    assert "no puntúa. " in letters()[0]


def test_letters_are_in_the_language_that_the_account_chose(client, director, club, pairs):
    client.force_login(director)
    client.post(reverse("set_language"), {"language": "en"})
    client.post(reverse("set_language"), {"language": "xx"})
    upload = received(director, club, pairs)
    confirm(upload, director)
    score(upload)
    assert "The points of Pool (Club Norte, 14 Mar 2026) are in." in letters()[0]


def test_letters_are_in_the_language_of_the_last_sign_in(client):
    letter = one()
    speak(client, "en")
    signed = {"login": letter.account.username, "password": make.PASSWORD}
    assert client.post(reverse("account_login"), signed).status_code == 302
    assert "are in." in letters()[0]


def test_what_waits_is_returned_or_approved_with_a_letter(director, club, pairs):
    upload = received(director, club, pairs, **NATIONAL)
    confirm(upload, director)
    assert "esperan la aprobación de la oficina" in letters()[0]
    proposals.give_back(waiting().pk, make.office(), "Era regional")
    (letter,) = letters()
    assert "Motivo: Era regional" in letter and reverse("upload_review", args=[upload.pk]) in letter
    confirm(upload, director)
    approve(make.office(), waiting())
    # Approved before the letter about waiting was sent: that one is not needed any more.
    assert letters() == [] and Letter.objects.filter(state=State.DROPPED).count() == 1
    score(upload)
    assert len(letters()) == 1


def test_a_correction_by_somebody_else_is_told_to_the_director_and_the_players(director, club, pairs):
    upload = received(director, club, pairs)
    confirm(upload, director)
    tournament, office = score(upload).tournament, make.office()
    first, third = linked(pairs[0][0]), linked(pairs[2][0])
    letters()
    before = tournament.entries.get(player=pairs[0][0]).points
    correct(tournament, [pairs[1], pairs[0], *pairs[2:]], office, "Faltaba una mano")
    assert sorted(queued()) == sorted(
        [("points", office.username), ("corrected", director.username), ("own_points", first.username)]
    )
    sent = {letter.split()[0]: letter for letter in letters()}
    assert (
        "los puntos de la corrección de Pool" in sent[office.email]
        and "Motivo: Faltaba" in sent[office.email]
    )
    assert "Se ha corregido Pool" in sent[director.email] and "Faltaba una mano" in sent[director.email]
    after = tournament.entries.filter(player=pairs[0][0], kind="award").latest("pk").points
    old, new = (format_points(points, "es") for points in (before, after))
    assert (
        f"antes {old}, ahora {new}." in sent[first.email]
        and "Tu puesto en Pool (Club Norte, 14 mar 2026) ha cambiado: antes 1, ahora 2." in sent[first.email]
        and reverse("my_page") in sent[first.email]
    )
    assert third.email not in sent


def test_a_player_whose_place_changes_without_points_gets_a_letter(club, pairs):
    tournament = make.scored(*pairs, of=club, name="Pool", boards=18)  # too few to give points
    added = make.player(club=club)
    moved, out, new, _same = map(linked, (pairs[5][0], pairs[4][1], added, pairs[0][0]))
    correct(tournament, [*pairs[:4], pairs[5], [pairs[4][0], added]], reason="Había un cambio")
    sent = {letter.split()[0]: letter for letter in letters()}
    assert sent.keys() == {moved.email, out.email, new.email}
    assert "Baza: Tu puesto en Pool" in sent[moved.email]
    assert "Tu puesto en Pool (Club Norte, 14 mar 2026) ha cambiado: antes 6, ahora 5." in sent[moved.email]
    assert "Tus puntos son los mismos que antes." in sent[moved.email]
    assert "Motivo: Había un cambio" in sent[moved.email]
    assert tournament.get_absolute_url() in sent[moved.email]
    assert "Ya no estás en la clasificación de Pool (Club Norte, 14 mar 2026)." in sent[out.email]
    assert (
        "Ahora estás en la clasificación de Pool (Club Norte, 14 mar 2026). Tu puesto: 6." in sent[new.email]
    )


def test_an_annulment_is_told_to_everybody_who_had_points(director, club, pairs):
    upload = received(director, club, pairs)
    confirm(upload, director)
    tournament = score(upload).tournament
    account = linked(pairs[0][0])
    letters()
    runs.score(annulments.annul(tournament.pk, "Repetido", director).pk)
    assert queued() == [("own_points", account.username)]  # the director annulled it: no letter
    assert "ahora 0,00" in letters()[0]


def test_merged_numbers_get_one_letter_if_their_points_change(club, pairs):
    tournament = make.scored(*pairs, of=club)
    twin = make.player()
    account = linked(twin)
    merges.merge(pairs[0][0], twin, "Dos números", make.office())
    correct(tournament, pairs, reason="Solo el nombre")
    assert queued() == []
    correct(tournament, [pairs[1], pairs[0], *pairs[2:]])
    assert queued() == [("own_points", account.username)]
    assert len(letters()) == 1


def test_a_missing_result_is_asked_for_once_in_the_morning_after_the_second_day(director, club):
    day = make.today()
    for days in (0, 1, 2, 3, 30):
        make.announcement(club, name=f"Hace {days}", end_date=day - timedelta(days=days))
    make.announcement(club, name="Con borrador", end_date=day - timedelta(days=2)).uploads.create(
        club=club, created_by=director
    )
    for _sweep in range(2):
        occasions.ask_for_results(day)
    assert {letter.not_before for letter in Letter.objects.all()} == {
        timezone.make_aware(datetime(day.year, day.month, day.day, 8))
    }
    asked = letters()
    assert len(asked) == 2 and all(letter.startswith(director.email) for letter in asked)
    named = [days for days in range(5) if f"Falta el resultado de Hace {days}" in "".join(asked)]
    assert named == [2, 3]
    assert all("Súbelo, o di en su página que no se jugó." in letter for letter in asked)
    occasions.ask_for_results(day + timedelta(days=1))
    assert [kind for kind, _name in queued()] == ["missing"]  # that of yesterday, and no other again


def test_a_result_that_came_before_the_morning_is_not_asked_for(director, club):
    announced = make.announcement(club, end_date=make.today() - timedelta(days=2))
    occasions.ask_for_results(make.today())
    announced.tournament = make.tournament(club)
    announced.save()
    assert letters() == [] and Letter.objects.get().state == State.DROPPED


@pytest.mark.parametrize("case", ["no mail", "no address", "closed"])
def test_nothing_is_queued_for_whom_it_cannot_reach(settings, case):
    account = make.user(email="" if case == "no address" else "a@example.org", is_active=case != "closed")
    settings.MAIL = case != "no mail"
    notify(kinds.POINTS, [account.pk, None], "1", {"run": 1})
    assert not Letter.objects.exists()


def test_an_account_closed_meanwhile_gets_no_letter():
    letter = one()
    letter.account.is_active = False
    letter.account.save()
    assert letters() == []


def test_every_kind_of_letter_says_when_it_is_sent():
    assert all(code == kind.code and kind.label for code, kind in registry.KINDS.items())
    assert work.KINDS["letters.letter"].model is Letter


# --- Mail servers and workers that fail -----------------------------------------------------------------
def test_a_letter_has_a_message_id_and_is_plain_text_and_html(server):
    letter = one()
    post()
    (message,) = server.taken
    assert (message["To"], message["Message-ID"]) == (letter.account.email, f"<{letter.uid}@localhost>")
    assert (
        message["Auto-Submitted"] == "auto-generated"
        and message.get_content_type() == "multipart/alternative"
    )
    post()
    assert len(server.received) == 1


def test_a_line_break_in_a_name_adds_no_header(server):
    letter = one()
    Tournament.objects.update(name="Pool\nBcc: otro@example.org")
    post()
    (message,) = server.taken
    assert message["Bcc"] is None and message["To"] == letter.account.email
    assert message["Subject"] == "Baza: Puntos de Pool Bcc: otro@example.org"


def test_a_mail_server_that_is_away_is_tried_again_without_limit(server, settings):
    letter = one()
    settings.EMAIL_PORT = servers.free_port()
    for _attempt in range(5):
        post()
    letter.refresh_from_db()
    assert (letter.state, letter.attempts, letter.begun) == (State.PENDING, 0, 0)
    assert sweeper.backlog().oldest and "refused" in sweeper.backlog().error
    settings.EMAIL_PORT = server.port
    post()
    assert len(server.taken) == 1 and sweeper.backlog().oldest is None


def test_letters_that_only_queue_up_are_not_reported_as_late():
    one()
    Letter.objects.update(created_at=timezone.now() - timedelta(hours=1))
    assert sweeper.backlog().oldest is None


def test_a_letter_that_nobody_took_for_days_is_given_up(server, settings):
    letter = one()
    settings.EMAIL_PORT = servers.free_port()
    Letter.objects.update(created_at=timezone.now() - timedelta(days=4))
    post()
    letter.refresh_from_db()
    assert letter.state == State.LOST and sweeper.backlog().parked == 0


@pytest.mark.parametrize("stage", ["answer", "recipient_answer"])
def test_a_server_that_is_busy_gets_the_letter_later(server, stage):
    letter = one()
    setattr(server, stage, "451 Try again later")
    post(), post()
    letter.refresh_from_db()
    assert (letter.state, letter.begun, server.taken) == (State.PENDING, 0, [])
    setattr(server, stage, "250 OK")
    post()
    assert len(server.taken) == 1


@pytest.mark.parametrize("stage", ["answer", "recipient_answer"])
def test_a_letter_refused_for_good_is_not_tried_again(server, stage):
    letter, other = one(), one()
    setattr(server, stage, "550 No such mailbox")
    sending.send(letter.pk)
    letter.refresh_from_db()
    assert letter.state == State.LOST and "No such mailbox" in letter.error
    setattr(server, stage, "250 OK")
    post()
    assert [message["To"] for message in server.taken] == [other.account.email]


def test_a_slow_server_gets_a_letter_at_most_twice_with_one_message_id(server):
    letter = one()
    server.delay = 1.5  # longer than the application waits: it does not know that the letter was taken
    for _attempt in range(4):
        post()
    letter.refresh_from_db()
    assert letter.state == State.LOST and "interrupted twice" in letter.error
    assert [message["Message-ID"] for message in server.taken] == [f"<{letter.uid}@localhost>"] * 2


@pytest.mark.parametrize(("begun", "repeated"), [(1, 1), (2, 0)])
def test_a_letter_whose_worker_died_while_sending_is_repeated_once(server, begun, repeated):
    letter = one()
    claimed = queue.claim(Letter, letter.pk, delivery.LEASE)
    queue.renew(claimed, delivery.LEASE, begun=begun)
    Letter.objects.update(lease_until=timezone.now() - timedelta(seconds=1))  # the worker is dead
    sending.send(letter.pk)
    letter.refresh_from_db()
    assert (len(server.taken), letter.state) == (repeated, State.DONE if repeated else State.LOST)


def test_one_worker_at_a_time_sends(server):
    first, second = one(), one()
    queue.claim(Letter, first.pk, delivery.LEASE)
    sending.send(second.pk)
    assert server.received == []
    Letter.objects.filter(pk=first.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    sending.send(second.pk)
    assert len(server.received) >= 1


def test_a_worker_sends_what_waits_in_one_go(server):
    for _letter in range(3):
        one()
    Letter.objects.update(created_at=timezone.now() - timedelta(seconds=10))
    sending.send(Letter.objects.first().pk)
    assert len(server.taken) == 3


def test_old_letters_are_deleted():
    one()
    post()
    sending.prune(make.today())
    assert Letter.objects.count() == 1
    Letter.objects.update(finished_at=timezone.now() - timedelta(days=71))
    sending.prune(make.today())
    assert not Letter.objects.exists()
