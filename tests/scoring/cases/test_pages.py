"""Cases on their pages: opening, answering, who reads what, and the lists."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from players import inbox
from players.models import Role
from scoring.cases import services
from scoring.cases.models import Case
from scoring.cases.notices import ANSWERED
from scoring.cases.queries import measures
from scoring.cases.states import Party
from scoring.letters.models import Notice
from tests import factories as make
from tests.pages import Page, client_of, open_page
from tests.scoring.pages.test_queries import query_count
from ui.clock import today
from ui.formatting import format_date

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
YESTERDAY = today() - timedelta(days=1)


@pytest.fixture
def club():
    return make.club(name="Club Faro")


@pytest.fixture
def player(club):
    return make.player(given_name="Ana", surname="Prado", club=club, user=make.user())


@pytest.fixture
def director(club):
    return make.director(club)


def account_with(kind: str, **scope) -> User:
    account = make.user()
    make.role(account, kind, **scope)
    return account


def opened(player, club, text: str = "I was second.", **fields) -> Case:
    fields.setdefault("day", YESTERDAY)
    return services.open_case(player, player.user, "missing", text, club=club, **fields)


def seen_by(client, account, case: Case) -> Page:
    client.force_login(account)
    return open_page(client, case.get_absolute_url())


# --- Opening --------------------------------------------------------------------------------------------
def form_of(**values) -> dict:
    return {"kind": "missing", "day": YESTERDAY.isoformat(), "club": "", "text": "I played.", **values}


def test_a_missing_tournament_is_reported_to_the_club(client, player, club, director):
    client.force_login(player.user)
    response = client.post(reverse("case_open"), form_of(club=club.slug), follow=True)
    page = Page(response)
    assert page.messages == ["Sent to Club Faro. You see the answer on this page."]
    case = Case.objects.get()
    assert (case.player, case.club, case.day, case.state) == (player, club, YESTERDAY, "club")
    assert Notice.objects.get().account == director


def test_the_form_begins_with_what_its_address_names(client, player, club):
    tournament = make.scored((player, make.player()), make.players(2), of=club, end_date=YESTERDAY)
    entry = player.entries.get()
    client.force_login(player.user)
    for query in ({"torneo": tournament.pk}, {"partida": entry.pk}):
        page = open_page(client, reverse("case_open"), **query)
        assert tournament.name in page.lead
        assert "day" not in page.fields
    assert page.context["form"].initial["kind"] == "points"
    client.post(f"{reverse('case_open')}?partida={entry.pk}", {"kind": "points", "text": "Too few."})
    assert Case.objects.get().tournament == tournament


def test_the_form_says_who_answers(client, player, club):
    tournament = make.scored((player, make.player()), make.players(2), of=club, end_date=YESTERDAY)
    client.force_login(player.user)
    address = reverse("case_open")
    make.role(player.user, Role.Kind.DIRECTOR, club=club)  # nobody answers their own case
    assert "The office answers, because this club" in open_page(client, address, torneo=tournament.pk).lead
    assert "if it has a director" in open_page(client, address).lead
    make.director(club)
    assert "The club answers first." in open_page(client, address, torneo=tournament.pk).lead


def test_an_entry_of_somebody_else_names_no_tournament(client, player, club):
    others = make.players(4)
    make.scored(*make.pairs(others), of=club, end_date=YESTERDAY)
    client.force_login(player.user)
    page = open_page(client, reverse("case_open"), partida=others[0].entries.get().pk)
    assert page.context["tournament"] is None


@pytest.mark.parametrize("asked", ["abc", "-1", "9" * 30, "0", "1.5", "’"])
def test_an_address_with_nonsense_opens_the_empty_form(client, player, asked):
    client.force_login(player.user)
    for name in ("torneo", "partida", "dia", "club", "tipo"):
        page = open_page(client, reverse("case_open"), **{name: asked})
        assert page.context["tournament"] is None


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"text": ""}, "text"),
        ({"text": "x" * 2001}, "text"),
        ({"text": "a\x00b"}, "text"),
        ({"day": ""}, "day"),
        ({"day": "31/12/2025 x"}, "day"),
        ({"day": (today() + timedelta(days=1)).isoformat()}, "day"),
        ({"club": ""}, "club"),
        ({"club": "no-such-club"}, "club"),
        ({"kind": "nothing"}, "kind"),
    ],
)
def test_a_mistake_is_named_and_what_was_typed_stays(client, player, club, values, field):
    client.force_login(player.user)
    response = client.post(reverse("case_open"), form_of(**{"club": club.slug, **values}))
    assert response.status_code == 422
    assert field in response.context["form"].errors
    text = values.get("text", "I played.")
    assert Page(response).values("text") == [text.replace("\x00", "")] or "\x00" in text
    assert not Case.objects.exists()


def test_writing_too_much_takes_a_wait_and_keeps_the_text(client, player, club):
    client.force_login(player.user)
    for number in range(services.OPENING.free + 1):
        response = client.post(reverse("case_open"), form_of(club=club.slug, text=f"Text {number}"))
    assert response.status_code == 422
    assert "You have written a lot" in response.content.decode()
    assert Page(response).values("text") == [f"Text {services.OPENING.free}"]
    assert Case.objects.count() == services.OPENING.free


def test_markup_is_shown_as_text(client, player, club):
    case = opened(player, club, "<script>alert(1)</script> <b>bold</b>")
    content = seen_by(client, player.user, case).text
    assert "<script>alert(1)</script> <b>bold</b>" in content


# --- Answering ------------------------------------------------------------------------------------------
def test_the_director_answers_and_the_player_sees_it(client, player, club, director):
    case = opened(player, club)
    mended = make.scored((player, make.player()), make.players(2), of=club, end_date=YESTERDAY)
    client.force_login(director)
    values = {"act": "answer", "text": "It is there now.", "revision": mended.published_id}
    response = client.post(case.get_absolute_url(), values, follow=True)
    assert Page(response).messages == ["Answered. The player sees it."]
    page = seen_by(client, player.user, case)
    assert "It is there now." in page.text
    assert page.link(f"{mended.name}, {format_date(YESTERDAY, 'en')}").startswith(mended.get_absolute_url())
    assert director.get_username() not in page.text
    assert {"Something is still wrong: write again", "It is fine: close the case"} <= set(page.buttons)
    closes = f"closes by itself on {format_date(today() + timedelta(settings.CASE_REOPEN_DAYS), 'en')}"
    assert closes in page.lead
    listed = open_page(client, reverse("cases"))
    assert "1 case is answered. If an answer is fine, close the case" in listed.lead
    assert closes in listed.text
    (notice,) = Notice.objects.filter(kind="case_answered")
    assert notice.account == player.user
    assert ANSWERED.write(player.user, [notice])[notice.pk].paragraphs[0].endswith(".")  # a sentence follows
    (matter,) = inbox.waiting_for(player.user, kind="answered_cases").matters
    assert closes in matter.note.replace("It closes", "closes")


def test_the_notice_of_an_answered_request_says_what_was_asked_without_the_data(player):
    office = account_with(Role.Kind.OFFICE)
    case = services.open_case(player, player.user, Case.Kind.PERSONAL, "I was born in 1950.")
    services.perform(case.pk, "answer", office, "It is corrected.")
    (notice,) = Notice.objects.filter(kind="case_answered")
    text = ANSWERED.write(player.user, [notice])[notice.pk]
    day = format_date(today(), "en")
    assert text.subject == "Your request about your personal data was answered"
    assert text.paragraphs[0].startswith(f"On {day} you asked the federation office about your personal data")
    assert "1950" not in str(text) and notice.account == player.user


def test_only_a_ranking_of_the_case_can_be_named(client, player, club, director):
    case = opened(player, club)
    elsewhere = make.scored(*make.pairs(make.players(4)), end_date=YESTERDAY)
    client.force_login(director)
    values = {"act": "answer", "text": "There.", "revision": elsewhere.published_id}
    response = client.post(case.get_absolute_url(), values)
    assert response.status_code == 422
    assert Page(response).values("text") == ["There."]


def test_a_case_that_changed_meanwhile_is_refused_in_words(client, player, club, director):
    case = opened(player, club)
    services.perform(case.pk, "close", player.user)
    client.force_login(director)
    response = client.post(case.get_absolute_url(), {"act": "answer", "text": "Too late."})
    assert response.status_code == 422
    page = Page(response)
    assert "has changed in the meantime" in page.text
    assert "Too late." in page.text


def test_a_second_answer_is_not_sent_before_the_first_one_was_read(client, player, club, director):
    case = opened(player, club)
    form = seen_by(client, director, case).form("seen")
    services.perform(case.pk, "answer", make.office(), "It was not played.")
    answer = {**form.values, "act": "answer", "text": "You were second."}
    response = client.post(case.get_absolute_url(), answer)
    page = Page(response)
    assert response.status_code == 422
    assert "has changed in the meantime" in page.text and "It was not played." in page.text
    assert page.values("text") == ["You were second."]
    again = {**page.form("seen").values, "act": "answer"}
    assert client.post(case.get_absolute_url(), again).status_code == 302
    assert case.messages.count() == 3


def test_the_office_passes_a_case_to_a_club(client, player, club, director):
    case = services.open_case(player, player.user, "other", "Where was it?")
    office = make.office()
    page = seen_by(client, office, case)
    assert "Pass it to the club" in page.buttons
    values = {"act": "hand_over", "text": "Do you know?", "club": club.slug}
    client.post(case.get_absolute_url(), values)
    case.refresh_from_db()
    assert (case.state, case.club) == ("club", club)
    values["club"] = make.club().slug
    case = services.open_case(player, player.user, "other", "And that?")
    response = client.post(case.get_absolute_url(), values)
    assert "Nobody in this club can answer" in response.content.decode()


# --- Who reads what -------------------------------------------------------------------------------------
def test_outsiders_do_not_learn_of_a_case(client, player, club):
    case, far = opened(player, club), make.club()
    strangers = [
        make.user(),
        make.player(user=make.user(), club=club).user,
        make.director(far),
        account_with(Role.Kind.CLUB_ADMIN, club=far),
        account_with(Role.Kind.REGION_ADMIN, region=far.region),
        account_with(Role.Kind.COMMITTEE),
    ]
    for stranger in strangers:
        client.force_login(stranger)
        assert client.get(case.get_absolute_url()).status_code == 404
        assert client.post(case.get_absolute_url(), {"act": "answer", "text": "x"}).status_code == 404
        assert "I was second." not in open_page(client, reverse("cases")).text


def test_personal_data_are_read_by_the_office_alone(client, player, club, director):
    case = services.open_case(player, player.user, "personal", "My address.", club=club)
    administrator = account_with(Role.Kind.CLUB_ADMIN, club=club)
    region = account_with(Role.Kind.REGION_ADMIN, region=club.region)
    for account in (director, administrator, region):
        client.force_login(account)
        assert client.get(case.get_absolute_url()).status_code == 404
        assert "no." not in open_page(client, reverse("club_cases", args=[club.slug])).text
    assert "My address." in seen_by(client, make.office(), case).text


def test_a_former_account_of_a_player_no_longer_reads_the_cases(client, player, club):
    case, former = opened(player, club), player.user
    player.user = make.user()
    player.save()
    client.force_login(former)
    assert client.get(case.get_absolute_url()).status_code == 404
    assert "I was second." in seen_by(client, player.user, case).text


@pytest.mark.parametrize("fields", [{"hidden": True}, {"birth_year": today().year - 15}])
def test_directors_read_hidden_players_and_minors_by_number(client, player, club, director, fields):
    type(player).objects.filter(pk=player.pk).update(**fields)
    case, office = opened(player, club), make.office()
    for account, named in ((director, False), (office, True)):
        client.force_login(account)
        listed = open_page(client, reverse("club_cases", args=[club.slug])).text
        texts = [seen_by(client, account, case).text, listed, matter_of(account)]
        assert [("Prado" in text) for text in texts] == ([named, named, False] if named else [False] * 3)
        assert all(player.number in text for text in texts) or named
        page = open_page(client, reverse("club_cases", args=[club.slug]), q="prado")
        assert len(page.context["asked"].text) == 5
        assert ("no. " in page.text) == named


def matter_of(account) -> str:
    return " ".join(matter.note for matter in inbox.waiting_for(account, kind="cases").matters)


# --- Lists ----------------------------------------------------------------------------------------------
def test_the_lists_are_filtered_and_searched(client, player, club, director):
    first = opened(player, club)
    second = services.open_case(player, player.user, "other", "Another thing.", club=club)
    services.perform(second.pk, "answer", director, "Yes.")
    client.force_login(director)
    address = reverse("club_cases", args=[club.slug])
    for query, expected in (
        ({}, {first, second}),
        ({"estado": "open"}, {first}),
        ({"estado": "answered"}, {second}),
        ({"estado": "closed"}, set()),
        ({"tipo": "other"}, {second}),
        ({"q": "ana pra"}, {first, second}),
        ({"q": player.number}, {first, second}),
        ({"q": "nobody"}, set()),
        ({"estado": "x", "tipo": "y", "pagina": "99"}, {first, second}),
    ):
        text = open_page(client, address, **query).text
        assert {case for case in (first, second) if f"(no. {case.pk})" in text} == expected, query


def test_the_office_filters_by_club(client, player, club):
    here = opened(player, club)
    far = make.club()
    make.director(far)
    there = opened(player, far, "There")
    assert (here.state, there.state) == ("office", "club")
    client.force_login(make.office())
    text = open_page(client, reverse("office_cases"), club=far.slug).text
    assert (f"(no. {here.pk})" in text, f"(no. {there.pk})" in text) == (False, True)


def test_days_until_the_answer_are_on_the_desk_and_the_offices_page(client, player, club, director):
    for days, text in ((2, "a"), (4, "b")):
        case = opened(player, club, text)
        Case.objects.filter(pk=case.pk).update(waiting_since=timezone.now() - timedelta(days=days))
        services.perform(case.pk, "answer", director, "Yes.")
    late = opened(player, club, "c")
    Case.objects.filter(pk=late.pk).update(waiting_since=timezone.now() - timedelta(days=8))
    services.escalate(today())
    services.perform(late.pk, "answer", make.office(), "Yes.")
    answers = measures.answers_of(Party.CLUB, club)
    assert (answers.count, answers.mean, answers.longest, answers.escalated) == (2, 3, 4, 1)
    assert measures.answers_of(Party.OFFICE).mean == 0
    client.force_login(account_with(Role.Kind.CLUB_ADMIN, club=club))
    desk = open_page(client, reverse("club_manage", args=[club.slug]))
    assert "Cases are answered after 3 days on average; the longest wait: 4." in str(desk.context["findings"])
    client.force_login(make.office())
    page = open_page(client, reverse("office_cases"))
    assert "1 case was not answered in time." in page.text


def test_what_waits_is_in_the_inbox_of_those_who_answer(player, club, director):
    case = opened(player, club)
    administrator = account_with(Role.Kind.CLUB_ADMIN, club=club)
    office, far = make.office(), make.director(make.club())
    counts = [inbox.waiting_for(user, kind="cases").count for user in (director, administrator, office, far)]
    assert counts == [1, 1, 0, 0]
    services.perform(case.pk, "hand_over", director, "I do not know.")
    counts = [inbox.waiting_for(user, kind="cases").count for user in fresh(director, office)]
    assert counts == [0, 1]


def fresh(*accounts) -> list[User]:
    """Return the accounts without what they remember of this request."""
    return [User.objects.get(pk=account.pk) for account in accounts]


@pytest.mark.parametrize("name", ["cases", "club_cases", "office_cases", "case", "inbox"])
def test_three_cases_take_as_many_queries_as_one(name, player, club, director):
    def another(number: int) -> Case:
        person = player if name == "cases" else make.player(club=club, user=make.user())
        tournament = make.scored((person, make.player()), make.players(2), of=club, end_date=YESTERDAY)
        case = services.open_case(person, person.user, "place", f"Text {number}", tournament=tournament)
        if name == "office_cases":
            services.perform(case.pk, "hand_over", director, "Yours.")
        return case

    case = another(0)
    accounts = {"cases": player.user, "office_cases": make.office()}
    addresses = {
        "cases": reverse("cases"),
        "club_cases": reverse("club_cases", args=[club.slug]),
        "office_cases": reverse("office_cases"),
        "case": case.get_absolute_url(),
        "inbox": reverse("inbox"),
    }
    client = client_of(accounts.get(name, director))
    count = query_count(client, addresses[name])
    another(1), another(2)
    if name == "case":
        services.perform(case.pk, "write", case.opened_by, "More.")
        services.perform(case.pk, "answer", director, "Answer.")
        services.perform(case.pk, "answer", director, "Answer.")
    assert query_count(client, addresses[name]) == count
    assert count <= 25


# --- From other pages -----------------------------------------------------------------------------------
def test_every_row_of_the_own_results_leads_to_a_report(client, player, club):
    counted = make.scored((player, make.player()), make.players(2), of=club, end_date=YESTERDAY)
    short = make.scored((player, make.player()), make.players(2), of=club, end_date=YESTERDAY, boards=18)
    reports = {
        f"{reverse('case_open')}?partida={player.entries.get().pk}",
        f"{reverse('case_open')}?torneo={short.pk}",
    }
    client.force_login(player.user)
    assert reports <= set(open_page(client, reverse("my_results")).addresses)
    assert reports & set(open_page(client, reverse("my_page")).addresses)
    public = open_page(client, f"{player.get_absolute_url()}resultados/")
    assert not any(address.startswith(reverse("case_open")) for address in public.addresses)
    assert (
        f"{reverse('case_open')}?torneo={counted.pk}"
        in open_page(client, counted.get_absolute_url()).addresses
    )
    receipt = reverse("award", args=[player.number, player.entries.get().pk])
    assert reports & set(open_page(client, receipt).addresses)
