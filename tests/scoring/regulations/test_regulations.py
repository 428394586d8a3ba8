"""The AEB's regulations: dates, codes, eligibility, categories, bounds, receipts and places."""

from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

import pytest

from scoring.engine.errors import EngineError
from scoring.engine.types import FORMATS, Contestant, Reason, Seat
from scoring.regulations import ALL, FOLDERS, families, get, in_force, of_family, valid_to
from scoring.regulations.answers import answer
from scoring.regulations.families import FAMILIES
from scoring.regulations.filing import PAIRS, TEAMS, Filing
from tests.folders import REGULATIONS
from tests.scoring.engine.support import event, pairs_at

AEB_2022 = get("aeb-2022")
AEB_2026 = get("aeb-2026")


def refused(call, code, field):
    with pytest.raises(EngineError) as caught:
        call()
    assert (caught.value.code, caught.value.field) == (code, field)


@pytest.mark.parametrize(
    ("on", "code"),
    [
        (date(2022, 1, 2), "aeb-2022"),
        (date(2025, 12, 31), "aeb-2022"),
        (date(2026, 1, 1), "aeb-2026"),
    ],
)
def test_each_day_has_the_right_regulation_in_force(on, code):
    assert in_force("aeb", on).code == code


def test_days_without_a_regulation_and_unknown_codes_are_errors():
    refused(lambda: in_force("aeb", date(2022, 1, 1)), "no_regulation", "date")
    refused(lambda: in_force("chess", date(2026, 1, 1)), "unknown_family", "family")
    refused(lambda: get("aeb-2024"), "unknown_regulation", "regulation")


def test_codes_of_regulations_are_unique_and_grouped_by_family():
    codes = [regulation.code for regulation in ALL]
    assert len(set(codes)) == len(codes)
    assert families() == ("aeb", "sbf", "egf")
    assert of_family("aeb")[:2] == (AEB_2022, AEB_2026)


def test_every_regulation_folder_with_a_document_is_registered():
    documents = {path.parent.name for path in REGULATIONS.glob("*/README.md")}
    assert documents == set(FOLDERS.values())


def test_pages_list_the_families_in_their_order_and_each_family_by_date():
    assert [family.code for family in FAMILIES] == list(
        dict.fromkeys(regulation.family for regulation in ALL)
    )
    for family in families():
        days = [regulation.valid_from for regulation in of_family(family)]
        assert days == sorted(set(days))


@pytest.mark.parametrize("family", families())
def test_the_regulations_of_a_family_follow_each_other_without_gaps(family):
    """On every day from the first on, one regulation of the family is in force; the last has no end."""
    *earlier, last = of_family(family)
    for old, new in pairwise([*earlier, last]):
        assert valid_to(old) + timedelta(days=1) == new.valid_from
        assert in_force(family, old.valid_from) is in_force(family, valid_to(old)) is old
    assert valid_to(last) is None
    assert in_force(family, last.valid_from) is in_force(family, date.max) is last


@pytest.mark.parametrize(
    ("regulation", "curve", "below", "low", "high", "above"),
    [
        (AEB_2022, "c2", 14, "1", "1.35", 120),
        (AEB_2022, "c3", 10, "1", "1.6", 120),
        (AEB_2026, "c2", 20, "1", "2.5", 120),
        (AEB_2026, "c3", 10, "1", "3.5", 120),
    ],
)
def test_c2_and_c3_jump_to_their_bounds_as_printed(regulation, curve, below, low, high, above):
    value = getattr(regulation, curve)
    bare = getattr(regulation, f"{curve}_curve").bare
    assert value(below) == value(1) == Decimal(low) != bare(Decimal(below))
    assert value(above) == value(9999) == Decimal(high) != bare(Decimal(above))
    assert value(below + 1) == bare(Decimal(below + 1))
    assert value(above - 1) == bare(Decimal(above - 1))


def test_the_minimum_number_of_boards_concerns_the_scheduled_ones():
    short = AEB_2026.score(event(boards=19))
    assert short.reasons == (Reason("too_few_boards", {"boards": 19, "minimum": 20}),)
    assert not short.eligible
    assert short.awards == ()
    assert short.coefficients["C1"] == 5
    assert AEB_2026.score(event(boards=18, boards_scheduled=20)).eligible
    assert not AEB_2026.score(event(boards=20, boards_scheduled=19)).eligible
    assert not AEB_2026.score(event(boards=19, event_type="league")).eligible
    assert AEB_2022.score(event(boards=3)).eligible


