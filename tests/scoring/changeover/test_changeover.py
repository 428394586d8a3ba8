"""The points of a former program: read, compared with its list, posted in one act, taken back in one act."""

import gzip
import io
import zipfile
from datetime import date, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from players.models import Proposal
from players.services import proposals
from players.services.proposals import waiting_for
from scoring.changeover import services, working
from scoring.changeover.models import Changeover, ChangeoverAward
from scoring.ledger.models import LedgerEntry, Standing
from scoring.ledger.services import standings
from scoring.ledger.services.posting import OpeningRow, post_opening
from scoring.office.services.merges import merge
from tests import factories as make
from tests import second
from tests.pages import open_page
from tests.scoring.pages.test_queries import query_count
from ui.clock import today

pytestmark = pytest.mark.django_db
HEADINGS = "Número;Fecha final;Torneo;Lugar;Puntos"
YESTERDAY = today() - timedelta(days=1)


def history(*rows: str, name: str = "2026.csv") -> services.File:
    return services.File(name, "\r\n".join([HEADINGS, *rows]).encode("cp1252"))


def award(
    player, points: str = "1,50", *, day: date = YESTERDAY, title: str = "Pool", venue="presencial"
) -> str:
    return f"{player.number};{day:%d/%m/%Y};{title};{venue};{points}"


def old_list(*rows: tuple[str, str]) -> services.File:
    return services.File("lista.csv", "\n".join(["Número;Puntos", *map(";".join, rows)]).encode())


def read(
    *files: services.File, by=None, listed: services.File | None = None, period: str = "year"
) -> Changeover:
    """Upload files and do the worker's part."""
    changeover = services.receive(files, by or make.office(), listed, listed and today(), period)
    return worked(changeover)


def worked(changeover: Changeover) -> Changeover:
    working.perform(changeover.pk)
    changeover.refresh_from_db()
    return changeover


def applied(*files: services.File, **options) -> Changeover:
    changeover = read(*files, **options)
    services.apply(changeover.pk, changeover.created_by, changeover.digest)
    changeover = worked(changeover)
    assert changeover.is_applied, changeover.refusal
    return changeover


def codes(changeover: Changeover) -> list[str]:
    issues = [item["code"] for item in changeover.issues]
    return sorted(issues + [item["code"] for file in changeover.files.all() for item in file.issues])


def approve(kind: str, changeover: Changeover) -> Changeover:
    """Approve a proposal as the committee does, and do the worker's part."""
    proposal = waiting_for(kind, str(changeover.pk)).get()
    by = second.person()
    with transaction.atomic():
        proposals.approve(proposal.pk, by, proposals.act_of(proposal).effect(proposal, by).digest)
    return worked(changeover)


def undone(changeover: Changeover) -> Changeover:
    services.propose_undoing(changeover.pk, changeover.created_by, "Wrong file", "Letter")
    return approve("changeover_undo", changeover)


def points_of(player) -> int:
    return sum(Standing.objects.filter(player=player).values_list("points", flat=True))


def test_all_awards_are_posted_in_one_act():
    ana, eva = make.player(category="2P"), make.player(category="2P")
    old = date(2019, 5, 2)
    changeover = applied(
        history(award(ana), award(ana, "2", title="Liga", venue="en línea"), award(eva, "0,01")),
        history(award(ana, "7,25", day=old), name="2019.csv"),
    )
    assert (changeover.number, changeover.same, changeover.done) == (4, 0, 4)
    assert (points_of(ana), points_of(eva)) == (350, 1)
    assert set(LedgerEntry.objects.values_list("kind", "reason")) == {("opening", "")}
    assert LedgerEntry.objects.get(played_on=old).points == 725
    assert not standings.compare(today())
    assert not ChangeoverAward.objects.exists()
    assert {bytes(file.content) for file in changeover.files.all()} == {b""}
    with pytest.raises(ValidationError):
        services.apply(changeover.pk, changeover.created_by, changeover.digest)


def test_totals_by_year():
    ana, eva = make.player(), make.player()
    rows = [
        award(ana, day=date(2020, 1, 5)),
        award(eva, "2", day=date(2020, 1, 5)),
        award(ana, day=date(2021, 3, 1)),
    ]
    changeover = read(history(*rows))
    assert changeover.totals == {
        "awards": 3,
        "players": 2,
        "points": 500,
        "years": [
            {"year": 2020, "awards": 2, "players": 2, "tournaments": 1, "points": 350},
            {"year": 2021, "awards": 1, "players": 1, "tournaments": 1, "points": 150},
        ],
    }


