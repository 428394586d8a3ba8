"""The form in which a director changes the result of one board at one table."""

from collections.abc import Collection
from dataclasses import replace

from django import forms
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.uploads.forms.details import correction_reason_field
from tournaments.boards import MAX_SCORE, artificial_score, whole_score
from tournaments.formats import cards
from tournaments.formats.contracts import score_of
from tournaments.formats.types import BoardResult, Vulnerable
from ui.cards import SEATS, STRAINS
from ui.formatting import format_whole

PASSED_OUT = "PASS"
CONTRACT, SCORE, ADJUSTED, NOT_PLAYED = "contract", "score", "adjusted", "none"
KINDS: list[tuple[str, str | Promise]] = [
    (CONTRACT, _("Contract and tricks")),
    (SCORE, _("Only the score in points")),
    (ADJUSTED, _("An adjusted score in percent")),
    (NOT_PLAYED, _("Not played: the result is erased")),
]
BOOK, ALL_TRICKS = 6, 13
ALL_PERCENT = 100
BLANK = ("", "—")


class BoardForm(forms.Form):
    """The right result of a board at a table. Only the fields of the chosen kind count.

    before: the result as it is now
    vulnerable: the sides that are vulnerable on the board
    possible: the points of North-South that a contract can give; others are asked about
    correcting: whether the form asks for the reason of a correction
    """

    kind = forms.ChoiceField(label=_("The right result"), choices=KINDS, widget=forms.RadioSelect)
    level = forms.ChoiceField(
        label=_("Contract"),
        choices=[BLANK, *((str(level), str(level)) for level in range(1, 8)), (PASSED_OUT, _("All passed"))],
        required=False,
    )
    strain = forms.ChoiceField(
        label=_("Suit"), choices=[BLANK, *((code, STRAINS[code]) for code in "CDHSN")], required=False
    )
    doubled = forms.ChoiceField(
        label=_("Doubled"),
        choices=[("", _("no")), ("X", _("doubled")), ("XX", _("redoubled"))],
        required=False,
    )
    declarer = forms.ChoiceField(label=_("Declarer"), choices=[BLANK, *SEATS.items()], required=False)
    tricks = forms.TypedChoiceField(
        label=_("Tricks"),
        choices=[BLANK, *((str(tricks), str(tricks)) for tricks in range(ALL_TRICKS, -1, -1))],
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_("Those that declarer took, from 0 to 13."),
    )
    score = forms.IntegerField(
        label=_("Points of North-South"),
        required=False,
        min_value=-MAX_SCORE,
        max_value=MAX_SCORE,
        step_size=10,
        help_text=_("With a minus if East-West score."),
        error_messages={"step_size": _("Scores of bridge are multiples of 10.")},
    )
    sure = forms.BooleanField(label=_("It is right, although no contract gives it"), required=False)
    ns = forms.IntegerField(
        label=_("Percent for North-South"), required=False, min_value=0, max_value=ALL_PERCENT
    )
    ew = forms.IntegerField(
        label=_("Percent for East-West"),
        required=False,
        min_value=0,
        max_value=ALL_PERCENT,
        help_text=_(
            "Law 12: 60 for a side without fault, 50 if partly at fault, 40 if at fault. "
            "They need not add up to 100."
        ),
    )
    exchanged = forms.BooleanField(label=_("The pairs sat the other way round"), required=False)
    reason = correction_reason_field()

    def __init__(
        self,
        *args,
        before: BoardResult,
        vulnerable: Vulnerable,
        possible: Collection[int],
        correcting: bool,
        reason: str = "",
        **kwargs,
    ) -> None:
        super().__init__(*args, initial={**_initial(before), "reason": reason}, **kwargs)
        self.before, self.vulnerable, self.possible = before, vulnerable, possible
        self.asks_sure = False
        if correcting:
            text = _("An erased result stays listed with the boards, and can be entered again.")
            self.fields["kind"].help_text = text
        else:
            del self.fields["reason"]

    def clean(self) -> dict:
        values = super().clean()
        for name in self._missing(values):
            if name not in self.errors:
                self.add_error(name, forms.Field.default_error_messages["required"])
        score = values.get("score")
        if values.get("kind") == SCORE and score is not None and score not in self.possible:
            self.asks_sure = True
            if not values.get("sure"):
                self.add_error("score", self._not_possible(score))
        return values

    def _not_possible(self, score: int) -> str:
        """Say that no contract gives a score, and which scores near it are possible."""
        lower, higher = (
            [other for other in self.possible if (other < score) == is_lower] for is_lower in (True, False)
        )
        near = {*sorted(lower)[-1:], *sorted(higher)[:1]}
        if score % 100 == 0 and score // 10 in self.possible:
            near.add(score // 10)  # a zero too many
        lang = get_language() or ""
        listed = "; ".join(format_whole(other, lang) for other in sorted(near))
        text = gettext(
            "No contract gives %(score)s on this board. Correct it, or tick below. Near it: %(near)s."
        )
        return text % {"score": format_whole(score, lang), "near": listed}

    def _missing(self, values: dict) -> list[str]:
        """Return the blank fields of the chosen kind."""
        names: tuple[str, ...] = {
            CONTRACT: ("level",)
            if values.get("level") in ("", PASSED_OUT)
            else ("strain", "declarer", "tricks"),
            SCORE: ("score",),
            ADJUSTED: ("ns", "ew"),
        }.get(values.get("kind", ""), ())
        return [name for name in names if values.get(name) in ("", None)]

    def result(self) -> BoardResult:
        """Return the board result that the valid form describes."""
        values, result = self.cleaned_data, self.before
        if values["exchanged"]:
            result = replace(result, ns=result.ew, ew=result.ns)
        if values["kind"] == CONTRACT:
            return replace(result, **self._played())
        score = {
            SCORE: lambda: str(values["score"]),
            ADJUSTED: lambda: f"A{values['ns']:02}{values['ew']:02}",
            NOT_PLAYED: lambda: None,
        }[values["kind"]]()
        return replace(result, score=score, contract=None, declarer=None, tricks=None, lead=None)

    def _played(self) -> dict[str, str | None]:
        values = self.cleaned_data
        if values["level"] == PASSED_OUT:
            return {"contract": PASSED_OUT, "declarer": None, "tricks": None, "lead": None, "score": "0"}
        contract = values["level"] + values["strain"] + values["doubled"]
        side = "NS" if values["declarer"] in "NS" else "EW"
        over = values["tricks"] - int(values["level"]) - BOOK
        points = score_of(contract, over, self.vulnerable in ("both", side))
        return {
            "contract": contract,
            "declarer": values["declarer"],
            "tricks": str(values["tricks"]),
            "score": str(points if side == "NS" else -points),
        }


def _initial(before: BoardResult) -> dict[str, object]:
    """Return what the form shows first: the result as it is now."""
    contract = cards.contract_text(before.contract or "") or ""
    adjusted = artificial_score(before.score or "")
    points = whole_score(before.score or "")
    kind = ADJUSTED if adjusted else SCORE if points is not None and not contract else CONTRACT
    return {
        "kind": kind,
        "level": PASSED_OUT if contract == PASSED_OUT else contract[:1],
        "strain": "" if contract == PASSED_OUT else contract[1:2],
        "doubled": "" if contract == PASSED_OUT else contract[2:],
        "declarer": cards.seat_text(before.declarer or "") or "",
        "tricks": cards.tricks_number(before.tricks or ""),
        "score": points,
        "ns": adjusted and adjusted[0],
        "ew": adjusted and adjusted[1],
    }
