"""Notices: who gets which, the page, the choice of those that come by e-mail, and the weekly letter."""

from datetime import date, datetime, timedelta

import pytest
from django.core import mail
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from players.access import roles_of
from players.models import Role
from players.services import categories, proposals
from scoring.letters import choices, kinds, occasions, queries, registry, sending, services, weekly
from scoring.letters.composing import texts_of
from scoring.letters.models import Choice, Delivery, Letter, Notice, Reader
from scoring.letters.notifying import next_monday, notify
from scoring.letters.queries import unseen_count
from scoring.uploads.services.confirm import confirm
from tests import factories as make
from tests.pages import Page
from tests.scoring.letters.test_letters import letters, linked
from tests.scoring.pages.test_corrections import correct
from tests.scoring.uploads.test_approval import NATIONAL, received, waiting

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return make.club(name="Club Norte")


def texts_for(account, kind: registry.Kind) -> list[registry.Text]:
    """Return the texts of an account's notices of a kind, oldest first."""
    rows = list(Notice.objects.filter(account=account, kind=kind.code).order_by("pk"))
    texts = texts_of(account, rows)
    return [texts[row.pk] for row in rows]


def recent(**fields) -> dict:
    """Return fields of a tournament whose points count today."""
    return {"end_date": make.today() - timedelta(days=10), **fields}


# --- What is told ---------------------------------------------------------------------------------------
def test_players_are_told_of_new_points_in_the_page_and_by_e_mail_only_if_they_chose_so(club):
    pairs = make.pairs(make.players(12, club=club, category="2P"))
    silent, wants = linked(pairs[0][0]), linked(pairs[0][1], kinds.AWARDS)
    tournament = make.scored(*pairs, of=club, name="Pool del martes", **recent())
    points = tournament.entries.get(player=pairs[0][0]).points
    for account in (silent, wants):
        (text,) = texts_for(account, kinds.AWARDS)
        assert f"{points / 100:.2f}".replace(".", ",") in text.paragraphs[0]
        assert "Pool del martes" in text.subject and "Tu puesto: 1." in text.paragraphs[0]
        assert text.path == tournament.get_absolute_url()
    (letter,) = letters()
    assert letter.startswith(wants.email)


@pytest.mark.parametrize("case", ["deceased", "closed", "old", "no points"])
def test_no_notice_of_new_points(club, case):
    pairs = make.pairs(make.players(8, club=club, category="2P"))
    account = linked(pairs[0][0], kinds.AWARDS)
    if case == "deceased":
        type(pairs[0][0]).objects.filter(pk=pairs[0][0].pk).update(deceased_on=make.today())
    elif case == "closed":
        type(account).objects.filter(pk=account.pk).update(is_active=False)
    fields = {
        "old": {"end_date": make.today() - timedelta(days=400)},
        "no points": recent(boards=10),
    }.get(case, recent())
    make.scored(*pairs, of=club, **fields)
    assert not Notice.objects.exists() and not Letter.objects.exists()


def test_a_correction_that_changes_nothing_for_a_player_is_no_notice(club):
    pairs = make.pairs(make.players(12, club=club, category="2P"))
    first, last = linked(pairs[0][0]), linked(pairs[5][0])
    tournament = make.scored(*pairs, of=club, **recent())
    correct(tournament, [pairs[1], pairs[0], *pairs[2:]])
    assert len(texts_for(first, kinds.OWN_POINTS)) == 1 and texts_for(last, kinds.OWN_POINTS) == []


def test_points_that_leave_are_told_once_a_month(club):
    pairs = make.pairs(make.players(8, club=club, category="2P"))
    account = linked(pairs[0][0], kinds.LEAVING)
    day = make.today().replace(day=1)
    for played in (day, day + timedelta(days=20), day - timedelta(days=1), day + timedelta(days=35)):
        make.scored(*pairs, of=club, end_date=played.replace(year=played.year - 1))
    Notice.objects.all().delete()
    for days in (0, 1, 8):
        occasions.tell_of_leaving(day + timedelta(days=days))
    (text,) = texts_for(account, kinds.LEAVING)
    assert " de 2 torneos: cumplen un año." in text.paragraphs[0]
    assert Letter.objects.filter(kind="leaving").count() == 1


