"""Repeated files and tournaments, corrections, and two confirmations at the same time."""

from functools import partial

import pytest
from django.urls import reverse

from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.services import runs
from scoring.uploads.services.confirm import NotConfirmable, confirm
from tests import factories
from tests.scoring.uploads.makers import codes, csv_of, details, post_file, sent, tick_and_confirm, usebio_of
from tests.threads import at_once
from tests.tournaments.formats.bridgemates import mitchell
from tournaments.models import ResultUpload, Revision, Tournament
from tournaments.services import pipeline, uploads
from tournaments.services.drafts import draft_of
from tournaments.services.files import Sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def first(signed_in, club, pairs):
    """Create a tournament from a file, and post its points."""
    upload = sent(signed_in, club, csv_of(pairs))
    tick_and_confirm(signed_in, upload)
    upload.refresh_from_db()
    runs.score(upload.revision.runs.get().pk)
    return Tournament.objects.get()


def test_the_same_file_is_recognised_and_its_tournament_is_linked(signed_in, club, pairs, first):
    again = sent(signed_in, club, csv_of(pairs), file_name="renamed.csv")
    assert "same_file" in codes(again)
    page = signed_in.get(reverse("upload_review", args=[again.pk])).content.decode()
    assert first.get_absolute_url() in page
    signed_in.post(reverse("upload_confirm", args=[again.pk]))
    assert Tournament.objects.count() == 1


def test_a_list_of_names_alone_is_not_the_ranking_beside_which_it_was_sent(director, club):
    members = factories.pairs(factories.players(4, club=club))
    names = "\n".join(f"{at};{one.full_name};{two.full_name}" for at, (one, two) in enumerate(members, 1))
    content = names.encode()
    whole = uploads.receive(
        director, club, "martes.bws", mitchell(2, 2).data(), details(), further=[Sent("lista.csv", content)]
    )
    ResultUpload.objects.filter(pk=whole.pk).update(
        state="confirmed", revision=factories.scored(*members, of=club).revisions.get()
    )
    alone = uploads.receive(director, club, "lista.csv", content, {})
    assert not codes(alone) & {"same_file", "same_draft"}


def test_the_same_file_may_correct_its_own_tournament(signed_in, club, pairs, first):
    query = f"?corrige={first.pk}"
    again = sent(signed_in, club, csv_of(pairs), query=query, boards="27", reason="27 manos, no 24")
    assert "same_file" not in codes(again)
    assert "same_ranking" not in codes(again)


def test_a_file_whose_ranking_was_replaced_may_become_another_tournament(signed_in, club, pairs, first):
    """A file can be uploaded again as another tournament if a correction has replaced its ranking.

    The file had first been uploaded for the wrong tournament.
    """
    query, fields = f"?corrige={first.pk}", {"boards": "24", "reason": "Era el archivo de otro torneo"}
    turned = sent(signed_in, club, csv_of(pairs[::-1]), query=query, **fields)
    tick_and_confirm(signed_in, turned)
    again = sent(signed_in, club, csv_of(pairs))
    assert "same_file" in codes(again), "the correction is not scored yet"
    runs.score(Revision.objects.get(number=2).runs.get().pk)
    again = sent(signed_in, club, csv_of(pairs))
    assert again.issues.get(code="same_file_replaced").severity == "warning"
    page = signed_in.get(reverse("upload_review", args=[again.pk])).content.decode()
    assert first.get_absolute_url() in page
    tick_and_confirm(signed_in, again)
    assert Tournament.objects.count() == 2


def test_a_file_whose_ranking_was_slightly_corrected_is_still_recognised(signed_in, club, pairs, first):
    query, fields = f"?corrige={first.pk}", {"boards": "24", "reason": "Dos puestos cambiados"}
    swapped = sent(signed_in, club, csv_of([*pairs[:-2], pairs[-1], pairs[-2]]), query=query, **fields)
    tick_and_confirm(signed_in, swapped)
    runs.score(Revision.objects.get(number=2).runs.get().pk)
    assert "same_file" in codes(sent(signed_in, club, csv_of(pairs)))


