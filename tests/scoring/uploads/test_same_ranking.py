"""Detect an event uploaded twice, in another file or club, but not the same people playing again."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

import pytest
from django.urls import reverse

from scoring.ledger.services import approval, runs
from scoring.office.services import merges
from scoring.uploads.services.confirm import NotConfirmable, confirm
from tests import factories
from tests.scoring.uploads.makers import details
from tests.threads import at_once
from tournaments.formats.types import Entry, EventInfo, ParsedResult, Person
from tournaments.models import ResultUpload, Tournament
from tournaments.services import uploads
from tournaments.services.drafts import draft_of

pytestmark = pytest.mark.django_db

SUNDAY = date(2026, 3, 15)
TWICE = {"same_ranking", "same_people", "same_source", "also_that_day"}


def ranking(pairs: Sequence[Sequence], results: Sequence[str | None] | None = None, **fields) -> ParsedResult:
    """Return a ranking of pairs as if typed on the form for rankings, without a file.

    pairs: the people of each pair, in order of place: players, or names of guests
    results: each pair's percentage; by default 69.75, 69.50 and so on
    """
    results = results or [f"{70 - number / 4:.2f}" for number, _pair in enumerate(pairs, start=1)]
    entries = tuple(
        Entry(
            line=number,
            number=str(number),
            place=str(number),
            score=None,
            percentage=result,
            direction=fields.get("directions", {}).get(number),
            section=None,
            team=None,
            people=tuple(
                Person(None, player) if isinstance(player, str) else Person(player.number, player.full_name)
                for player in pair
            ),
            boards=None,
        )
        for number, (pair, result) in enumerate(zip(pairs, results, strict=True), start=1)
    )
    return ParsedResult(uploads.TYPED, "", event=fields.get("event", EventInfo()), entries=entries)


def received(club, parsed: ParsedResult, day: date = SUNDAY, **fields) -> ResultUpload:
    """Create an upload under review."""
    corrects, reason = fields.pop("corrects", None), fields.pop("reason", "")
    form = details(**{"end_date": day.isoformat(), "boards": 24, **fields})
    by = factories.director(club)
    return uploads.receive_typed(by, club, form, parsed, corrects, reason)


def confirmed(upload: ResultUpload) -> Tournament:
    """Tick every warning of the upload, confirm it and return the tournament."""
    uploads.save(upload, uploads.Answers(ticks=draft_of(upload).by_tick))
    return confirm(upload, upload.created_by).tournament


def issues_of(upload: ResultUpload, *codes: str) -> dict[str, list]:
    """Return the draft's issues by code: those with `codes`, by default those about other tournaments."""
    issues = [issue for issue in draft_of(upload).issues if issue.code in (codes or TWICE)]
    return {issue.code: [other for other in issues if other.code == issue.code] for issue in issues}


@pytest.fixture
def regulars(club):
    """Create fourteen pairs of one club."""
    return factories.pairs(factories.players(28, club=club, category="2P"))


@pytest.fixture
def played(club, regulars):
    """Create a confirmed tournament of the fourteen pairs, played on a Sunday."""
    return confirmed(received(club, ranking(regulars)))


def test_a_ranking_with_one_changed_player_is_recognised(club, regulars, played):
    changed = [(factories.player(club=club), regulars[0][1]), *regulars[1:]]
    upload = received(club, ranking(changed))
    issue = issues_of(upload)["same_ranking"][0]
    assert issue.severity == "error"
    assert issue.params["tournament"] == played.pk
    assert (issue.params["count"], issue.params["total"]) == (13, 14)
    assert set(issues_of(upload)) == {"same_ranking"}
    with pytest.raises(NotConfirmable) as refused:
        confirmed(upload)
    assert refused.value.codes == ["same_ranking"]


@pytest.mark.parametrize(
    "fields",
    [
        {"day": SUNDAY + timedelta(days=7)},
        {"day": SUNDAY - timedelta(days=7)},
        {"event_type": "teams_championship"},
        {"venue": "online", "boards": 30},
    ],
)
def test_the_same_ranking_is_recognised_with_another_day_or_type(club, regulars, played, fields):
    assert "same_ranking" in issues_of(received(club, ranking(regulars), **fields))


