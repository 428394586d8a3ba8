"""Imported lists that need a second person: the proposal, the record for auditors, and undoing."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.categories import categories_on
from players.models import CategoryAssignment, Licence, Player, Proposal, Role
from players.services import categories, proposals
from scoring.audit import approved, transfers, verify
from scoring.ledger.models import LedgerEntry, Standing
from scoring.office.lists import imports, rows
from scoring.office.models import OfficeImport
from scoring.office.services import category_changes
from tests import factories, second
from tests.pages import Page, open_page
from tests.scoring.office.lists import apply, approve_all, plan_of, pressed, sent, work
from ui.clock import today

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]


def day(ago: int = 0) -> str:
    return (today() - timedelta(days=ago)).isoformat()


def why(batch) -> dict[str, int]:
    plan = plan_of(batch, today(), batch.created_by)
    return {code: number for code, number in plan.second.items() if number}


def undo(client, batch, **reason):
    """Submit the form that undoes an imported list, and do the worker's part. Return the response."""
    url = reverse("office_import_undo", args=[batch.pk])
    digest = client.get(url).context["undoing"].digest
    form = {"digest": digest, "reason": "The wrong file", "evidence": "Letter 4", **reason}
    answer = client.post(url, form)
    work()
    return answer


def audit() -> list:
    return [
        *approved.differences(),
        *transfers.differences(),
        *verify.unmatched_reversals(),
        *verify.compare_standings()[1],
    ]


# --- Lists that need a second person ------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("held", "rows", "expected"),
    [
        ("2P", ["901;1D;{0};;"], {}),
        ("2P", ["901;1D;{1};;"], {"backdated": 1}),
        ("2P", ["901;1C;{0};;"], {"steps": 1}),
        ("2P", ["901;2C;{9};;"], {"backdated": 1, "steps": 1}),
        ("2P", ["901;2P;{9};;"], {}),  # the category that the player already has changes nothing
        # First categories, while the federation is being set up.
        (None, ["901;1C;{9};;", "901;1P;{0};;"], {}),
    ],
)
def test_the_changes_of_a_list_decide_whether_it_needs_a_second_person(office, held, rows, expected):
    factories.player(number="901", category=held)
    days = [day(ago) for ago in range(10)]
    assert why(sent(office, "categories", *(row.format(*days) for row in rows))) == expected


def test_more_than_five_changes_need_a_second_person(office):
    for number in range(901, 907):
        factories.player(number=str(number), category="2P")
    rows = [f"{number};1D;{day()};;" for number in range(901, 907)]
    assert why(sent(office, "categories", *rows[:5])) == {}
    assert why(sent(office, "categories", *rows)) == {"many": 6}


def test_listing_a_players_current_category_changes_nothing(office):
    for number in range(901, 907):
        factories.player(number=str(number), category="2P")
    rows = [*(f"{number};1D;{day()};;" for number in range(901, 906)), f"906;2P;{day()};;"]
    batch = sent(office, "categories", *rows)
    assert why(batch) == {}
    text = open_page(office, reverse("office_import_review", args=[batch.pk])).text
    assert "2P → 1D" in text and "2P → 2P" not in text
    assert "already: nothing changes" in text
    apply(office, batch)
    assert category_changes.count_changes_alone(OfficeImport.objects.get().applied_by, today()) == 5


def test_changes_of_all_lists_of_a_day_and_by_hand_share_the_daily_limit(office):
    players = [factories.player(number=str(number), category="2P") for number in range(901, 909)]
    rows = [f"{player.number};1D;{day()};;" for player in players]
    first, second_list, undone = (sent(office, "categories", *rows[at : at + 2]) for at in (0, 2, 4))
    by = first.created_by
    imports.apply(first.pk, plan_of(first, today()).digest, by)
    work()
    assert why(sent(office, "categories", *rows[2:5])) == {}
    assert why(sent(office, "categories", *rows[2:6])) == {"many": 4}
    imports.apply(second_list.pk, plan_of(second_list, today()).digest, by)
    work()
    category = factories.category("1D")
    value = category_changes.assign(players[6], category, today(), "Club champion", by, evidence="Minutes 3")
    assert isinstance(value, CategoryAssignment)
    assert why(undone) == {"many": 2}
    assert pressed(office, undone).url == Proposal.objects.get().get_absolute_url()
    assert "more than one person may alone on a day" in str(
        office.get(Proposal.objects.get().get_absolute_url()).content
    )
    value = category_changes.assign(players[7], category, today(), "Club champion", by, evidence="Minutes 3")
    assert isinstance(value, Proposal)


