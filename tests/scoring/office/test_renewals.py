"""Licences by season: listed by state, renewed in one act, and a renewal undone as a whole."""

from datetime import date
from itertools import product

import pytest
from django.core.exceptions import ValidationError
from django.db.models import Exists
from django.urls import reverse

from players.models import Licence, Player
from players.services import licences as single
from players.services import persons
from scoring.ledger.models import Standing
from scoring.office.models import LicenceRenewal
from scoring.office.queries import licences as queries
from scoring.office.services import merges, renewals
from tests import factories as make
from tests.pages import Page, open_page
from tests.scoring.pages.test_queries import query_count
from ui.clock import today

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
PAGE, RENEW = "/oficina/licencias/", "/oficina/licencias/renovar/"
YEAR = today().year
NEXT = YEAR + 1


def member(club, year: int = YEAR, **fields) -> Player:
    """Create a player of the club with a licence of a season."""
    player = make.player(club=club, licensed=False)
    make.licence(player, valid_from=date(year, 1, 1), valid_to=date(year, 12, 31), **fields)
    return player


def renew(by, club=None, *, season: int = NEXT, foreign: bool = False, chosen=None, first=None):
    """Renew as the page does, which sends the digest of the list that it shows."""
    first = first or date(season, 1, 1)
    listed = queries.to_renew(season, first, club=club, foreign=foreign).values_list("pk", flat=True)
    return renewals.renew(
        season, first, by, "Paid", club=club, foreign=foreign, chosen=chosen, seen=renewals.digest(listed)
    )


def seasons_of(player: Player) -> list[int]:
    return sorted(player.licences.values_list("valid_to__year", flat=True))


def test_the_list_of_a_season_tells_the_states_apart(office):
    club = make.club()
    people = {"con": member(club), "caducada": member(club, YEAR - 1), "sin": member(club, YEAR - 3)}
    make.player(club=club, licensed=False, deceased_on=today())
    make.player(club=club, licensed=False, erased_on=today())
    for state, player in people.items():
        table = open_page(office, PAGE, estado=state, club=club.slug).table("Licences of the season")
        assert table.column("Number") == [player.number], state
    assert open_page(office, PAGE, club=club.slug).lead.startswith(f"{YEAR}: 1 with a licence, 1 whose")


def test_importing_a_list_from_here_proposes_licences(office):
    address = open_page(office, PAGE).link("Import a list")
    assert open_page(office, address).values("kind") == ["licences"]


def test_three_rows_take_as_many_queries_as_one(office):
    club = make.club()
    member(club)
    by = make.office()
    renew(by, club)
    counts = [query_count(office, PAGE), query_count(office, f"{RENEW}?club={club.slug}&temporada={YEAR}")]
    for _turn in range(2):
        member(make.club())
        member(club, YEAR - 1)
        renew(by)
    again = [query_count(office, PAGE), query_count(office, f"{RENEW}?club={club.slug}&temporada={YEAR}")]
    assert again == counts


def test_a_club_is_renewed_from_the_page_with_a_preview_and_ticks(office):
    club, other = make.club(), make.club()
    ana, eva, luis = member(club), member(club), member(club)
    member(other)
    make.licence(luis, valid_from=date(NEXT, 1, 1), valid_to=date(NEXT, 12, 31))
    page = open_page(office, RENEW, temporada=NEXT, club=club.slug)
    assert page.lead == f"2 persons get a licence from 1 Jan {NEXT} to 31 Dec {NEXT}."
    assert "Have one already: left out 1" in page.text
    form = page.form("seen")
    assert sorted(form.values["players"]) == sorted([ana.number, eva.number])
    assert office.post(form.action, form.values).status_code == 422  # without a reason
    answer = office.post(form.action, {**form.values, "players": [ana.number], "reason": "Paid"})
    renewal = LicenceRenewal.objects.get()
    assert answer.url == renewal.get_absolute_url()
    assert (seasons_of(ana), seasons_of(eva)) == ([YEAR, NEXT], [YEAR])
    line = ana.changes.get()
    assert (line.source, line.reason, line.reference) == ("renewal", "Paid", str(renewal.pk))
    assert open_page(office, answer.url).lead == "1 licence was given."
    again = office.post(form.action, {**form.values, "reason": "Paid"})
    assert again.status_code == 422 and "changed meanwhile" in Page(again).text


def test_renewing_again_from_an_old_page_says_that_the_list_changed(office):
    club = make.club()
    member(club)
    form = open_page(office, RENEW, temporada=NEXT, club=club.slug).form("seen")
    renewed = {**form.values, "reason": "Paid"}
    assert office.post(form.action, renewed).status_code == 302
    again = office.post(form.action, renewed)
    assert again.status_code == 422 and "changed meanwhile" in Page(again).text