def test_the_same_ranking_in_another_club_is_recognised_by_half_of_its_pairs(regulars, played):
    others = factories.pairs(factories.players(14))
    half = ranking([*regulars[:7], *others])
    assert "same_ranking" in issues_of(received(factories.club(), half))
    less = ranking([*regulars[:6], *others, *factories.pairs(factories.players(2))])
    assert "same_ranking" not in issues_of(received(factories.club(), less))


def test_the_issue_names_the_right_one_of_several_similar_tournaments(regulars):
    """Three tournaments near in time share people with the upload, but only one has the same ranking."""
    others, more = (factories.pairs(factories.players(28, category="2P")) for _half in range(2))
    before, same, after = (
        confirmed(received(factories.club(), ranking(pairs))) for pairs in (others, regulars, more)
    )
    changed = [*regulars[:-2], others[0], more[0]]
    issues = issues_of(received(factories.club(), ranking(changed)))
    assert [issue.params["tournament"] for issue in issues["same_ranking"]] == [same.pk]
    also = {issue.params["tournament"] for issue in issues["also_that_day"]}
    assert also == {before.pk, after.pk}


def test_after_corrections_the_issue_names_the_tournament_with_the_newest_ranking(regulars):
    """An upload is compared with the newest ranking of each tournament, and the issue names that tournament.

    Ids of rankings and tournaments differ here, so that mixing them up would be noticed.
    """
    others, more = (factories.pairs(factories.players(28, category="2P")) for _half in range(2))
    first, second = (confirmed(received(factories.club(), ranking(pairs))) for pairs in (others, regulars))
    confirmed(received(first.club, ranking(more), corrects=first, reason="Era otra lista"))
    confirmed(received(second.club, ranking(regulars[::-1]), corrects=second, reason="Otro orden"))
    confirmed(received(first.club, ranking(more[::-1]), corrects=first, reason="Otro orden"))
    for pairs, same in ((more[::-1], first), (regulars[::-1], second)):
        (issue,) = issues_of(received(factories.club(), ranking(pairs)))["same_ranking"]
        assert (issue.params["tournament"], issue.params["club"]) == (same.pk, same.club.name)
    for pairs in (others, regulars, more):
        assert "same_ranking" not in issues_of(received(factories.club(), ranking(pairs)))


def test_part_of_a_ranking_is_recognised(club, regulars, played):
    """The ranking of one section is recognised as part of the ranking of the whole event, uploaded before."""
    assert "same_ranking" in issues_of(received(club, ranking(regulars[:4])))


def test_the_same_ranking_more_than_a_week_later_raises_no_issue(club, regulars, played):
    assert issues_of(received(club, ranking(regulars), SUNDAY + timedelta(days=8))) == {}


def test_the_same_ranking_for_another_points_system_is_another_tournament(club, regulars, played, settings):
    settings.FAMILIES = ["aeb", "sbf-bronze"]
    upload = received(club, ranking(regulars), family="sbf-bronze", event_type="bronze", params={})
    assert issues_of(upload) == {}


def test_rankings_without_results_are_compared_by_place(club, regulars):
    places = [None] * 14
    confirmed(received(club, ranking(regulars, places)))
    assert "same_ranking" in issues_of(received(club, ranking(regulars, places)))
    turned = issues_of(received(club, ranking(regulars[7:] + regulars[:7], places)))
    assert set(turned) == {"same_people"}


def test_a_ranking_with_two_fields_is_compared_like_one_field(club, regulars):
    lines = {number: "NS" if number % 2 else "EW" for number in range(1, 15)}
    two = ranking(regulars, directions=lines)
    confirmed(received(club, two, ranking="two"))
    assert "same_ranking" in issues_of(received(club, two, ranking="two"))
    assert "same_ranking" in issues_of(received(club, ranking(regulars)))


def test_guests_and_merged_numbers_are_recognised(club, regulars, played):
    duplicate = factories.player(club=club)
    merges.merge(duplicate, regulars[0][0], "La misma persona", None)
    written = [(duplicate, regulars[0][1]), *((first, "Sin número") for first, _other in regulars[1:])]
    assert issues_of(received(club, ranking(written)))["same_ranking"][0].params["count"] == 14