def test_an_approved_list_does_not_use_up_the_daily_limit(office):
    for number in range(901, 907):
        factories.player(number=str(number), category="2P")
    factories.player(number="907", category="2P")
    apply(office, sent(office, "categories", *(f"{number};1D;{day()};;" for number in range(901, 907))))
    assert category_changes.count_changes_alone(OfficeImport.objects.get().applied_by, today()) == 0
    assert why(sent(office, "categories", f"907;1D;{day()};;")) == {}


def test_several_future_steps_of_one_player_need_a_second_person(office):
    player = factories.player(number="901", category="2P")
    rows = [f"901;{code};{day(-ahead)};;" for ahead, code in enumerate(["1D", "1C", "1P"])]
    assert why(sent(office, "categories", *rows)) == {"steps": 2}
    assert why(sent(office, "categories", rows[0])) == {}
    by = sent(office, "categories", rows[0]).created_by
    tomorrow = today() + timedelta(days=1)
    for code, starts, kind in [("1D", today(), CategoryAssignment), ("1C", tomorrow, Proposal)]:
        value = category_changes.assign(
            player, factories.category(code), starts, "Club champion", by, evidence="Minutes 3"
        )
        assert isinstance(value, kind), code


def test_after_setup_first_categories_and_openings_need_a_second_person(office):
    factories.player(number="901", category=None)
    rows = {"categories": f"901;1C;{day()};;", "opening": f"901;{day(9)};Pool;Presencial;5"}
    assert [why(sent(office, *row)) for row in rows.items()] == [{}, {}]
    factories.scored(*factories.pairs(factories.players(8)))
    assert [why(sent(office, *row)) for row in rows.items()] == [{"steps": 1}, {"points": 1}]


def test_openings_of_players_with_points_need_a_second_person(office):
    factories.player(number="901")
    apply(office, sent(office, "opening", f"901;{day(9)};Pool;Presencial;5"))
    assert why(sent(office, "opening", f"901;{day(8)};Pool;Presencial;5")) == {"points": 1}


# --- The proposal, its approval and the record ----------------------------------------------------------
@pytest.mark.parametrize("starts", [-1, 0, 9])
def test_a_list_can_be_approved_on_another_day_than_it_was_prepared(office, client, monkeypatch, starts):
    player = factories.player(number="901", category="2P")
    batch = sent(office, "categories", f"901;1P;{day(starts)};Champion;Minutes 3")
    pressed(office, batch)
    waiting = Proposal.objects.get()
    two_days_later = today() + timedelta(days=2)
    monkeypatch.setattr(timezone, "localdate", lambda *_: two_days_later)
    client.force_login(second.person())
    page = client.get(waiting.get_absolute_url())
    client.post(waiting.get_absolute_url(), {"action": "approve", "seen": page.context["effect"].digest})
    work()
    assert categories_on(two_days_later)[player.pk].code == "1P"


def test_a_list_is_applied_as_it_was_shown_and_auditors_can_read_it(office, client):
    player = factories.player(number="901", category="2P", hidden=True)
    batch = sent(office, "categories", f"901;1P;{day(9)};Champion;Minutes 3")
    assert pressed(office, batch, reason="").status_code == 409
    answer = pressed(office, batch)
    waiting = Proposal.objects.get()
    assert answer.url == waiting.get_absolute_url()
    batch.refresh_from_db()
    assert (batch.state, batch.rows.count()) == ("waiting", 1)
    assert pressed_again(office, batch) == 409
    assert categories_on(today())[player.pk].code == "2P"

    committee = second.person()
    client.force_login(committee)
    page = client.get(waiting.get_absolute_url())
    text = Page(page).text
    for message in (player.full_name, "3 steps up", "2P → 1P", "lists of past days"):
        assert message in text, message
    client.post(waiting.get_absolute_url(), {"action": "approve", "seen": page.context["effect"].digest})
    work()
    assert categories_on(today())[player.pk].code == "1P"
    assert player.assignments.get(category__code="1P").created_by == committee
    batch.refresh_from_db()
    assert (batch.state, batch.by_two, batch.applied_by, batch.parsed) == ("applied", True, committee, {})
    kept_rows = str(list(batch.rows.values()))
    assert "901" in kept_rows and "Prado" not in kept_rows and player.surname not in kept_rows

    auditor = second.person(Role.Kind.AUDITOR)
    client.force_login(auditor)
    kept = open_page(client, reverse("office_import_review", args=[batch.pk])).text
    assert player.full_name in kept and "2P → 1P" in kept


