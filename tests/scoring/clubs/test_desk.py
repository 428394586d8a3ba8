"""The desk of a club: its front page, its members and its directors."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Role
from players.services import tokens
from tests import factories as make
from tests.pages import open_page
from tests.scoring.clubs.conftest import address
from tests.scoring.pages.test_queries import query_count
from tests.threads import at_once
from tournaments.models import ResultUpload, UploadIssue
from ui.formatting import format_date

TODAY = make.today()


def confirmed(club, by, *contestants, issues=(), late: int = 0, **fields) -> ResultUpload:
    """Create the confirmed upload of a scored tournament.

    issues: codes of its warnings
    late: days from the last day of play until the file arrived
    """
    tournament = make.scored(*contestants, of=club, by=by, **fields)
    upload = ResultUpload.objects.create(
        club=club,
        created_by=by,
        file_name="pool.csv",
        file_format="csv",
        state="confirmed",
        title=tournament.name,
        revision=tournament.published,
        played_on=tournament.end_date,
        confirmed_at=tournament.created_at,
    )
    ResultUpload.objects.filter(pk=upload.pk).update(
        played_on=TODAY - timedelta(days=late), created_at=tournament.created_at
    )
    for position, code in enumerate(issues, start=1):
        UploadIssue.objects.create(
            upload=upload,
            position=position,
            code=code,
            severity="warning",
            value="Secundina",
            params={"name": "Secundina Lobo", "registered": "Secundina Loba"},
        )
    return upload


# --- Members --------------------------------------------------------------------------------------------
def members(client, club, **query) -> list[dict]:
    response = client.get(address("club_members", club), query)
    return [row.record for row in response.context["table"].rows]


def test_members_are_listed_with_licence_category_points_and_last_day_of_play(administrator, club):
    make.player()  # of another club
    gil, paz = make.player(club=club, category="2P"), make.player(club=club, licensed=False, category="2P")
    lost = make.player(club=club, licensed=False)
    make.licence(lost, valid_from=date(2023, 1, 1), valid_to=date(2023, 12, 31))
    make.licence(paz, issuer="FFB")  # a foreign licence that the office has not accepted
    others = make.players(3, category="2P")
    make.scored((gil, others[0]), tuple(others[1:]), of=club, end_date=TODAY - timedelta(days=3))
    rows = {row["number"]: row for row in members(administrator, club)}
    assert {number: (row["state"], row["until"]) for number, row in rows.items()} == {
        gil.number: ("valid", date(2099, 12, 31)),
        paz.number: ("foreign", None),
        lost.number: ("lapsed", date(2023, 12, 31)),
    }
    assert rows[gil.number]["category"] == "2P" and rows[gil.number]["points"] > 0
    assert rows[gil.number]["played"] == TODAY - timedelta(days=3) and rows[lost.number]["played"] is None


def test_a_licence_is_a_mark_and_a_word_on_the_page_and_a_word_in_the_file(administrator, club):
    make.player(club=club), make.player(club=club, licensed=False)
    page = open_page(administrator, address("club_members", club))
    lights = [(light.classes[-1], light.text) for light in page.main.all("span") if "light" in light.classes]
    assert sorted(lights) == [("light-none", "no licence"), ("light-valid", "valid")]
    file = administrator.get(address("club_members", club), {"formato": "csv"})
    text = b"".join(file.streaming_content).decode()
    assert ",valid," in text and ",no licence," in text and "<span" not in text


def test_a_licence_that_begins_later_stands_beside_the_state(administrator, club):
    lapsed, first = make.player(club=club, licensed=False), make.player(club=club, licensed=False)
    make.licence(lapsed, valid_from=date(2023, 1, 1), valid_to=date(2023, 12, 31))
    begins = date(TODAY.year + 1, 1, 1)
    for player in (lapsed, first):
        make.licence(player, valid_from=begins, valid_to=date(begins.year, 12, 31))
    make.licence(make.player(club=club), issuer="FFB", valid_from=begins, valid_to=date(begins.year, 12, 31))
    rows = {
        row["number"]: (row["state"], row["until"], row["renewed"]) for row in members(administrator, club)
    }
    assert rows.pop(lapsed.number) == ("lapsed", date(2023, 12, 31), begins)
    assert rows.pop(first.number) == ("none", None, begins)
    assert [row[2] for row in rows.values()] == [None]  # a foreign licence that does not count
    text = open_page(administrator, address("club_members", club)).main.text
    day = format_date(begins, "en")
    assert f"expired next: {day}" in text and f"no licence next: {day}" in text
    assert text.count("next:") == 2
    file = administrator.get(address("club_members", club), {"formato": "csv"})
    assert b"".join(file.streaming_content).decode().count(str(begins)) == 2


def test_members_are_narrowed_by_name_licence_and_category(administrator, club):
    ana = make.player(club=club, given_name="Ánā", surname="Nuñez", category="2P")
    bea = make.player(club=club, given_name="Bea", surname="Rey", licensed=False)

    def numbers_of(**query):
        return [row["number"] for row in members(administrator, club, **query)]

    assert numbers_of(q="nunez ana") == numbers_of(categoria="2P") == numbers_of(q=ana.number) == [ana.number]
    assert numbers_of(licencia="sin") == [bea.number]
    assert numbers_of(licencia="sin", q="ana") == []
    assert len(numbers_of(licencia="x", categoria="zz")) == 2


def test_the_queries_of_the_desk_do_not_grow_with_rows(administrator, club):
    def add():
        pair = make.players(2, club=club, category="2P", licensed=False)
        confirmed(
            club, administrator.account, tuple(pair), ("Una", "Otra"), issues=["no_number"], end_date=TODAY
        )
        make.announcement(club, end_date=TODAY - timedelta(days=5), name=f"Pool {pair[0].number}")
        make.role(make.user(), Role.Kind.DIRECTOR, club=club)
        ResultUpload.objects.create(club=club, created_by=administrator.account, file_name="a.csv")

    pages = [address(name, club) for name in ("club_manage", "club_members", "club_directors")]
    add()
    counts = [query_count(administrator, page) for page in pages]
    add(), add()
    assert [query_count(administrator, page) for page in pages] == counts
    assert max(counts) <= 27


def test_hidden_members_are_named_to_their_own_administrator_on_the_page_only(administrator, club, client):
    hidden = make.player(club=club, hidden=True, given_name="Zoraida", surname="Abad")
    make.player(club=club, surname="Vela")
    page = address("club_members", club)
    assert "Zoraida Abad (hidden)" in administrator.get(page).content.decode()
    assert members(administrator, club, q="zoraida")
    files = [administrator.get(page, {"formato": "csv"})]
    files += [administrator.get(address("club_members_file", club, name)) for name in ("utf-8", "windows")]
    for response in files:
        text = b"".join(response).decode("utf-8-sig", "replace")
        assert "Zoraida" not in text and "Abad" not in text
        assert text.rstrip().splitlines()[-1].count(hidden.number)  # after all names
    region = make.user()
    make.role(region, Role.Kind.REGION_ADMIN, region=club.region)
    client.force_login(region)
    assert "Zoraida" not in client.get(page).content.decode()
    assert members(client, club, q="zoraida") == []


def test_the_files_for_scoring_programs_have_the_documented_columns_and_encodings(administrator, club):
    make.player(club=club, number="20049", given_name="Ñoño", surname="=Łuna")
    make.player(club=club, number="20050", given_name="Eva", surname="Pi", licensed=False)
    heads = "Número;Apellidos;Nombre;Club;Licencia\r\n"
    lines = "20049;'=Łuna;Ñoño;Club Real;2099-12-31\r\n20050;Pi;Eva;Club Real;\r\n"

    def file(layout):
        response = administrator.get(address("club_members_file", club, layout))
        return response["Content-Type"], response.content

    assert file("utf-8") == ("text/csv; charset=utf-8", f"\ufeff{heads}{lines}".encode())
    old = (heads + lines).replace("Ł", "?").encode("cp1252")
    assert file("windows") == ("text/csv; charset=windows-1252", old)
    names = "ID,Name,strID\r\n20049,Ñoño =?una,20049\r\n20050,Eva Pi,20050\r\n"
    assert file("playernames")[1] == names.encode("cp1252")
    assert administrator.get(address("club_members_file", club, "otro")).status_code == 404


# --- The front page -------------------------------------------------------------------------------------
def test_the_front_page_lists_the_clubs_own_tournaments(administrator, club):
    make.announcement(make.club(), name="De otros")
    missing = make.announcement(club, name="Falta", end_date=TODAY - timedelta(days=2))
    coming = make.announcement(club, name="Viene", end_date=TODAY + timedelta(days=2))
    played = make.scored(*make.pairs(make.players(4, category="2P")), of=club, end_date=TODAY)
    draft = ResultUpload.objects.create(club=club, created_by=administrator.account, file_name="lunes.csv")
    page = open_page(administrator, address("club_manage", club))
    for item in (missing, coming, played, draft):
        assert item.get_absolute_url() in page.addresses
    assert "De otros" not in page.text
    assert "2 matters need attention." in page.text
    make.role(administrator.account, Role.Kind.DIRECTOR, club=club)
    page = open_page(administrator, address("club_manage", club))
    assert f"{reverse('upload_start')}?anunciado={missing.pk}" in page.addresses


def test_the_inbox_counts_everything_and_lists_the_longest_waits(administrator, club):
    for wait in range(9):
        draft = ResultUpload.objects.create(
            club=club, created_by=administrator.account, file_name=f"{wait}.csv"
        )
        created = draft.created_at - timedelta(days=wait)
        ResultUpload.objects.filter(pk=draft.pk).update(created_at=created)
        make.announcement(club, name=f"Falta {wait}", end_date=TODAY - timedelta(days=wait + 1))
    page = open_page(administrator, address("club_manage", club))
    titles = [
        matter.title for matter in administrator.get(address("club_manage", club)).context["inbox"].matters
    ]
    assert "18 matters need attention." in page.text
    assert [title.partition(",")[0] for title in titles] == [
        title
        for wait in range(9, 2, -1)
        for title in (f"Falta {wait - 1}", f"{wait}.csv")
        if title not in ("9.csv", "Falta 2")
    ]
    rest = f"{reverse('uploads')}?club={club.slug}"
    assert {f"{rest}&estado=review", f"{rest}#missing"} <= set(page.addresses)
    assert page.text.count("and 3 more") == 2
    listed = administrator.get(rest).context["missing"]
    assert [item.name for item in listed] == [f"Falta {wait}" for wait in range(8, -1, -1)]


def test_the_quality_of_the_last_files_is_said_in_sentences_with_links(administrator, club):
    gil, paz = make.player(club=club, category="2P"), make.player(club=club, category="2P", licensed=False)
    by = administrator.account
    guests = confirmed(club, by, (gil, paz), ("Una", "Otra"), issues=["no_number"], late=4, end_date=TODAY)
    as_read = [["1", "2"], [None, None]]
    entries = [{"people": [{"number": number, "name": "X"} for number in pair]} for pair in as_read]
    # The file had no number of the second player: the director found her by name.
    choices = {"0-1": {"number": None, "picked": True}}
    ResultUpload.objects.filter(pk=guests.pk).update(parsed={"entries": entries, "choices": choices})
    full = confirmed(club, by, *make.pairs(make.players(4, category="2P")), end_date=TODAY)
    findings = administrator.get(address("club_manage", club)).context["findings"]
    receipts = {item: reverse("upload_receipt", args=[item.pk]) for item in (guests, full)}
    links_of = {finding.text: [link.url for link in finding.links] for finding in findings}
    first = receipts[guests]
    assert links_of["Files arrive on average 2 days after play."] == [first]
    text = "3 of 8 people had no number in the files (last files: 2)."
    text += " Without points, as guests or not identified: 2."
    assert links_of[text] == [first]
    assert links_of["1 member played without a licence this month."] == [
        guests.revision.tournament.get_absolute_url()
    ]
    (people,) = [finding.people for finding in findings if finding.people]
    assert [link.url for link in people] == [paz.get_absolute_url()] and paz.surname in people[0].text
    assert len(links_of) == 3


def test_the_commonest_issues_are_listed_without_names(administrator, club):
    """The page shows issues without values from files, which may be names of players hidden since."""
    pairs = make.pairs(make.players(4, category="2P"))
    codes = [
        "name_differs",
        "date_differs",
        "stand_in",
        "bws_double",
        "bws_erased",
        "same_people",
        "venue_said",
    ]
    confirmed(club, administrator.account, *pairs, issues=codes)
    response = administrator.get(address("club_manage", club))
    assert "Secundina" not in response.content.decode()
    assert [finding.text for finding in response.context["findings"]][2:] == [
        "Boards were entered twice, or erased and not entered again.",
        "Numbers belonged to other people than the ranking said.",
        "Stand-ins had no licence.",
        "The day in the file was another one than that in the form.",
        "Other questions had to be decided in the review.",
    ]


def test_the_inbox_names_the_key_with_which_a_file_came_and_each_act(administrator, club):
    account = administrator.account
    token, _secret = tokens.make(club, "Bar", account)
    ResultUpload.objects.create(club=club, created_by=account, token=token, file_name="lunes.csv")
    ResultUpload.objects.create(club=club, created_by=account, title="Pool", played_on=TODAY)
    make.announcement(club, name="Falta", end_date=TODAY - timedelta(days=2))

    def matters():
        inbox = administrator.get(address("club_manage", club)).context["inbox"]
        return {matter.title: (matter.note, matter.act) for matter in inbox.matters}

    today, earlier = (format_date(day, "en") for day in (TODAY, TODAY - timedelta(days=2)))
    assert matters() == {
        "lunes.csv": (
            f"Uploaded by “Bar” (the club's computer) on {today} and not confirmed.",
            "See the upload",
        ),
        f"Pool, {today}": (f"Uploaded by {account.username} on {today} and not confirmed.", "See the upload"),
        f"Falta, {earlier}": ("Announced and played.", "See the announcement"),
    }
    make.role(account, Role.Kind.DIRECTOR, club=club)
    assert [act for _note, act in matters().values()] == ["Upload the result", "Review it", "Review it"]


def test_sending_the_form_of_a_token_twice_makes_one_token_and_shows_it_once(administrator, club):
    page = address("club_tokens", club)
    first, again = (administrator.post(page, {"name": name}) for name in ("Bar", "b\u200bar"))
    token = club.tokens.get()
    assert (first.status_code, again.status_code) == (200, 422)
    assert first.context["secret"].startswith(token.prefix) and again.context["secret"] == ""
    assert "not shown again" in again.content.decode()
    tokens.revoke(token, administrator.account)
    assert administrator.post(page, {"name": "Bar"}).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_double_click_on_the_form_of_a_token_makes_one_token(administrator, club):
    page, answers = address("club_tokens", club), []

    def send() -> None:
        client = Client()
        client.force_login(administrator.account)
        answers.append(client.post(page, {"name": "Bar"}).status_code)

    assert at_once([send, send]) == []
    assert (sorted(answers), club.tokens.count()) == ([200, 422], 1)


def test_the_page_of_the_tokens_says_where_files_of_go_are_uploaded(administrator, club, settings):
    page = address("club_tokens", club)
    assert "Upload those of Go in the browser." in open_page(administrator, page).main.text
    settings.FAMILIES = ["aeb"]
    assert "of Go" not in open_page(administrator, page).main.text


# --- The clubs of an account ----------------------------------------------------------------------------
def test_an_administrator_of_one_club_goes_from_the_home_page_to_its_desk(administrator, club):
    assert reverse("clubs_managed") in open_page(administrator, reverse("my_place")).addresses
    assert administrator.get(reverse("clubs_managed")).url == address("club_manage", club)
    make.role(administrator.account, Role.Kind.CLUB_ADMIN, club=make.club())
    assert len(administrator.get(reverse("clubs_managed")).context["table"].rows) == 2


def test_region_administrator_sees_the_clubs_of_the_region(client, club):
    account = make.user()
    make.role(account, Role.Kind.REGION_ADMIN, region=club.region)
    make.club()
    client.force_login(account)
    page = open_page(client, reverse("clubs_managed"))
    assert [row.record for row in page.context["table"].rows] == [club]
    assert address("club_manage", club) in page.addresses
    assert client.get(address("club_manage", club)).status_code == 200


# --- Directors ------------------------------------------------------------------------------------------
def test_a_director_is_removed_with_a_line_in_the_journal(administrator, club):
    role = make.director(club).roles.get()
    url = address("club_director_remove", club, role.pk)
    assert url in open_page(administrator, address("club_directors", club)).addresses
    assert role.user.username in open_page(administrator, url).main.text
    assert Role.objects.filter(pk=role.pk).exists(), "the page only asks"
    assert administrator.post(address("club_director_remove", club, role.pk)).status_code == 302
    assert not Role.objects.filter(pk=role.pk).exists()
    assert list(role.user.events.values_list("by", "kind")) == [(administrator.account.pk, "role_taken")]


def test_each_director_has_the_day_of_their_last_upload_for_the_club(administrator, club):
    idle, busy = (make.user(username=name) for name in ("idle", "busy"))
    for account in (idle, busy):
        make.role(account, Role.Kind.DIRECTOR, club=club)
    confirmed(club, busy, *make.pairs(make.players(4)))
    ResultUpload.objects.update(created_at=datetime(2026, 3, 14, 12, tzinfo=UTC))
    confirmed(make.club(), idle, *make.pairs(make.players(4)))  # for another club
    token, _secret = tokens.make(club, "Bar", administrator.account)
    ResultUpload.objects.create(club=club, created_by=idle, token=token)  # sent by a program
    page = open_page(administrator, address("club_directors", club))
    assert "busy Last upload on 14 Mar 2026." in page.main.text
    assert "idle No upload for this club yet." in page.main.text
    assert "2 people upload the club's results" in page.main.text


def test_only_directors_of_this_club_can_be_removed(administrator, club):
    other = make.club()
    make.director(other)
    elsewhere = Role.objects.get(club=other)
    own_administrator = Role.objects.get(club=club, kind=Role.Kind.CLUB_ADMIN)
    for role in (elsewhere, own_administrator):
        for of in (club, other):
            assert administrator.post(address("club_director_remove", of, role.pk)).status_code == 404
    assert Role.objects.count() == 2
