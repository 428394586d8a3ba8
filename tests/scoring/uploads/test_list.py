"""The list of uploads: its columns, its filters, and discarding or restoring several uploads at once."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.services import tokens
from scoring.annulments import services as annul
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import runs
from tests import factories
from tests.scoring.uploads.makers import csv_of, sent, tick_and_confirm, usebio_of
from tournaments.models import ResultUpload
from tournaments.services import uploads
from tournaments.services.drafts import draft_of

pytestmark = pytest.mark.django_db
UNREADABLE = b"%PDF-1.7 no table"


def listed(client, **query) -> list[str]:
    """Return the titles of the listed uploads, in order."""
    page = client.get(reverse("uploads"), query)
    return [row.record["title"] for row in page.context["table"].paginated_rows]


def several(client, act: str, *uploads):
    return client.post(reverse("uploads_several"), {"act": act, "upload": [upload.pk for upload in uploads]})


@pytest.fixture
def three(signed_in, club, pairs):
    """Create a draft, a confirmed tournament and a file that could not be read."""
    done = sent(signed_in, club, csv_of(pairs), name="Liga de marzo")
    tick_and_confirm(signed_in, done)
    run = ScoringRun.objects.latest("pk")
    runs.score(run.pk)
    draft = sent(
        signed_in, club, csv_of(factories.pairs(factories.players(8))), name="Copa", end_date="2025-05-01"
    )
    refused = sent(signed_in, club, UNREADABLE, "acta.pdf", name="")
    return draft, run.tournament, refused


def test_the_list_does_not_load_stored_rankings(signed_in, three):
    with CaptureQueriesContext(connection) as queries:
        page = signed_in.get(reverse("uploads"))
    assert "Copa" in page.content.decode()
    assert not [query for query in queries if '"parsed"' in query["sql"] or '"details"' in query["sql"]]


def test_a_file_of_the_clubs_computer_is_not_said_to_be_a_persons(signed_in, director, club, three):
    token, _secret = tokens.make(club, "Bar", factories.office())
    ResultUpload.objects.create(club=club, created_by=token.made_by, token=token, file_name="b.csv")
    table = signed_in.get(reverse("uploads")).context["table"]
    senders = {row.record["title"]: row.get_cell("by") for row in table.paginated_rows}
    assert (senders["b.csv"], senders["Copa"]) == ("«Bar» (ordenador del club)", director.username)


def test_states_in_the_list_have_a_consistent_grammatical_gender(signed_in, three):
    table = signed_in.get(reverse("uploads")).context["table"]
    states = {row.record["title"]: str(row.get_cell("state")) for row in table.paginated_rows}
    assert states["Liga de marzo"] == "confirmado"


def problems(client) -> dict[str, str]:
    """Return {title of an upload: text in the column `problems`} from the list of uploads."""
    table = client.get(reverse("uploads")).context["table"]
    return {row.record["title"]: str(row.get_cell("problems")) for row in table.paginated_rows}


def test_the_list_counts_errors_and_warnings_without_a_tick(signed_in, club):
    pairs = factories.pairs(factories.players(8))
    strangers = csv_of(pairs).replace(pairs[2][0].number.encode(), b"99999")
    for person in pairs[3]:
        strangers = strangers.replace(person.full_name.encode(), b"Otra Persona")
    upload = sent(signed_in, club, usebio_of(pairs), "m.xml", name="Copa", end_date="2026-03-13", boards="")
    other = sent(signed_in, club, strangers, "l.csv", name="Liga")
    sent(signed_in, club, csv_of(factories.pairs(factories.players(8))), "n.csv", name="Nada")
    assert problems(signed_in) == {
        "Nada": "ninguno",
        "Liga": "1 error, 2 avisos por marcar",
        "Copa": "1 aviso por marcar",
    }
    uploads.save(upload, uploads.Answers(ticks=["date_differs"]))
    uploads.save(other, uploads.Answers(ticks=list(draft_of(other).by_tick)[:1]))
    assert problems(signed_in) == {
        "Nada": "ninguno",
        "Liga": "1 error, 1 aviso por marcar",
        "Copa": "ninguno",
    }
    other.refresh_from_db()
    assert other.unticked == 1
    # the tick no longer counts, because its warning has changed
    uploads.save(upload, uploads.Answers(club, {"end_date": "2026-03-12"}))
    assert problems(signed_in)["Copa"] == "1 aviso por marcar"


def test_the_list_counts_errors_raised_by_the_regulation_too(signed_in, club):
    pairs = csv_of(factories.pairs(factories.players(8)))
    sent(signed_in, club, pairs, "l.csv", name="Liga", event_type="teams_championship")
    assert problems(signed_in) == {"Liga": "1 error"}


def test_the_number_of_queries_does_not_grow_with_uploads(signed_in, three, club):
    counts = []
    for at in range(3):
        with CaptureQueriesContext(connection) as queries:
            signed_in.get(reverse("uploads"))
        counts.append(len(queries))
        day = f"2026-03-0{at + 1}"
        sent(signed_in, club, usebio_of(factories.pairs(factories.players(8))), f"{at}.xml", end_date=day)
    assert counts[0] == counts[2]


def test_an_unreadable_file_is_not_counted_as_waiting(signed_in, three):
    page = signed_in.get(reverse("uploads"))
    assert page.context["drafts"] == 1
    assert listed(signed_in) == ["Copa", "acta.pdf", "Liga de marzo"]  # drafts come first
    signed_in.force_login(factories.office())
    page = signed_in.get(reverse("office"))
    assert [matter.url for matter in page.context["matters"]] == [three[0].get_absolute_url()]
    assert page.context["inbox_total"] == 1


def test_the_list_of_uploads_can_be_filtered(signed_in, three, club):
    assert listed(signed_in, estado="review") == ["Copa"]
    assert listed(signed_in, estado="refused") == ["acta.pdf"]
    assert listed(signed_in, estado="confirmed") == ["Liga de marzo"]
    assert listed(signed_in, ano="2025") == ["Copa"]
    assert listed(signed_in, q="LIGA") == ["Liga de marzo"]
    assert listed(signed_in, q="acta") == ["acta.pdf"]
    runs.score(annul.annul(three[1].pk, "Mistake", factories.office()).pk)
    assert listed(signed_in, estado="annulled") == ["Liga de marzo"]
    assert listed(signed_in, estado="confirmed") == []


def test_several_drafts_can_be_discarded_and_restored_at_once(signed_in, three):
    draft, tournament, refused = three
    confirmed = ResultUpload.objects.get(revision__tournament=tournament)
    assert several(signed_in, "discard", draft, refused, confirmed).status_code == 302
    assert listed(signed_in) == ["Liga de marzo"]
    assert listed(signed_in, estado="discarded") == ["acta.pdf", "Copa"]
    several(signed_in, "recover", draft, refused)
    assert listed(signed_in) == ["Copa", "acta.pdf", "Liga de marzo"]
    draft.refresh_from_db()
    assert (draft.state, draft.discarded_at, draft.issues.exists()) == ("review", None, True)


def test_a_discarded_draft_whose_file_was_deleted_cannot_be_restored(signed_in, three):
    draft, *_others = three
    several(signed_in, "discard", draft)
    ResultUpload.objects.filter(pk=draft.pk).update(file_deleted_at=timezone.now() - timedelta(days=1))
    several(signed_in, "recover", draft)
    draft.refresh_from_db()
    assert draft.state == "discarded"


def test_nobody_can_discard_drafts_of_another_club(client, three, club):
    draft, *_others = three
    client.force_login(factories.director(factories.club()))
    assert several(client, "discard", draft).status_code == 404
    draft.refresh_from_db()
    assert draft.state == "review"
