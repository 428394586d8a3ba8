"""The form about people of a ranking who need a decision: a number, a suggested player, or guest."""

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
from tournaments.services.people import Choice, Decision, Seat, key_of, seat_of, seats_of
from tournaments.services.suggestions import Suggestion, suggest

MAX_SHOWN = 500  # maximum number of people on a page; the others follow when these are decided
MAX_LENGTH = 60  # maximum number of characters kept of a text typed as a number
FIELD = re.compile(r"(number|was|who)_(\d{1,5}-\d{1,2})")
PLAYER = re.compile(r"[1-9]\d{0,11}")
GUEST, AS_READ = "guest", "as-read"  # values of the radio buttons that are not numbers


SeatLine = tuple[Seat, Person, int]  # the last element is the line in the file


@dataclass(frozen=True)
class Option:
    """A radio button of the form that asks who a person is."""

    value: str
    label: str
    checked: bool = False


@dataclass(frozen=True)
class PersonRow:
    """A person of the form, with a text box for the number, and radio buttons.

    number: the stored number
    text: the text in the box
    open: whether it is still undecided who the person is
    proposed: the player whom the button "accept all proposals" chooses; None if there is none
    preset: the value of the radio button that is checked at first
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
        """The HTML id of the text box for the number."""
        return f"number_{self.key}"


@dataclass(frozen=True)
class People:
    """The people of a ranking who need a decision, or whose decision can be changed.

    rows: undecided people
    more: number of undecided people that the page does not show yet
    decided: people about whom the director has already decided on this page
    doubtful: {key of the seat: person} of people whose number is registered under another name
    """

    rows: list[PersonRow] = field(default_factory=list)
    decided: list[PersonRow] = field(default_factory=list)
    doubtful: dict[str, PersonRow] = field(default_factory=dict)
    more: int = 0

    def all(self) -> list[PersonRow]:
        """Return the rows of all people, in the order of the page."""
        return [*self.doubtful.values(), *self.rows, *self.decided]

    @property
    def is_wrong_below(self) -> bool:
        """Whether a person in `decided` has an error, so that the page has to show that collapsed list."""
        return any(row.error for row in self.decided)

    @property
    def proposals(self) -> dict[Seat, str]:
        return {row.seat: row.proposed.number for row in self.rows if row.proposed}

    @property
    def others(self) -> dict[Seat, Decision]:
        """The decisions made by the button that marks as guests all undecided people without a number."""
        return {row.seat: Decision.GUEST for row in self.rows if row.open and not row.number}


@dataclass(frozen=True)
class SeatInput:
    """The decisions about seats that were sent with a page.

    seats: the valid decisions
    wrong: typed texts that are not numbers
    texts: all typed texts that differ from what the page showed
    picks: the values of the checked radio buttons
    """

    seats: dict[Seat, str | Decision]
    wrong: dict[Seat, str]
    texts: Mapping[Seat, str]
    picks: Mapping[Seat, str]


def read_seat_input(data: Mapping[str, str], draft: Draft) -> SeatInput:
    """Read the text boxes and radio buttons of a submitted page.

    If a number was typed, it is used instead of the radio button.
    """
    people = {seat: person for seat, person, _line in seats_of(draft.entries)}
    sent: dict[str, dict[Seat, str]] = {"number": {}, "was": {}, "who": {}}
    for name, value in data.items():
        if match := FIELD.fullmatch(name):
            # PostgreSQL cannot store NUL, and numbers have no invisible characters.
            text = "".join(char for char in value if char.isprintable()).strip()[:MAX_LENGTH]
            sent[match[1]][seat_of(match[2])] = text
    seats: dict[Seat, str | Decision] = {}
    texts, wrong = {}, {}
    for seat in sorted(sent["number"].keys() | sent["who"].keys()):
        current = (people[seat].number or "") if seat in people else ""
        before = sent["was"].get(seat, current)
        text = sent["number"].get(seat, before)
        decision = _picked(sent["who"].get(seat, ""))
        if text != before:
            texts[seat] = text
        if text and text != before:
            if normalise(text) is None:
                wrong[seat] = text
            else:
                seats[seat] = text
        elif decision is not None and decision != normalise(current):
            seats[seat] = decision
        elif text != before:
            seats[seat] = ""
    return SeatInput(seats, wrong, texts, sent["who"])


def _picked(value: str) -> str | Decision | None:
    if value == GUEST:
        return Decision.GUEST
    if value == AS_READ:
        return Decision.AS_READ
    return value if PLAYER.fullmatch(value) else None


def people_of(
    upload: ResultUpload,
    draft: Draft,
    viewer,
    submitted: SeatInput | None = None,
    limit: int | None = MAX_SHOWN,
) -> People:
    """Return the people who need a decision and the people already decided, both with suggestions.

    Make one query. Show the result only to directors of the upload's club, because it suggests hidden members
    of the club.

    viewer: the account for which names are shown; it may not see the names of all hidden players
    submitted: the input of a page that could not be fully stored; it is shown again
    limit: the maximum number of people in each list; None for all
    """
    if draft.is_nameless:
        return People()
    open_, decided, doubtful = _sort_seats(draft)
    wrong = submitted.wrong if submitted else {}
    listed = [*open_[:limit], *decided[:limit], *doubtful[:limit]]
    names = {seat: wrong.get(seat) or person.name for seat, person, _line in listed}
    suggestions = suggest(filter(None, names.values()), upload.club_id, draft.players)
    proposals = Counter(
        suggestion.clear.pk
        for seat, _person, _line in open_[:limit]
        if (suggestion := suggestions.get(names[seat])) and suggestion.clear
    )

    def rows(seats: list[SeatLine]) -> list[PersonRow]:
        return [
            _row(seat, person, line, draft, suggestions.get(names[seat]), proposals, viewer, submitted)
            for seat, person, line in seats[:limit]
        ]

    return People(
        rows(open_),
        rows(decided),
        {row.key: row for row in rows(doubtful)},
        len(open_) - len(open_[:limit]),
    )


def _sort_seats(draft: Draft) -> tuple[list[SeatLine], list[SeatLine], list[SeatLine]]:
    """Return three lists of seats: undecided ones, those decided on this page, and misnamed ones.

    A misnamed seat has a number that is registered under another name.
    """
    open_, decided, doubtful = [], [], []
    misnamed = {seat_of(item.params["seat"]) for item in draft.issues if item.code == "name_differs"}
    for row in seats_of(draft.entries):
        seat, person, _line = row
        choice = draft.choices.get(seat)
        if seat in draft.repeated or (draft.player_of(person) is None and not (choice and choice.guest)):
            open_.append(row)
        elif seat in misnamed:
            doubtful.append(row)
        elif choice:
            decided.append(row)
    return open_, decided, doubtful


def _row(
    seat: Seat,
    person: Person,
    line: int,
    draft: Draft,
    suggestion: Suggestion | None,
    proposals: Counter[int],
    viewer,
    submitted: SeatInput | None,
) -> PersonRow:
    suggestion = suggestion or Suggestion()
    choice = draft.choices.get(seat)
    player = None if seat in draft.repeated else draft.player_of(person)
    open_ = player is None and not (choice and choice.guest)
    # If two people of the ranking match the same player, the director has to choose.
    clear = suggestion.clear if suggestion.clear and proposals[suggestion.clear.pk] == 1 else None
    number = text = person.number or ""
    preset = _preset(open_, player, choice, clear if suggestion.certain and not number else None)
    current = player and (player, name_for(viewer, player))
    picked = preset
    if submitted:
        text = submitted.texts.get(seat, number)
        picked = submitted.picks.get(seat, preset)
    return PersonRow(
        seat=seat,
        line=line,
        name=person.name,
        number=number,
        text=text,
        options=_options(person, choice, current, suggestion, preset, picked),
        open=open_,
        error=_error(seat, person, draft, submitted),
        proposed=clear if open_ else None,
        preset=preset,
    )


def _preset(open_: bool, player: Player | None, choice: Choice | None, certain: Player | None) -> str:
    """Return the value of the radio button to check at first.

    For a decided person, this is the number of the player or the value for a guest. For an undecided person,
    it is the number of `certain`, or "" if that is None.

    open_: whether it is undecided who the person is
    certain: the suggested player, if it is certain enough to be checked at first
    """
    if not open_:
        return GUEST if choice and choice.guest else player.number
    return certain.number if certain else ""


def _options(
    person: Person,
    choice: Choice | None,
    current: tuple[Player, str] | None,
    suggestion: Suggestion,
    preset: str,
    picked: str,
) -> list[Option]:
    """Return the radio buttons that say who a person is.

    choice: the director's decision, if any
    current: the player with the person's number, and the player's name as the viewer may see it
    suggestion: the suggested players, each of whom gets a button
    preset: the value of the button that is checked at first
    picked: the value of the button to check now; if no button has it, the button `preset` is checked
    """
    names = []
    player, name = current or (None, "")
    if player:
        names.append((player.number, name))
    names += [(match.number, match.full_name) for match in suggestion.players if match != player]
    labelled = [
        (number, gettext("%(name)s, %(number)s") % {"name": name, "number": number}) for number, name in names
    ]
    labelled.append((GUEST, gettext("Guest")))
    if choice is None or not (current or choice.guest):
        labelled.append(("", gettext("The number in the box") if person.number else gettext("Not decided")))
    if choice and choice.number:
        labelled.append((AS_READ, gettext("As in the file: %(number)s") % {"number": choice.number}))
    elif choice:
        labelled.append((AS_READ, gettext("As in the file, without a number")))
    checked = picked if picked in [value for value, _label in labelled] else preset
    return [Option(value, label, value == checked) for value, label in labelled]


def _error(seat: Seat, person: Person, draft: Draft, submitted: SeatInput | None) -> str:
    """Return the error message for the number of a person, or "" if the number is valid."""
    if submitted and seat in submitted.wrong:
        return gettext(
            "“%(value)s” is not a number and is not saved: write the digits of the number, choose one of the "
            "names, or mark a guest."
        ) % {"value": submitted.wrong[seat]}
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
