"""Typeset the engine's formulas in MathML: fractions, exponents, roots and subscripts.

A formula is one line of text, such as ``SE = 1/(e^(D/a) + 1) − ε/2``. Browsers render MathML themselves, in
the colours of the page and in print: no script, image or other host is needed.
"""

import re
from functools import lru_cache
from html import escape

from django.utils.safestring import SafeString, mark_safe

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:[.,]\d+)*)"
    r"|(?P<name>[^\W\d_₀-₉ᵢₖₜ½¼]+\d*'?)(?P<subscript>[₀-₉ᵢₖₜ]*)"
    r"|(?P<sign>[^\s\w]|[½¼]))"
)
_DECIMAL_COMMA = re.compile(r"\d,\d")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉ᵢₖₜ", "0123456789ikt")
_BOUNDS = {"Pmax": ("P", "max"), "Pmin": ("P", "min")}
_FRACTIONS = {"½": ("1", "2"), "¼": ("1", "4")}
RELATIONS = frozenset("=≤≥<>→:,")
SLASH = '<mo lspace="0" rspace="0">/</mo>'
CLOSING = {"(": ")", "⌈": "⌉", "|": "|"}


class FormulaError(ValueError):
    """Raised if a text is not a formula that can be typeset."""


@lru_cache(maxsize=512)
def typeset(text: str) -> SafeString:
    """Return the formula as HTML: one ``math`` element for each term, so that long lines can break.

    Raises FormulaError if the text does not parse.
    """
    return mark_safe(" ".join(_Parser(text).line()))  # noqa: S308 (every text passed through escape)


def _math(content: str) -> str:
    return f"<math>{content}</math>"


def _row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"


def _operator(sign: str, edge: str = "") -> str:
    return f"<mo{edge}>{escape(sign)}</mo>"


class _Parser:
    """A recursive-descent parser of formulas.

    Each method parses one kind of expression and returns its markup. `atom` and `power` return the markup
    twice, with and without its outer brackets, because numerators, denominators and exponents need no
    brackets.
    """

    def __init__(self, text: str) -> None:
        self.text, self.position, self.raised = text, 0, False
        # A comma between values would be ambiguous beside decimal commas.
        self.separator = ";" if _DECIMAL_COMMA.search(text) else ","
        self.tokens: list[tuple[str, str, str]] = []
        while self.position < len(text.rstrip()):
            match = _TOKEN.match(text, self.position)
            if not match:
                raise FormulaError(f"{text!r} at {self.position}")
            kind = str(match.lastgroup if match.lastgroup != "subscript" else "name")
            self.tokens.append((kind, match[kind], match["subscript"] or ""))
            self.position = match.end()
        self.at = 0

    def peek(self) -> str:
        """Return the next token, without consuming it, if it is a sign such as + or (, otherwise ""."""
        kind, text, _ = self.tokens[self.at] if self.at < len(self.tokens) else ("", "", "")
        return text if kind == "sign" else ""

    def take(self) -> tuple[str, str, str]:
        if self.at >= len(self.tokens):
            raise FormulaError(f"{self.text!r} ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def line(self) -> list[str]:
        """Parse the whole text, and return a list of ``math`` elements.

        A new element begins before each relation, such as =, and before each term of a sum.
        """
        parts, lead = [], ""
        while self.at < len(self.tokens):
            if self.peek() in RELATIONS and self.peek():
                sign = self.take()[1]
                if sign in ",:":
                    parts.append(_math(_operator(sign, ' form="postfix" lspace="0"')))
                else:
                    lead = _operator(sign, ' form="infix" lspace="0"')
                continue
            for term in self.terms(' lspace="0"'):
                parts.append(_math(lead + term))
                lead = ""
        return parts

    def terms(self, edge: str = "") -> list[str]:
        """Parse a sum, and return the markup of each term with its sign.

        edge: HTML attributes for the ``mo`` elements of all signs but the first
        """
        lead = _operator(self.take()[1], ' form="prefix"') if self.peek() in ("−", "-") else ""
        terms = [lead + self.product()]
        while self.peek() in ("+", "−", "-") and self.peek():
            sign = _operator(self.take()[1], f' form="infix"{edge}')
            terms.append(sign + self.product())
        return terms

    def product(self) -> str:
        markup = self.quotient()
        while self.peek() == "·":
            markup += _operator(self.take()[1]) + self.quotient()
        return markup

    def quotient(self) -> str:
        markup, bare = self.power()
        while self.peek() == "/":
            self.take()
            divisor, bare_divisor = self.power()
            if self.raised:  # in an exponent a fraction would be too small to read
                markup = bare = _row(markup, SLASH, divisor)
            else:
                markup = bare = f"<mfrac>{_row(bare)}{_row(bare_divisor)}</mfrac>"
        return markup

    def power(self) -> tuple[str, str]:
        markup, bare = self.atom()
        if self.peek() != "^":
            return markup, bare
        self.take()
        self.raised = True
        exponent = self.atom()[1]
        self.raised = False
        return (f"<msup>{_row(markup)}{_row(exponent)}</msup>",) * 2

    def atom(self) -> tuple[str, str]:
        kind, text, subscript = self.take()
        if kind == "number":
            return (f"<mn>{escape(text)}</mn>",) * 2
        if kind == "name":
            return self.name(text, subscript)
        if text in _FRACTIONS:
            numerator, denominator = _FRACTIONS[text]
            return (_row(f"<mn>{numerator}</mn>", SLASH, f"<mn>{denominator}</mn>"),) * 2
        if text == "√":
            return (f"<msqrt>{_row(self.atom()[1])}</msqrt>",) * 2
        if text == "…":
            return (_operator("…"),) * 2
        if text in ("−", "-"):
            return (_row(_operator("−", ' form="prefix"'), self.atom()[0]),) * 2
        if text in CLOSING:
            return self.bracketed(text)
        raise FormulaError(f"{self.text!r} at {text!r}")

    def name(self, text: str, subscript: str) -> tuple[str, str]:
        if text == "Σ":
            has_operand = self.at < len(self.tokens) and self.tokens[self.at][0] != "sign"
            operand = self.product() if has_operand or self.peek() in ("(", "|") else ""
            return (_row(_operator("∑"), operand),) * 2
        text, subscript = _BOUNDS.get(text, (text, subscript.translate(_SUBSCRIPTS)))
        symbol = f"<mi>{escape(text)}</mi>"
        if subscript:
            symbol = f"<msub>{symbol}<mi>{escape(subscript)}</mi></msub>"
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