def test_the_same_people_may_play_on_ten_evenings_and_twice_on_a_day(club, regulars):
    """The same 28 people with other results: ten evenings raise no issue, two events on one day a warning."""
    for evening in range(10):
        results = [f"{40 + (7 * number + 11 * evening) % 29 + evening / 100:.2f}" for number in range(14)]
        upload = received(club, ranking(regulars, sorted(results, reverse=True)), SUNDAY + timedelta(evening))
        assert issues_of(upload) == {}
        confirmed(upload)
        regulars = regulars[3:] + regulars[:3]
    afternoon = received(club, ranking(regulars[::-1], [f"{65 - number * 2.3:.2f}" for number in range(14)]))
    issues = issues_of(afternoon)
    assert set(issues) == {"same_people"}
    assert issues["same_people"][0].severity == "warning"
    assert confirmed(afternoon).pk


def test_a_person_in_two_of_the_clubs_tournaments_on_a_day_raises_a_note(club, regulars, played):
    stranger = factories.pairs(factories.players(12))
    issues = issues_of(received(club, ranking([*stranger, regulars[3]])))
    assert set(issues) == {"also_that_day"}
    named = [issue.params["player"] for issue in issues["also_that_day"]]
    assert named == sorted(regular.pk for regular in regulars[3])


@pytest.mark.parametrize("corrected", [False, True])
def test_a_person_in_tournaments_of_two_clubs_on_a_day_raises_a_note(club, regulars, corrected):
    others = factories.pairs(factories.players(28, category="2P"))
    first = confirmed(received(club, ranking(others if corrected else regulars)))
    if corrected:
        confirmed(received(club, ranking(regulars), corrects=first, reason="Era otra lista"))
    stranger = factories.pairs(factories.players(6))
    upload = received(factories.club(), ranking([*stranger, regulars[3]]))
    notes = issues_of(upload)["also_that_day"]
    assert [note.severity for note in notes] == ["info"] * 2
    assert {note.params["person"] for note in notes} == {regular.public_name for regular in regulars[3]}
    assert confirmed(upload).pk


def test_a_correction_is_not_compared_with_its_own_tournament(club, regulars, played):
    upload = received(club, ranking(regulars), corrects=played, reason="27 manos", boards=27)
    assert issues_of(upload) == {}


def test_players_left_out_by_a_correction_raise_no_issue(club, regulars, played):
    others = factories.pairs(factories.players(28, club=club))
    confirmed(received(club, ranking(others), corrects=played, reason="Era otra lista"))
    assert issues_of(received(club, ranking(regulars))) == {}


def test_both_the_current_ranking_and_its_waiting_correction_are_compared(client, club, regulars, played):
    """An upload is compared with the ranking that counts, and with its correction that waits for approval."""
    runs.score(played.runs.get().pk)
    others = factories.pairs(factories.players(28, category="2P"))
    waiting = received(club, ranking(others), corrects=played, reason="Era otra lista", event_type="national")
    confirmed(waiting)
    for pairs in (regulars, others):
        upload = received(factories.club(), ranking(pairs))
        (issue,) = issues_of(upload)["same_ranking"]
        assert issue.params["tournament"] == played.pk
        client.force_login(factories.office())
        page = client.get(reverse("upload_compare", args=[upload.pk, played.pk])).content.decode()
        assert page.count("69,75") == 2, "the ranking that is the same stands beside it"
        uploads.mark_separate(upload, played, "Dos finales", factories.office())
        assert set(issues_of(upload, "same_ranking", "two_events")) == {"two_events"}
    approval.discard(approval.waiting_run(played))
    assert "same_ranking" not in issues_of(received(factories.club(), ranking(others)))


GUESTS = [(f"Guillermo Uno{letter}", f"Hanna Dos{letter}") for letter in "abcdefghij"]
NAMELESS = [("", "")] * 10
ALL_ALIKE = [("Invitado 1", "Invitada")] * 10


