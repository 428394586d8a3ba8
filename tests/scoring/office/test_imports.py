"""Behaviour of all kinds of imported lists: preview, ticks, all or nothing, the same list twice."""

import io
from functools import partial
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import Workbook, load_workbook

from players.models import CategoryAssignment, Licence, Player
from scoring.ledger.models import LedgerEntry
from scoring.office.lists import imports, writing
from scoring.office.models import ListTask, OfficeImport
from tests import factories
from tests.languages import speak
from tests.pages import Page, open_page
from tests.scoring.office.lists import (
    HEADINGS,
    TODAY,
    apply,
    issues,
    plan_of,
    pressed,
    send,
    sent,
    table,
    tick_all,
    work,
)
from tests.threads import at_once


def test_previewing_a_list_writes_nothing_and_applying_writes_everything(office):
    club = factories.club(code="ALFA")
    batch = sent(office, "players", "00701;Ana;Prado Gil;alfa;", "702;Luis;Prado Gil;;sí")
    page = office.get(reverse("office_import_review", args=[batch.pk])).content.decode()
    assert "Ana Prado Gil" in page
    assert Player.objects.count() == 0

    assert apply(office, batch).status_code == 302
    ana, luis = Player.objects.order_by("number")
    assert (ana.number, ana.club, ana.hidden, ana.search_text) == ("701", club, False, "ana prado gil")
    assert (luis.club, luis.hidden) == (None, True)
    batch.refresh_from_db()
    assert (batch.state, batch.counts) == ("applied", {"added": 2, "changed": 0, "same": 0})
    assert (batch.parsed, batch.file) == (
        {},
        None,
    )  # the rows are deleted, so there is no second copy of personal data


def test_an_empty_list_is_not_taken_for_a_file_of_a_scoring_program(office):
    address = send(office, "players", b" ").url
    assert "Guárdalo o expórtalo otra vez" in open_page(office, address).text


def test_the_pages_of_an_undone_list_name_its_lines_by_number_and_count_them_apart(office):
    batch = sent(office, "players", "701;Ana;Prado Gil;;", "702;Luis;Prado Gil;;")
    review, undoing = (reverse(f"office_import_{name}", args=[batch.pk]) for name in ("review", "undo"))
    buttons = "Aplicar 2 líneas Comparar otra vez Descartar esta lista"
    assert open_page(office, review).the("div", class_="actions").text == buttons
    apply(office, batch)
    digest = office.get(undoing).context["undoing"].digest
    office.post(undoing, {"digest": digest, "reason": "Another season"})
    work()
    batch.refresh_from_db()
    assert batch.state == "undone"
    assert open_page(office, review).table().column("Jugador") == ["701", "702"]
    (line,) = open_page(office, reverse("office_imports")).table().records
    assert (line["Líneas añadidas"], line["Líneas cambiadas"]) == ("2", "0")


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        ("players", "801;Ana;Prado Gil;;no"),
        ("licences", "800;2026;;;;"),
        ("categories", "800;2♠;01/01/2026;Acta 3"),
        ("opening", "800;14/03/2026;Pool de marzo;Presencial;12,5"),
    ],
)
def test_applying_the_same_list_twice_changes_nothing(office, kind, row):
    factories.player(number="800", licensed=False)
    assert apply(office, sent(office, kind, row)).status_code == 302
    models = [Player, Licence, CategoryAssignment, LedgerEntry]
    before = [list(model.objects.order_by("pk").values()) for model in models]

    again = sent(office, kind, row)
    plan = office.get(reverse("office_import_review", args=[again.pk])).context["plan"]
    assert plan.counts == {"added": 0, "changed": 0, "same": 1}
    apply(office, again)
    assert [list(model.objects.order_by("pk").values()) for model in models] == before
    assert sum(len(rows) for rows in before) > 1


def test_one_wrong_row_prevents_applying_the_list(office):
    batch = sent(office, "players", "901;Ana;Prado Gil;;", "902;Luis;Prado Gil;NADIE;")
    assert issues(batch) == [("unknown_club", 3)]
    response = apply(office, batch)
    assert response.status_code == 409
    page = unescape(response.content.decode())
    assert "3" in page and "NADIE" in page
    assert Player.objects.count() == 0


def test_a_list_with_an_outdated_preview_is_previewed_again(office):
    batch = sent(office, "players", "901;Ana;Prado Gil;;")
    digest = office.get(reverse("office_import_review", args=[batch.pk])).context["plan"].digest
    factories.player(number="901", given_name="Eva", surname="Soto Rey")
    url = reverse("office_import_apply", args=[batch.pk])
    assert office.post(url, {"digest": digest, "accept": ["another_name"]}).status_code == 302
    work()
    batch.refresh_from_db()
    assert (Player.objects.get(number="901").given_name, batch.state) == ("Eva", "review")
    assert office.post(url, {"digest": digest, "accept": ["another_name"]}).status_code == 409