def test_the_months_of_leaving_points_are_whole_in_leap_years():
    """A result of 29 February leaves on 1 March: it is told in March."""
    player = make.player(category="2P")
    account = linked(player)
    make.scored((player, make.player()), (make.player(), make.player()), end_date=date(2024, 2, 29))
    Notice.objects.all().delete()
    occasions.tell_of_leaving(date(2025, 2, 1))
    assert texts_for(account, kinds.LEAVING) == []
    occasions.tell_of_leaving(date(2025, 3, 1))
    assert len(texts_for(account, kinds.LEAVING)) == 1


def test_a_change_of_category_is_told_and_one_without_effect_is_not():
    player = make.player(category="3P", since=date(2023, 1, 1))
    account, office, day = linked(player), make.office(), make.today() + timedelta(days=5)
    assignment = categories.assign(player, make.category("2P"), day, "Ascenso", office, evidence="Acta 1")
    (text,) = texts_for(account, kinds.CATEGORY)
    assert "tu categoría es 2 de picas (2P); antes era 3 de picas (3P)." in text.paragraphs[0]
    categories.revoke(assignment.pk, "Error", office, evidence="Acta 2")
    assert "(3P); antes era 2 de picas (2P)." in texts_for(account, kinds.CATEGORY)[1].paragraphs[0]
    held = player.assignments.get(revoked_at=None)
    early = held.valid_from - timedelta(days=1)
    categories.assign(player, make.category("1D"), early, "Antes", office, evidence="Acta", follows=held.pk)
    assert len(texts_for(account, kinds.CATEGORY)) == 2  # a later category holds today


def test_categories_assigned_in_bulk_are_told_with_few_queries(django_assert_max_num_queries):
    people = make.players(30, category="3P")
    accounts = [linked(player) for player in people[:10]]
    grants = [(player.pk, make.category("2P")) for player in people]
    with transaction.atomic(), django_assert_max_num_queries(25):
        categories.assign_all(grants, make.today(), "Cambio", None)
    assert all(len(texts_for(account, kinds.CATEGORY)) == 1 for account in accounts)
    assert Notice.objects.count() == 10


def test_administrators_are_told_of_missing_results_without_an_e_mail_unless_they_choose_so(club):
    director, administrator = make.director(club), make.user()
    for account in (director, administrator):
        make.role(account, Role.Kind.CLUB_ADMIN, club=club)
    make.announcement(club, name="Pool", end_date=make.today() - timedelta(days=2))
    for _sweep in range(2):
        occasions.ask_for_results(make.today())
    (text,) = texts_for(administrator, kinds.CLUB_MISSING)
    assert "Falta el resultado de Pool" in text.subject
    assert len(texts_for(director, kinds.MISSING)) == 1 and texts_for(director, kinds.CLUB_MISSING) == []
    assert [letter.account for letter in Letter.objects.all()] == [director]


def test_an_upload_left_for_two_days_is_told_once(club):
    director, administrator = make.director(club), make.user()
    make.role(administrator, Role.Kind.CLUB_ADMIN, club=club)
    pairs = make.pairs(make.players(8, club=club))
    old, new = received(director, club, pairs, name="Viejo"), received(director, club, pairs, name="Nuevo")
    type(old).objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=2, hours=1))
    for _sweep in range(2):
        occasions.ask_for_confirmation(make.today())
    (text,) = texts_for(director, kinds.STALE)
    assert "Viejo" in text.subject and not text.over and new.pk
    assert len(texts_for(administrator, kinds.STALE)) == 1
    confirm(old, director)
    assert texts_for(director, kinds.STALE)[0].over


