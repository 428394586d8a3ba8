"""The people of a ranking who need a decision, as a form: a number, a suggested player, or a guest."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext

from players.access import name_for
from players.models import Player
from tournaments.formats.licence import normalise
from tournaments.formats.types import Person
from tournaments.models import ResultUpload
from tournaments.services.drafts import Draft
from tournaments.services.issues import describe, issue
from tournaments.services.people import Choice, Seat, key_of, seat_of, seats_of
from tournaments.services.seat_decisions import Decision
from tournaments.services.suggestions import Suggestion, suggest

SHOWN = 500  # people at once; the others follow when these are decided
LONGEST = 60  # characters kept of what is typed in the box of a number
FIELD = re.compile(r"(number|was|who)_(\d{1,5}-\d{1,2})")
PLAYER = re.compile(r"[1-9]\d{0,11}")
GUEST, AS_READ = "guest", "as-read"  # values of the radio buttons, besides numbers


Seated = tuple[Seat, Person, int]  # with the line that says so


@dataclass(frozen=True)
class Option:
    """One radio button."""

    value: str
    label: str
    checked: bool = False


@dataclass(frozen=True)
class PersonRow:
    """A person, the box for the number, and what else can be chosen.

    number: what is stored; text: what is in the box
    proposed: the player whom "accept all proposals" takes; open: nothing is decided about the seat
    preset: the radio button that is chosen while nobody has touched the page
    """

    seat: Seat
    line: int
    name: str
    number: str
    text: str
    options: list[Option]
    open: bool
    error: str = ""
    proposed: Player | None = None
    preset: str = ""

    @property
    def key(self) -> str:
        return key_of(self.seat)

    @property
    def box(self) -> str:
        """The id of the box of the number."""
        return f"number_{self.key}"

    @property
    def nameless(self) -> bool:
        """Nobody's number is written: the seats that "the others are guests" is about."""
        return self.open and not self.number


@dataclass(frozen=True)
class People:
    """The rows that are open and those decided on this page; `more` open ones are not shown yet.

    doubtful: by key, people whose number has another name in the register
    """

    rows: list[PersonRow] = field(default_factory=list)
    decided: list[PersonRow] = field(default_factory=list)
    doubtful: dict[str, PersonRow] = field(default_factory=dict)
    more: int = 0

    def all(self) -> list[PersonRow]:
        """Every row on the page, from its top."""
        return [*self.doubtful.values(), *self.rows, *self.decided]

    @property
    def is_wrong_below(self) -> bool:
        """Whether a person already decided has an error: the page then unfolds the list of the decided."""
        return any(row.error for row in self.decided)

    @property
    def proposals(self) -> dict[Seat, str]:
        return {row.seat: row.proposed.number for row in self.rows if row.proposed}

    @property
    def others(self) -> dict[Seat, Decision]:
        return {row.seat: Decision.GUEST for row in self.rows if row.nameless}


@dataclass(frozen=True)
class Typed:
    """What a sent page says about the seats.

    seats: what can be stored; wrong: texts that are no number
    texts: everything typed; picks: the radio buttons
    """

    seats: dict[Seat, str | Decision]
    wrong: dict[Seat, str]
    texts: Mapping[Seat, str]
    picks: Mapping[Seat, str]


def typed_in(data: Mapping[str, str], draft: Draft) -> Typed:
    """Read the boxes and radio buttons of a sent page. What was typed beats what is ticked."""
    people = {seat: person for seat, person, _line in seats_of(draft.entries)}
    sent: dict[str, dict[Seat, str]] = {"number": {}, "was": {}, "who": {}}
    for name, value in data.items():
        if match := FIELD.fullmatch(name):
            # PostgreSQL stores no NUL, and no number has an invisible character.
            text = "".join(char for char in value if char.isprintable()).strip()[:LONGEST]
            sent[match[1]][seat_of(match[2])] = text
    seats: dict[Seat, str | Decision] = {}
    texts, wrong = {}, {}
    for seat in sorted(sent["number"].keys() | sent["who"].keys()):
        present = (people[seat].number or "") if seat in people else ""
        was = sent["was"].get(seat, present)
        text = sent["number"].get(seat, was)
        decision = _picked(sent["who"].get(seat, ""))
        if text != was:
            texts[seat] = text
        if text and text != was:
            if normalise(text) is None:
                wrong[seat] = text
            else:
                seats[seat] = text
        elif decision is not None and decision != normalise(present):
            seats[seat] = decision
        elif text != was:
            seats[seat] = ""
    return Typed(seats, wrong, texts, sent["who"])


def _picked(value: str) -> str | Decision | None:
    if value == GUEST:
        return Decision.GUEST
    if value == AS_READ:
        return Decision.AS_READ
    return value if PLAYER.fullmatch(value) else None