@pytest.mark.parametrize("again", [NAMELESS, [(b.upper(), f"{a} Tres") for a, b in GUESTS]])
@pytest.mark.parametrize("scored", [True, False])
@pytest.mark.parametrize("guests", [GUESTS, ALL_ALIKE])
def test_a_ranking_with_many_guests_is_recognised(club, regulars, guests, again, scored):
    """Guests are recognised by their names. Guests without a name are not compared."""
    results = None if scored else [None] * 14
    confirmed(received(club, ranking([*regulars[:4], *guests], results)))
    issues = issues_of(received(factories.club(), ranking([*regulars[:4], *again], results)))
    assert set(issues) == {"same_ranking"}


def test_a_ranking_without_most_of_its_numbers_is_recognised(club, regulars, played):
    """A ranking is recognised as the same even if only one of its pairs has federation numbers.

    All other pairs have only names.
    """
    written = [tuple(one.full_name for one in pair) for pair in regulars]
    issue = issues_of(received(factories.club(), ranking([regulars[0], *written[1:]])))["same_ranking"][0]
    assert issue.params["count"] == issue.params["total"] > 7
    # Then the reverse: first the ranking of names, later the one with numbers.
    later = SUNDAY + timedelta(days=30)
    confirmed(received(club, ranking([regulars[0], *written[1:]]), later))
    assert "same_ranking" in issues_of(received(factories.club(), ranking(regulars), later))


@pytest.mark.parametrize("known", [2, 4])
@pytest.mark.parametrize(
    ("guests", "others"),
    [
        (GUESTS, [(f"Ingrid {a[-4:]}o", f"Jonás {b[-4:]}i") for a, b in GUESTS]),
        (GUESTS, GUESTS[3:] + GUESTS[:3]),
        (GUESTS, NAMELESS),
        (NAMELESS, NAMELESS),
        (ALL_ALIKE, ALL_ALIKE),
    ],
)
def test_two_evenings_with_many_guests_and_no_results_are_two_events(club, regulars, guests, others, known):
    """Two evenings without results are two events, even if a few known pairs get the same places by chance.

    All other people are guests.
    """
    places = [None] * (known + 10)
    confirmed(received(club, ranking([*regulars[:known], *guests], places)))
    pairs = regulars[:known]
    if known == 4:
        pairs = [pairs[0], pairs[1], pairs[3], pairs[2]]
    next_day = SUNDAY + timedelta(days=1)
    assert issues_of(received(club, ranking([*pairs, *others], places), next_day)) == {}


def test_guests_with_the_same_name_do_not_make_two_evenings_one_event(club, regulars):
    """Guests with the same name, "Invitado", do not make two evenings the same event.

    The evenings have a few known pairs in common, and different results.
    """
    confirmed(received(club, ranking([*regulars[:4], *ALL_ALIKE])))
    results = [f"{64 - number / 3:.2f}" for number in range(14)]
    upload = received(club, ranking([*regulars[:4], *ALL_ALIKE], results), SUNDAY + timedelta(days=1))
    assert issues_of(upload) == {}


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("Club de Bridge Alameda", True),
        ("C.B. ALAMEDA", True),
        ("Bridge Club Encinar", False),
        ("Encinar del Río", False),
        ("RealBridge", False),
        ("", False),
    ],
)
def test_a_file_that_names_another_club_raises_an_issue(regulars, written, asked):
    own = factories.club(name="Club de Bridge Encinar", city="Aldea")
    factories.club(name="Alameda Club de Bridge")
    upload = received(own, ranking(regulars, event=EventInfo(club_name=written or None)))
    issues = issues_of(upload, "other_club")
    assert bool(issues) == asked
    if asked:
        assert issues["other_club"][0].severity == "warning"


@pytest.mark.django_db(transaction=True)
def test_the_same_ranking_confirmed_by_two_clubs_at_once_creates_one_tournament(club, regulars):
    """If two clubs confirm the same ranking at the same time, only one tournament is created.

    The two uploads have different clubs and event types. So one transaction waits for the other only because
    both lock the players whom they have in common.
    """
    changed = [(factories.player(), regulars[0][1]), *regulars[1:]]
    drafts = [
        received(club, ranking(regulars)),
        received(factories.club(), ranking(changed), event_type="regional"),
    ]
    failed = at_once([partial(confirm, draft, draft.created_by) for draft in drafts])
    assert [type(item) for item in failed] == [NotConfirmable]
    assert failed[0].codes == ["same_ranking"]
    assert Tournament.objects.count() == 1


