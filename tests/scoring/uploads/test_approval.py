"""Tournaments of types that need approval: they count only after a second person has approved them."""

from datetime import date, timedelta

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.inbox import waiting_for
from players.models import Club, Proposal, Role
from players.services import accounts, proposals
from players.services.role_changes import GiveRole
from scoring import regulations
from scoring.annulments import services as annul
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.services import queue, runs
from scoring.office.services.rescore import preview
from scoring.uploads.services.confirm import NotConfirmable, confirm
from tests import factories
from tests.scoring.uploads.makers import approve, details
from tests.scoring.uploads.test_same_ranking import ranking
from tournaments.models import ResultUpload, Revision, Tournament
from tournaments.services import pipeline, uploads

pytestmark = pytest.mark.django_db

REGIONAL = {"event_type": "regional"}
NATIONAL = {"event_type": "national"}


@pytest.fixture
def players(club):
    return factories.pairs(factories.players(12, club=club, category="2P"))


def received(director, club, pairs, **fields) -> ResultUpload:
    corrects, reason = fields.pop("corrects", None), fields.pop("reason", "")
    form = details(**{"boards": 24, **fields})
    return uploads.receive_typed(director, club, form, ranking(pairs), corrects, reason)


def committee():
    account = factories.user()
    factories.role(account, Role.Kind.COMMITTEE)
    return account


def region_admin(region):
    account = factories.user()
    factories.role(account, Role.Kind.REGION_ADMIN, region=region)
    return account


def waiting() -> Proposal:
    return Proposal.objects.get(state="pending")


def score(upload: ResultUpload) -> ScoringRun:
    upload.refresh_from_db()
    run = upload.revision.runs.latest("pk")
    runs.score(run.pk)
    run.refresh_from_db()
    return run


@pytest.mark.parametrize("code", ["aeb-2022", "aeb-2026"])
def test_pools_of_the_aeb_need_no_approval(code):
    scheme = regulations.get(code)
    types = {row.code for row in scheme.event_types.rows}
    assert {type_ for type_ in types if not scheme.filing.needs_approval(type_)} == {"pool"}
    assert scheme.filing.regional == {"regional"}
    assert set(scheme.filing.formats) <= types


def test_only_the_lowest_points_of_other_systems_need_no_approval():
    assert not regulations.get("sbf-2019-bronze").filing.needs_approval("bronze")
    assert regulations.get("sbf-2019-silver").filing.needs_approval("silver")
    assert not regulations.get("acbl-club").filing.needs_approval("club")
    assert regulations.get("acbl-overall").filing.needs_approval("overall")


def test_a_national_tournament_is_not_scored_before_approval(director, club, players):
    run = confirm(received(director, club, players, **NATIONAL), director)
    assert run.state == ScoringRun.State.WAITING
    runs.score(run.pk)
    runs.retry_failed(run)
    ScoringRun.objects.update(created_at="2026-01-01T00:00Z")
    assert queue.find_lost(ScoringRun, 10) == []
    run.refresh_from_db()
    assert (run.state, LedgerEntry.objects.count()) == ("waiting", 0)
    assert waiting().prepared_by == director


def test_a_pool_is_scored_without_approval(director, club, players):
    assert confirm(received(director, club, players), director).state == ScoringRun.State.PENDING
    assert not Proposal.objects.exists()


def test_a_national_tournament_is_scored_once_another_person_approves(director, club, players):
    upload = received(director, club, players, **NATIONAL)
    confirm(upload, director)
    office = factories.office()
    approve(office, waiting())
    run = score(upload)
    assert run.state == ScoringRun.State.DONE
    assert LedgerEntry.objects.count() == 12
    assert proposals.waiting_for("tournament", str(upload.pk)).count() == 0


@pytest.mark.parametrize("another_club", [False, True])
def test_a_ranking_of_a_former_director_can_only_be_returned(director, club, players, another_club):
    upload = received(director, club, players, **NATIONAL)
    confirm(upload, director)
    director.roles.all().delete()
    if another_club:
        factories.role(director, Role.Kind.DIRECTOR, club=factories.club())
    with pytest.raises(ValidationError, match=director.username):
        approve(factories.office(), waiting())
    factories.role(director, Role.Kind.DIRECTOR, club=club)
    approve(factories.office(), waiting())
    assert score(upload).state == ScoringRun.State.DONE


def test_a_tournament_of_a_club_closed_since_can_be_approved(director, club, players):
    upload = received(director, club, players, **NATIONAL)
    confirm(upload, director)
    Club.objects.filter(pk=club.pk).update(active=False)
    approve(factories.office(), waiting())
    assert score(upload).state == ScoringRun.State.DONE