# --- Every kind is written for many notices at once -------------------------------------------------------
def made_of_every_kind(account, club, number: int) -> None:
    """Make `number` notices of each kind of this room for one account."""
    player = account.player
    for _index in range(number):
        pairs = [
            (player, make.player(club=club, category="2P")),
            *make.pairs(make.players(6, club=club, category="2P")),
        ]
        tournament = make.scored(*pairs, of=club, by=account, **recent())
        correct(tournament, [pairs[1], pairs[0], *pairs[2:]], make.office())
        others = make.pairs(make.players(8, club=club))
        confirm(received(account, club, others, **NATIONAL), account)
        proposals.give_back(waiting().pk, make.office(), "Era regional")
        draft = received(account, club, others)
        notify(kinds.STALE, [account.pk], str(draft.pk), {"upload": str(draft.pk)})
        announced = make.announcement(club)
        for kind in (kinds.MISSING, kinds.CLUB_MISSING):
            notify(kind, [account.pk], str(announced.pk), {"announcement": announced.pk})
        notify(
            kinds.LEAVING, [account.pk], str(draft.pk), {"first": "2026-01-01", "points": 120, "awards": 2}
        )
        data = {"day": "2026-01-01", "before": None, "after": "2P"}
        notify(kinds.CATEGORY, [account.pk], str(draft.pk), data)


OWN_KINDS = [getattr(kinds, name) for name in kinds.__all__]


def test_each_kind_is_written_without_a_query_per_notice(club):
    account = linked(make.player(club=club, category="2P"))
    make.role(account, Role.Kind.DIRECTOR, club=club)
    roles_of(account)  # read once in a request
    counts = []
    for number in (1, 2):
        made_of_every_kind(account, club, number)
        counts.append({})
        for kind in OWN_KINDS:
            rows = list(Notice.objects.filter(account=account, kind=kind.code))
            assert rows, kind.code
            with CaptureQueriesContext(connection) as captured:
                texts = kind.write(account, rows)
            assert texts.keys() == {row.pk for row in rows}
            counts[-1][kind.code] = len(captured)
    assert counts[0] == counts[1] and max(counts[0].values()) <= 4


# --- The page -------------------------------------------------------------------------------------------
def plain_notices(account, number: int) -> None:
    """Make notices of a change of category, which need no other rows."""
    for index in range(number):
        data = {"day": "2026-01-01", "before": "3P", "after": "2P"}
        notify(kinds.CATEGORY, [account.pk], f"{Notice.objects.count()}-{index}", data)


def test_the_page_lists_notices_and_marks_them_as_seen(client):
    account, other = linked(make.player()), linked(make.player())
    plain_notices(account, 30)
    plain_notices(other, 1)
    client.force_login(account)
    page = client.get(reverse("notices"))
    assert "Tienes 30 avisos nuevos." in page.content.decode()
    assert (
        len(page.context["rows"]) == 25
        and len(client.get(reverse("notices") + "?pagina=2").context["rows"]) == 5
    )
    newest = page.context["latest"]
    plain_notices(account, 1)  # came after the page was shown
    assert client.get(reverse("notices_seen")).status_code == 405
    client.post(reverse("notices_seen"), {"until": newest})
    assert unseen_count(account) == 1 and Notice.objects.filter(account=other, seen_at=None).count() == 1
    assert len(client.get(reverse("notices") + "?ver=nuevos").context["rows"]) == 1
    for text in ("", "x", "9" * 30, "²"):
        assert client.post(reverse("notices_seen"), {"until": text}).status_code == 302
    assert Notice.objects.filter(account=account, seen_at=None).count() == 1


def test_the_page_takes_as_many_queries_for_three_notices_as_for_one(client):
    account = linked(make.player())
    client.force_login(account)
    counts = []
    for number in (1, 2):
        plain_notices(account, number)
        with CaptureQueriesContext(connection) as captured:
            client.get(reverse("notices"))
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_a_notice_whose_object_is_gone_stays_readable(client):
    account = linked(make.player())
    notify(kinds.MISSING, [account.pk], "1", {"announcement": "0" * 32})
    Notice.objects.create(account=account, kind="former", key="1")
    client.force_login(account)
    assert client.get(reverse("notices")).content.decode().count("Ya no existe aquello") == 2


def test_home_and_menu_lead_to_the_notices(client):
    for account in (linked(make.player()), make.office()):
        plain_notices(account, 2)
        client.force_login(account)
        page = client.get(reverse("my_place"), follow=True).content.decode()
        assert "2 avisos nuevos" in page and reverse("notices") in page