def people_of(
    upload: ResultUpload, draft: Draft, viewer, typed: Typed | None = None, shown: int | None = SHOWN
) -> People:
    """Who needs a decision and who has one, with suggestions. One query.

    For directors of the upload's club: its hidden members are suggested by name.
    viewer: who reads it, and may know by name a hidden player whose number is written
    typed: a page that was sent and could not be stored in whole, whose texts stay in their boxes
    shown: how many of each kind at most
    """
    open_, decided, doubtful = _sorted_out(draft)
    wrong = typed.wrong if typed else {}
    listed = [*open_[:shown], *decided[:shown], *doubtful[:shown]]
    names = {seat: wrong.get(seat) or person.name for seat, person, _line in listed}
    suggestions = suggest(filter(None, names.values()), upload.club_id, draft.players)
    claims = Counter(
        suggestion.clear.pk
        for seat, _person, _line in open_[:shown]
        if (suggestion := suggestions.get(names[seat])) and suggestion.clear
    )

    def rows(seats: list[Seated]) -> list[PersonRow]:
        return [
            _row(seat, person, line, draft, suggestions.get(names[seat]), claims, viewer, typed)
            for seat, person, line in seats[:shown]
        ]

    return People(
        rows(open_),
        rows(decided),
        {row.key: row for row in rows(doubtful)},
        len(open_) - len(open_[:shown]),
    )


def _sorted_out(draft: Draft) -> tuple[list[Seated], list[Seated], list[Seated]]:
    """The seats that are open, those decided on this page, and those with another name in the register."""
    open_, decided, doubtful = [], [], []
    differ = {seat_of(each.params["seat"]) for each in draft.issues if each.code == "name_differs"}
    for seated in seats_of(draft.entries):
        seat, person, _line = seated
        choice = draft.choices.get(seat)
        if seat in draft.repeated or (draft.player_of(person) is None and not (choice and choice.guest)):
            open_.append(seated)
        elif seat in differ:
            doubtful.append(seated)
        elif choice:
            decided.append(seated)
    return open_, decided, doubtful


def _row(
    seat: Seat,
    person: Person,
    line: int,
    draft: Draft,
    suggestion: Suggestion | None,
    claims: Counter[int],
    viewer,
    typed: Typed | None,
) -> PersonRow:
    suggestion = suggestion or Suggestion()
    choice = draft.choices.get(seat)
    player = None if seat in draft.repeated else draft.player_of(person)
    open_ = player is None and not (choice and choice.guest)
    # A name that two of the ranking have is asked about.
    clear = suggestion.clear if suggestion.clear and claims[suggestion.clear.pk] == 1 else None
    number = text = person.number or ""
    preset = _checked(open_, player, choice, clear if suggestion.certain and not number else None)
    named = player and (player, name_for(viewer, player))
    untouched = options = _options(person, choice, named, suggestion, preset)
    if typed:
        text = typed.texts.get(seat, number)
        options = _options(person, choice, named, suggestion, typed.picks.get(seat) or preset)
    return PersonRow(
        seat=seat,
        line=line,
        name=person.name,
        number=number,
        text=text,
        options=options,
        open=open_,
        error=_error(seat, person, draft, typed),
        proposed=clear if open_ else None,
        preset=next(option.value for option in untouched if option.checked),
    )


def _checked(open_: bool, player: Player | None, choice: Choice | None, certain: Player | None) -> str:
    if not open_:
        return GUEST if choice and choice.guest else player.number
    return certain.number if certain else ""


def _options(
    person: Person,
    choice: Choice | None,
    present: tuple[Player, str] | None,
    suggestion: Suggestion,
    picked: str,
) -> list[Option]:
    """The radio buttons. present: whose number is written, and their name as the reader may read it"""
    options = []
    player, name = present or (None, "")
    if player:
        options.append((player.number, name))
    options += [(each.number, each.full_name) for each in suggestion.players if each != player]
    labelled = [
        (number, gettext("%(name)s, %(number)s") % {"name": name, "number": number})
        for number, name in options
    ]
    labelled.append((GUEST, gettext("Guest")))
    if choice is None:
        labelled.append(("", gettext("The number in the box") if person.number else gettext("Not decided")))
    elif choice.number:
        labelled.append((AS_READ, gettext("As in the file: %(number)s") % {"number": choice.number}))
    else:
        labelled.append((AS_READ, gettext("As in the file, without a number")))
    if picked not in [value for value, _label in labelled]:
        picked = labelled[-1][0]
    return [Option(value, label, value == picked) for value, label in labelled]


def _error(seat: Seat, person: Person, draft: Draft, typed: Typed | None) -> str:
    """What is wrong with the text in the box."""
    if typed and seat in typed.wrong:
        return gettext(
            "“%(value)s” is not a number and is not saved: write the digits of the number, choose one of the "
            "names, or mark a guest."
        ) % {"value": typed.wrong[seat]}
    if not person.number:
        return ""
    if normalise(person.number) is None:
        text = describe(issue("malformed_licence", value=person.number, name=person.name))
    elif seat in draft.repeated:
        return gettext("This number is on two lines: correct the one that is somebody else's.")
    elif draft.player_of(person) is None:
        text = describe(issue("unknown_player", value=person.number, name=person.name))
    else:
        return ""
    return text.message