def test_the_office_has_to_decide_again_if_a_draft_and_a_tournament_become_more_alike(
    client, signed_in, club, pairs, first
):
    """If a draft and a tournament become more alike, the office has to decide again that they are two events.

    At first the draft and the tournament have two of four pairs in common. Then the tournament is corrected
    with the draft's file, so that both have the same ranking.
    """
    other = factories.club()
    director, office = factories.director(other), factories.office()
    data = csv_of([*pairs[:2], *factories.pairs(factories.players(4, club=other, category="2P"))])
    client.force_login(director)
    draft = sent(client, other, data)
    uploads.mark_separate(draft, first, "Dos finales", office)
    client.force_login(factories.director(club))
    fields = {"boards": "24", "reason": "Era el otro archivo"}
    correction = sent(client, club, data, query=f"?corrige={first.pk}", **fields)
    tick_and_confirm(client, correction)
    runs.score(Revision.objects.get(number=2).runs.get().pk)
    assert repeats_of(draft) == {"same_file"}, "more is the same than the office saw"

    compare = reverse("upload_compare", args=[draft.pk, first.pk])
    listed = reverse("uploads") + "?estado=alike"
    client.force_login(director)
    client.post(compare, {"action": "ask"})
    client.force_login(office)
    page = client.get(listed)
    assert [row.record["pk"] for row in page.context["table"].paginated_rows] == [draft.pk]
    assert client.get(compare).context["waits_for_office"]
    client.post(compare, {"action": "separate", "separate-reason": "Lo son"})
    (noted,) = (item for item in draft_of(draft).issues if item.code == "two_events")
    assert noted.params["reason"] == "Lo son" and repeats_of(draft) == {"two_events"}
    assert not list(client.get(listed).context["table"].paginated_rows)


def repeats_of(upload: ResultUpload) -> set[str]:
    """Return which of three issue codes a draft has now.

    same_file: the file was confirmed before
    same_ranking: the ranking is that of a confirmed tournament
    two_events: the office stated that the draft and such a tournament are two events
    """
    codes_now = {item.code for item in draft_of(ResultUpload.objects.get(pk=upload.pk)).issues}
    return codes_now & {"same_file", "same_ranking", "two_events"}


def test_a_second_draft_of_a_file_raises_an_issue(signed_in, club, pairs):
    sent(signed_in, club, csv_of(pairs))
    second = sent(signed_in, club, csv_of(pairs))
    assert second.issues.get(code="same_draft").severity == "info"


def test_another_draft_of_a_file_does_not_hide_the_confirmed_tournament(signed_in, club, pairs):
    forgotten = sent(signed_in, club, csv_of(pairs))
    first = sent(signed_in, club, csv_of(pairs))
    tick_and_confirm(signed_in, first)
    assert {"same_file"} == codes(sent(signed_in, club, csv_of(pairs))) & {"same_file", "same_draft"}
    page = signed_in.get(reverse("upload_review", args=[forgotten.pk]))
    assert "same_file" in {issue.code for issue in page.context["review"].issues}


def test_a_discarded_draft_raises_no_issue_for_the_same_file(signed_in, club, pairs):
    single = sent(signed_in, club, csv_of(pairs))
    signed_in.post(reverse("upload_discard", args=[single.pk]))
    assert "same_draft" not in codes(sent(signed_in, club, csv_of(pairs)))


def test_the_same_players_on_the_same_day_raise_a_warning(signed_in, club, pairs, first):
    other = sent(signed_in, club, csv_of(list(reversed(pairs))))
    issue = other.issues.get(code="same_people")
    assert (issue.severity, issue.params["tournament"]) == ("warning", first.pk)
    uploads.save(other, uploads.Answers(ticks=["same_people"]))
    other.refresh_from_db()
    assert "same_people" in draft_of(other).accepted
    Tournament.objects.update(name="Otro")  # the text of the ticked warning has changed
    assert "same_people" in draft_of(other).unticked
    morning = sent(signed_in, club, csv_of(list(reversed(pairs))), end_date="2026-03-15")
    assert "same_people" not in codes(morning)


def test_the_same_event_number_of_the_same_program_raises_a_warning(signed_in, club, pairs):
    upload = sent(signed_in, club, usebio_of(pairs), "one.xml")
    tick_and_confirm(signed_in, upload)
    others = factories.pairs(factories.players(6, club=club))
    same = sent(signed_in, club, usebio_of(others), "two.xml")
    assert same.issues.get(code="same_source").severity == "warning"
    other = sent(signed_in, club, usebio_of(others, event_id="78"), "three.xml")
    assert "same_source" not in codes(other)


def test_a_correction_needs_a_reason(signed_in, club, pairs, first):
    query = f"?corrige={first.pk}"
    page = post_file(signed_in, club, csv_of(pairs[::-1]), query=query)
    assert "reason" in page.context["form"].errors