def test_only_office_and_committee_approve_a_national_tournament(director, club, players):
    confirm(received(director, club, players, **NATIONAL), director)
    for stranger in (director, factories.director(club), region_admin(club.region), factories.user()):
        with pytest.raises(PermissionDenied):
            approve(stranger, waiting())
    approve(committee(), waiting())


def test_a_regional_tournament_can_be_approved_by_its_region(director, club, players):
    confirm(received(director, club, players, **REGIONAL), director)
    with pytest.raises(PermissionDenied):
        approve(region_admin(factories.region()), waiting())
    account, elsewhere, client = region_admin(club.region), factories.region(), Client()
    factories.role(account, Role.Kind.REGION_ADMIN, region=elsewhere)
    client.force_login(account)
    waits = [
        client.get(reverse("region_manage", args=[region.slug])).context["approvals"]
        for region in (club.region, elsewhere)
    ]
    assert list(map(len, waits)) == [1, 0]
    approve(account, waiting())


def test_a_new_region_administrator_cannot_approve_for_some_days(director, club, players, monkeypatch):
    confirm(received(director, club, players, **REGIONAL), director)
    tournament, admin = waiting(), factories.user()
    giving = accounts.change(
        GiveRole(admin, Role.Kind.REGION_ADMIN, region=club.region), factories.office(), "new"
    )
    approve(committee(), giving)
    with pytest.raises(ValidationError) as refused:
        approve(admin, tournament)
    assert refused.value.code == "waiting"
    then = timezone.now() + timedelta(days=3, minutes=1)
    monkeypatch.setattr(timezone, "now", lambda: then)
    approve(admin, tournament)
    assert Proposal.objects.get(pk=tournament.pk).state == "approved"


def test_an_office_account_cannot_approve_its_own_uploads(club, players):
    office = factories.office()
    confirm(received(office, club, players, **NATIONAL), office)
    with pytest.raises(PermissionDenied):
        approve(office, waiting())
    other = factories.office()
    more = factories.pairs(factories.players(8, club=club))
    first = waiting()
    confirm(received(office, club, more, **NATIONAL), other)
    with pytest.raises(PermissionDenied):
        approve(office, Proposal.objects.exclude(pk=first.pk).get())


@pytest.mark.parametrize("act", ["return", "withdraw"])
def test_a_returned_or_withdrawn_ranking_becomes_a_draft_again(client, director, club, players, act):
    upload = received(director, club, players, **NATIONAL)
    confirm(upload, director)
    if act == "return":
        proposals.give_back(waiting().pk, factories.office(), "Era el pool del martes")
    else:
        proposals.withdraw(waiting().pk, director)
    upload.refresh_from_db()
    assert (upload.state, upload.revision) == (ResultUpload.State.REVIEW, None)
    assert not Tournament.objects.exists() and not ScoringRun.objects.exists()
    client.force_login(director)
    page = client.get(reverse("upload_review", args=[upload.pk])).content.decode()
    assert ("Era el pool del martes" in page) == (act == "return")
    uploads.save(upload, uploads.Answers(club, details(boards=24, end_date=date(2026, 3, 14))))
    upload.refresh_from_db()
    assert confirm(upload, director).state == ScoringRun.State.PENDING


@pytest.mark.parametrize("act", ["confirm as a pool", "discard"])
def test_the_director_sees_a_returned_ranking_until_it_is_settled(director, club, players, act):
    def news() -> list[str]:
        reader = type(director).objects.get(pk=director.pk)
        urls = [matter.url for matter in waiting_for(reader).matters]
        return [url for url in urls if url.startswith("/oficina/por-aprobar/")]

    upload = received(director, club, players, **NATIONAL)
    confirm(upload, director)
    proposal = waiting()
    proposals.give_back(proposal.pk, factories.office(), "Era el pool del martes")
    assert news() == [proposal.get_absolute_url()]
    upload.refresh_from_db()
    if act == "discard":
        pipeline.discard(upload)
    else:
        uploads.save(upload, uploads.Answers(club, details(boards=24, end_date=date(2026, 3, 14))))
        upload.refresh_from_db()
        assert confirm(upload, director).state == ScoringRun.State.PENDING
    assert news() == []


