"""The list of uploads: its columns, its filters, and discarding and taking back several of them."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scoring.models import ScoringRun
from scoring.services import annul, runs
from tests import factories
from tournaments.models import ResultUpload

from .makers import csv_of, sent, tick_and_confirm

pytestmark = pytest.mark.django_db
UNREADABLE = b"%PDF-1.7 no table"


def listed(client, **query) -> list[str]:
    """The titles on the page, in order."""
    page = client.get(reverse("uploads"), query)
    return [row.record["title"] for row in page.context["table"].paginated_rows]


def several(client, act: str, *uploads):
    return client.post(reverse("uploads_several"), {"act": act, "upload": [each.pk for each in uploads]})


@pytest.fixture
def three(signed_in, club, pairs):
    """A draft, a confirmed tournament and a file that could not be read."""
    done = sent(signed_in, club, csv_of(pairs), name="Liga de marzo")
    tick_and_confirm(signed_in, done)
    run = ScoringRun.objects.latest("pk")
    runs.score(run.pk)
    draft = sent(
        signed_in, club, csv_of(factories.pairs(factories.players(8))), name="Copa", end_date="2025-05-01"
    )
    refused = sent(signed_in, club, UNREADABLE, "acta.pdf", name="")
    return draft, run.tournament, refused


def test_the_list_reads_no_json(signed_in, three):
    with CaptureQueriesContext(connection) as queries:
        page = signed_in.get(reverse("uploads"))
    assert "Copa" in page.content.decode()
    assert not [each for each in queries if '"parsed"' in each["sql"] or '"details"' in each["sql"]]


def test_the_states_agree_with_each_other_in_gender_and_number(signed_in, three):
    table = signed_in.get(reverse("uploads")).context["table"]
    states = {row.record["title"]: str(row.get_cell("state")) for row in table.paginated_rows}
    assert states["Liga de marzo"] == "confirmado"


def test_what_could_not_be_read_waits_for_nobody(signed_in, three):
    page = signed_in.get(reverse("uploads"))
    assert page.context["drafts"] == 1
    assert listed(signed_in) == ["Copa", "acta.pdf", "Liga de marzo"]  # the draft first
    signed_in.force_login(factories.office())
    assert signed_in.get(reverse("office")).context["waiting_count"] == 1


def test_filters(signed_in, three, club):
    assert listed(signed_in, estado="review") == ["Copa"]
    assert listed(signed_in, estado="refused") == ["acta.pdf"]
    assert listed(signed_in, estado="confirmed") == ["Liga de marzo"]
    assert listed(signed_in, ano="2025") == ["Copa"]
    assert listed(signed_in, q="LIGA") == ["Liga de marzo"]
    assert listed(signed_in, q="acta") == ["acta.pdf"]
    runs.score(annul.annul(three[1].pk, "Mistake", factories.office()).pk)
    assert listed(signed_in, estado="annulled") == ["Liga de marzo"]
    assert listed(signed_in, estado="confirmed") == []


def test_several_are_discarded_and_taken_back(signed_in, three):
    draft, tournament, refused = three
    confirmed = ResultUpload.objects.get(revision__tournament=tournament)
    assert several(signed_in, "discard", draft, refused, confirmed).status_code == 302
    assert listed(signed_in) == ["Liga de marzo"]
    assert listed(signed_in, estado="discarded") == ["acta.pdf", "Copa"]
    several(signed_in, "recover", draft, refused)
    assert listed(signed_in) == ["Copa", "acta.pdf", "Liga de marzo"]
    draft.refresh_from_db()
    assert (draft.state, draft.discarded_at, draft.issues.exists()) == ("review", None, True)


def test_what_has_no_file_any_more_is_not_taken_back(signed_in, three):
    draft, *_others = three
    several(signed_in, "discard", draft)
    ResultUpload.objects.filter(pk=draft.pk).update(file_deleted_at=timezone.now() - timedelta(days=1))
    several(signed_in, "recover", draft)
    draft.refresh_from_db()
    assert draft.state == "discarded"


def test_nobody_discards_drafts_of_another_club_with_their_own(client, three, club):
    draft, *_others = three
    client.force_login(factories.director(factories.club()))
    assert several(client, "discard", draft).status_code == 404
    draft.refresh_from_db()
    assert draft.state == "review"