def pressed_again(client, batch) -> int:
    return client.post(reverse("office_import_apply", args=[batch.pk]), {"digest": "x" * 64}).status_code


def test_a_proposed_list_with_outdated_changes_can_only_be_returned(office):
    player = factories.player(number="901", category="2P")
    batch = sent(office, "categories", f"901;1P;{day(9)};;")
    pressed(office, batch)
    categories.assign(player, factories.category("1D"), today() - timedelta(days=20), "x", None, evidence="x")
    waiting = Proposal.objects.get()
    second.approve(waiting, second.person())
    work()  # the worker notices, gives the list back, and compares it
    batch.refresh_from_db()
    assert batch.state == "waiting"
    with pytest.raises(ValidationError, match="return it"):
        second.approve(waiting, second.person())
    proposals.give_back(waiting.pk, second.person(), "Look again")
    batch.refresh_from_db()
    assert batch.state == "review"
    apply(office, batch)
    assert categories_on(today())[player.pk].code == "1P"


# --- Long lists ---------------------------------------------------------------------------------------------
def long_list(office, first: int, number: int) -> Proposal:
    """Import a list that moves players one step up, and return its proposal.

    first: federation number of the first player
    number: number of players
    """
    numbers = range(first, first + number)
    for item in numbers:
        factories.player(number=str(item), category="2P", club=None)
    batch = sent(office, "categories", *(f"{entry};1D;{day()};;" for entry in numbers))
    pressed(office, batch)
    return Proposal.objects.get(key=str(batch.pk), state="pending")


def rows_of(response) -> int:
    return len(Page(response).all("th", scope="row"))


def queries_of(client, proposal: Proposal) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(proposal.get_absolute_url()).status_code == 200
    return len(queries)


def test_a_long_list_is_shown_in_pages_and_approved_as_a_whole(office, client):
    waiting = long_list(office, 1001, 120)
    client.force_login(second.person())
    url = waiting.get_absolute_url()
    pages = [client.get(url, {"pagina": number}) for number in (1, 2, 3)]
    assert [rows_of(page) for page in pages] == [50, 50, 20]
    assert "1001" in pages[0].content.decode() and "1120" in pages[2].content.decode()
    assert len({page.context["effect"].digest for page in pages}) == 1
    assert all("would add 120 and change 0" in page.content.decode() for page in pages)
    last = client.get(url, {"orden": "-number"}).content.decode()
    assert "1120" in last and "1001" not in last
    client.post(url, {"action": "approve", "seen": pages[2].context["effect"].digest})
    work()
    assert {held.code for held in categories_on(today()).values()} == {"1D"}


def test_the_number_of_queries_of_a_lists_page_does_not_grow_with_lines(office, client):
    few, many = long_list(office, 1001, 60), long_list(office, 2001, 120)
    client.force_login(second.person())
    queries_of(client, few)
    assert queries_of(client, few) == queries_of(client, many)


def test_undoing_a_long_list_is_shown_in_pages_and_done_as_a_whole(office, client, monkeypatch):
    second.approve(long_list(office, 1001, 120), second.person())
    work()
    batch = OfficeImport.objects.get()
    kept = Player.objects.filter(number__in=range(1061, 1121)).values_list("pk", flat=True)
    for assignment in CategoryAssignment.objects.filter(player__in=kept, category__code="1D"):
        categories.revoke(assignment.pk, "By hand", None, evidence="Letter 1")
    undo(office, batch)
    waiting = Proposal.objects.get(state="pending")
    committee = second.person()
    client.force_login(committee)
    looked, plain = [], rows.lines

    def noted(*args):
        values = plain(*args)
        looked.append(len(values))
        return values

    monkeypatch.setattr(rows, "lines", noted)
    pages = [
        client.get(waiting.get_absolute_url(), {"pagina": number, "2-pagina": other})
        for number, other in ((1, 1), (3, 2))
    ]
    assert [rows_of(page) for page in pages] == [50 + 50, 20 + 10]
    assert looked == [50, 20]
    for page in pages:
        text = page.content.decode()
        assert "60 lines would be undone" in text and "60 lines are left alone" in text
    assert pages[0].context["effect"].digest == pages[1].context["effect"].digest
    client.force_login(office.account)
    assert rows_of(office.get(reverse("office_import_undo", args=[batch.pk]))) == 50 + 50
    client.force_login(committee)
    data = {"action": "approve", "seen": pages[1].context["effect"].digest}
    assert client.post(waiting.get_absolute_url(), data).status_code == 302
    work()
    client.force_login(office.account)
    assert rows_of(office.get(reverse("office_import_review", args=[batch.pk]))) == 50 + 50
    assert {held.code for held in categories_on(today()).values()} == {"2P"}