def test_the_proposed_first_day_follows_the_season(office):
    member(make.club())
    seasons = [open_page(office, RENEW, temporada=YEAR, desde=f"{NEXT}-01-01").form("temporada").values]
    seasons += [open_page(office, RENEW, temporada=NEXT, desde=str(today())).form("temporada").values]
    assert [values["desde"] for values in seasons] == [[str(today())], [f"{NEXT}-01-01"]]
    if today() != date(YEAR, 1, 2):
        assert office.get(RENEW, {"temporada": NEXT, "desde": f"{YEAR}-01-02"}).status_code == 422


def test_both_ways_to_find_whose_licence_is_renewed_agree():
    """One finds them with names and one by one, the other all at once by their licences."""
    club, sizes = make.club(), []
    for number, (own, other, equivalent, later, more) in enumerate(
        product((False, True), (False, True), (False, True), (0, 1, 2), ("", "dead", "erased", "merged"))
    ):
        fields = {"dead": {"deceased_on": today()}, "erased": {"erased_on": today()}}.get(more, {})
        player = make.player(club=club if number % 3 else None, licensed=False, **fields)
        if more == "merged":
            Player.objects.filter(pk=player.pk).update(merged_into=make.player(licensed=False))
        last = {0: date(YEAR, 12, 31), 1: date(NEXT, 2, 1), 2: date(NEXT, 12, 31)}[later]
        if own:
            make.licence(player, valid_from=date(YEAR - 2, 1, 1), valid_to=date(YEAR - 2, 12, 31))
            make.licence(player, valid_from=date(YEAR, 5, 1), valid_to=last)
        if other:
            values = {"issuer": "FPB", "equivalent": equivalent}
            make.licence(player, valid_from=date(YEAR, 1, 1), valid_to=date(YEAR, 3, 1), **values)
    for first, of, foreign in product(
        (date(NEXT, 1, 1), date(NEXT, 2, 1), date(NEXT, 2, 2)), (None, club), (False, True)
    ):
        listed = list(queries.to_renew(NEXT, first, club=of, foreign=foreign))
        plan = queries.plan(NEXT, first, of and of.pk, foreign=foreign)
        assert sorted(player.pk for player in listed) == sorted(plan.ids)
        held = queries._held_before(NEXT, of, foreign=foreign)
        others = queries._held_before(NEXT, of, foreign=True).filter(deceased_on=None).exclude(issuer="")
        assert (plan.number, plan.have, plan.foreign, plan.deceased) == (
            len(listed),
            held.filter(deceased_on=None).filter(Exists(queries._from(first))).count(),
            0 if foreign else others.count(),
            held.exclude(deceased_on=None).count(),
        )
        sizes.append((plan.number, plan.have, plan.deceased))
    assert len(set(sizes)) > 4 and min(sizes[0]) > 0


def test_every_player_is_in_one_state_of_the_season():
    club = make.club()
    for first, last in product((YEAR - 2, YEAR - 1, YEAR), (YEAR - 2, YEAR - 1, YEAR, NEXT)):
        for of in (club, None):
            player = make.player(club=of, licensed=False)
            if first <= last:
                make.licence(player, valid_from=date(first, 6, 1), valid_to=date(last, 6, 30))
    make.licence(
        make.player(licensed=False), valid_from=date(YEAR, 1, 1), valid_to=date(YEAR, 12, 31), issuer="FPB"
    )
    for season, of in product((YEAR - 1, YEAR, NEXT), (club, None)):
        counts = queries.count_by_state(0, season, of and of.pk)
        assert counts == {state: queries.players_by_state(season, state, of).count() for state in counts}


def test_the_counts_of_the_pages_follow_each_change_of_persons_and_licences(office):
    """They are cached until then."""
    by, club = make.office(), make.club()
    lapsed, licensed, double = member(club, YEAR - 1), member(club), member(club)
    values = {"valid_from": today(), "valid_to": date(YEAR, 12, 31)}
    changes = [
        lambda: None,
        lambda: single.add(lapsed, values, by, "Paid late"),
        lambda: single.remove(lapsed.licences.get(valid_from=today()).pk, by, "A slip"),
        lambda: merges.merge(double, licensed, "Twice", by),
        lambda: persons.change(
            licensed.pk,
            {"deceased_on": today()},
            by,
            "A letter",
            persons.fingerprint(Player.objects.get(pk=licensed.pk)),
        ),
        lambda: renew(by, season=YEAR, first=today()),
    ]
    shown = []
    for change in changes:
        change()
        counts = queries.count_by_state.__wrapped__(0, YEAR)
        lead = open_page(office, PAGE).lead
        assert lead.startswith(f"{YEAR}: {counts['con']} with a licence, {counts['caducada']} whose"), lead
        plan = queries.plan(NEXT, date(NEXT, 1, 1), None, foreign=False)
        page = open_page(office, RENEW, temporada=NEXT)
        assert (
            f"Get a licence {plan.number} " in page.text
            and f"Have died: left out {plan.deceased}" in page.text
        )
        shown.append((lead, plan.number, plan.deceased))
    assert len(set(shown)) == len(shown) - 1  # what was removed is as before