def licensed_pool(licensed, participants, **changes):
    people = tuple(
        Contestant(str(k), place=k + 1, seats=(Seat(str(k), "3D", k < licensed),))
        for k in range(participants)
    )
    return event(format="individual", contestants=people, **changes)


@pytest.mark.parametrize(
    ("licensed", "participants", "needed"),
    [(18, 20, 18), (17, 20, 18), (19, 21, 19), (18, 21, 19), (1, 1, 1), (0, 1, 1), (9, 10, 9), (8, 10, 9)],
)
def test_a_pool_counts_if_ninety_per_cent_of_its_players_have_a_licence(licensed, participants, needed):
    result = AEB_2026.score(licensed_pool(licensed, participants))
    missing = max(0, needed - licensed)
    assert result.eligible == (missing == 0)
    params = {"licensed": licensed, "participants": participants, "needed": needed, "missing": missing}
    expected = () if not missing else (Reason("too_few_licences", params | {"per_cent": 90}),)
    assert result.reasons == expected


def test_only_pools_under_aeb_2026_need_licensed_players():
    assert AEB_2026.score(licensed_pool(0, 20, event_type="regional")).eligible
    assert AEB_2022.score(licensed_pool(0, 20)).eligible
    nobody_listed = event(contestants=(Contestant("1", place=1),), contestant_count=20, c4=Decimal("1.5"))
    assert AEB_2026.score(nobody_listed).eligible


def test_a_tournament_can_have_two_reasons_not_to_count():
    result = AEB_2026.score(licensed_pool(0, 4, boards=10))
    assert [reason.code for reason in result.reasons] == ["too_few_boards", "too_few_licences"]


def test_titles_of_2022_count_as_open_titles_under_aeb_2026():
    plain = AEB_2026.score(event(category="MN"))
    qualified = AEB_2026.score(event(category="MN-O"))
    assert plain.p_max == qualified.p_max
    assert plain.coefficients["C4"] == Decimal("2.57")


@pytest.mark.parametrize(
    ("regulation", "category"), [(AEB_2022, "ME-O"), (AEB_2022, "MN-O"), (AEB_2026, "3H")]
)
def test_a_category_of_another_regulation_is_refused(regulation, category):
    refused(
        lambda: regulation.score(event(category=category)),
        "unknown_category",
        "contestants[0].players[0].category",
    )


def test_players_without_a_category_are_left_out_of_c4():
    contestants = (
        Contestant("1", place=1, seats=(Seat("a", "1P", True), Seat("b", None, True))),
        Contestant("2", place=2, seats=(Seat("c", "3D", True), Seat("d", None, True))),
    )
    result = AEB_2026.score(event(contestants=contestants))
    assert result.coefficients["C4"] == (Decimal("2.17") + Decimal("1.10")) / 2


def test_two_fields_of_a_session_share_strength_and_eligibility():
    """Two fields of a session have separate numbers of contestants (n), but share C4 and eligibility.

    C4 is the coefficient of the strength of the field. Eligibility depends on the share of licensed players.
    """
    line = pairs_at((1, 2, 3), category="3D")
    others = tuple(Seat(f"x{k}", "1P", False) for k in range(6))
    everybody = tuple(seat for c in line for seat in c.seats) + others
    result = AEB_2026.score(event(contestants=line, session_seats=everybody))
    assert result.n == 3
    assert result.coefficients["C4"] == (Decimal("1.10") + Decimal("2.17")) / 2
    assert result.reasons[0].params["participants"] == 12
    assert not result.eligible
    # If the players of the session are not listed, there are no licences to check.
    assert AEB_2026.score(event(contestants=pairs_at((1, 2), licensed=False), session_seats=())).eligible


@pytest.mark.parametrize(("event_format", "n"), [("pairs", "5"), ("teams", "10"), ("individual", "2.5")])
def test_the_number_of_pairs_and_positions_depend_on_the_format(event_format, n):
    result = AEB_2026.score(event(places=(1, 2, 3, 4, 5), format=event_format))
    assert result.n == Decimal(n)
    positions = {"pairs": "1 2 3 4 5", "teams": "1 3 5 7 9", "individual": "1 1.5 2 2.5 3"}[event_format]
    assert [award.i for award in result.awards] == [Decimal(i) for i in positions.split()]


