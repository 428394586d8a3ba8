"""Numbers that are probably one person: the search, what the office decides, and the page."""

from datetime import date

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.inbox import waiting_for
from players.models import Player
from scoring.office.models import DuplicatePair, DuplicateSearch
from scoring.office.queries.duplicates import find_pairs, open_pairs
from scoring.office.services import duplicates, merge_proposals
from tests import factories as make
from tests.pages import open_page

pytestmark = pytest.mark.django_db
PAGE = "/oficina/duplicados/"


def person(name: str, surname: str, *, seasons: tuple[int, ...] = (), **fields) -> Player:
    """Create a player with licences of these seasons, by default without a club."""
    fields = {"club": None, "given_name": name, "surname": surname, "licensed": False, **fields}
    made = make.player(**fields)
    for year in seasons:
        make.licence(made, valid_from=date(year, 1, 1), valid_to=date(year, 12, 31))
    return made


def evidence() -> dict[tuple[int, int], list[str]]:
    return {(item.first, item.second): item.evidence for item in find_pairs()}


def key(*pair: Player) -> tuple[int, int]:
    return tuple(sorted(player.pk for player in pair))


def test_equal_or_alike_names_are_listed_if_something_else_agrees():
    club = make.club()
    teresa = person("Teresa", "Lafuente Gil", club=club, birth_year=1951, seasons=(2020,))
    again = person("Teresa", "Lafuente Gil", club=club, birth_year=1951, seasons=(2024,))
    slip = person("Teresa", "Lafuentes Gil", club=club)
    mail = [person("Pedro", "Mora Sanz", email=address) for address in ("P@example.org", "p@example.org")]
    moved = [person("Rosa", "Vidal Pla", seasons=(year,)) for year in (2019, 2025)]
    turned = person("Vidal", "Rosa Pla", seasons=(2022,))
    pairs = evidence()
    assert pairs[key(teresa, again)] == ["same_name", "birth_year", "club", "seasons"]
    assert pairs[key(teresa, slip)] == ["alike", "club"]
    assert pairs[key(*mail)] == ["same_name", "email"]
    assert pairs[key(*moved)] == ["same_name", "seasons"]
    assert key(moved[0], turned) in pairs  # the same words in another order
    assert key(again, slip) in pairs and len(pairs) == 7


def test_homonyms_relatives_and_people_who_met_are_not_listed():
    club = make.club()
    nothing_else_agrees = [person("Ana", "Gil Prado"), person("Ana", "Gil Prado")]
    one_season = [person("Luz", "Rey Paz", seasons=(2024,)) for _number in range(2)]
    sisters = [person(name, "Soto Vega", club=club) for name in ("Ana", "Eva")]
    generations = [person("José", "Cano Ruiz", club=club, birth_year=year) for year in (1940, 1970)]
    short = [person("Ana", "Gil", seasons=(year,)) for year in (2020, 2024)]
    partners = [person("Juan", "Mora Real", club=club), person("Juan", "Mora Real", club=club)]
    assert list(evidence()) == [key(*partners)]
    make.scored(partners, make.players(2))
    assert evidence() == {}
    assert Player.objects.count() == 2 * 6 + 2 and all(
        (nothing_else_agrees, one_season, sisters, generations, short)
    )


def pair_of_two(**fields) -> DuplicatePair:
    club = make.club()
    two = [person("Teresa", "Lafuente Gil", club=club, **fields) for _number in range(2)]
    duplicates.store(find_pairs())
    return DuplicatePair.objects.get(first__in=two)


def test_a_search_keeps_decisions_and_the_day_of_the_first_finding():
    decided, stays, goes = (pair_of_two() for _number in range(3))
    office = make.office()
    assert duplicates.keep_apart(decided, office) and not duplicates.keep_apart(decided, make.office())
    goes.second.given_name = "Pablo"
    goes.second.save()
    days = dict(DuplicatePair.objects.values_list("pk", "found_at"))
    assert duplicates.ask() and not duplicates.ask()  # one at a time
    duplicates.perform(DuplicateSearch.objects.get().pk)
    assert DuplicateSearch.objects.get().state == "done"
    assert set(DuplicatePair.objects.values_list("pk", flat=True)) == {decided.pk, stays.pk}
    decided.refresh_from_db()
    assert (decided.separate_by, list(open_pairs())) == (office, [stays])
    assert DuplicatePair.objects.get(pk=stays.pk).found_at == days[stays.pk]
    assert duplicates.ask()


def test_pairs_leave_the_list_while_their_merge_waits_and_once_they_are_merged():
    pair = pair_of_two()
    office = make.office()
    assert waiting_for(office).kinds[0].kind == "duplicates"
    proposal = merge_proposals.propose_merge(pair.second, pair.first, "Registered twice", office)
    assert list(open_pairs()) == []
    other = pair_of_two()
    assert list(open_pairs()) == [other]
    assert proposal.key == f"{pair.second_id}:{pair.first_id}"
    Player.objects.filter(pk=other.first_id).update(merged_into=other.second)
    assert list(open_pairs()) == []


def test_the_page_offers_both_answers_and_remembers_who_gave_one(office):
    pair = pair_of_two(hidden=True)
    page = office.get(PAGE).content.decode()
    merging = f"{reverse('merges')}?cede={pair.second.number}&amp;queda={pair.first.number}"
    assert merging in page and "Lafuente" in page and "Mismo nombre, mismo club." in page
    assert office.get(merging.replace("&amp;", "&")).context["compared_html"]
    for _time in range(2):
        assert office.post(reverse("duplicate_separate", args=[pair.pk])).status_code == 302
    assert (list(open_pairs()), "lo dijo" in office.get(PAGE).content.decode()) == ([], True)
    assert office.post(reverse("duplicates_search")).status_code == 302
    assert DuplicateSearch.objects.get().state == "pending"
    assert reverse("duplicates_search") not in office.get(PAGE).content.decode()


def test_a_register_that_was_not_searched_is_not_called_free_of_duplicates(office):
    assert "aún no se ha repasado" in open_page(office, PAGE).the("h1").text
    DuplicateSearch.objects.create(state="done", finished_at=timezone.now())
    assert open_page(office, PAGE).the("h1").text == "Ningún número parece repetido"


def test_the_number_of_queries_does_not_grow_with_pairs(office):
    counts = []
    for number in (1, 2, 3):
        duplicates.keep_apart(pair_of_two(), make.office())
        pair_of_two()
        with CaptureQueriesContext(connection) as captured:
            assert len(office.get(PAGE).context["pairs"]) == number
        counts.append(len(captured))
    assert counts[0] == counts[2]


def test_the_database_refuses_a_pair_twice_and_two_searches_at_once():
    pair = pair_of_two()
    with pytest.raises(IntegrityError), transaction.atomic():
        DuplicatePair.objects.create(first=pair.second, second=pair.first, weight=4)
    DuplicateSearch.objects.create()
    with pytest.raises(IntegrityError), transaction.atomic():
        DuplicateSearch.objects.create(state="running")