# --- Undoing ------------------------------------------------------------------------------------------------
def test_undoing_a_list_that_two_persons_applied_needs_two_persons(office):
    kept, again = factories.player(number="901", category="2P"), factories.player(number="902", category="2P")
    batch = sent(office, "categories", f"901;1P;{day(9)};;", f"902;1P;{day(9)};;")
    apply(office, batch)
    response = again.assignments.get(category__code="1P")
    categories.revoke(response.pk, "By hand", None, evidence="Letter 1")
    assert undo(office, batch).url == Proposal.objects.get(state="pending").get_absolute_url()
    assert categories_on(today())[kept.pk].code == "1P"
    approve_all()
    batch.refresh_from_db()
    assert batch.state == "undone" and len(batch.written["conflicts"]) == 1
    assert categories_on(today())[kept.pk].code == "2P"
    taken = kept.assignments.get(category__code="1P")
    assert (taken.revoked_reason, taken.revoked_evidence) == ("The wrong file", "Letter 4")
    assert "Number 902" in office.get(reverse("office_import_review", args=[batch.pk])).content.decode()


def test_whether_undoing_needs_two_persons_depends_on_what_it_changes_now(office, monkeypatch):
    """Whether undoing a list needs a second person depends on what undoing changes on that day.

    One person can apply the list today. Undoing it days later changes past days, so it needs two persons.
    """
    players = [factories.player(number=number, category="2P") for number in ("901", "902")]
    batch = sent(office, "categories", *(f"{player.number};1D;{day()};;" for player in players))
    apply(office, batch)
    assert not Proposal.objects.exists()
    two_days_later = today() + timedelta(days=2)
    monkeypatch.setattr(timezone, "localdate", lambda *_: two_days_later)
    url = reverse("office_import_undo", args=[batch.pk])
    page = office.get(url)
    assert "2 lines hold from a day that is over" in page.content.decode()
    digest = page.context["undoing"].digest
    assert office.post(url, {"digest": digest, "reason": "The wrong file"}).status_code == 422
    assert undo(office, batch).url == Proposal.objects.get().get_absolute_url()
    assert categories_on(two_days_later)[players[0].pk].code == "1D"
    waiting = office.get(Proposal.objects.get().get_absolute_url()).content.decode()
    assert "2 lines hold from a day that is over" in waiting
    approve_all()
    assert categories_on(two_days_later)[players[0].pk].code == "2P"


def test_one_person_can_undo_a_list_of_changes_from_today(office):
    player = factories.player(number="901", category="2P")
    batch = sent(office, "categories", f"901;1D;{day()};;")
    apply(office, batch)
    assert office.get(reverse("office_import_undo", args=[batch.pk])).context["why_second"] == []
    assert undo(office, batch, evidence="").status_code == 302
    assert not Proposal.objects.exists()
    assert categories_on(today())[player.pk].code == "2P"


def test_applying_and_undoing_a_list_alone_count_towards_the_daily_limit(office):
    players = [factories.player(number=str(number), category="2P") for number in range(901, 905)]
    batch = sent(office, "categories", *(f"{player.number};1D;{day()};;" for player in players[:2]))
    apply(office, batch)
    undo(office, batch)
    assert category_changes.count_changes_alone(office.account, today()) == 4
    rows = [f"{player.number};1D;{day()};;" for player in players]
    assert why(sent(office, "categories", rows[2])) == {}
    assert why(sent(office, "categories", *rows[2:])) == {"many": 2}
    apply(office, sent(office, "categories", *rows[2:]))
    undo(office, OfficeImport.objects.get(by_two=True))
    approve_all(by := second.person())
    assert category_changes.count_changes_alone(office.account, today()) == 4
    assert category_changes.count_changes_alone(by, today()) == 0


def test_the_page_of_an_undone_list_names_who_undid_it(office):
    batch = sent(office, "players", "901;Ana;Prado Gil;;")
    apply(office, batch)
    undo(office, batch, reason="Wrong file")
    page = office.get(reverse("office_import_review", args=[batch.pk])).content.decode()
    assert f"by {office.account.get_username()}: Wrong file" in page