def test_the_form_of_a_correction_starts_with_the_stored_data(signed_in, first):
    form = signed_in.get(reverse("upload_start") + f"?corrige={first.pk}").context["form"]
    assert (form["name"].value(), form["boards"].value()) == (first.name, 24)
    assert form["end_date"].value() == "2026-03-14"


def test_a_corrected_file_reverses_the_old_points_and_posts_new_ones(signed_in, club, pairs, first):
    old = dict(LedgerEntry.objects.values_list("player_id", "points"))
    query = f"?corrige={first.pk}"
    upload = sent(signed_in, club, csv_of(pairs[::-1]), query=query, reason="Puestos al revés")
    page = signed_in.get(reverse("upload_review", args=[upload.pk]))
    changes = {change.player_id: (change.old, change.new) for change in page.context["review"].changes}
    winner = pairs[0][0].pk
    assert changes[winner] == (old[winner], old[pairs[3][0].pk])
    tick_and_confirm(signed_in, upload)
    upload.refresh_from_db()
    runs.score(upload.revision.runs.get().pk)
    assert Tournament.objects.count() == 1
    kinds = set(LedgerEntry.objects.filter(player=winner).values_list("kind", "points"))
    assert kinds == {("award", old[winner]), ("reversal", -old[winner]), ("award", old[pairs[3][0].pk])}
    receipt = signed_in.get(reverse("upload_receipt", args=[upload.pk]))
    assert receipt.context["paid"] == 8


def test_the_preview_shows_the_points_lost_by_a_player_left_out(signed_in, club, pairs, first):
    stranger = factories.player(club=club, category="2P")
    changed = [(pairs[0][0], stranger), *pairs[1:]]
    query = f"?corrige={first.pk}"
    upload = sent(signed_in, club, csv_of(changed), query=query, reason="Era otra pareja")
    page = signed_in.get(reverse("upload_review", args=[upload.pk]))
    changes = {change.player_id: change.new for change in page.context["review"].changes}
    assert changes[pairs[0][1].pk] is None
    assert changes[stranger.pk] is not None
    assert pairs[0][1].full_name in page.content.decode()


def test_a_correction_by_hand_starts_with_the_current_ranking(signed_in, club, pairs, first):
    url = reverse("upload_typed") + f"?corrige={first.pk}"
    assert signed_in.get(url).status_code == 200
    data = {**details(name="Pool, nombre nuevo"), "club": club.pk, "reason": "El nombre"}
    signed_in.post(url, data)
    upload = ResultUpload.objects.get(corrects=first)
    draft = draft_of(upload)
    assert [[seat.player_id for seat in row.seats] for row in draft.rows] == [
        [single.pk, other.pk] for single, other in pairs
    ]
    assert not draft.has_errors
    tick_and_confirm(signed_in, upload)
    first.refresh_from_db()
    assert first.name == "Pool, nombre nuevo"
    assert first.revisions.count() == 2


def test_a_correction_keeps_the_regulation_chosen_by_the_office(signed_in, club, pairs, first):
    first.regulation_override, first.override_reason = "aeb-2022", "Aplazado de 2025"
    first.save()
    query = f"?corrige={first.pk}"
    upload = sent(signed_in, club, csv_of(pairs[::-1]), query=query, reason="Puestos")
    values = {"action": "details", "club": club.pk, **details(boards="27")}
    signed_in.post(reverse("upload_review", args=[upload.pk]), values)
    upload.refresh_from_db()
    header = draft_of(upload).header
    assert (header.regulation_override, header.override_reason) == ("aeb-2022", "Aplazado de 2025")


def test_a_confirmed_upload_cannot_be_changed(signed_in, club, pairs, first):
    upload = ResultUpload.objects.get()
    before = ResultUpload.objects.values().get()
    review = reverse("upload_review", args=[upload.pk])
    for data in (
        {"action": "mend", "number_0-0": "5"},
        {"action": "accept", "accept": ["x"]},
        {"action": "details", "club": club.pk, **details(name="Otro")},
    ):
        assert signed_in.post(review, data).status_code == 302
    signed_in.post(reverse("upload_edit", args=[upload.pk]), {"row-TOTAL_FORMS": "0"})
    signed_in.post(reverse("upload_discard", args=[upload.pk]))
    assert ResultUpload.objects.values().get() == before


