"""Every formula of the engine is converted to MathML with the right structure."""

from decimal import Decimal

import pytest

from scoring import regulations
from scoring.engine.types import Contestant, Event, Seat
from scoring.regulations.acbl.page_club import event_of as club
from scoring.regulations.acbl.page_overall import event_of as overall
from scoring.regulations.egf import article
from scoring.regulations.egf.types import Game, Player, Tournament
from scoring.regulations.sbf_2019.page_bronze import event_of as bronze
from scoring.regulations.sbf_2019.page_silver import event_of as silver
from scoring.regulations.strength.sessions import SESSION, session_of
from tests.pages import Page
from ui.mathml import FormulaError, typeset


def structure(text: str) -> str:
    """Return the MathML to which a formula is converted, without attributes."""
    return Page(typeset(text)).skeleton


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1/2", "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>"),
        ("(a + 1)/b", "<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mrow><mi>b</mi></mrow></mfrac>"),
        ("√m", "<msqrt><mrow><mi>m</mi></mrow></msqrt>"),
        ("R₁", "<msub><mi>R</mi><mi>1</mi></msub>"),
        ("Pmax", "<msub><mi>P</mi><mi>max</mi></msub>"),
        (
            "e^(D/a)",
            "<msup><mrow><mi>e</mi></mrow><mrow><mrow><mi>D</mi><mo>/</mo><mi>a</mi></mrow></mrow></msup>",
        ),
        (
            "i^¼",
            "<msup><mrow><mi>i</mi></mrow><mrow><mrow><mn>1</mn><mo>/</mo><mn>4</mn></mrow></mrow></msup>",
        ),
        (
            "ln(x)",
            "<mrow><mi>ln</mi><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow></mrow>",
        ),
    ],
)
def test_formulas_are_converted_to_the_right_mathml(text, tree):
    assert structure(text) == f"<math>{tree}</math>"


def test_a_long_formula_can_break_only_between_its_terms():
    assert structure("W = 175 + n/2").count("<math>") == 3
    assert structure("A(k) = max(A(k−1)·f, W/k)").count("<math>") == 2


def test_a_quotient_binds_closer_than_a_product():
    assert structure("w·a/b") == structure("w·(a/b)").replace("<mrow><mo>(</mo><mfrac>", "<mfrac>").replace(
        "</mfrac><mo>)</mo></mrow>", "</mfrac>"
    )


def test_values_with_decimal_commas_are_separated_by_semicolons():
    assert "<mo>;</mo>" in structure("min(0,1·n, 1,5)")
    assert "<mo>,</mo>" in structure("min(0.1·n, 1.5)")


def test_signs_with_a_meaning_in_html_are_escaped():
    assert "&lt;" in typeset("50 < n ≤ 250") and "<mo form" in typeset("a > b")


@pytest.mark.parametrize("text", ["(a + b", "a +", "1/", "a ? b", "|x)", "e^"])
def test_text_that_is_not_a_formula_is_refused(text):
    with pytest.raises(FormulaError):
        typeset(text)


def _aeb(code: str, **changes):
    people = (Contestant("1", place=1, seats=(Seat("a", None, True),)), Contestant("2", place=1))
    values = {
        "event_type": "pool",
        "format": "pairs",
        "boards": 24,
        "venue": "in_person",
        "contestants": people,
    }
    regulation = regulations.get(code)
    event = Event(**{**values, **changes})
    return regulation.explain(event, regulation.score(event), "1")


def _placed(code: str, event):
    regulation = regulations.get(code)
    return regulation.explain(event, regulation.score(event), "1")


def _rated(code: str):
    players = (Player("a", Decimal(50)), Player("b", Decimal(2800)), Player("c", None, "5k"))
    games = (Game(1, "a", "b", 1.0, 5), Game(2, "b", "c", 0.5), Game(3, "c", "a", 0.0, 2))
    system, steps = regulations.get(code), []
    for tournament in (Tournament(players=players, games=games), article.tournament()):
        for player in tournament.players:
            steps += system.explain(tournament, system.rate(tournament), player.id)
    return steps


def _adjusted(code: str):
    scheme = regulations.get(code)
    board_session = session_of(scheme, SESSION, 1)
    return scheme.explain(board_session, scheme.adjust(board_session), "A")


STEPS = {
    **{
        issue.code: lambda code=issue.code: [
            *_aeb(code),
            *_aeb(code, boards=10, contestant_count=200),
            *_aeb(code, boards=200, c4=Decimal("1.2")),
        ]
        for issue in regulations.of_family("aeb")
    },
    "sbf-2019-bronze": lambda: [
        step for n, k in ((1, 1), (40, 2), (525, 3), (525, 99), (2000, 499))
        for table in ("A", "AY") for step in _placed("sbf-2019-bronze", bronze(n, table, k, decimals=n % 3))
    ],
    "sbf-2019-silver": lambda: [
        step for n, k in ((10, 1), (60, 2), (200, 30), (200, 199))
        for step in _placed("sbf-2019-silver", silver(n, 40, k))
    ],
    "acbl-overall": lambda: [
        step for k, t in ((1, 20), (3, 61), (9, 250), (40, 60))
        for step in _placed("acbl-overall", overall(k, tables=Decimal(t)))
    ],
    "acbl-club": lambda: [step for k in (1, 4, 6, 14) for step in _placed("acbl-club", club(20, k))],
    "egf-classic": lambda: _rated("egf-classic"),
    "egf-2021": lambda: _rated("egf-2021"),
    "strength-mp": lambda: _adjusted("strength-mp"),
    "strength-imp": lambda: _adjusted("strength-imp"),
}  # fmt: skip


@pytest.mark.parametrize("code", [regulation.code for regulation in regulations.ALL])
def test_every_formula_of_the_engine_can_be_typeset(code):
    formulas = {step.formula for step in STEPS[code]()}
    assert len(formulas) >= 4
    for formula in formulas:
        assert Page(typeset(formula)).all("math")