# --- The two remedies ------------------------------------------------------------------------------------


def test_one_click_turns_a_repeated_ranking_into_a_correction(client, club, regulars, played):
    upload = received(club, ranking(regulars, event=EventInfo(source_id="9")), boards=27)
    client.force_login(upload.created_by)
    compare = reverse("upload_compare", args=[upload.pk, played.pk])
    assert compare in client.get(reverse("upload_review", args=[upload.pk])).content.decode()
    page = client.get(compare)
    assert page.status_code == 200
    assert page.context["separate"] is None, "only the office says that they are two"
    again = client.post(compare, {"action": "corrects", "corrects-reason": " "})
    assert "reason" in again.context["correction"].errors
    client.post(compare, {"action": "corrects", "corrects-reason": "Eran 27 manos"})
    upload.refresh_from_db()
    assert (upload.corrects, upload.correction_reason) == (played, "Eran 27 manos")
    assert issues_of(upload, "same_ranking", "corrected_meanwhile", "same_people") == {}
    confirmed(upload)
    assert Tournament.objects.get().boards == 27


def test_a_director_cannot_correct_a_tournament_of_another_club(client, regulars, played):
    upload = received(factories.club(), ranking(regulars))
    client.force_login(upload.created_by)
    compare = reverse("upload_compare", args=[upload.pk, played.pk])
    assert client.get(compare).context["correction"] is None
    assert client.post(compare, {"action": "corrects", "corrects-reason": "x"}).status_code == 403
    assert client.post(compare, {"action": "separate", "separate-reason": "x"}).status_code == 403
    client.force_login(factories.office())
    client.post(compare, {"action": "corrects", "corrects-reason": "Es de aquel club"})
    upload.refresh_from_db()
    assert (upload.corrects, upload.club) == (played, played.club)


def test_the_office_can_decide_that_equal_rankings_are_two_events(client, club, regulars, played):
    upload = received(club, ranking(regulars[:8]))
    compare = reverse("upload_compare", args=[upload.pk, played.pk])
    client.force_login(factories.office())
    assert (
        "reason"
        in client.post(compare, {"action": "separate", "separate-reason": ""}).context["separate"].errors
    )
    client.post(compare, {"action": "separate", "separate-reason": "Dos finales el mismo día"})
    issues = issues_of(upload, "same_ranking", "two_events")
    assert set(issues) == {"two_events"}
    assert issues["two_events"][0].severity == "info"
    assert confirmed(upload).pk != played.pk


def test_the_offices_decision_covers_only_the_rankings_that_it_saw(club, regulars, played):
    upload = received(club, ranking([*regulars[:8], *factories.pairs(factories.players(4))]))
    uploads.mark_separate(upload, played, "Dos finales", factories.office())
    assert "same_ranking" not in issues_of(upload)
    uploads.replace_entries(upload, ranking(regulars).entries)
    upload.refresh_from_db()
    assert "same_ranking" in issues_of(upload)


def test_a_comparison_shows_both_rankings_without_hidden_names(client, club, regulars, played):
    hidden = regulars[0][0]
    type(hidden).objects.filter(pk=hidden.pk).update(hidden=True)
    upload = received(club, replace(ranking(regulars[::-1]), file_name=""))
    client.force_login(upload.created_by)
    review = client.get(reverse("upload_review", args=[upload.pk])).content.decode()
    assert "66,50" in review
    page = client.get(reverse("upload_compare", args=[upload.pk, played.pk])).content.decode()
    assert regulars[1][0].full_name in page
    assert hidden.surname not in page
    assert hidden.number in page


def test_directors_of_other_clubs_cannot_open_a_comparison(client, club, regulars, played):
    upload = received(club, ranking(regulars))
    client.force_login(factories.director(factories.club()))
    assert client.get(reverse("upload_compare", args=[upload.pk, played.pk])).status_code == 404