@pytest.mark.parametrize(
    "verb",
    [
        lambda upload: uploads.save(upload, uploads.Answers(seats={(0, 0): "5"})),
        lambda upload: uploads.save(upload, uploads.Answers(ticks=[])),
        lambda upload: uploads.replace_entries(upload, []),
        lambda upload: uploads.save(upload, uploads.Answers(upload.club, {})),
        lambda upload: pipeline.discard(upload),
    ],
)
def test_the_services_refuse_an_upload_that_is_not_a_draft(first, verb):
    with pytest.raises(pipeline.NotUnderReview):
        verb(ResultUpload.objects.get())


@pytest.mark.django_db(transaction=True)
def test_two_simultaneous_clicks_create_one_tournament(signed_in, director, club, pairs):
    upload = sent(signed_in, club, csv_of(pairs))
    result = []

    def click() -> None:
        result.append(confirm(ResultUpload.objects.get(pk=upload.pk), director).pk)

    assert at_once([click] * 4) == []
    assert len(set(result)) == 1
    assert Tournament.objects.count() == ScoringRun.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_drafts_of_a_file_confirmed_at_once_create_one_tournament(signed_in, director, club, pairs):
    drafts = [sent(signed_in, club, csv_of(pairs)) for _draft in range(3)]

    def click(draft) -> None:
        confirm(ResultUpload.objects.get(pk=draft.pk), director)

    failed = at_once([partial(click, draft) for draft in drafts])
    assert [type(item) for item in failed] == [NotConfirmable] * 2
    assert all("same_file" in item.codes for item in failed)
    assert Tournament.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_file_confirmed_by_two_clubs_at_once_creates_one_tournament(client, pairs):
    drafts = []
    for club in (factories.club(), factories.club()):
        director = factories.director(club)
        client.force_login(director)
        drafts.append((sent(client, club, csv_of(pairs)), director))
    failed = at_once([partial(confirm, draft, director) for draft, director in drafts])
    assert [type(item) for item in failed] == [NotConfirmable]
    assert failed[0].codes == ["same_file"]
    assert Tournament.objects.count() == 1


def test_a_correction_based_on_an_outdated_ranking_raises_an_issue(signed_in, director, club, pairs, first):
    query = f"?corrige={first.pk}"
    begun = sent(signed_in, club, csv_of(pairs), query=query, boards="27", reason="27 manos")
    other = sent(signed_in, club, csv_of(pairs[::-1]), query=query, reason="Puestos al revés")
    tick_and_confirm(signed_in, other)
    with pytest.raises(NotConfirmable) as refused:
        confirm(begun, director)
    assert refused.value.codes == ["corrected_meanwhile"]
    page = signed_in.get(reverse("upload_review", args=[begun.pk])).content.decode()
    assert "Puestos al revés" in page
    uploads.save(begun, uploads.Answers(ticks=["corrected_meanwhile"]))
    assert confirm(begun, director).revision.number == 3


def test_a_correction_of_the_current_ranking_raises_no_issue(signed_in, club, pairs, first):
    query = f"?corrige={first.pk}"
    tick_and_confirm(signed_in, sent(signed_in, club, csv_of(pairs[::-1]), query=query, reason="Al revés"))
    again = sent(signed_in, club, csv_of(pairs), query=query, boards="27", reason="27 manos")
    assert "corrected_meanwhile" not in codes(again)


def test_a_confirmed_tournament_is_listed_before_it_is_scored(
    signed_in, club, pairs, django_capture_on_commit_callbacks
):
    address = reverse("tournaments")
    assert signed_in.get(address).context["total"] == 0
    with django_capture_on_commit_callbacks(execute=True):
        tick_and_confirm(signed_in, sent(signed_in, club, csv_of(pairs)))
    assert ScoringRun.objects.get().state == ScoringRun.State.PENDING
    page = signed_in.get(address)
    assert page.context["total"] == 1
    assert Tournament.objects.get().get_absolute_url() in page.content.decode()


def test_the_preview_lists_no_change_for_players_who_cannot_earn_points(
    signed_in, club, pairs, first, settings
):
    """If players without a licence earn nothing, the preview of a correction lists no change for them."""
    settings.UNLICENSED_EARN = False
    newcomer = factories.player(club=club, category="2P", licensed=False)
    others = factories.pairs(factories.players(14, club=club, category="2P"))
    changed = [(pairs[0][0], newcomer), *pairs[1:], *others]
    upload = sent(signed_in, club, csv_of(changed), query=f"?corrige={first.pk}", reason="Faltaban parejas")
    review = signed_in.get(reverse("upload_review", args=[upload.pk])).context["review"]
    assert review.evaluation.eligible
    assert newcomer.pk not in {change.player_id for change in review.changes}