def test_a_list_with_warnings_is_applied_only_with_their_ticks(office):
    factories.player(number="901", given_name="Eva", surname="Soto Rey")
    batch = sent(office, "players", "901;Ana;Prado Gil;;")
    assert issues(batch) == [("another_name", 2)]
    assert apply(office, batch).status_code == 409
    assert Player.objects.get(number="901").given_name == "Eva"
    assert apply(office, batch, accept=["another_name"]).status_code == 302
    assert Player.objects.get(number="901").full_name == "Ana Prado Gil"


def test_a_second_click_does_not_apply_a_list_again(office):
    batch = sent(office, "players", "901;Ana;Prado Gil;;")
    digest = office.get(reverse("office_import_review", args=[batch.pk])).context["plan"].digest
    url = reverse("office_import_apply", args=[batch.pk])
    assert office.post(url, {"digest": digest}).status_code == 302
    assert office.post(url, {"digest": digest}).status_code == 409
    work()
    assert office.post(url, {"digest": digest}).status_code == 409
    assert Player.objects.count() == 1


def test_a_discarded_list_cannot_be_applied(office):
    batch = sent(office, "players", "901;Ana;Prado Gil;;")
    digest = office.get(reverse("office_import_review", args=[batch.pk])).context["plan"].digest
    assert office.post(reverse("office_import_discard", args=[batch.pk])).status_code == 302
    assert office.post(reverse("office_import_apply", args=[batch.pk]), {"digest": digest}).status_code == 409
    assert Player.objects.count() == 0
    batch.refresh_from_db()
    assert batch.state == "discarded"


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("lista.csv", table("players", "901;Ana;Prado\x00;;"), "NUL"),
        ("lista.xlsx", b"%PDF-1.7 not a workbook", "PDF"),
        ("lista.csv", table("players", "901;Ana;=HYPERLINK(1);;"), "=HYPERLINK"),
        ("lista.csv", table("players", "901;Ana;;;"), "Apellidos"),
    ],
)
def test_an_unreadable_list_is_refused_with_the_reason(office, name, data, code):
    speak(office, "en")
    page = office.get(send(office, "players", data, name).url)
    assert code in unescape(page.content.decode())
    batch = OfficeImport.objects.get()
    assert batch.state == "refused" and not OfficeImport.objects.drafts()
    assert batch.parsed["rows"] == []
    assert apply(office, batch).status_code == 409


def test_an_empty_file_is_refused_before_it_is_read(office):
    assert send(office, "players", b"").context["form"].errors["file"]
    assert OfficeImport.objects.count() == 0


def test_a_huge_file_is_refused_before_it_is_read(office, settings):
    settings.UPLOAD_LIMIT = 1000
    response = send(office, "players", b"x" * 1001)
    assert response.status_code == 422
    assert response.context["form"].errors["file"]
    assert OfficeImport.objects.count() == 0


@pytest.mark.parametrize("kind", HEADINGS)
def test_the_templates_of_lists_have_the_right_headings(office, kind):
    text = office.get(reverse("office_import_template", args=[kind, "csv"])).content
    assert text == table(kind, "")
    book = load_workbook(
        io.BytesIO(office.get(reverse("office_import_template", args=[kind, "xlsx"])).content)
    )
    assert [cell.value for cell in book.active[1]] == HEADINGS[kind]


def test_a_workbook_is_read_like_a_csv_file(office):
    book = Workbook()
    book.active.append(HEADINGS["players"])
    book.active.append([901, "Ana", "Prado Gil", None, None])
    stream = io.BytesIO()
    book.save(stream)
    assert send(office, "players", stream.getvalue(), "lista.xlsx").status_code == 302
    apply(office, OfficeImport.objects.get())
    assert Player.objects.get().number == "901"


def test_queries_do_not_grow_with_the_rows(office, django_assert_max_num_queries):
    for count in (3, 200):
        rows = [f"{7000 + number};2026;;;;" for number in range(count)]
        Player.objects.bulk_create(
            (Player(number=row.split(";")[0], given_name="Ana", surname="Gil") for row in rows),
            ignore_conflicts=True,
        )
        batch = sent(office, "licences", *rows)
        with django_assert_max_num_queries(16):
            office.get(reverse("office_import_review", args=[batch.pk]))
        with django_assert_max_num_queries(110):
            pressed(office, batch)
    assert Licence.objects.count() == 200


