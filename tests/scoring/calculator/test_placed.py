"""The calculator of points by place gives every number printed in the Swedish and ACBL documents."""

from datetime import date
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.ledger.models import ScoringFactor
from tests import factories as make
from tests.scoring.engine.support import golden

pytestmark = pytest.mark.django_db
OWN = {"factor_m": "1", "factor_t": "1", "profundidad": "1"}


def listed_points(page, column: int = 0) -> list[Decimal]:
    """Return the awards listed on the page, in points.

    column: 0 or, if the page compares two regulations or variants, 1 for the second
    """
    rows = page.context["table"].data
    return [Decimal(row[f"points{column}"]) / 100 for row in rows if row[f"points{column}"] is not None]


def figure(page, name: str) -> str:
    return next(text for item, text in page.context["answers"][0]["figures"] if str(item).startswith(name))


def correct_value(row: dict[str, str]) -> Decimal:
    """Return the correct number of a golden row: the printed one or, for a misprint, the corrected one."""
    return Decimal(row["corrected"] if row["status"] == "erratum" else row["published"])


def factor(name: str, value: str, case: str = "", regulation: str = "acbl-overall") -> None:
    ScoringFactor.objects.create(
        regulation=regulation,
        name=name,
        case=case,
        value=Decimal(value),
        source="Handbook, page 12",
        valid_from=date(2020, 1, 1),
        set_by=make.user(),
    )


# --- Swedish points -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("table", "name"), [("A", "A20"), ("A", "A30"), ("A", "A525"), ("AY", "AY525"), ("AY", "AY_fixed")]
)
def test_the_calculator_gives_every_number_of_the_bronze_tables(calculator, table, name):
    rows = golden("sbf_2019", f"table_{name}")
    for pairs in {row["pairs"] for row in rows}:
        page = calculator("sbf-2019-bronze", participantes=pairs, decimales="0", tabla=table)
        result = listed_points(page)
        for row in (row for row in rows if row["pairs"] == pairs):
            if row["rank"] == "depth":
                assert len(result) == page.context["answers"][0]["paid"] == correct_value(row)
            elif row["rank"] == "sum":
                assert sum(result) == correct_value(row)
            else:
                assert result[int(row["rank"]) - 1] == correct_value(row), row["id"]


def test_the_calculator_gives_the_printed_bronze_points_of_winners(calculator):
    for row in golden("sbf_2019", "bronze_winner"):
        result = listed_points(calculator("sbf-2019-bronze", participantes=row["pairs"], decimales="0"))
        assert result[0] == correct_value(row), row["id"]


def test_the_calculator_gives_the_printed_silver_points(calculator):
    for row in golden("sbf_2019", "silver_winner") + golden("sbf_2019", "silver_damped"):
        result = listed_points(calculator("sbf-2019-silver", participantes=row["pairs"], manos=row["boards"]))
        assert result[int(row.get("rank") or 1) - 1] == correct_value(row), row["id"]


@pytest.mark.parametrize("tables", ["9" * 40, "1e30", "5.25", "0"])
def test_an_invalid_number_of_tables_is_an_error_at_its_field(calculator, tables):
    page = calculator("acbl-overall", mesas=tables)
    assert list(page.context["form"].errors) == ["mesas"]


def test_each_listed_place_names_the_rule_that_gave_its_points(calculator):
    page = calculator("sbf-2019-bronze", participantes="50", decimales="0")
    lines = [row["working"] for row in page.context["table"].data]
    assert "the points of the winner" in lines[0].sentence
    assert [line.sentence.startswith("The place above times the factor") for line in lines] == [
        1 < place < 9 for place in range(1, 14)
    ]
    assert lines[8].working == "A(9) = 100/9 = 11.111111"
    assert page.context["answers"][0]["floor_from"] == 9
    assert "W/k from place 9 on" in page.text
    assert (figure(page, "W"), figure(page, "f"), figure(page, "K")) == ("100", "0.75", "13")


def test_the_number_of_decimals_of_bronze_points_can_be_chosen(calculator):
    assert listed_points(calculator("sbf-2019-bronze", participantes="30", decimales="2"))[3] == Decimal(
        "25.31"
    )
    assert listed_points(calculator("sbf-2019-bronze", participantes="30", decimales="0"))[3] == 25


def test_the_page_compares_both_bronze_tables_side_by_side(calculator):
    page = calculator("sbf-2019-bronze", participantes="525", decimales="0", comparar="A")
    assert (listed_points(page)[1], listed_points(page, 1)[1]) == (370, 323)
    assert page.context["table"].data[1]["difference"] == 4700
    assert len(page.context["chart"].series) == 2
    assert calculator("sbf-2019-bronze", tabla="A", comparar="A").context["chart"].marks


def test_silver_points_cannot_be_compared_with_bronze_points(calculator):
    assert "comparar" not in calculator("sbf-2019-silver", comparar="sbf-2019-bronze").context["form"].fields


