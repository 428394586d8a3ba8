"""The office's home page with its tasks, and retrying a failed run."""

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Role
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import runs
from scoring.ratings.models import RatingReplay
from tests import factories, second
from tests.pages import open_page
from tournaments.models import ResultUpload


def failed_run(**fields) -> ScoringRun:
    revision = factories.revision(*factories.pairs(factories.players(8, category="2P")), **fields)
    run = runs.create_run(revision, None)
    ScoringRun.objects.filter(pk=run.pk).update(state="failed", error="EngineError: example", attempts=3)
    return run


def waiting_upload() -> ResultUpload:
    club = factories.club()
    return ResultUpload.objects.create(
        club=club, created_by=factories.director(club), file_name="pool.csv", file_format="table"
    )


def test_the_offices_home_page_opens_without_tasks(office):
    page = office.get(reverse("office"))
    assert (page.status_code, page.context["inbox"].count, page.context["system"].failed) == (200, 0, 0)


def test_the_home_page_lists_tasks_with_a_constant_number_of_queries(office):
    queries = []
    for count in (1, 2, 3):
        failed_run(name=f"Roto {count}")
        waiting_upload()
        factories.scored(*factories.pairs(factories.players(8)), name=f"Corto {count}", boards=12)
        with CaptureQueriesContext(connection) as captured:
            page = office.get(reverse("office"))
        queries.append(len(captured))
        text = page.content.decode()
        assert (f"Roto {count}" in text, f"Corto {count}" in text, "pool.csv" in text) == (True, True, True)
        system = page.context["system"]
        assert (page.context["inbox"].count, system.failed, system.uncounted) == (2 * count, count, count)
        assert (system.queued, system.scored) == (0, count)
    assert queries[0] == queries[2]


def test_the_office_can_retry_a_failed_run(office, eager_queue, django_capture_on_commit_callbacks):
    run = failed_run()
    with django_capture_on_commit_callbacks(execute=True):
        assert office.post(reverse("office_run_retry", args=[run.uid])).status_code == 302
    run.refresh_from_db()
    assert (run.state, run.error) == ("done", "")
    assert run.entries.count() == 8


def test_auditors_see_failed_runs_without_buttons_to_retry(office, client):
    run = failed_run()
    client.force_login(second.person(Role.Kind.AUDITOR))
    page = client.get(reverse("office")).content.decode()
    assert run.tournament.name in page
    for button in (reverse("office_runs_retry"), reverse("office_run_retry", args=[run.uid])):
        assert button not in page


def test_all_failed_runs_can_be_retried_at_once(office):
    failed = [failed_run(name="Roto 1"), failed_run(name="Roto 2")]
    replay = RatingReplay.objects.create(since="2026-01-01", state="failed", attempts=3)
    retry_all = reverse("office_runs_retry")
    assert retry_all in [form.action for form in open_page(office, reverse("office")).forms]
    assert office.post(retry_all).status_code == 302
    for row in (*failed, replay):
        row.refresh_from_db()
        assert (row.state, row.attempts, row.error, row.enqueued_at) == ("pending", 0, "", None)
    assert retry_all not in [form.action for form in open_page(office, reverse("office")).forms]


def test_a_run_that_did_not_fail_cannot_be_retried(office):
    tournament = factories.scored(*factories.pairs(factories.players(8, category="2P")))
    run = tournament.runs.get()
    before = ScoringRun.objects.values().get(pk=run.pk)
    assert office.post(reverse("office_run_retry", args=[run.uid])).status_code == 302
    assert ScoringRun.objects.values().get(pk=run.pk) == before


def test_a_site_without_players_names_the_first_steps(office, client):
    """The office's home page and the empty public lists say what comes first, until there are players."""
    assert reverse("office_imports") in open_page(office, reverse("office")).of_id("first").addresses
    for name in ("players", "clubs"):
        assert f"{reverse('help')}#office" in open_page(client, reverse(name)).main.addresses
    assert reverse("help") in open_page(client, reverse("tournaments")).the("div", class_="empty").addresses
    factories.player()
    assert not open_page(office, reverse("office")).all(id="first")