def test_a_pool_corrected_into_a_championship_keeps_its_points_until_approval(director, club, players):
    upload = received(director, club, players)
    confirm(upload, director)
    score(upload)
    played = Tournament.objects.get()
    before = sorted(LedgerEntry.objects.values_list("player_id", "points"))
    correction = received(
        director, club, players, corrects=played, reason="Era nacional", name="N", **NATIONAL
    )
    run = confirm(correction, director)
    played.refresh_from_db()
    assert (run.state, played.event_type, played.name) == ("waiting", "pool", "Pool")
    assert sorted(LedgerEntry.objects.values_list("player_id", "points")) == before
    second = received(director, club, players, corrects=played, reason="27 manos")
    with pytest.raises(NotConfirmable) as refused:
        confirm(second, director)
    assert refused.value.codes == ["awaits_approval"]
    proposals.give_back(waiting().pk, factories.office(), "No lo era")
    played.refresh_from_db()
    assert Revision.objects.get() == played.published
    preview(played, regulations.get("aeb-2022"))  # the returned approval no longer blocks other acts
    correction.refresh_from_db()
    confirm(correction, director)
    approve(factories.office(), waiting())
    score(correction)
    played.refresh_from_db()
    assert (played.event_type, played.name, played.published.number) == ("national", "N", 2)


def test_a_tournament_that_waits_for_approval_cannot_be_annulled(director, club, players):
    run = confirm(received(director, club, players, **NATIONAL), director)
    with pytest.raises(ValidationError):
        annul.annul(run.tournament_id, "Por error", director)
    assert Tournament.objects.get().annulled_at is None


@pytest.fixture
def approved(director, club, players):
    """Create a regional tournament whose points are approved and posted."""
    upload = received(director, club, players, **REGIONAL)
    confirm(upload, director)
    approve(factories.office(), waiting())
    score(upload)
    return Tournament.objects.get()


@pytest.mark.parametrize(
    "fields",
    [REGIONAL, {**REGIONAL, "boards": 20}, {**REGIONAL, "boards": 48}, NATIONAL, {"event_type": "pool"}],
)
def test_every_correction_of_an_approved_tournament_needs_approval(director, club, players, approved, fields):
    """Every correction of an approved tournament waits for approval, whatever it changes.

    The corrections change places, boards or the type of tournament, and give the same, fewer or more points.
    """
    before = sorted(LedgerEntry.objects.values_list("player_id", "points"))
    turned = received(director, club, players[::-1], corrects=approved, reason="Al revés", **fields)
    run = confirm(turned, director)
    assert run.state == "waiting"
    runs.score(run.pk)
    approved.refresh_from_db()
    assert approved.published.number == 1
    assert sorted(LedgerEntry.objects.values_list("player_id", "points")) == before
    approve(factories.office(), waiting())
    assert score(turned).state == "done"
    approved.refresh_from_db()
    assert (approved.published.number, approved.event_type) == (2, fields["event_type"])


def test_a_correction_to_other_players_needs_approval(director, club, players, approved):
    others = factories.pairs(factories.players(12, club=club, category="2P"))
    upload = received(director, club, others, corrects=approved, reason="Otros", **REGIONAL)
    confirm(upload, director)
    paid = set(LedgerEntry.objects.values_list("player_id", flat=True))
    assert paid == {player.pk for pair in players for player in pair}
    with pytest.raises(PermissionDenied):
        approve(director, waiting())


@pytest.mark.parametrize(
    ("fields", "in_region"), [(REGIONAL, True), ({"event_type": "pool"}, True), (NATIONAL, False)]
)
def test_the_region_approves_only_corrections_of_regional_tournaments(
    client, director, club, players, approved, fields, in_region
):
    upload = received(director, club, players, corrects=approved, reason="Manos", **{**fields, "boards": 27})
    client.force_login(director)
    page = client.get(reverse("upload_confirm", args=[upload.pk])).content.decode()
    assert ("el administrador de la territorial" in page) == in_region
    confirm(upload, director)
    if in_region:
        approve(region_admin(club.region), waiting())
    else:
        with pytest.raises(PermissionDenied):
            approve(region_admin(club.region), waiting())


def test_a_region_cannot_approve_a_correction_of_a_national_tournament(director, club, players):
    upload = received(director, club, players, **NATIONAL)
    confirm(upload, director)
    approve(factories.office(), waiting())
    score(upload)
    played = Tournament.objects.get()
    confirm(received(director, club, players, corrects=played, reason="Era regional", **REGIONAL), director)
    with pytest.raises(PermissionDenied):
        approve(region_admin(club.region), waiting())