@pytest.mark.parametrize("code", ["sbf-2019-bronze", "sbf-2019-silver", "acbl-club", "acbl-overall"])
@pytest.mark.parametrize(("contestants", "listed"), [(1, 1), (4, 1), (5000, 500)])
def test_the_calculator_accepts_tournaments_of_any_size(calculator, code, contestants, listed):
    page = calculator(code, participantes=str(contestants), **{**OWN, "profundidad": "0.4"})
    answer = page.context["answers"][0]
    assert answer["contestants"] == contestants
    if code == "acbl-club" and contestants == 5000:
        listed = 299  # place 300 would get 1.5/300 = 0.005, which rounds half to even to 0.00
    if code.startswith("sbf") or contestants == 5000:
        assert len(page.context["table"].rows) == listed
    assert (page.context.get("chart") is None) == (answer["paid"] < 2)
    assert ("listed: 500." in page.text) == (answer["paid"] > 500)


@pytest.mark.parametrize(("contestants", "depth", "paid"), [(600, "1", 299), (300, "1", 299), (2, "0.1", 0)])
def test_points_that_round_to_nothing_are_not_earned(calculator, contestants, depth, paid):
    page = calculator("acbl-club", participantes=str(contestants), profundidad_club=depth)
    answer = page.context["answers"][0]
    assert (answer["paid"], answer["last"]) == (paid, "0.01" if paid else "0.00")
    if paid:
        assert len(page.context["table"].rows) == paid and min(listed_points(page)) == Decimal("0.01")
        assert f"{paid} of {contestants} earn points, the last of them 0.01." in page.text
    else:
        assert "nobody earns points" in page.text
    text = f"Places within the depth: {contestants}; with points: {paid}. The points of the others"
    assert (text in page.text) == (contestants > paid > 0)


# --- ACBL points ----------------------------------------------------------------------------------------
RATINGS = {
    "unit championship": "unit",
    "sectional": "sectional",
    "regional": "regional",
    "national": "national",
}
RESTRICTED = {"1 gender/age restriction": "one", "2 gender/age restrictions": "two"}


@pytest.mark.parametrize("row", golden("acbl", "factors"), ids=lambda row: row["id"])
def test_the_calculator_gives_every_acbl_number_that_has_a_source(calculator, row):
    function, args, printed = row["function"], row["args"], correct_value(row)
    fields = {
        "R": {"calificacion": RATINGS.get(args)},
        "S": {"sesiones": args},
        "P": {"restriccion": RESTRICTED.get(args)},
        "B": {"mesas": args},
    }
    if function in fields:
        page = calculator("acbl-overall", participantes="40", **OWN, **fields[function])
        assert Decimal(figure(page, function)) == printed.normalize()
    elif function == "clubdepth":
        assert calculator("acbl-club", participantes=args).context["answers"][0]["paid"] == printed
    else:
        # The winner gets 1 or 100 (10·10), so every award is the share of the winner's award, rounded to two
        # decimals.
        code, parameters, winner = {
            "clubplace": ("acbl-club", {"participantes": "10", "profundidad_club": "1"}, 1),
            "overallplace": (
                "acbl-overall",
                {"participantes": "10", "mesas": "50", "factor_m": "10", "factor_t": "1", "profundidad": "1"},
                100,
            ),
        }[function]
        point = listed_points(calculator(code, **parameters))[int(args) - 1]
        assert abs(point / winner - printed) <= Decimal("0.00505") / winner + Decimal("0.00005")


def test_the_page_shows_the_rounding_after_every_factor(calculator):
    page = calculator(
        "acbl-overall",
        participantes="18",
        mesas="9",
        calificacion="unit",
        sesiones="2",
        factor_m="0.85",
        factor_t="1.15",
        profundidad="0.4",
        restriccion="one",
    )
    line = next(item for item in page.context["answers"][0]["lines"] if item.key == "winner")
    # 19/60·8.5 = 2.69; ·1.5 = 4.035 → 4.04 (half to even); ·0.85 = 3.434; ·0.8 = 2.744; ·1.15 = 3.151.
    assert line.working == "W = 0.316667·8.5 → 2.69·1.5 → 4.04·0.85 → 3.43·0.8 → 2.74·1.15 → 3.15"
    assert "half goes to the even neighbour" in line.sentence


def test_the_page_names_the_factors_that_the_office_has_not_entered(calculator):
    page = calculator("acbl-overall")
    assert page.context["missing"][0]["factors"] == [
        "M, masterpoint limit",
        "T, type of contest",
        "Depth: share of the field that earns points",
    ]
    assert "the federation's office has not entered them yet" in page.text
    assert page.context["answers"] == [] and "table" not in page.context
    factor("M", "0.9")
    assert (
        page.context["missing"][0]["factors"][1:]
        == calculator("acbl-overall").context["missing"][0]["factors"]
    )