def test_renewing_twice_renews_once_and_nobody_whose_data_are_erased():
    by, player = make.office(), member(make.club())
    erased = member(make.club())
    Player.objects.filter(pk=erased.pk).update(erased_on=today())
    renew(by)
    with pytest.raises(ValidationError, match="nobody|nadie"):
        renew(by)
    assert (seasons_of(player), seasons_of(erased)) == ([YEAR, NEXT], [YEAR])


def test_work_that_is_repeated_after_a_crash_gives_nobody_two_licences(monkeypatch):
    by, players = make.office(), [member(make.club()) for _number in range(3)]
    monkeypatch.setattr(renewals, "AT_ONCE", 0)
    monkeypatch.setattr(renewals, "chunks", lambda ids: ([pk] for pk in ids))
    renewal = renew(by)
    assert not Licence.objects.filter(valid_from__year=NEXT).exists()

    settle, turns = renewals._settle, []

    def fail_once(*args) -> None:
        turns.append(1)
        if len(turns) == 2:
            raise ValueError("crash")
        settle(*args)

    monkeypatch.setattr(renewals, "_settle", fail_once)
    with pytest.raises(ValueError, match="crash"):
        renewals.perform(renewal.pk)
    assert Licence.objects.filter(valid_from__year=NEXT).count() == 1
    renewals.perform(renewal.pk)
    renewals.perform(renewal.pk)
    renewal.refresh_from_db()
    assert (renewal.state, renewal.licences.count()) == ("done", 3)
    assert [seasons_of(player) for player in players] == [[YEAR, NEXT]] * 3


def test_only_one_renewal_is_under_way_at_a_time(monkeypatch):
    monkeypatch.setattr(renewals, "AT_ONCE", 0)
    by = make.office()
    member(make.club())
    renew(by)
    with pytest.raises(ValidationError):
        renew(by)


def test_foreign_licences_that_count_are_renewed_only_if_asked_and_stay_foreign():
    by, club = make.office(), make.club()
    foreign = member(club, issuer="FFB", equivalent=True)
    uncounted = member(club, issuer="DBV")
    own = member(club)
    assert queries.plan(NEXT, date(NEXT, 1, 1), None, foreign=False).foreign == 1
    renew(by)
    assert (seasons_of(own), seasons_of(foreign)) == ([YEAR, NEXT], [YEAR])
    renew(by, foreign=True)
    assert foreign.licences.values_list("issuer", "equivalent").get(valid_from__year=NEXT) == ("FFB", True)
    assert seasons_of(uncounted) == [YEAR]


def test_a_renewal_of_this_season_updates_the_standings_and_undoing_it_too(office):
    players = make.players(8, category="2P", licensed=False)
    for player in players:
        make.licence(player, valid_from=date(YEAR - 1, 1, 1), valid_to=date(YEAR - 1, 12, 31))
    make.scored(*make.pairs(players), end_date=date(YEAR, 1, 1), event_type="regional")
    standing = Standing.objects.filter(player=players[0])
    renewal = renew(office.account, season=YEAR, first=today())
    assert standing.get().licensed is True
    address = reverse("licence_renewal_undo", args=[renewal.pk])
    assert office.post(address, {"reason": ""}).status_code == 422
    assert office.post(address, {"reason": "Not paid"}).status_code == 302
    assert standing.get().licensed is False
    assert [seasons_of(player) for player in players] == [[YEAR - 1]] * 8
    assert players[0].changes.latest("pk").reason == "Not paid"
    assert open_page(office, renewal.get_absolute_url()).lead.startswith("Undone on")
    assert office.post(address, {"reason": "Again"}).status_code == 422


@pytest.mark.parametrize("reason", ["corrected", "played"])
def test_a_renewal_on_which_something_depends_is_not_undone(office, reason):
    club = make.club()
    players = [member(club, YEAR - 1) for _number in range(4)]
    renewal = renew(office.account, season=YEAR, first=today())
    if reason == "corrected":
        licence = players[0].licences.get(valid_from=today())
        values = {"valid_from": today(), "valid_to": today(), "issuer": "", "equivalent": False}
        single.correct(licence.pk, values, office.account, "Left")
    else:
        make.scored(*make.pairs(players), of=club, end_date=today(), event_type="regional")
    page = open_page(office, renewal.get_absolute_url())
    assert "cannot be undone as a whole" in page.text and players[0].number in page.text
    assert office.post(reverse("licence_renewal_undo", args=[renewal.pk]), {"reason": "x"}).status_code == 422
    assert [len(seasons_of(player)) for player in players] == [2] * 4