# --- What comes by e-mail -------------------------------------------------------------------------------
def test_the_settings_offer_the_kinds_of_ones_roles_and_keep_the_language(client, club):
    player, director = linked(make.player(), kinds.AWARDS), make.director(club)
    client.force_login(player)
    page = client.get(reverse("notice_settings")).content.decode()
    assert 'name="awards"' in page and 'name="points"' not in page
    chosen = {kind.code: "weekly" for kind in choices.offered_to(player)}
    assert client.post(reverse("notice_settings"), {**chosen, "language": "en"}).status_code == 302
    assert choices.choices_of(player)["awards"] == "weekly"
    assert Reader.objects.get(account=player).language == "en"
    client.force_login(director)
    page = client.get(reverse("notice_settings")).content.decode()
    assert 'name="points"' in page and 'name="awards"' not in page
    assert choices.choices_of(director)["points"] == "once"


@pytest.mark.parametrize("wrong", [{"awards": "daily"}, {"awards": ""}, {"language": "xx"}])
def test_a_wrong_choice_stores_nothing(client, wrong):
    player = linked(make.player(), kinds.AWARDS)
    client.force_login(player)
    chosen = {kind.code: "none" for kind in choices.offered_to(player)}
    page = client.post(reverse("notice_settings"), {**chosen, "language": "es", **wrong})
    assert page.status_code == 200 and "error-summary" in page.content.decode()
    assert choices.choices_of(player)["awards"] == "once"


def test_a_fixed_kind_is_neither_offered_nor_changed(monkeypatch):
    fixed = registry.Kind("alarm", "x", registry.Audience.EVERYBODY, lambda *_: {}, Delivery.ONCE, fixed=True)
    monkeypatch.setitem(registry.KINDS, "alarm", fixed)
    account = make.user()
    choices.choose(account, {"alarm": "none"})
    assert not Choice.objects.exists() and choices.choices_of(account)["alarm"] == "once"
    assert fixed not in choices.offered_to(account)


def test_changes_of_choices_are_signalled_once():
    heard = []

    def hear(account, changed, **kwargs):
        heard.append(changed)

    choices.choices_changed.connect(hear)
    try:
        account = make.user()
        for _time in range(2):
            choices.choose(account, {"awards": "weekly", "no such kind": "once"})
    finally:
        choices.choices_changed.disconnect(hear)
    assert heard == [{"awards": ("none", "weekly")}]


def test_a_kind_stopped_while_its_letter_waits_is_not_sent():
    account = linked(make.player(), kinds.CATEGORY)
    plain_notices(account, 1)
    choices.choose(account, {"category": "none"})
    assert letters() == [] and Letter.objects.get().state == Letter.State.DROPPED


@pytest.mark.parametrize("language", ["es", "en"])
def test_letters_are_plain_text_and_html_in_the_readers_language(language):
    account = linked(make.player(), kinds.CATEGORY)
    Reader.objects.create(account=account, language=language)
    plain_notices(account, 1)
    (text,) = letters()
    html = mail.outbox[0].alternatives[0].content
    words = {"es": "Desde el 1 ene 2026 tu categoría es", "en": "From 1 Jan 2026 on your category is"}
    assert words[language] in text and words[language] in html
    assert f'lang="{language}"' in html and "src=" not in html and "@import" not in html
    assert reverse("notice_settings") in text


def test_html_escapes_names_and_text_does_not(club):
    pairs = make.pairs(make.players(8, club=club, category="2P"))
    linked(pairs[0][0], kinds.AWARDS)
    make.scored(*pairs, of=club, name="Pool <b>&</b>", **recent())
    (text,) = letters()
    html = mail.outbox[0].alternatives[0].content
    assert "Pool <b>&</b>" in text and "<b>&" not in html and "&lt;b&gt;&amp;" in html