def test_undoing_lines_without_changes_does_not_count_towards_the_daily_limit(office):
    factories.player(number="901", category="2P")
    batch = sent(office, "categories", f"901;2P;{day()};;")
    apply(office, batch)
    undo(office, batch)
    assert OfficeImport.objects.get().state == "undone"
    assert category_changes.count_changes_alone(office.account, today()) == 0


@pytest.mark.parametrize(
    ("kind", "row", "reason"),
    [
        ("categories", "{};1D;{};;", "6 lines change a category"),
        ("opening", "{};{};Pool;Presencial;5", "6 awards that have been given"),
    ],
)
def test_undoing_a_large_list_from_setup_needs_two_persons(office, kind, row, reason):
    numbers = range(901, 907)
    for number in numbers:
        factories.player(number=str(number))
    batch = sent(office, kind, *(row.format(number, day()) for number in numbers))
    apply(office, batch)
    assert not Proposal.objects.exists()
    assert reason in office.get(reverse("office_import_undo", args=[batch.pk])).content.decode()
    assert undo(office, batch).url == Proposal.objects.get().get_absolute_url()
    batch.refresh_from_db()
    assert batch.state == "applied"


def test_undoing_several_lines_of_one_player_is_judged_as_one_change(office):
    """Undoing a list with two lines for one player is judged as one change, not line by line.

    This change restores the category from before the first line, also on past days, so it needs a second
    person.
    """
    factories.player(number="901", category="2P")
    batch = sent(office, "categories", f"901;1D;{day(9)};;", f"901;2P;{day(4)};;")
    apply(office, batch)
    OfficeImport.objects.update(by_two=False)  # so that only the other reasons for a second person remain
    plan = imports.undoing_of(OfficeImport.objects.get(), today(), office.account)
    assert (plan.alone, {code: number for code, number in plan.second.items() if number}) == (
        1,
        {"backdated": 1, "steps": 1},
    )


def test_undone_opening_awards_can_be_imported_again(office):
    player = factories.player(number="901")
    row = f"901;{day(9)};Pool;Presencial;5"
    first = sent(office, "opening", row)
    apply(office, first)
    more = sent(office, "opening", f"901;{day(9)};Pool;Presencial;7", f"901;{day(8)};Otra;Presencial;1")
    apply(office, more, accept=["other_points"])
    assert Standing.objects.get(player=player).points == 800
    undo(office, more)
    approve_all()
    assert (Standing.objects.get(player=player).points, audit()) == (500, [])
    undo(office, first)
    # One person added the points, but deducting them needs a second person.
    assert Standing.objects.get(player=player).points == 500
    approve_all()
    assert not Standing.objects.filter(player=player).exists()
    apply(office, sent(office, "opening", row))
    assert (Standing.objects.get(player=player).points, audit()) == (500, [])
    assert LedgerEntry.objects.filter(kind="opening", title="Pool").count() == 2


def test_undoing_removes_players_and_licences_unless_changed_later(office):
    known = factories.player(number="901", given_name="Ana", surname="Prado Gil", licensed=False)
    batch = sent(office, "players", "901;Ana;Prado Soto;;sí", "902;Luis;Prado Gil;;", "903;Eva;Soto Rey;;")
    apply(office, batch, accept=["another_name"])
    licences = sent(office, "licences", "901;2026;;;;", "903;2026;;;;")
    apply(office, licences)
    assert undo(office, batch).status_code == 302
    known.refresh_from_db()
    assert (known.surname, known.hidden) == ("Prado Gil", False)
    assert list(Player.objects.order_by("number").values_list("number", flat=True)) == ["901", "903"]
    batch.refresh_from_db()
    assert len(batch.written["conflicts"]) == 1  # 903 stays, because it now has a licence
    undo(office, licences)
    assert not Licence.objects.exists()


def test_only_an_applied_list_can_be_undone_and_only_once(office):
    batch = sent(office, "players", "901;Ana;Prado Gil;;")
    url = reverse("office_import_undo", args=[batch.pk])
    assert office.get(url).status_code == 302
    apply(office, batch)
    digest = office.get(url).context["undoing"].digest
    assert office.post(url, {"digest": digest, "reason": ""}).status_code == 422
    assert office.post(url, {"digest": "0" * 64, "reason": "x"}).status_code == 422
    assert office.post(url, {"digest": digest, "reason": "x"}).status_code == 302
    work()
    with pytest.raises(imports.NotApplicable):
        imports.undo(batch.pk, digest, office.account, "x")
    assert OfficeImport.objects.get().state == "undone"
