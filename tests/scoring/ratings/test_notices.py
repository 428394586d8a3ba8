"""Notices to Go players: a tournament of theirs was rated, a correction changed their rating."""

from datetime import date
from itertools import pairwise

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import translation

from scoring.annulments import services as annulments
from scoring.cases.models import Case
from scoring.letters import choices
from scoring.letters.composing import texts_of
from scoring.letters.models import Notice, Reader
from scoring.ratings import notices
from scoring.ratings.models import RatedPlayer, RatingReplay, RatingTournament
from scoring.ratings.queries import rating_text
from scoring.ratings.services import replays
from tests import factories
from tests.pages import open_page
from tests.scoring.letters.test_letters import letters, linked
from tests.scoring.ratings import makers

pytestmark = pytest.mark.django_db

ODD, EVEN = [(1, 1, 2, "1"), (1, 3, 4, "1")], [(1, 2, 1, "1"), (1, 4, 3, "1")]


@pytest.fixture
def account():
    """The account of the Go player Uno 1, who played Copa 1. Uno 2 is in the register without an account."""
    makers.registered(makers.event("Copa 1", date(2026, 1, 1)))
    member = factories.player(given_name="Ana")
    RatedPlayer.objects.filter(name="Uno 1").update(player=member)
    RatedPlayer.objects.filter(name="Uno 2").update(player=factories.player(given_name="Blas"))
    return linked(member, notices.RATED, notices.CHANGED)


def test_a_go_player_reports_a_missing_tournament_to_the_office(client, account):
    client.force_login(account)
    address = open_page(client, reverse("my_go")).link("Falta un torneo de Go")
    page = open_page(client, address)
    assert "Contesta la oficina si no eliges ningún club." in page.lead
    text = page.main.the("textarea", name="text").text
    assert text == "Torneo de Go que falta:" and page.context["form"].initial["club"] == ""
    client.post(address, {"kind": "other", "text": f"{text} Copa de Mayo", "club": "", "day": ""})
    assert (Case.objects.get().state, Case.objects.get().club) == ("office", None)


def rating() -> str:
    """Return the present rating of Uno 1, as notices write it."""
    return rating_text(makers.player("Uno 1").rating, 1)


def texts_for(account) -> list[tuple[str, str]]:
    """Return (kind, whole text) of an account's notices, oldest first."""
    rows = list(Notice.objects.filter(account=account).order_by("pk"))
    texts = texts_of(account, rows)
    return [(row.kind, " ".join((texts[row.pk].subject, *texts[row.pk].paragraphs))) for row in rows]


def repeat(replay: RatingReplay) -> None:
    """Let a worker perform a replay that was performed before."""
    RatingReplay.objects.filter(pk=replay.pk).update(state=RatingReplay.State.PENDING, lease_until=None)
    replays.replay(replay.pk)


@pytest.mark.usefixtures("english")
def test_a_rated_tournament_is_told_once_to_the_players_who_have_an_account(account):
    before = rating()
    tournament = makers.registered(makers.event("Copa 2", date(2026, 2, 1), games=EVEN))
    repeat(tournament.replays.get())
    ((kind, text),) = texts_for(account)
    assert kind == "go_rated" and before != rating()
    assert f"Copa 2 (1 Feb 2026) is rated. Your Go rating went from {before} to {rating()}." in text
    assert Notice.objects.count() == 1  # the other players have no account, or no number


@pytest.mark.usefixtures("english")
def test_a_late_tournament_is_one_notice_though_later_ones_are_rated_again(account):
    for month in (3, 4):
        makers.registered(makers.event(f"Copa {month}", date(2026, month, 1), games=ODD))
    Notice.objects.all().delete()
    before = rating()
    makers.registered(makers.event("Copa 2", date(2026, 2, 1), games=EVEN))
    ((kind, text),) = texts_for(account)
    assert kind == "go_rated" and "Copa 2 (1 Feb 2026) is rated." in text
    assert f"in all, your rating went from {before} to {rating()}." in text


@pytest.mark.usefixtures("english")
def test_the_first_rating_has_none_before(account):
    RatedPlayer.objects.filter(name="Uno 1").update(player=None)
    makers.registered(makers.event("Copa 2", date(2026, 2, 1), makers.people(4, 11)))
    RatedPlayer.objects.filter(name="Uno 11").update(player=account.player)
    RatingTournament.objects.get(name="Copa 2").entrants.get(position=1).result.delete()
    replay = replays.request(date(2026, 2, 1), None)
    replays.replay(replay.pk)
    ((_kind, text),) = texts_for(account)
    assert "Your first Go rating is" in text