def test_in_an_individual_of_two_players_both_get_the_maximum():
    result = AEB_2026.score(event(places=(1, 2), format="individual"))
    assert [award.exact for award in result.awards] == [result.p_max, result.p_max]


def test_the_last_place_gets_the_minimum_of_its_regulation():
    old = AEB_2022.score(event(venue="online"))
    assert old.p_min == old.awards[-1].exact == Decimal("0.025")
    new = AEB_2026.score(event(boards=49))
    assert (new.p_max, new.p_min) == (Decimal("8.6625"), Decimal("0.086625"))
    assert new.awards[-1].exact == new.p_min


def test_a_receipt_of_a_tie_lists_the_shared_places():
    scored = event(places=(1, 2, 2, 4))
    result = AEB_2026.score(scored)
    steps = {step.key: step for step in AEB_2026.explain(scored, result, "3")}
    award = steps["award"]
    assert award.code == "tie_mean"
    assert [(k, i) for k, i, _ in award.params["shares"]] == [(2, 2), (3, 3)]
    curve = AEB_2026.curve(result)
    assert [share for _, _, share in award.params["shares"]] == [curve.at(Decimal(2)), curve.at(Decimal(3))]
    assert steps["i"].params == {"place": 2, "tied": 2, "last_place": 3}


def test_a_receipt_names_the_table_row_and_the_article():
    scored = event(boards=24)
    result = AEB_2026.score(scored)
    steps = {step.key: step for step in AEB_2026.explain(scored, result, "1")}
    assert (steps["C1"].article, steps["C1"].table, steps["C1"].params["event_type"]) == ("2.1", "1", "pool")
    assert steps["C2"].working == "C2 = 0.23·√24 − 0.035 = 1.091765"
    assert (steps["C3"].code, steps["C3"].formula) == ("low", "n ≤ 10: C3 = 1")
    assert steps["C4"].params["counts"] == (("3D", 8, Decimal("1.10")),)
    assert steps["C4"].working == "C4 = (8·1.1)/8 = 1.1"
    assert steps["award"].code == "first"


@pytest.mark.parametrize(
    ("changes", "contestant", "key", "code"),
    [
        ({"places": (1,)}, "1", "award", "only_pair"),
        ({}, "4", "award", "last"),
        ({}, "2", "award", "formula"),
        ({"places": (1, 1, 3, 4), "ties": "best"}, "2", "award", "first"),
        ({"places": (1, 2, 2, 4), "ties": "mean_place"}, "2", "i", "mean_place"),
        ({"contestants": (Contestant("1", i=Decimal("2.5")),), "contestant_count": 9}, "1", "i", "given"),
        ({"c4": Decimal("1.5")}, "1", "C4", "given"),
        ({"category": None}, "1", "C4", "all_unclassified"),
        ({"boards": 200}, "1", "C2", "high"),
        ({"format": "teams"}, "1", "n", "teams"),
    ],
)
def test_a_receipt_states_which_case_of_a_rule_applied(changes, contestant, key, code):
    scored = event(**changes)
    steps = {s.key: s for s in AEB_2026.explain(scored, AEB_2026.score(scored), contestant)}
    assert steps[key].code == code


def test_the_receipt_of_an_ineligible_event_ends_before_the_award():
    scored = event(boards=10)
    steps = AEB_2026.explain(scored, AEB_2026.score(scored), "1")
    assert steps[-1].key == "p_min"


def test_a_receipt_for_an_unknown_contestant_is_refused():
    scored = event()
    result = AEB_2026.score(scored)
    refused(lambda: AEB_2026.explain(scored, result, "99"), "unknown_contestant", "contestants")


PLACES = [
    ((1, 2, 2, 3), "contestants[3].place"),
    ((0, 1, 2, 3), "contestants[0].place"),
    ((-1, 1, 2, 3), "contestants[0].place"),
    ((1, 3, 4, 2_000), "contestants[1].place"),
    ((1, 2, 3, 5), "contestants[3].place"),
    ((2, 3, 4, 5), "contestants[0].place"),
    ((3, 1, 1, 1), "contestants[0].place"),
    ((2, 2, 2, 2), "contestants[0].place"),
]