# --- The weekly letter ----------------------------------------------------------------------------------
def test_the_weekly_letter_comes_once_on_monday_morning_with_the_notices_of_the_week():
    account, stopped = linked(make.player()), linked(make.player())
    for reader in (account, stopped):
        choices.choose(reader, {"category": "weekly", "leaving": "weekly"})
        plain_notices(reader, 2)
    notify(kinds.LEAVING, [account.pk], "x", {"first": "2026-01-01", "points": 120, "awards": 2})
    assert not Letter.objects.exists()
    monday = next_monday(make.today())
    weekly.queue_weekly_letters(monday - timedelta(days=1))
    assert not Letter.objects.exists()
    for day in (monday, monday, monday + timedelta(days=2)):  # made up on Wednesday if no worker ran
        weekly.queue_weekly_letters(day)
    assert {letter.not_before for letter in Letter.objects.all()} == {
        timezone.make_aware(datetime(monday.year, monday.month, monday.day, 8))
    }
    choices.choose(stopped, {"category": "none"})
    (letter,) = letters()
    assert letter.startswith(f"{account.email} Baza: Tu semana: 3 avisos")
    assert letter.count("Cambia tu categoría") == 2 and "Puntos que salen en enero de 2026" in letter
    (rich,) = mail.outbox[0].alternatives
    names = [link.text for link in Page(rich.content).all("a")]
    assert (
        "Puntos que salen en enero de 2026" in names and "Ver en la web" not in names
    )  # links differ by their names
    weekly.queue_weekly_letters(monday + timedelta(days=3))
    weekly.queue_weekly_letters(monday + timedelta(days=7))
    assert letters() == []


@pytest.mark.parametrize("case", ["closed", "deceased", "no address", "no mail"])
def test_no_weekly_letter_for_whom_it_cannot_reach(settings, case):
    player = make.player()
    account = linked(player)
    choices.choose(account, {"category": "weekly"})
    plain_notices(account, 1)
    monday = next_monday(make.today())
    if case != "no mail":
        weekly.queue_weekly_letters(monday)  # queued before it happened
        assert Letter.objects.count() == 1
    settings.MAIL = case != "no mail"
    type(account).objects.filter(pk=account.pk).update(
        is_active=case != "closed", email="" if case == "no address" else "a@example.org"
    )
    type(player).objects.filter(pk=player.pk).update(deceased_on=make.today() if case == "deceased" else None)
    assert letters() == []
    Letter.objects.all().delete()
    weekly.queue_weekly_letters(monday)
    assert not Letter.objects.exists()


def test_a_long_week_is_cut_and_says_so():
    account = linked(make.player())
    choices.choose(account, {"category": "weekly"})
    plain_notices(account, 53)
    weekly.queue_weekly_letters(next_monday(make.today()))
    (letter,) = letters()
    assert letter.count("Cambia tu categoría") == 50 and "Hay 3 más en tu página de avisos" in letter


# --- Keeping, exporting, erasing ------------------------------------------------------------------------
def test_notices_are_kept_for_a_year():
    account = linked(make.player())
    plain_notices(account, 2)
    Notice.objects.filter(pk=Notice.objects.first().pk).update(made_at=timezone.now() - timedelta(days=366))
    sending.prune(make.today())
    assert Notice.objects.count() == 1


def test_what_is_stored_about_an_account_can_be_exported_and_erased():
    account, other = linked(make.player(), kinds.CATEGORY), linked(make.player(), kinds.CATEGORY)
    for reader in (account, other):
        Reader.objects.create(account=reader, language="en")
        plain_notices(reader, 1)
    with translation.override("es"):
        data = services.export(account)
    assert data["choices"]["category"] == "once" and data["language"] == "en"
    assert data["notices"][0]["text"][0] == "Cambia tu categoría" and len(data["letters"]) == 1
    services.erase(account)
    for model in (Notice, Letter, Choice, Reader):
        assert [row.account_id for row in model.objects.all()] == [other.pk]


# --- Reading from indexes -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("rows", "index"),
    [
        (lambda account: Notice.objects.filter(account=account, seen_at=None), "notice_unseen"),
        (lambda account: Notice.objects.filter(weekly=date(2026, 3, 2)).order_by(), "notice_weekly"),
        (
            lambda account: Notice.objects.filter(
                made_at__lt=timezone.now() - timedelta(days=365)
            ).order_by(),
            "notice_made",
        ),
        (lambda account: queries.notices_of(account)[:25], "notice_"),  # any index by account
    ],
)
def test_what_is_read_often_is_read_from_indexes(rows, index):
    account, other, now = make.user(), make.user(), timezone.now()
    Notice.objects.bulk_create(
        Notice(account=reader, kind="awards", key=str(number), seen_at=now)
        for reader, count in ((account, 40), (other, 2000))
        for number in range(count)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE letters_notice")
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
    assert index in rows(account).explain()