@pytest.mark.usefixtures("english")
def test_corrections_annulments_and_restorations_are_told_with_their_reason(account):
    tournament = RatingTournament.objects.get()
    makers.registered(makers.event("Copa 2", date(2026, 2, 1), games=ODD))
    Notice.objects.all().delete()
    ratings = [rating()]
    makers.registered(makers.event("Copa 1", date(2026, 1, 1), games=EVEN), corrects=tournament)
    ratings.append(rating())
    office = factories.office()
    for act in (annulments.annul_go, annulments.restore_go):
        replays.replay(act(tournament.pk, "Wrong file", office).pk)
        ratings.append(rating())
    texts = texts_for(account)
    assert [kind for kind, _text in texts] == ["go_changed"] * 3
    causes = ["was registered or corrected.", "was annulled. Reason: Wrong file", "was restored."]
    for (_kind, text), (old, new), cause in zip(texts, pairwise(ratings), causes, strict=True):
        assert f"went from {old} to {new}." in text and f"Copa 1 (1 Jan 2026) {cause}" in text


@pytest.mark.usefixtures("english")
def test_an_annulled_only_tournament_leaves_no_rating(account):
    tournament, office, before = RatingTournament.objects.get(), factories.office(), rating()
    replays.replay(annulments.annul_go(tournament.pk, "Wrong file", office).pk)
    replays.replay(annulments.restore_go(tournament.pk, "Was right", office).pk)
    texts = [text for _kind, text in texts_for(account)]
    assert f"You have no Go rating any more; it was {before}." in texts[0]
    assert f"You have a Go rating again: {before}." in texts[1]


def test_a_change_by_a_rounding_is_no_notice(account):
    row = RatingTournament.objects.get().entrants.get(position=1).result
    row.after += 0.04
    row.save()
    replay = replays.request(date.min, None)
    replays.replay(replay.pk)
    assert replay.changes.count() == 1 and texts_for(account) == []


def test_without_go_there_are_no_notices_and_no_choices(client, account, settings):
    assert {"go_rated", "go_changed"} <= {kind.code for kind in choices.offered_to(account)}
    other = linked(factories.player())
    assert not any(kind.code.startswith("go_") for kind in choices.offered_to(other))  # no Go player
    settings.FAMILIES = ["aeb"]
    makers.registered(makers.event("Copa 2", date(2026, 2, 1), games=EVEN))
    assert not Notice.objects.exists()
    client.force_login(account)
    assert 'name="go_rated"' not in client.get(reverse("notice_settings")).content.decode()


@pytest.mark.parametrize(
    ("language", "words"),
    [("es", "Tu rating de Go ha pasado de"), ("en", "Your Go rating went from")],
)
def test_letters_are_text_and_html_in_both_languages(account, language, words):
    Reader.objects.create(account=account, language=language)
    tournament = RatingTournament.objects.get()
    makers.registered(makers.event("Copa <2>", date(2026, 2, 1), games=EVEN))
    makers.registered(makers.event("Copa 1", date(2026, 1, 1), games=EVEN), corrects=tournament)
    with translation.override(language):
        numbers = rating()
    texts = letters()
    assert len(texts) == 2
    for text, message in zip(texts, mail.outbox, strict=True):
        assert words in text and words in message.alternatives[0].content
    assert "Copa <2>" in texts[0] and "Copa &lt;2&gt;" in mail.outbox[0].alternatives[0].content
    assert numbers in texts[1]


def test_the_queries_of_telling_do_not_grow_with_the_players(django_assert_max_num_queries):
    for k, end in enumerate((date(2026, 1, 1), date(2026, 2, 1))):
        makers.registered(makers.event(f"Copa {k}", end, makers.people(12), EVEN))
    replay = RatingReplay.objects.first()
    for rated in RatedPlayer.objects.all()[:10]:
        rated.player = factories.player(user=factories.user())
        rated.save()
    with django_assert_max_num_queries(15):
        notices.tell_of(replay)
    assert Notice.objects.count() == 10