@pytest.mark.parametrize(("places", "field"), PLACES)
def test_impossible_sequences_of_places_are_refused(places, field):
    refused(lambda: AEB_2026.score(event(places=places)), "place_sequence", field)
    # An invalid ranking is reported even if the tournament gives no points.
    refused(lambda: AEB_2026.score(event(places=places, boards=10)), "place_sequence", field)


@pytest.mark.parametrize("places", [(1, 2, 2, 4), (1, 1, 1, 1), (4, 3, 2, 1), (1, 1, 3, 3)])
def test_possible_sequences_of_places_are_accepted(places):
    assert [award.place for award in AEB_2026.score(event(places=places)).awards] == list(places)


@pytest.mark.parametrize("places", [(1, 5, 9, 20), (1, 1, 3, 20), (2, 3, 4, 5)])
def test_gaps_between_places_are_allowed_if_not_all_contestants_are_listed(places):
    assert len(AEB_2026.score(event(places=places, contestant_count=20)).awards) == 4


@pytest.mark.parametrize(
    ("places", "field"),
    [((1, 1, 2, 9), 2), ((1, 5, 9, 21), 3), ((1, 5, 20, 20), 2), ((0, 5, 9, 20), 0)],
)
def test_overlapping_shared_places_are_refused(places, field):
    listed = event(places=places, contestant_count=20)
    refused(lambda: AEB_2026.score(listed), "place_sequence", f"contestants[{field}].place")


def test_an_event_type_accepts_only_its_declared_formats():
    filing = Filing(alone=frozenset({"pool"}), formats={"league": TEAMS, "any": PAIRS | TEAMS})
    for event_type, formats in (("league", {"teams"}), ("any", {"pairs", "teams"}), ("pool", {*FORMATS})):
        assert {item for item in FORMATS if filing.fits(event_type, item)} == formats


@pytest.mark.parametrize(
    ("code", "alone", "regional"),
    [
        ("aeb-2022", {"pool"}, {"regional"}),
        ("aeb-2026", {"pool"}, {"regional"}),
        ("sbf-2019-bronze", {"bronze"}, set()),
        ("sbf-2019-silver", set(), set()),
        ("acbl-club", {"club"}, set()),
        ("acbl-overall", set(), set()),
    ],
)
def test_each_regulation_states_which_types_need_approval(code, alone, regional):
    filing = get(code).filing
    assert (filing.alone, filing.regional) == (alone, regional)


CHAMPIONSHIPS_2022 = {
    f"{name}_{division}": form
    for name, form in (
        ("mixed_women_teams", TEAMS),
        ("pairs_championship", PAIRS),
        ("teams_championship", TEAMS),
    )
    for division in ("diamond", "heart", "open")
}
SELECTION = {"selection_mixed_women_senior": TEAMS, "selection_open": TEAMS}


@pytest.mark.parametrize(
    ("code", "formats"),
    [
        ("aeb-2022", {**SELECTION, **CHAMPIONSHIPS_2022}),
        (
            "aeb-2026",
            {
                **SELECTION,
                "mixed_women_teams": TEAMS,
                "pairs_championship": PAIRS,
                "league": TEAMS,
                "teams_championship": TEAMS,
            },
        ),
    ],
)
def test_event_types_that_name_a_format_accept_only_that_format(code, formats):
    assert get(code).filing.formats == formats


@pytest.mark.parametrize(("code", "decimals"), [("sbf-2019-bronze", 0), ("sbf-2019-silver", 1)])
def test_the_swedish_regulations_have_a_default_number_of_decimals(code, decimals):
    contestants = [{"id": str(place), "place": place, "players": []} for place in (1, 2)]
    data = {"regulation": code, "contestants": contestants, "contestant_count": 55}
    data |= {"boards": 25} if code == "sbf-2019-silver" else {}
    result = [answer({**data, "decimals": number}) for number in range(3)]
    assert answer(data) == result[decimals]
    assert result[0] != result[1] != result[2]


@pytest.mark.parametrize(("rule", "last"), [("text", 3), ("even", 4)])
def test_the_place_rule_decides_the_position_of_the_second_of_two_teams(rule, last):
    """Two teams count as four pairs. With the place rule `even`, the second team has position 4."""
    match = event(format="teams", contestants=pairs_at((1, 2)), place_rule=rule)
    assert AEB_2022.position(match, 2) == last