def test_a_list_of_ten_thousand_rows_can_be_applied(office):
    rows = [f"{10_000 + number};Nombre;Apellido {number};;" for number in range(10_000)]
    assert apply(office, sent(office, "players", *rows)).status_code == 302
    assert Player.objects.count() == 10_000
    renamed = [row.replace("Nombre", "Otro") for row in rows]
    assert apply(office, sent(office, "players", *renamed)).status_code == 302
    assert Player.objects.filter(given_name="Otro", search_text__startswith="otro").count() == 10_000


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["players", "licences"])
def test_two_lists_applied_at_once_do_not_deadlock(kind):
    """Of two simultaneous lists with the same players in opposite orders, one waits for the other.

    Then it is applied or goes back, but there is no deadlock.
    """
    holders = factories.players(200)
    by = factories.office()
    rows = {
        "players": lambda holder, turn: f"{holder.number};Ana{turn};{holder.surname};;",
        "licences": lambda holder, turn: f"{holder.number};;2022-01-01;{2030 + turn}-12-31;;",
    }[kind]
    for turn in range(0, 6, 2):
        lists = [[rows(item, turn) for item in holders], [rows(item, turn + 1) for item in holders[::-1]]]
        batches = [imports.receive(kind, "lista.csv", table(kind, *item), by) for item in lists]
        work()
        digests = [tick_all(batch) for batch in batches]
        both = zip(batches, digests, strict=True)
        tasks = [imports.apply(batch.pk, digest, by) for batch, digest in both]
        assert at_once([partial(writing.perform, task.pk) for task in tasks]) == []
        assert {task.state for task in ListTask.objects.filter(verb="apply")} <= {"done", "returned"}
        assert OfficeImport.objects.filter(state="applied").count() > turn / 2


def test_grouped_issues_show_each_their_own_remedy_if_remedies_differ(office):
    """Issues with the same code are grouped, but each shows its own remedy if the remedies differ."""
    for code, name in (("A1", "Faro"), ("A2", "Faro"), ("B1", "Puerto"), ("B2", "Puerto")):
        factories.club(code=code, name=name)
    batch = sent(office, "players", "901;Ana;Prado Gil;Faro;", "902;Luis;Prado Gil;Puerto;")
    page = office.get(reverse("office_import_review", args=[batch.pk])).content.decode()
    assert all(codes in page for codes in ("A1, A2", "B1, B2"))


def test_a_tick_covers_all_warnings_of_one_kind_and_is_stored(office):
    """A tick covers all warnings with one code, and is stored even if the tick of another code is missing."""
    factories.player(number="901", given_name="Eva", surname="Soto Rey")
    batch = sent(office, "players", "901;An\ufffda;Prado Gil;;")
    assert {code for code, _line in issues(batch)} == {"damaged_letters", "another_name"}
    assert apply(office, batch, accept=["another_name"]).status_code == 409
    page = office.get(reverse("office_import_review", args=[batch.pk]))
    assert {group["code"]: group["ticked"] for group in page.context["groups"]} == {
        "damaged_letters": False,
        "another_name": True,
    }
    Player.objects.update(surname="Otra")  # the warning has another text now
    assert not plan_of(OfficeImport.objects.get(), TODAY).accepted
    assert apply(office, batch, accept=["another_name", "damaged_letters"]).status_code == 302


def test_asking_to_apply_a_list_with_new_ticks_does_not_compare_it(office):
    """Workers alone compare a list, even if a request sets new ticks.

    Comparing a list of players reads all clubs with one query, so this test counts those queries.
    """
    batch = sent(office, "players", "901;An\ufffda;Prado Gil;;")
    digest = plan_of(batch, TODAY).digest
    url = reverse("office_import_apply", args=[batch.pk])
    with CaptureQueriesContext(connection) as captured:
        assert office.post(url, {"digest": digest, "accept": ["damaged_letters"]}).status_code == 302
    assert sum('FROM "players_club" ORDER BY' in query["sql"] for query in captured) == 0


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("1;Ana;Prado\n2;Luis;Gil;alfa;no;;7\n3;Eva;Gil", "La fila tiene 7 celdas"),
        ("1;Ana;Prado\n2\n3;Eva;Gil;alfa", "está en blanco"),
    ],
)
def test_rows_of_other_lengths_than_the_headings_are_named_with_their_line(office, lines, message):
    speak(office, "es")
    data = f"Número;Nombre;Apellidos;Club\n{lines}\n".encode()
    for name in ("lista.csv", "lista.txt"):
        page = _shown(office, data, name)
        assert "línea 3" in page.lower() and message in page
        assert "USEBIO" not in page and "ranking" not in page


def test_a_text_that_is_no_list_is_refused_in_words_about_lists(office):
    speak(office, "es")
    page = _shown(office, b"Querida oficina:\nhoy no hay lista.\n", "lista.txt")
    assert "Guarda la lista como CSV o XLSX" in page
    assert "USEBIO" not in page


def _shown(client, data: bytes, name: str) -> str:
    """Upload a list of players, and return the text of the page that follows."""
    return Page(client.get(send(client, "players", data, name).url)).main.text
