"""Uploads of Go tournaments: the page of all files, then the review, the confirmation and the receipt."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from players.inbox import waiting_for
from players.models import Role
from scoring.ratings.models import GoUpload, RatingTournament
from scoring.ratings.services import register, replays
from tests import factories
from tests.pages import Page, open_page
from tests.scoring.ratings import makers
from tests.scoring.uploads.makers import csv_of
from tests.tournaments.formats.examples import EXAMPLES
from tournaments.models import ResultUpload

pytestmark = pytest.mark.django_db
GO_EXAMPLES = ["egd", "opengotha", "macmahon", "pairgoth"]
DATA = {
    "name": "Copa del Puerto", "start_date": "2026-03-14", "end_date": "2026-03-15", "tournament_class": "C",
}  # fmt: skip


@pytest.fixture
def director(client, english):
    account = factories.director(factories.club())
    client.force_login(account)
    return account


def send(client, data: bytes = makers.FILE.encode(), file_name: str = "torneo.h9", **fields):
    """Send a file on the page of all files, without choosing a club. Return the last response."""
    file = SimpleUploadedFile(file_name, data)
    return client.post(reverse("upload_start"), {"file": file, **fields}, follow=True)


def press(client, upload: GoUpload, action: str = "accept", ticks=("go_no_pin",), **data):
    values = {"name": "", "start_date": "", "end_date": "", "tournament_class": "", **data}
    return client.post(upload.get_absolute_url(), {**values, "accept": ticks, "action": action}, follow=True)


def test_a_director_uploads_a_go_file_and_its_games_are_rated(client, director):
    page = send(client)
    assert "4 games would be rated." in Page(page).text
    upload = GoUpload.objects.get()
    assert page.redirect_chain[-1][0] == upload.get_absolute_url()
    assert "tick every warning" in Page(press(client, upload, ticks=())).text
    page = press(client, upload)
    confirm = reverse("go_upload_confirm", args=[upload.pk])
    assert page.redirect_chain[-1][0] == confirm
    (seen,) = Page(page).values("seen")
    assert "changed in the meantime" in Page(client.post(confirm, {"seen": "x"}, follow=True)).text
    for _click in range(2):
        done = client.post(confirm, {"seen": seen}, follow=True)
        assert done.redirect_chain[-1][0] == reverse("go_upload_receipt", args=[upload.pk])
    upload.refresh_from_db()
    replays.replay(upload.replay_id)
    receipt = reverse("go_upload_receipt", args=[upload.pk])
    assert "Done: 4 ratings" in open_page(client, receipt).text
    assert "HX-Redirect" in client.get(receipt, headers={"HX-Request": "true"}).headers
    # The same file again changes nothing.
    assert "registered already" in Page(send(client)).text
    assert RatingTournament.objects.count() == 1


def test_pages_say_that_ratings_are_pending(client, director):
    upload = makers.confirmed(makers.upload(director), director)
    receipt = reverse("go_upload_receipt", args=[upload.pk])
    assert "Waiting for a worker" in open_page(client, receipt).text
    assert "Waiting for a worker" in Page(client.get(receipt, headers={"HX-Request": "true"})).text
    assert "being worked out" in open_page(client, upload.tournament.get_absolute_url()).text
    assert "being worked out" in open_page(client, reverse("go_receipt", args=[upload.tournament_id, 1])).text


@pytest.mark.parametrize("code", GO_EXAMPLES)
def test_the_content_of_a_file_decides_whether_it_is_one_of_go(client, director, code):
    send(client, EXAMPLES[code][1], "resultado.txt")
    assert (GoUpload.objects.count(), ResultUpload.objects.count()) == (1, 0)


@pytest.mark.parametrize("code", ["unknown_text", "zip", "usebio", "json"])
def test_other_files_with_the_extension_of_go_are_no_files_of_go(client, director, code):
    name, data = EXAMPLES[code]
    club = director.roles.get().club
    send(client, data, f"{name}.h9" if code != "unknown_text" else name, club=club.pk)
    assert (GoUpload.objects.count(), ResultUpload.objects.count()) == (0, 1)


def test_data_typed_beside_the_file_are_kept_and_beat_those_of_the_file(client, director):
    send(client, **{key: DATA[key] for key in ("name", "end_date")})
    page = open_page(client, GoUpload.objects.get().get_absolute_url())
    assert page.values("name") == [DATA["name"]]
    assert page.values("end_date") == [DATA["end_date"]]
    assert page.values("start_date") == ["2026-03-14"]


def test_the_review_asks_for_missing_data_and_keeps_wrong_ones_on_the_page(client, director):
    send(client, makers.FILE.replace("CL[A]", "").encode())
    upload = GoUpload.objects.get()
    shown = open_page(client, upload.get_absolute_url())
    assert "The file does not say this: the class." in shown.text
    # Players and warnings are shown already, but no ratings, which depend on the class.
    assert "go_no_pin" in shown.values("accept") and "Ana Arroyo" in shown.text
    assert "After" not in shown.text
    wrong = press(client, upload, "save", **{**DATA, "end_date": "tomorrow"})
    page = Page(wrong)
    assert (page.values("name"), page.values("end_date")) == ([DATA["name"]], ["tomorrow"])
    assert "go_no_pin" in [group["code"] for group in wrong.context["groups"] if group["ticked"]]
    upload.refresh_from_db()
    assert (upload.details.get("name", ""), upload.ticks) == ("", {})
    early = Page(press(client, upload, "save", **{**DATA, "start_date": "2026-04-01"}))
    assert "The first day, 1 Apr 2026, is after the last day, 15 Mar 2026." in early.text
    page = press(client, upload, **DATA)
    assert page.redirect_chain[-1][0] == reverse("go_upload_confirm", args=[upload.pk])
    assert "C: fast" in Page(page).text


def test_a_tick_does_not_accept_a_warning_that_changes_with_it(client, director):
    send(client)
    upload = GoUpload.objects.get()
    days = {"start_date": "2025-12-01", "end_date": "2026-03-15"}
    press(client, upload, "save", **days)
    both = ("go_no_pin", "go_long")
    page = press(client, upload, "save", ticks=both, start_date="2025-11-01", end_date="2026-03-15")
    assert [group["code"] for group in page.context["groups"] if group["ticked"]] == ["go_no_pin"]


def test_the_review_names_the_lines_of_contradictions(client, director):
    text = makers.FILE.replace("1-/b 4", "1+/b 4")
    assert "but line 6 says" in Page(send(client, text.encode())).text


def test_a_draft_is_listed_for_its_sender_until_it_is_discarded(client, director):
    upload = makers.upload(director)
    address = upload.get_absolute_url()
    assert "1 upload waits to be reviewed." in open_page(client, reverse("uploads")).text
    assert [matter.url for matter in waiting_for(director).matters] == [address]
    assert address in open_page(client, reverse("uploads")).addresses
    assert "Go tournaments to be reviewed" in open_page(client, reverse("uploads")).text
    client.post(reverse("go_upload_discard", args=[upload.pk]))
    assert address not in open_page(client, reverse("uploads")).addresses
    assert "This draft was discarded." in open_page(client, address).text
    assert "no longer a draft" in Page(press_discard(client, upload)).text
    makers.upload(factories.director(factories.club()))
    assert "Go tournaments to be reviewed" not in open_page(client, reverse("uploads")).text


@pytest.mark.parametrize(("kind", "button"), [(Role.Kind.OFFICE, "Review it"), (Role.Kind.AUDITOR, "See it")])
def test_office_and_auditors_are_listed_the_drafts_of_all(client, english, kind, button):
    sender = factories.director(factories.club())
    upload = makers.upload(sender)
    reader = factories.user()
    factories.role(reader, kind)
    client.force_login(reader)
    page = open_page(client, reverse("uploads"))
    assert page.main.the("a", href=upload.get_absolute_url()).text == f"{button}: {upload.file_name}"
    assert f"{upload.file_name} {sender.username}, " in page.main.text


def press_discard(client, upload: GoUpload):
    return client.post(reverse("go_upload_discard", args=[upload.pk]), follow=True)


def test_a_draft_discarded_in_another_window_takes_no_data(client, director):
    upload = makers.upload(director)
    press_discard(client, upload)
    assert "changed in the meantime" in Page(press(client, upload, "save", **DATA)).text
    assert client.get(reverse("go_upload_confirm", args=[upload.pk])).url == upload.get_absolute_url()


def test_lists_link_directors_to_the_upload(client):
    way = reverse("upload_start")
    lists = [reverse("go_ratings"), reverse("go_tournaments")]
    assert not any(way in open_page(client, item).addresses for item in lists)
    client.force_login(factories.director(factories.club()))
    assert all(way in open_page(client, item, yo=1).addresses for item in lists)
    auditor = factories.user()
    factories.role(auditor, Role.Kind.AUDITOR)
    client.force_login(auditor)
    assert not any(way in open_page(client, item, yo=1).addresses for item in lists)


def test_a_correction_starts_on_the_tournaments_page_and_keeps_its_class(client, director):
    event = makers.registered(makers.event(tournament_class="B"), director)
    address = reverse("go_upload_correct", args=[event.pk])
    assert address in open_page(client, event.get_absolute_url(), yo=1).addresses
    assert "replaces the games of Copa" in open_page(client, address).text
    file = SimpleUploadedFile("torneo.h9", makers.FILE.replace("; CL[A]\n", "").encode())
    page = client.post(address, {"file": file}, follow=True)
    assert page.context["preview"].corrects == event
    assert page.context["preview"].event.tournament_class == "B"
    client.force_login(factories.director(factories.club()))
    assert client.get(address).status_code == 403
    assert client.get(reverse("go_upload_correct", args=[event.pk + 1])).status_code == 404


def test_a_file_of_go_corrects_no_tournament_of_bridge(client, director):
    club = director.roles.get().club
    tournament = factories.scored(*factories.pairs(factories.players(4)), of=club)
    address = f"{reverse('upload_start')}?corrige={tournament.pk}"
    file = SimpleUploadedFile("torneo.h9", makers.FILE.encode())
    page = client.post(address, {"file": file, "club": club.pk, "reason": "x"}, follow=True)
    assert not GoUpload.objects.exists()
    assert "with games of Go" in Page(page).text


# --- Where Go is not rated ------------------------------------------------------------------------------
@pytest.fixture
def without_go(settings):
    settings.FAMILIES = ["aeb"]


@pytest.mark.parametrize("code", GO_EXAMPLES)
def test_files_of_go_are_named_and_refused_where_go_is_not_rated(client, director, without_go, code):
    club = director.roles.get().club
    name, data = EXAMPLES[code]
    page = Page(send(client, data, name, club=club.pk))
    assert not GoUpload.objects.exists()
    assert "with games of Go. Choose a result of bridge. Games of Go can be uploaded only if" in page.text


def test_bridge_files_are_read_where_go_is_not_rated(client, director, without_go):
    club = director.roles.get().club
    send(client, csv_of(factories.pairs(factories.players(8))), "martes.csv", club=club.pk)
    assert ResultUpload.objects.get().state == "review"


def test_nothing_of_go_is_shown_where_it_is_not_rated(client, director, settings):
    upload = makers.upload(director)
    event = makers.registered(makers.event(end=timezone.localdate() - timedelta(days=3)), director)
    names = ["home", "uploads", "upload_start", "regulations", "calculator"]
    addresses = [
        reverse("go_ratings"),
        event.get_absolute_url(),
        upload.get_absolute_url(),
        reverse("go_annulment", args=[event.pk]),
        reverse("regulation", args=["egf-2021"]),
    ]
    assert {client.get(address).status_code for address in addresses} == {200}
    assert all("/go/" in client.get(reverse(name)).content.decode() for name in names)
    settings.FAMILIES = ["aeb"]
    assert {client.get(address).status_code for address in addresses} == {404}
    pages = [client.get(reverse(name)).content.decode() for name in names]
    pages.append(client.get(reverse("search"), {"q": "Copa"}).content.decode())
    for words in ("/go/", "Go ratings", "European Go", ".h9"):
        assert not any(words in page for page in pages), words
    assert waiting_for(type(director).objects.get(pk=director.pk)).count == 0


def test_systems_that_are_not_offered_are_not_listed(client, settings, english):
    pages = [reverse("regulations"), reverse("calculator")]
    for families, shown in ((["aeb"], False), (["aeb", "sbf-bronze", "acbl"], True)):
        settings.FAMILIES = families
        for page in pages:
            text = open_page(client, page).text
            assert ("Swedish" in text, "ACBL" in text) == (shown, shown)


@pytest.mark.parametrize(("families", "status"), [(["aeb", "go"], 200), (["aeb"], 403)])
def test_the_administration_shows_models_of_go_only_where_it_is_rated(client, settings, families, status):
    settings.FAMILIES = families
    account = factories.user(is_staff=True, is_superuser=True)
    factories.role(account, Role.Kind.OFFICE)
    client.force_login(account)
    for model in ("ratedplayer", "ratingtournament", "ratingreplay"):
        assert client.get(reverse(f"admin:ratings_{model}_changelist")).status_code == status
    index = client.get(reverse("admin:index")).content.decode()
    assert ("ratedplayer" in index) == (status == 200)


# --- Several files -----------------------------------------------------------------------------------------
def send_several(client, *files: tuple[str, bytes]):
    sent = [SimpleUploadedFile(name, data) for name, data in files]
    return client.post(reverse("upload_start"), {"file": sent}, follow=True)


FIRST_ROUND = (
    makers.FILE.replace(" 3+/b", " ").replace(" 1-/w", " ").replace(" 4+/w\n", "\n").replace(" 2-/b", " ")
)


def drafts() -> list[str]:
    return sorted(upload.file_name for upload in GoUpload.objects.filter(state=GoUpload.State.REVIEW))


def test_several_go_tournaments_become_drafts_of_go(client, director):
    other = makers.FILE.replace("Faro]", "Cabo]").replace("Ana", "Eva").replace("Diego", "Hugo")
    page = send_several(client, ("faro.h9", makers.FILE.encode()), ("cabo.h9", other.encode()))
    assert drafts() == ["cabo.h9", "faro.h9"] and not ResultUpload.objects.exists()
    assert "uploads of their own, each in the list below: faro.h9, cabo.h9." in Page(page).text


@pytest.mark.parametrize("order", [1, -1])
def test_two_files_of_one_go_tournament_become_one_draft(client, director, order):
    files = [("pronto.h9", FIRST_ROUND.encode()), ("final.h9", makers.FILE.encode())][::order]
    page = send_several(client, *files)
    assert drafts() == ["final.h9"]
    assert page.redirect_chain[-1][0] == GoUpload.objects.get(file_name="final.h9").get_absolute_url()
    assert "pronto.h9 is of the same tournament as final.h9" in Page(page).text


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_files_with_the_same_games_the_one_with_numbers_is_kept_whole(client, director, order):
    numbered = makers.FILE.replace("; CL[A]\n", "").replace("3+/b\n", "3+/b |12345678\n")
    page = send_several(client, *[("sin.h9", makers.FILE.encode()), ("con.h9", numbered.encode())][::order])
    assert drafts() == ["con.h9"]
    kept = GoUpload.objects.get(file_name="con.h9")
    assert register.details_of(kept, register.result_of(kept))["tournament_class"] == "A"
    assert "sin.h9 is of the same tournament as con.h9" in Page(page).text


def test_files_of_go_and_of_bridge_become_uploads_of_their_own(client, director):
    club = director.roles.get().club
    sent = [("faro.h9", makers.FILE.encode()), ("a.csv", b"Puesto;Nombre;%\n1;Ana;50\n2;Eva;40\n")]
    files = [SimpleUploadedFile(*file) for file in sent]
    page = client.post(reverse("upload_start"), {"file": files, "club": club.pk}, follow=True)
    assert "uploads of their own, each in the list below: faro.h9, a.csv." in Page(page).text
    assert drafts() == ["faro.h9"] and ResultUpload.objects.get().file_name == "a.csv"
    assert page.redirect_chain[-1][0] == reverse("uploads")


def test_a_file_that_cannot_be_read_beside_one_of_go_is_named_and_left_out(client, director):
    page = send_several(client, ("faro.h9", makers.FILE.encode()), ("bases.pdf", b"%PDF-1.4\n%..."))
    assert drafts() == ["faro.h9"] and not ResultUpload.objects.exists()
    text = Page(page).text
    assert "bases.pdf was left out. This file cannot be read here: it is a PDF document." in text


@pytest.mark.parametrize("order", [1, -1])
def test_a_go_file_with_errors_beside_another_one_is_named_with_the_reason(client, director, order):
    broken = makers.FILE.replace("1-/b 4", "1+/b 4").replace("Faro]", "Cabo]").replace("Ana", "Eva")
    broken = broken.replace("Diego", "Hugo")
    page = send_several(client, *[("faro.h9", makers.FILE.encode()), ("cabo.h9", broken.encode())][::order])
    assert page.redirect_chain[-1][0] == GoUpload.objects.get(file_name="faro.h9").get_absolute_url()
    text = Page(page).text
    assert "cabo.h9 was left out." in text and "but line 6 says" in text
    assert "uploads of their own" not in text


def test_go_files_with_errors_are_all_named_with_their_reasons(client, director):
    broken = makers.FILE.replace("1-/b 4", "1+/b 4")
    other = broken.replace("Faro]", "Cabo]").replace("Ana", "Eva").replace("Diego", "Hugo")
    page = send_several(client, ("faro.h9", broken.encode()), ("cabo.h9", other.encode()))
    assert page.redirect_chain[-1][0] == reverse("uploads")
    assert all(f"{name}.h9 was left out." in Page(page).text for name in ("faro", "cabo"))


@pytest.mark.parametrize("order", [1, -1])
def test_a_go_file_with_errors_takes_no_other_file_of_its_tournament_away(client, director, order):
    broken = makers.FILE.replace("2-/b\n", "2+/b\n")  # the winner of the other line has no win
    send_several(client, *[("pronto.h9", FIRST_ROUND.encode()), ("final.h9", broken.encode())][::order])
    assert drafts() == ["pronto.h9"]


def test_a_go_file_with_errors_beside_one_of_bridge_is_named_with_the_reason(client, director):
    broken = makers.FILE.replace("1-/b 4", "1+/b 4")
    sent = [("faro.h9", broken.encode()), ("a.csv", b"Puesto;Nombre;%\n1;Ana;50\n2;Eva;40\n")]
    files = [SimpleUploadedFile(*file) for file in sent]
    data = {"file": files, "club": director.roles.get().club.pk}
    page = client.post(reverse("upload_start"), data, follow=True)
    text = Page(page).text
    assert "faro.h9 was left out." in text and "uploads of their own" not in text
    assert page.redirect_chain[-1][0] == reverse("upload_review", args=[ResultUpload.objects.get().pk])