@pytest.mark.parametrize(("period", "expected"), [("year", "1,50"), ("all", "4,50")])
def test_points_are_compared_with_the_old_list_to_the_hundredth(period: str, expected: str):
    ana, eva, luz = make.players(3)
    rows = [award(ana), award(ana, "3", day=date(2019, 1, 1)), award(luz, "2", day=YESTERDAY)]
    listed = old_list((ana.number, expected), (eva.number, "0,01"), ("7", "0"), (luz.number, "1,99"))
    changeover = read(history(*rows), listed=listed, period=period)
    balances = set(changeover.balances.values_list("number", "stated", "computed"))
    assert balances == {(eva.number, 1, 0), ("7", 0, None), (luz.number, 199, 200)}
    with pytest.raises(ValidationError) as refused:
        services.apply(changeover.pk, changeover.created_by, changeover.digest)
    assert refused.value.code == "differences"
    services.apply(changeover.pk, changeover.created_by, changeover.digest, accept_differences=True)
    assert worked(changeover).is_applied


def test_awards_that_are_in_the_ledger_are_not_posted_twice():
    ana = make.player()
    post_opening([OpeningRow(ana.pk, YESTERDAY, "Pool", False, 150)], None)
    changeover = read(history(award(ana), award(ana, "2", title="Liga")))
    assert (changeover.number, changeover.same) == (1, 1)
    other = history(award(ana, "9"))
    services.discard(changeover.pk, changeover.created_by)
    assert codes(read(other)) == ["changeover_other_points"]


def test_an_award_of_a_merged_number_is_recognised_in_the_ledger():
    ana, twice = make.player(), make.player()
    post_opening([OpeningRow(twice.pk, YESTERDAY, "Pool", False, 150)], None)
    merge(twice, ana, "Same person", make.office())
    changeover = read(history(award(twice)))
    assert (changeover.number, changeover.same, codes(changeover)) == (0, 1, ["changeover_merged"])


def test_with_points_in_the_ledger_a_second_person_approves():
    ana = make.player()
    make.scored((ana, make.player()), (make.player(), make.player()))
    changeover = read(history(award(ana)))
    with pytest.raises(ValidationError) as refused:
        services.apply(changeover.pk, changeover.created_by, changeover.digest)
    assert refused.value.code == "reason"
    result = services.apply(
        changeover.pk, changeover.created_by, changeover.digest, reason="Start", evidence="Minutes 3"
    )
    assert isinstance(result, Proposal)
    assert not LedgerEntry.objects.filter(kind="opening").exists()
    assert approve("changeover", changeover).is_applied
    assert LedgerEntry.objects.get(kind="opening").points == 150
    assert not standings.compare(today())


def test_a_merge_after_reading_has_the_files_read_again():
    ana, twice = make.player(), make.player()
    changeover = read(history(award(twice)))
    services.apply(changeover.pk, changeover.created_by, changeover.digest)
    merge(twice, ana, "Same person", make.office())
    changeover = worked(changeover)
    assert (changeover.step, changeover.refusal) == ("read", "changed")
    changeover = worked(changeover)
    assert changeover.is_under_review
    assert not LedgerEntry.objects.exists()
    services.apply(changeover.pk, changeover.created_by, changeover.digest)
    assert worked(changeover).is_applied
    assert points_of(ana) == 150


def test_the_first_tournament_after_asking_makes_a_second_person_necessary():
    ana = make.player()
    changeover = read(history(award(ana)))
    services.apply(changeover.pk, changeover.created_by, changeover.digest)
    make.scored((make.player(), make.player()), (make.player(), make.player()))
    assert worked(changeover).refusal == "second"
    assert not LedgerEntry.objects.filter(kind="opening").exists()


def test_undoing_takes_all_awards_back_and_they_can_come_again():
    ana = make.player()
    changeover = applied(history(award(ana), award(ana, "2", title="Liga")))
    make.scored((ana, make.player()), (make.player(), make.player()))
    of_tournaments = points_of(ana) - 350
    changeover = undone(changeover)
    assert (changeover.left_alone, points_of(ana)) == (0, of_tournaments)
    assert not standings.compare(today())
    again = read(history(award(ana)))
    assert (again.number, again.same) == (1, 0)
    services.apply(again.pk, again.created_by, again.digest, reason="Again", evidence="Letter")
    assert approve("changeover", again).is_applied
    assert points_of(ana) == of_tournaments + 150


def test_undoing_leaves_alone_what_a_merge_moved():
    ana, twice = make.player(), make.player()
    changeover = applied(history(award(ana), award(twice, "2", title="Liga")))
    merge(twice, ana, "Same person", make.office())
    assert undone(changeover).left_alone == 1
    assert points_of(ana) == 200


