"""Formulas as the engine writes them, typeset in MathML: fractions, exponents, roots and subscripts.

The engine's texts are lines of symbols, such as ``SE = 1/(e^(D/a) + 1) − ε/2``. Browsers draw MathML
themselves, in the colours of the page and on paper too: no script, picture or other host is needed.
"""

import re
from functools import lru_cache
from html import escape

from django.utils.safestring import SafeString, mark_safe

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:[.,]\d+)*)|(?P<name>[^\W\d_₀-₉ᵢₖₜ½¼]+\d*'?)(?P<below>[₀-₉ᵢₖₜ]*)|(?P<sign>[^\s\w]|[½¼]))"
)
_DECIMAL_COMMA = re.compile(r"\d,\d")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉ᵢₖₜ", "0123456789ikt")
_BOUNDS = {"Pmax": ("P", "max"), "Pmin": ("P", "min")}
_PARTS = {"½": ("1", "2"), "¼": ("1", "4")}
RELATIONS = frozenset("=≤≥<>→:,")
SLASH = '<mo lspace="0" rspace="0">/</mo>'
CLOSING = {"(": ")", "⌈": "⌉", "|": "|"}


class FormulaError(ValueError):
    """The text is no formula that can be typeset."""


@lru_cache(maxsize=512)
def typeset(text: str) -> SafeString:
    """The formula as HTML: one ``math`` element for each term, so that a long line may break between them.

    Raises FormulaError where the text does not parse.
    """
    return mark_safe(" ".join(_Parser(text).line()))  # noqa: S308 (every text passed through escape)


def _math(content: str) -> str:
    return f"<math>{content}</math>"


def _row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"


def _operator(sign: str, edge: str = "") -> str:
    return f"<mo{edge}>{escape(sign)}</mo>"


class _Parser:
    """Recursive descent: relations, sums, products, quotients, powers, atoms.

    An atom is (what is drawn, what is drawn without its brackets): a fraction's bar and an exponent's height
    group by themselves.
    """

    def __init__(self, text: str) -> None:
        self.text, self.position, self.raised = text, 0, False
        # Beside decimal commas a comma between values would be misread.
        self.separator = ";" if _DECIMAL_COMMA.search(text) else ","
        self.tokens: list[tuple[str, str, str]] = []
        while self.position < len(text.rstrip()):
            match = _TOKEN.match(text, self.position)
            if not match:
                raise FormulaError(f"{text!r} at {self.position}")
            kind = str(match.lastgroup if match.lastgroup != "below" else "name")
            self.tokens.append((kind, match[kind], match["below"] or ""))
            self.position = match.end()
        self.at = 0

    def peek(self) -> str:
        """The next sign, empty where something else or nothing follows."""
        kind, text, _ = self.tokens[self.at] if self.at < len(self.tokens) else ("", "", "")
        return text if kind == "sign" else ""

    def take(self) -> tuple[str, str, str]:
        if self.at >= len(self.tokens):
            raise FormulaError(f"{self.text!r} ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def line(self) -> list[str]:
        """The whole text, broken before every relation and before the terms of a sum."""
        made, lead = [], ""
        while self.at < len(self.tokens):
            if self.peek() in RELATIONS and self.peek():
                sign = self.take()[1]
                if sign in ",:":
                    made.append(_math(_operator(sign, ' form="postfix" lspace="0"')))
                else:
                    lead = _operator(sign, ' form="infix" lspace="0"')
                continue
            for term in self.terms(' lspace="0"'):
                made.append(_math(lead + term))
                lead = ""
        return made

    def terms(self, edge: str = "") -> list[str]:
        """A sum, term by term; each but the first begins with its sign, ``edge`` its attributes."""
        lead = _operator(self.take()[1], ' form="prefix"') if self.peek() in ("−", "-") else ""
        made = [lead + self.product()]
        while self.peek() in ("+", "−", "-") and self.peek():
            sign = _operator(self.take()[1], f' form="infix"{edge}')
            made.append(sign + self.product())
        return made

    def product(self) -> str:
        made = self.quotient()
        while self.peek() == "·":
            made += _operator(self.take()[1]) + self.quotient()
        return made

    def quotient(self) -> str:
        drawn, bare = self.power()
        while self.peek() == "/":
            self.take()
            below, below_bare = self.power()
            if self.raised:  # a bar would be too small to read in an exponent
                drawn = bare = _row(drawn, SLASH, below)
            else:
                drawn = bare = f"<mfrac>{_row(bare)}{_row(below_bare)}</mfrac>"
        return drawn

    def power(self) -> tuple[str, str]:
        drawn, bare = self.atom()
        if self.peek() != "^":
            return drawn, bare
        self.take()
        self.raised = True
        exponent = self.atom()[1]
        self.raised = False
        return (f"<msup>{_row(drawn)}{_row(exponent)}</msup>",) * 2

    def atom(self) -> tuple[str, str]:
        kind, text, below = self.take()
        if kind == "number":
            return (f"<mn>{escape(text)}</mn>",) * 2
        if kind == "name":
            return self.name(text, below)
        if text in _PARTS:
            upper, lower = _PARTS[text]
            return (_row(f"<mn>{upper}</mn>", SLASH, f"<mn>{lower}</mn>"),) * 2
        if text == "√":
            return (f"<msqrt>{_row(self.atom()[1])}</msqrt>",) * 2
        if text == "…":
            return (_operator("…"),) * 2
        if text in ("−", "-"):
            return (_row(_operator("−", ' form="prefix"'), self.atom()[0]),) * 2
        if text in CLOSING:
            return self.bracketed(text)
        raise FormulaError(f"{self.text!r} at {text!r}")

    def name(self, text: str, below: str) -> tuple[str, str]:
        if text == "Σ":
            follows = self.at < len(self.tokens) and self.tokens[self.at][0] != "sign"
            rest = self.product() if follows or self.peek() in ("(", "|") else ""
            return (_row(_operator("∑"), rest),) * 2
        text, under = _BOUNDS.get(text, (text, below.translate(_SUBSCRIPTS)))
        symbol = f"<mi>{escape(text)}</mi>"
        if under:
            symbol = f"<msub>{symbol}<mi>{escape(under)}</mi></msub>"
        if self.peek() == "(":
            self.take()
            symbol = _row(symbol, self.bracketed("(")[0])
        return symbol, symbol

    def bracketed(self, opening: str) -> tuple[str, str]:
        inside = [*self.terms()]
        while self.peek() == ",":
            self.take()
            inside += [_operator(self.separator, ' form="postfix"'), *self.terms()]
        closing = self.take()[1]
        if closing != CLOSING[opening]:
            raise FormulaError(f"{self.text!r}: {closing!r} closes {opening!r}")
        bare = "".join(inside)
        left = _operator(opening, ' form="prefix" stretchy="true"')
        right = _operator(closing, ' form="postfix" stretchy="true"')
        return _row(left, bare, right), bare if opening == "(" else _row(left, bare, right)