def test_a_correction_to_a_ranking_confirmed_elsewhere_cannot_be_approved(director, club, players):
    """A correction cannot be approved if the same ranking was confirmed elsewhere while it waited.

    The correction moves the tournament to another week, in which another club has confirmed the ranking.
    """
    upload = received(director, club, players)
    confirm(upload, director)
    score(upload)
    later = {**NATIONAL, "end_date": "2026-04-20"}
    correction = received(
        director, club, players, corrects=Tournament.objects.get(), reason="Otro día", **later
    )
    confirm(correction, director)
    elsewhere = factories.club()
    again = received(factories.director(elsewhere), elsewhere, players, end_date="2026-04-20")
    confirm(again, again.created_by)
    with pytest.raises(ValidationError, match=elsewhere.name):
        approve(factories.office(), waiting())
    assert waiting().state == "pending"
    annul.annul(Tournament.objects.latest("pk").pk, "Repetido", factories.office())
    approve(factories.office(), waiting())
    assert score(correction).state == "done"


def test_correcting_a_pool_needs_no_approval(director, club, players):
    upload = received(director, club, players)
    confirm(upload, director)
    score(upload)
    played = Tournament.objects.get()
    turned = received(director, club, players[::-1], corrects=played, reason="Al revés")
    assert confirm(turned, director).state == "pending"


def test_a_tournament_type_requires_its_format(director, club, players):
    upload = received(director, club, players, event_type="teams_championship")
    with pytest.raises(NotConfirmable) as refused:
        confirm(upload, director)
    assert refused.value.codes == ["format_not_of_type"]


# --- Pages -----------------------------------------------------------------------------------------------


def test_pages_say_who_has_to_approve_the_points(client, director, club, players):
    client.force_login(director)
    upload = received(director, club, players, **REGIONAL)
    confirmation = client.get(reverse("upload_confirm", args=[upload.pk])).content.decode()
    assert "esperarán" in confirmation and "Cuando se apruebe" in confirmation
    client.post(reverse("upload_confirm", args=[upload.pk]))
    played = Tournament.objects.get()
    proposal = waiting()
    receipt = client.get(reverse("upload_receipt", args=[upload.pk]))
    assert receipt.context["progress"].finished
    who = "la oficina de la federación, el comité o el administrador de la territorial"
    for address in (
        reverse("upload_receipt", args=[upload.pk]),
        played.get_absolute_url(),
        players[0][0].get_absolute_url(),
    ):
        assert who in client.get(address).content.decode(), address
    assert proposal.get_absolute_url() in receipt.content.decode()
    assert "pendiente de aprobación" in client.get(reverse("tournaments")).content.decode()
    assert "pendiente de aprobación" in client.get(reverse("uploads")).content.decode().lower()
    page = client.get(proposal.get_absolute_url()).content.decode()
    assert players[0][0].full_name in page and "Torneo" in page
    admin = region_admin(club.region)
    client.force_login(admin)
    assert proposal.get_absolute_url() in client.get(reverse("proposals")).content.decode()
    page = client.get(proposal.get_absolute_url())
    client.post(proposal.get_absolute_url(), {"action": "approve", "seen": page.context["effect"].digest})
    assert ScoringRun.objects.get().state == "pending"


def test_the_confirmation_page_says_what_is_confirmed(client, director, club, players):
    client.force_login(director)
    page = client.get(reverse("upload_confirm", args=[received(director, club, players).pk]))
    text = page.content.decode()
    for fact in ("Pool de club", "Parejas", "Presencial", "aeb-2026", "C1 = 5"):
        assert fact in text
    assert page.context["first"] == max(page.context["review"].points_by_player.values())
    assert page.context["usual"] is None


def test_points_far_above_the_clubs_usual_ones_raise_a_warning(client, director, club, players):
    client.force_login(director)
    upload = received(director, club, players, end_date="2026-02-14")
    confirm(upload, director)
    score(upload)
    others = factories.pairs(factories.players(12, club=club, category="2P"))
    page = client.get(reverse("upload_confirm", args=[received(director, club, others).pk]))
    assert page.context["usual"] is None
    page = client.get(reverse("upload_confirm", args=[received(director, club, others, **NATIONAL).pk]))
    most = max(LedgerEntry.objects.values_list("points", flat=True))
    assert page.context["usual"] == most


def test_the_number_of_queries_does_not_grow_with_waiting_tournaments(director, club, client):
    office = factories.office()
    client.force_login(office)
    asked = []
    for more in (1, 2):
        for _time in range(more):
            pairs = factories.pairs(factories.players(4, club=club))
            confirm(received(director, club, pairs, **NATIONAL), director)
        client.get(reverse("proposals"))
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("proposals"))
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_tournament_types_of_other_years_are_not_offered_for_a_known_date(client, director, club, players):
    client.force_login(director)
    form = client.get(reverse("upload_review", args=[received(director, club, players).pk])).context["form"]
    offered = {code for code, _label in form.fields["event_type"].choices}
    assert "league" in offered and "teams_championship_open" not in offered