ROWS = {
    "missing_value": "{number};;Pool;presencial;1",
    "bad_date": "{number};mañana;Pool;presencial;1",
    "future_award": "{number};31/12/2098;Pool;presencial;1",
    "bad_venue": "{number};01/02/2020;Pool;Marte;1",
    "bad_points": "{number};01/02/2020;Pool;presencial;1.234,5",
    "text_over_limit": "{number};01/02/2020;" + "x" * 151 + ";presencial;1",
    "bad_federation_number": "ana;01/02/2020;Pool;presencial;1",
    "unknown_number": "999;01/02/2020;Pool;presencial;1",
}


@pytest.mark.parametrize("code", ROWS)
def test_a_wrong_row_keeps_all_from_being_applied(code: str):
    ana = make.player()
    changeover = read(history(award(ana), ROWS[code].format(number=ana.number)))
    assert codes(changeover) == [code]
    (issue,) = changeover.files.get().issues
    assert issue["line"] == 3
    with pytest.raises(ValidationError) as refused:
        services.apply(changeover.pk, changeover.created_by, changeover.digest)
    assert refused.value.code == "errors"


def test_zero_points_and_erased_persons_are_left_out():
    ana, erased = make.player(), make.player(erased_on=today())
    changeover = read(
        history(award(ana), award(ana, "0,00", title="Liga"), award(erased), award(erased, "2"))
    )
    assert (changeover.number, codes(changeover)) == (1, ["changeover_zero", "number_erased"])


def test_an_award_in_two_files_is_named_once_with_its_file():
    ana = make.player()
    changeover = read(history(award(ana)), history(award(ana), award(ana), name="b.csv"))
    assert codes(changeover) == ["changeover_repeated"]
    (issue,) = changeover.issues
    assert (issue["value"], issue["params"]["count"]) == (ana.number, 3)


@pytest.mark.parametrize("compress", ["plain", "gz", "zip", "utf-16"])
def test_files_are_read_plain_or_compressed(compress: str):
    plain = history(award(make.player(), title="Peña Ñ")).content
    content = plain
    if compress == "gz":
        content = gzip.compress(plain)
    elif compress == "utf-16":
        content = plain.decode("cp1252").encode("utf-16")
    elif compress == "zip":
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.csv", plain)
        content = buffer.getvalue()
    changeover = read(services.File("a", content))
    assert codes(changeover) == []
    assert ChangeoverAward.objects.get().title == "Peña Ñ"


def two_files() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.csv", "x")
        archive.writestr("b.csv", "x")
    return buffer.getvalue()


UNREADABLE = {
    "changeover_bad_archive": [gzip.compress(b"x" * 1000)[:-20], two_files()],
    "no_headings": [b"a;b;c\n1;2;3", b""],
    "missing_column": [f"{HEADINGS.removesuffix(';Puntos')}\n1;2;3;4".encode()],
    "bad_quotes": [f'{HEADINGS}\n1;"2'.encode()],
    "nul_bytes": [b"PNG\0\0\0"],
    "cell_too_long": [HEADINGS.encode() + b"\n" + b"x" * 100_000],
}


@pytest.mark.parametrize(
    ("code", "content"),
    [
        # Compressed files have a time in them, so they cannot be part of a test's name.
        pytest.param(code, content, id=f"{code}-{index}")
        for code, contents in UNREADABLE.items()
        for index, content in enumerate(contents)
    ],
)
def test_a_file_that_cannot_be_read_says_why(code: str, content: bytes):
    assert codes(read(services.File("a.csv", content))) == [code]


def test_a_file_that_decompresses_to_more_than_allowed_is_refused(monkeypatch):
    monkeypatch.setattr("scoring.changeover.reading.MOST_BYTES", 1000)
    changeover = read(services.File("a.csv", gzip.compress(history(*["x"] * 1000).content)))
    assert codes(changeover) == ["changeover_too_long"]


def test_a_worker_that_died_leaves_nothing_twice(monkeypatch):
    """Rows of a half-read file are read again by the next worker."""
    ana = make.player()
    monkeypatch.setattr("scoring.changeover.staging.ROWS_AT_ONCE", 1)
    changeover = services.receive([history(award(ana), award(ana, title="Liga"))], make.office())
    renew, calls = working.queue.renew, []

    def dies(*args, **kwargs):
        renew(*args, **kwargs)
        calls.append(args)
        if len(calls) == 1:
            raise RuntimeError("killed")

    monkeypatch.setattr("scoring.changeover.staging.queue.renew", dies)
    with pytest.raises(RuntimeError):
        working.perform(changeover.pk)
    assert ChangeoverAward.objects.count() == 1
    assert worked(changeover).number == 2