def test_typed_factors_take_precedence_over_those_of_the_office(calculator):
    for name, value in (("M", "0.9"), ("T", "1"), ("depth", "0.25"), ("R", "11")):
        factor(name, value, "sectional" if name == "R" else "")
    page = calculator("acbl-overall", participantes="40")
    assert (figure(page, "R"), figure(page, "M"), figure(page, "K")) == ("11", "0.9", "10")
    assert page.context["own_factors"] == []
    assert "The value that the office has entered." in page.text
    own = calculator("acbl-overall", participantes="40", factor_m="0.5", profundidad="0.5")
    assert (figure(own, "M"), figure(own, "K")) == ("0.5", "20")
    lines = {line.key: line.sentence for line in own.context["answers"][0]["lines"]}
    assert lines["M"] == lines["places"] == "Your own value, not the federation's."
    assert lines["T"] == "The value that the office has entered."
    assert len(own.context["own_factors"]) == 2 and "Worked out with values of your own" in own.html


def test_the_cases_that_the_office_has_entered_can_be_chosen(calculator):
    assert "limite" not in calculator("acbl-overall").context["form"].fields
    for case, value in (("750", "0.9"), ("300", "0.8")):
        factor("M", value, case)
    factor("T", "1")
    factor("depth", "0.3")
    page = calculator("acbl-overall", limite="300")
    assert figure(page, "M") == "0.8"
    assert [value for value, _label in page.context["form"].fields["limite"].choices] == [
        "",
        "300",
        "750",
    ]
    assert list(calculator("acbl-overall", limite="1000").context["form"].errors) == ["limite"]


def test_the_page_compares_overall_and_club_awards_side_by_side(calculator):
    parameters = {"participantes": "20", "mesas": "10", **OWN}
    page = calculator("acbl-overall", comparar="acbl-club", **parameters)
    alone, club = calculator("acbl-overall", **parameters), calculator("acbl-club", participantes="20")
    assert (listed_points(page), listed_points(page, 1)) == (listed_points(alone), listed_points(club))
    assert len(listed_points(alone)) == 20 and len(listed_points(club)) == 8
    data = page.context["table"].data
    assert data[0]["difference"] == data[0]["points0"] - data[0]["points1"]
    assert data[19]["points1"] is None and data[19]["difference"] == data[19]["points0"]


def test_the_page_says_so_if_a_depth_pays_nobody(calculator):
    page = calculator("acbl-club", participantes="10", profundidad_club="0.0001")
    assert "nobody earns points" in page.text and "table" not in page.context


@pytest.mark.parametrize("code", ["acbl-overall", "acbl-club"])
def test_the_number_of_queries_does_not_grow_with_factors(calculator, code):
    def counted() -> int:
        with CaptureQueriesContext(connection) as queries:
            calculator("acbl-overall", comparar="acbl-club", **OWN)
        return len(queries)

    factor("M", "1", "300")
    count = counted()
    factor("M", "0.9", "750")
    factor("depth", "0.3", regulation=code)
    assert counted() == count <= 3


@pytest.mark.parametrize(
    ("code", "changes", "field"),
    [
        ("sbf-2019-bronze", {"participantes": "0"}, "participantes"),
        ("sbf-2019-bronze", {"participantes": "5001"}, "participantes"),
        ("sbf-2019-bronze", {"decimales": "3"}, "decimales"),
        ("sbf-2019-bronze", {"tabla": "B"}, "tabla"),
        ("sbf-2019-bronze", {"comparar": "B"}, "comparar"),
        ("sbf-2019-silver", {"manos": "0"}, "manos"),
        ("sbf-2019-silver", {"manos": "1000"}, "manos"),
        ("acbl-overall", {"mesas": "0"}, "mesas"),
        ("acbl-overall", {"mesas": "9.3"}, "mesas"),
        ("acbl-overall", {"mesas": "5001"}, "mesas"),
        ("acbl-overall", {"calificacion": "world"}, "calificacion"),
        ("acbl-overall", {"sesiones": "6"}, "sesiones"),
        ("acbl-overall", {"restriccion": "three"}, "restriccion"),
        ("acbl-overall", {"factor_m": "0"}, "factor_m"),
        ("acbl-overall", {"factor_t": "1001"}, "factor_t"),
        ("acbl-overall", {"factor_r": "NaN"}, "factor_r"),
        ("acbl-overall", {"profundidad": "1.1"}, "profundidad"),
        ("acbl-club", {"profundidad_club": "-1"}, "profundidad_club"),
        ("acbl-club", {"comparar": "acbl-2030"}, "comparar"),
    ],
)
def test_errors_are_shown_at_their_fields(calculator, code, changes, field):
    page = calculator(code, **changes)
    assert list(page.context["form"].errors) == [field]
    assert "answers" not in page.context
    assert f"#id_{field}" in page.addresses
