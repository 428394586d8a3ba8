"""What each kind of imported list accepts, refuses and changes."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils.translation import gettext

from players.categories import categories_on
from players.models import CategoryAssignment, Licence, Player
from scoring.audit import approved
from scoring.ledger.models import LedgerEntry, Standing
from scoring.office.lists.opening import is_online, parse_hundredths
from scoring.office.models import OfficeImport
from tests import factories
from tests.languages import speak
from tests.pages import client_of, open_page
from tests.scoring.office.lists import TODAY, apply, approve_all, issues, plan_of, pressed, sent, work
from ui.clock import today


def details(batch) -> list[tuple[str | None, str]]:
    """Return (old value, new value) of each value that applying the list would set."""
    return [(detail.old, detail.new) for line in plan_of(batch, TODAY).lines for detail in line.details]


# --- Players --------------------------------------------------------------------------------------------
def test_a_list_of_players_shows_old_and_new_values_and_ignores_blanks(office):
    old, new = factories.club(code="UNO", name="Club Uno"), factories.club(code="DOS", name="Club Dos")
    factories.player(number="901", given_name="Ana", surname="Prado Gil", club=old, hidden=True)
    factories.player(number="902", given_name="Eva", surname="Soto Rey", club=old, hidden=True)
    batch = sent(office, "players", "901;Ana;Prado Gil;DOS;", "902;Eva;Soto Rey;;")
    assert details(batch) == [("Club Uno", "Club Dos")]
    assert [line.name for line in plan_of(batch, TODAY).lines] == [Player.objects.get(number="901").desk_name]
    apply(office, batch)
    ana, eva = Player.objects.order_by("number")
    assert (ana.club, ana.hidden) == (new, True)
    assert (eva.club, eva.hidden) == (old, True)


def test_a_list_names_a_club_by_its_code_or_name(office):
    ours = factories.club(code="UNO", name="Círculo  de Ávila")
    batch = sent(office, "players", "901;Ana;Prado Gil;uno;", "902;Eva;Soto Rey;CIRCULO DE AVILA;")
    apply(office, batch)
    assert {player.club for player in Player.objects.all()} == {ours}
    factories.club(code="DOS", name="Circulo de Avila", region=factories.region())
    assert issues(sent(office, "players", "903;Luz;Prado Gil;Círculo de Ávila;")) == [("several_clubs", 2)]
    assert issues(sent(office, "players", "903;Luz;Prado Gil;UNO;")) == []


def test_a_list_sets_e_mail_and_year_of_birth_and_blank_cells_leave_them(office):
    ana = factories.player(number="901", given_name="Ana", surname="Prado Gil", email="ana@example.org")
    batch = sent(office, "players", "901;Ana;Prado Gil;;;;1960", "902;Eva;Soto Rey;;;eva@example.org;1971")
    assert details(batch) == [("—", "1960"), (None, "eva@example.org"), (None, "1971")]
    apply(office, batch)
    ana.refresh_from_db()
    eva = Player.objects.get(number="902")
    assert (ana.email, ana.birth_year, eva.email, eva.birth_year) == (
        "ana@example.org",
        1960,
        "eva@example.org",
        1971,
    )
    url = reverse("office_import_undo", args=[batch.pk])
    digest = office.get(url).context["undoing"].digest
    assert office.post(url, {"digest": digest, "reason": "Wrong list"}).status_code == 302
    work()
    ana.refresh_from_db()
    assert (ana.email, ana.birth_year) == ("ana@example.org", None)
    assert not Player.objects.filter(number="902").exists()


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        ("not-an-address;", "bad_email"),
        (";60", "bad_birth_year"),
        (";1850", "bad_birth_year"),
        (";2090", "bad_birth_year"),
        (";12/05/1960", "bad_birth_year"),
    ],
)
def test_a_wrong_e_mail_or_year_of_birth_raises_an_issue_that_does_not_repeat_it(office, cells, code):
    batch = sent(office, "players", f"901;Ana;Prado Gil;;;{cells}")
    assert issues(batch) == [(code, 2)]
    page = open_page(office, reverse("office_import_review", args=[batch.pk]))
    texts = page.main.text.replace(str(batch.pk), "")  # the printed address has random digits
    assert "Línea 2" in texts
    assert cells.strip(";") not in texts


def test_auditors_see_no_e_mail_and_no_year_of_birth_of_a_list(office):
    batch = sent(office, "players", "901;Ana;Prado Gil;;;secreta@example.org;1961")
    auditor = factories.user()
    factories.role(auditor, "auditor")
    reader = client_of(auditor)
    url = reverse("office_import_review", args=[batch.pk])
    for applied in (False, True):
        if applied:
            apply(office, batch)
        text = open_page(reader, url).text
        assert "901" in text and "secreta@example.org" not in text and "1961" not in text
    batch.refresh_from_db()
    stored = list(batch.rows.values_list("values", "name", "details")), list(batch.parts.values())
    assert "901" in str(list(batch.rows.values())) and "secreta" not in str(stored[0]) and batch.parsed == {}


def test_a_list_with_only_wrong_rows_is_not_called_already_stored(office):
    batch = sent(office, "players", "90x1;Ana;Prado Gil;;")
    page = open_page(office, reverse("office_import_review", args=[batch.pk]))
    assert gettext("Nothing is new: everything in the list is there already.") not in page.text
    assert "no se puede aplicar nada de ella" in page.text
    assert page.tables == []


WRONG_ROWS = {
    "players": ("901;Ana;Prado Gil;NADIE;", "902;Eva;Soto Rey;;quizá", "903;Luz;Mar Sol;NADIE;"),
    "licences": ("903;2026;;;FFB;quizá",),
}


@pytest.mark.parametrize("kind", WRONG_ROWS)
def test_a_row_with_an_error_adds_and_changes_nothing(office, kind):
    """A list in which a row has an error changes nothing.

    The error is an unknown club, or another word than yes or no.
    """
    factories.player(number="903", given_name="Luz", surname="Mar Sol")
    batch = sent(office, kind, *WRONG_ROWS[kind])
    plan = plan_of(batch, TODAY)
    assert plan.has_errors and not plan.lines
    assert plan.counts == {"added": 0, "changed": 0, "same": 0}
    page = open_page(office, reverse("office_import_review", args=[batch.pk]))
    assert "no se puede aplicar nada de ella" in page.text
    assert "añad" not in page.text and page.tables == []


def test_correct_rows_are_previewed_besides_the_wrong_ones(office):
    batch = sent(office, "players", "901;Ana;Prado Gil;NADIE;", "902;Eva;Soto Rey;;")
    assert [line.number for line in plan_of(batch, TODAY).lines] == ["902"]
    html = office.get(reverse("office_import_review", args=[batch.pk])).content.decode()
    assert "Las filas sin errores añadirían 1 y cambiarían 0; sin cambios: 0." in html


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["90x1;Ana;Prado Gil;;"], [("bad_federation_number", 2)]),
        (["901;Ana;Prado Gil;;", "0901;Ana;Prado Gil;;"], [("repeated_row", 3)]),
        (["901;Ana;Prado Gil;;", "901;Eva;Prado Gil;;"], [("contradicting_row", 3)]),
        (["901;Ana;Prado Gil;;quizá"], [("bad_yes_no", 2)]),
        ([f"901;{'A' * 81};Prado Gil;;"], [("text_over_limit", 2)]),
    ],
)
def test_wrong_rows_of_players_raise_issues(office, rows, expected):
    assert issues(sent(office, "players", *rows)) == expected


# --- Licences -------------------------------------------------------------------------------------------
def test_licences_can_be_listed_by_season_or_by_dates(office):
    factories.player(number="901", licensed=False)
    apply(office, sent(office, "licences", "901;2025;;;;", "901;;01/09/2026;31/08/2027;FFB;sí"))
    first, second = Licence.objects.order_by("valid_from")
    assert (first.valid_from, first.valid_to, first.issuer) == (date(2025, 1, 1), date(2025, 12, 31), "")
    assert (second.valid_to, second.issuer, second.equivalent) == (date(2027, 8, 31), "FFB", True)


def test_a_listed_licence_with_another_last_day_changes_the_stored_one(office):
    player = factories.player(number="901", licensed=False)
    factories.licence(player, valid_from=date(2026, 1, 1), valid_to=date(2026, 6, 30))
    batch = sent(office, "licences", "901;2026;;;;")
    assert details(batch) == [("30 jun 2026", "31 dic 2026")]
    apply(office, batch)
    assert Licence.objects.get().valid_to == date(2026, 12, 31)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("999;2026;;;;", [("unknown_number", 2)]),
        ("901;26;;;;", [("bad_season", 2)]),
        ("901;;;;;", [("licence_dates_missing", 2)]),
        ("901;;01/01/2026;;;", [("licence_dates_missing", 2)]),
        ("901;;01/02/2026;01/01/2026;;", [("licence_dates_reversed", 2)]),
        ("901;;01/12/2025;30/06/2026;;", [("licence_overlap", 2)]),
    ],
)
def test_wrong_or_doubtful_rows_of_licences_raise_issues(office, row, expected):
    player = factories.player(number="901", licensed=False)
    factories.licence(player, valid_from=date(2026, 1, 1), valid_to=date(2026, 12, 31))
    assert issues(sent(office, "licences", row)) == expected


def test_an_imported_licence_updates_the_standings(office):
    player = factories.player(number="901", licensed=False)
    day = today() - timedelta(days=10)
    apply(office, sent(office, "opening", f"901;{day:%d/%m/%Y};Pool;Presencial;5"))
    assert Standing.objects.get(player=player).licensed is False
    apply(office, sent(office, "licences", f"901;{today().year};;;;"))
    assert Standing.objects.get(player=player).licensed is True


# --- Categories -----------------------------------------------------------------------------------------
def test_imported_categories_are_assigned_from_their_date(office):
    player = factories.player(number="901", category="3P")
    apply(office, sent(office, "categories", "901;2♦;01/03/2026;Acta 3", "901;mn-d;01/03/2026;"))
    assignments = CategoryAssignment.objects.filter(origin="import").order_by("pk")
    assert [(item.category.code, item.reason) for item in assignments] == [("2D", "Acta 3"), ("MN-D", "")]
    assert {item.created_by for item in assignments} == {OfficeImport.objects.get().applied_by}
    assert categories_on(date(2026, 2, 28))[player.pk].code == "3P"
    assert categories_on(date(2026, 3, 1))[player.pk].code == "MN-D"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["901;4D;01/03/2026;"], [("unknown_category", 2)]),
        (["901;MN;01/03/2026;"], [("category_not_in_ladder", 2)]),
        (["901;MN-O;01/03/2025;"], [("category_not_in_ladder", 2)]),
        (["901;2D;02/01/2022;"], [("category_taken", 2)]),
        (["901;2D;01/03/2026;", "901;2C;01/03/2026;"], [("contradicting_row", 3)]),
        (["901;2D;01/03/2026;", "901;2D;01/03/2026;"], [("repeated_row", 3)]),
        (["999;2D;01/03/2026;"], [("unknown_number", 2)]),
    ],
)
def test_wrong_rows_of_categories_raise_issues(office, rows, expected):
    factories.player(number="901", category="3P", since=date(2022, 1, 2))
    assert issues(sent(office, "categories", *rows)) == expected


def test_a_listed_category_before_a_later_one_needs_a_tick(office):
    player = factories.player(number="901", category="2D")
    factories.assign(
        player, "2C", date(2026, 3, 1), origin=CategoryAssignment.Origin.CAMPAIGN, reason="Change of 2025"
    )
    batch = sent(office, "categories", "901;2P;01/02/2026;Acta 3")
    assert issues(batch) == [("category_overtaken", 2)]
    speak(office, "en")
    html = office.get(reverse("office_import_review", args=[batch.pk])).content.decode()
    assert "From 1 Mar 2026 on the player has 2C (Year-end change: Change of 2025)" in html
    assert "until: 1 Mar 2026 (2C)" in html
    assert apply(office, batch).status_code == 409
    assert player.assignments.count() == 2
    assert apply(office, batch, accept=["category_overtaken"]).status_code == 302
    assert categories_on(date(2026, 2, 28))[player.pk].code == "2P"
    assert categories_on(date(2026, 3, 1))[player.pk].code == "2C"


def test_a_later_category_assigned_after_the_preview_makes_the_list_outdated(office):
    """A list goes back if a later category of the player was assigned after the preview."""
    player = factories.player(number="901", category="2D")
    factories.assign(player, "2C", date(2026, 3, 1))
    batch = sent(office, "categories", "901;2P;01/02/2026;Acta 3")
    digest = office.get(reverse("office_import_review", args=[batch.pk])).context["plan"].digest
    factories.assign(player, "1D", date(2026, 2, 15))
    text = {"digest": digest, "accept": ["category_overtaken"], "reason": "Acta 3", "evidence": "Acta 3"}
    assert office.post(reverse("office_import_apply", args=[batch.pk]), text).status_code == 302
    approve_all()
    batch.refresh_from_db()
    assert (player.assignments.count(), batch.state) == (3, "waiting")
    assert batch.compared["digest"] != digest


def test_several_categories_of_a_player_in_one_list_raise_no_warning(office):
    factories.player(number="901", category="3D")
    assert issues(sent(office, "categories", "901;2D;01/02/2026;", "901;2C;01/03/2026;")) == []


# --- Opening awards -------------------------------------------------------------------------------------
def test_imported_opening_awards_are_posted_exactly(office):
    player = factories.player(number="901", category="2P")
    day = today() - timedelta(days=10)
    batch = sent(
        office,
        "opening",
        f"901;{day:%d/%m/%Y};Pool de los lunes;Presencial;1234,56",
        f"901;{day:%d/%m/%Y};Pool de los lunes;En línea;0.07",
    )
    apply(office, batch)
    entries = LedgerEntry.objects.order_by("pk").values_list("kind", "points", "played_on", "online", "title")
    assert list(entries) == [
        ("opening", 123456, day, False, "Pool de los lunes"),
        ("opening", 7, day, True, "Pool de los lunes"),
    ]
    standing = Standing.objects.get(player=player)
    assert (standing.points, standing.points_in_person, standing.points_online) == (123463, 123456, 7)
    assert standing.category.code == "2P"


def test_other_points_for_a_known_award_become_an_adjustment_by_two_persons(office):
    factories.player(number="901")
    apply(office, sent(office, "opening", "901;14/03/2026;Pool;Presencial;5"))
    rows = ["901;14/03/2026;Pool;Presencial;6,50", "901;14/03/2026;Otra;Presencial;6"]
    batch = sent(office, "opening", *rows)
    assert issues(batch) == [("other_points", 2)]
    assert pressed(office, batch).status_code == 409  # the warning is not ticked
    assert pressed(office, batch, accept=["other_points"], evidence=" ").status_code == 409
    assert pressed(office, batch, accept=["other_points"]).status_code == 302
    assert list(LedgerEntry.objects.values_list("points", flat=True)) == [500]
    approve_all()
    entries = LedgerEntry.objects.order_by("pk").values_list("kind", "title", "points", "reason")
    assert list(entries) == [
        ("opening", "Pool", 500, ""),
        ("opening", "Otra", 600, ""),
        ("adjustment", "Pool", 150, "Season 2026"),
    ]
    assert approved.differences() == []
    again = sent(office, "opening", *rows)
    assert plan_of(again, TODAY).counts == {"added": 0, "changed": 0, "same": 2}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["901;14/03/2026;Pool;Presencial;1.234,56"], [("bad_points", 2)]),
        (["901;14/03/2026;Pool;Presencial;1.234"], [("bad_points", 2)]),
        (["901;14/03/2026;Pool;Presencial;1,234"], [("bad_points", 2)]),
        (["901;14/03/2026;Pool;Presencial;0"], [("bad_points", 2)]),
        (["901;14/03/2026;Pool;Presencial;-5"], [("bad_points", 2)]),
        (["901;14/03/2026;Pool;Casino;5"], [("bad_venue", 2)]),
        (["901;02/06/2026;Pool;Presencial;5"], [("future_award", 2)]),
        (["901;01/06/2025;Pool;Presencial;5"], [("old_award", None)]),
        (["901;14/03/2026;Pool;Presencial;5", "901;14/03/2026;Pool;Presencial;5"], [("repeated_row", 3)]),
        (
            ["901;14/03/2026;Pool;Presencial;5", "901;14/03/2026;Pool;Presencial;6"],
            [("contradicting_row", 3)],
        ),
        (["999;14/03/2026;Pool;Presencial;5"], [("unknown_number", 2)]),
    ],
)
def test_wrong_rows_of_opening_awards_raise_issues(office, rows, expected):
    factories.player(number="901")
    assert issues(sent(office, "opening", *rows)) == expected


@pytest.mark.parametrize(
    ("text", "points"), [("5", 500), ("5,5", 550), ("5.25", 525), ("0,01", 1), ("5,255", None), ("", None)]
)
def test_points_in_a_list_are_parsed_to_exact_hundredths(text, points):
    assert parse_hundredths(text) == points


@pytest.mark.parametrize(
    ("text", "online"), [("PRESENCIAL", False), ("en línea", True), ("On-line", True), ("sala", None)]
)
def test_the_words_for_a_venue_in_a_list_are_understood(text, online):
    assert is_online(text) is online