def test_only_one_changeover_is_open():
    changeover = read(history(award(make.player())))
    with pytest.raises(ValidationError) as refused:
        read(history())
    assert refused.value.code == "open"
    services.discard(changeover.pk, changeover.created_by)
    assert not ChangeoverAward.objects.exists()
    read(history())


def test_a_forgotten_changeover_is_discarded_with_its_files():
    changeover = read(history(award(make.player())))
    services.discard_forgotten(today())
    changeover.refresh_from_db()
    assert changeover.discarded_at is None
    Changeover.objects.update(created_at=timezone.now() - timedelta(days=31))
    services.discard_forgotten(today())
    changeover.refresh_from_db()
    assert changeover.discarded_at
    assert bytes(changeover.files.get().content) == b""


# --- The pages ------------------------------------------------------------------------------------------
@pytest.fixture
def office(client):
    account = make.office()
    client.force_login(account)
    client.account = account
    return client


def send(client, *files: services.File, **data):
    uploads = [SimpleUploadedFile(file.name, file.content) for file in files]
    return client.post(reverse("changeovers"), {"history": uploads, **data})


@pytest.mark.usefixtures("english")
def test_the_office_reads_applies_and_proposes_undoing(office):
    ana = make.player()
    response = send(office, history(award(ana)), period="year")
    assert response.status_code == 302
    assert "Waiting its turn" in open_page(office, response.url).text
    changeover = worked(Changeover.objects.get())
    page = open_page(office, response.url)
    assert page.lead == "1 award would be posted."
    form = page.form("digest")
    office.post(form.action, {"digest": changeover.digest})
    worked(changeover)
    page = open_page(office, response.url)
    assert page.lead == "1 award was posted."
    office.post(reverse("changeover_undo", args=[changeover.pk]), {"reason": "Wrong", "evidence": "Letter"})
    assert waiting_for("changeover_undo", str(changeover.pk)).exists()
    assert approve("changeover_undo", changeover).undone_at
    assert open_page(office, response.url).lead.startswith("All awards were taken back on")


@pytest.mark.usefixtures("english")
def test_bad_uploads_are_refused_in_the_form(office):
    big = services.File("a.csv", b"x" * (20 * 2**20 + 1))
    for file, text in ((services.File("a.pdf", b"x"), "neither a CSV"), (big, "is larger than 20 MB")):
        response = send(office, file, period="year")
        assert response.status_code == 422
        assert text in response.content.decode()
    listed = old_list(("1", "2"))
    response = send(
        office, history(), old_list=SimpleUploadedFile(listed.name, listed.content), period="year"
    )
    assert "Write of which day the list is." in response.content.decode()
    assert not Changeover.objects.exists()


def test_differences_are_listed_and_downloaded_with_few_queries(office):
    people = make.players(3)
    one = read(history(), listed=old_list((people[0].number, "1")))
    few = query_count(office, one.get_absolute_url())
    services.discard(one.pk, one.created_by)
    three = read(history(), listed=old_list(*((player.number, "1") for player in people)))
    assert query_count(office, three.get_absolute_url()) == few
    lines = b"".join(office.get(three.get_absolute_url(), {"formato": "csv"}).streaming_content).decode()
    assert lines.count("\n") == 4


# --- The command ----------------------------------------------------------------------------------------
def test_one_command_reads_compares_and_posts(tmp_path, capsys):
    ana, by = make.player(), make.office()
    (tmp_path / "h.csv").write_bytes(history(award(ana)).content)
    (tmp_path / "l.csv").write_bytes(old_list((ana.number, "1,50")).content)
    options = {"by": by.username, "list": tmp_path / "l.csv", "day": today(), "apply": True}
    call_command("changeover", tmp_path / "h.csv", **options)
    printed = capsys.readouterr().out
    assert "1 awards of 1 players, 1.50 points" in printed
    assert "Differences from the list: 0" in printed
    assert "Posted: 1 awards" in printed
    assert points_of(ana) == 150


def test_the_command_says_what_is_wrong(tmp_path):
    (tmp_path / "h.csv").write_bytes(history(award(make.player())).content)
    for options, text in (
        ({"by": "nobody"}, "there is no account"),
        ({"by": make.user().username}, "does not belong to the office"),
        ({"by": make.office().username, "day": today()}, "belong together"),
    ):
        with pytest.raises(CommandError, match=text):
            call_command("changeover", tmp_path / "h.csv", **options)
