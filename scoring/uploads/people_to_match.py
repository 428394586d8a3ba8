"""The form about people of a ranking who need a decision: a number, a suggested player, or guest."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

from django.utils.translation import gettext

from players.access import name_for
from players.models import Licence, Player
from tournaments.federations import federations
from tournaments.formats.licence import normalise
from tournaments.formats.types import Person
from tournaments.models import ResultUpload
from tournaments.services.drafts import GUEST_LENGTH, Draft
from tournaments.services.issues import PERSONAL, describe, issue
from tournaments.services.partners import usual_partners
from tournaments.services.people import Choice, Decision, Picked, Seat, key_of, seat_of, seats_of
from tournaments.services.recognition import with_memory
from tournaments.services.suggestions import Suggestion, suggest

MAX_LENGTH = 60  # maximum number of characters kept of a text typed as a number
FIELD = re.compile(r"(number|was|who|picked|country|had|name|called)_(\d{1,5}-\d{1,2})")
PLAYER = re.compile(r"[1-9]\d{0,11}")
GUEST, AS_READ = "guest", "as-read"  # values of the radio buttons that are not numbers


SeatLine = tuple[Seat, Person, int]  # the last element is the line in the file


@dataclass(frozen=True)
class Option:
    """A radio button of the form that asks who a person is.

    light: the state of the player's licence, as in `PersonRow`
    """

    value: str
    label: str
    checked: bool = False
    light: str = ""


@dataclass(frozen=True)
class PersonRow:
    """A person of the form, with a text box for the number, and radio buttons.

    number: the stored number
    text: the text in the box
    open: whether it is still undecided who the person is
    proposed: the player whom the button "accept all proposals" chooses; None if there is none
    preset: the value of the radio button that is checked at first
    is_asked: whether the page shows the form of this person
    country: for a guest, the ISO 3166 code of the country of the guest's federation
    guest_name: for a guest, the name that the director wrote, or else the name in the file
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
    is_asked: bool = False
    is_guest: bool = False
    country: str = ""
    guest_name: str = ""

    @property
    def key(self) -> str:
        return key_of(self.seat)

    @property
    def box(self) -> str:
        """The HTML id of the text box for the number."""
        return f"number_{self.key}"

    @property
    def anchor(self) -> str:
        """The HTML id of the text box, or of the button that opens the form of this person."""
        return self.box if self.is_asked else f"change_{self.key}"


@dataclass(frozen=True)
class People:
    """The people of a ranking who need a decision, or whose decision can be changed.

    rows: undecided people
    decided: people about whom the director has already decided on this page
    doubtful: {key of the seat: person} of people whose number is registered under another name
    recognised: {seat: name} of the people of the whole ranking who are recognised by their names; the names
        as the directors of the upload's club may see them
    """

    rows: list[PersonRow] = field(default_factory=list)
    decided: list[PersonRow] = field(default_factory=list)
    doubtful: dict[str, PersonRow] = field(default_factory=dict)
    recognised: dict[Seat, str] = field(default_factory=dict)

    def all(self) -> list[PersonRow]:
        """Return the rows of all people, in the order of the page."""
        return [*self.doubtful.values(), *self.rows, *self.decided]

    @cached_property
    def by_key(self) -> dict[str, PersonRow]:
        """{key of the seat: person} of those whose form the page may show in the ranking."""
        return {row.key: row for row in [*self.rows, *self.decided]}

    @property
    def proposals(self) -> dict[Seat, Picked]:
        return {row.seat: Picked(row.proposed.number) for row in self.rows if row.proposed}

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
    countries: the chosen countries of guests' federations
    guest_names: the changed names of guests, "" for the name in the file
    """

    seats: dict[Seat, str | Decision]
    wrong: dict[Seat, str]
    texts: Mapping[Seat, str]
    picks: Mapping[Seat, str]
    countries: Mapping[Seat, str] = field(default_factory=dict)
    guest_names: Mapping[Seat, str] = field(default_factory=dict)


def read_seat_input(data: Mapping[str, str], draft: Draft) -> SeatInput:
    """Read the text boxes and radio buttons of a submitted page.

    If a number was typed, it is used instead of the radio button.
    """
    people = {seat: person for seat, person, _line in seats_of(draft.entries)}
    kinds = ("number", "was", "who", "picked", "country", "had", "name", "called")
    sent: dict[str, dict[Seat, str]] = {kind: {} for kind in kinds}
    for name, value in data.items():
        if match := FIELD.fullmatch(name):
            # PostgreSQL cannot store NUL, and numbers have no invisible characters.
            longest = GUEST_LENGTH if match[1] in ("name", "called") else MAX_LENGTH
            text = "".join(char for char in value if char.isprintable()).strip()[:longest]
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
    countries = {
        seat: code
        for seat, code in sent["country"].items()
        if code != sent["had"].get(seat, "") and (not code or code in federations())
    }
    guest_names = {
        seat: "" if seat in people and name == people[seat].name else name
        for seat, name in sent["name"].items()
        if name != sent["called"].get(seat, "")
    }
    return SeatInput(seats, wrong, texts, sent["who"], countries, guest_names)


def _picked(value: str) -> str | Decision | None:
    if value == GUEST:
        return Decision.GUEST
    if value == AS_READ:
        return Decision.AS_READ
    return Picked(value) if PLAYER.fullmatch(value) else None


def people_of(
    upload: ResultUpload,
    draft: Draft,
    viewer,
    submitted: SeatInput | None = None,
    changing: str = "",
    is_shown: Callable[[Seat], bool] = lambda seat: True,
) -> People:
    """Return the people who need a decision and the people already decided, both with suggestions.

    Make at most seven queries. Show the result only to directors of the upload's club, because it suggests
    hidden members of the club.

    viewer: the account for which names are shown; it may not see the names of all hidden players
    submitted: the input of a page that could not be fully stored; it is shown again
    changing: the key of a seat whose form is wanted although it is decided
    is_shown: whether the page shows the form of a seat
    """
    if draft.is_nameless:
        return People()
    open_, decided, doubtful = _sort_seats(draft, changing)
    wrong = submitted.wrong if submitted else {}
    written = {seat: wrong.get(seat) or person.name for seat, person, _line in (*open_, *decided, *doubtful)}
    names = {seat: name for seat, name in written.items() if is_shown(seat)}
    suggestions = _suggestions(names, draft, upload.club_id)
    # The same name on another page of the ranking means the same player.
    meant = {names[seat]: suggestion.clear.pk for seat, suggestion in suggestions.items() if suggestion.clear}
    proposals = Counter(meant[written[seat]] for seat, _person, _line in open_ if written[seat] in meant)
    suggested = {player.pk for suggestion in suggestions.values() for player in suggestion.players}
    licences = {**draft.licences, **Licence.objects.states(draft.known.end_date, suggested)}
    form = _Form(draft, upload.club_id, viewer, proposals, licences)

    def rows(seats: list[SeatLine]) -> list[PersonRow]:
        shown = [line for line in seats if is_shown(line[0])]
        return [form.row(line, suggestions[line[0]], submitted, changing) for line in shown]

    return People(
        rows(open_),
        rows(decided),
        {row.key: replace(row, is_asked=True) for row in rows(doubtful)},
        {seat: _name(suggestion.clear, upload.club_id) for seat, suggestion in draft.recognised.items()},
    )


def _suggestions(names: Mapping[Seat, str], draft: Draft, club_id: int) -> dict[Seat, Suggestion]:
    """Return the suggestion for each seat, in this order: exact name, the club's memory, other proposals.

    names: the name to look for in each seat
    """
    written = set(filter(None, names.values()))
    by_name = with_memory(suggest(sorted(written), club_id, draft.players), written, club_id, draft.players)
    result = {seat: by_name.get(name, Suggestion()) for seat, name in names.items()}
    known: dict[int, dict[Seat, Player]] = {}
    for seat, person, _line in seats_of(draft.entries):
        if player := draft.player_of(person) or (seat in result and result[seat].clear):
            known.setdefault(seat[0], {})[seat] = player
    unclear = [seat for seat, name in names.items() if name and not result[seat].clear]
    partners = {
        seat: [player.pk for other, player in known.get(seat[0], {}).items() if other != seat]
        for seat in unclear
    }
    usual = usual_partners(set(chain.from_iterable(partners.values())), club_id, draft.known.end_date)
    seated = {player.pk for players in known.values() for player in players.values()}
    for seat, ids in partners.items():
        free = [player for pk in ids for player in usual.get(pk, ()) if player.pk not in seated]
        result[seat] = result[seat].with_partners(names[seat], free)
    return result


def _sort_seats(draft: Draft, changing: str) -> tuple[list[SeatLine], list[SeatLine], list[SeatLine]]:
    """Return three lists of seats: undecided ones, those decided on this page, and misnamed ones.

    A misnamed seat has a number that is registered under another name, or under a hidden one.

    changing: the key of a seat that counts as decided on this page
    """
    open_, decided, doubtful = [], [], []
    misnamed = {seat_of(item.params["seat"]) for item in draft.issues if item.code in PERSONAL}
    for row in seats_of(draft.entries):
        seat, person, _line = row
        if draft.is_open(seat, person):
            open_.append(row)
        elif seat in misnamed:
            doubtful.append(row)
        elif seat in draft.choices or key_of(seat) == changing:
            decided.append(row)
    return open_, decided, doubtful


@dataclass(frozen=True)
class _Form:
    """What all rows of the form have in common.

    proposals: {player id: number of undecided people for whom the player is the clear suggestion}
    licences: as in `Draft`, with those of suggested players
    """

    draft: Draft
    club_id: int
    viewer: Any
    proposals: Counter[int]
    licences: Mapping[int, str]

    def row(
        self, seat_line: SeatLine, suggestion: Suggestion, submitted: SeatInput | None, changing: str
    ) -> PersonRow:
        seat, person, line = seat_line
        draft = self.draft
        choice = draft.choices.get(seat)
        player, open_ = draft.player_at(seat, person), draft.is_open(seat, person)
        # If two people of the ranking match the same player, the director has to choose.
        clear = suggestion.clear
        clear = clear if clear and self.proposals[clear.pk] == 1 else None
        number = text = person.number or ""
        preset = _preset(open_, player, choice)
        picked = preset
        if submitted:
            text = submitted.texts.get(seat, number)
            picked = submitted.picks.get(seat, preset)
        error = _error(seat, person, draft, submitted)
        if seat in draft.recognised:
            recognised = draft.recognised[seat]
            suggestion = replace(recognised, players=(*recognised.players, *suggestion.players))
        options = self._options(person, choice, player, suggestion, preset, picked)
        return PersonRow(
            seat=seat,
            line=line,
            name=person.name,
            number=number,
            text=text,
            options=options,
            open=open_,
            error=error,
            proposed=clear if open_ else None,
            preset=preset,
            is_asked=open_ or bool(error) or key_of(seat) == changing,
            is_guest=draft.is_guest(seat),
            country=choice.country if choice else "",
            guest_name=((choice and choice.name) or person.name)[:GUEST_LENGTH],
        )

    def _options(
        self,
        person: Person,
        choice: Choice | None,
        player: Player | None,
        suggestion: Suggestion,
        preset: str,
        picked: str,
    ) -> list[Option]:
        """Return the radio buttons that say who a person is.

        choice: the director's decision, if any
        player: the player with the person's number
        suggestion: the suggested players, each of whom gets a button
        preset: the value of the button that is checked at first
        picked: the value of the button to check now; if no button has it, the button `preset` is checked
        """
        labelled = []
        if player:
            is_recognised = player in suggestion.players
            name = _name(player, self.club_id) if is_recognised else name_for(self.viewer, player)
            labelled.append((player.number, self._label(player, name, suggestion)))
        labelled += [
            (match.number, self._label(match, _name(match, self.club_id), suggestion))
            for match in suggestion.players
            if match != player
        ]
        lights = {
            item.number: self.licences.get(item.pk, "")
            for item in [*suggestion.players, *([player] * bool(player))]
        }
        labelled.append((GUEST, gettext("Guest")))
        if choice is None or not (player or choice.guest):
            labelled.append(
                ("", gettext("The number in the box") if person.number else gettext("Not decided"))
            )
        if choice and choice.number:
            labelled.append((AS_READ, gettext("As in the file: %(number)s") % {"number": choice.number}))
        elif choice:
            labelled.append((AS_READ, gettext("As in the file, without a number")))
        checked = picked if picked in [value for value, _label in labelled] else preset
        return [
            Option(value, label, value == checked, lights.get(value, "guest" if value == GUEST else "open"))
            for value, label in labelled
        ]

    def _label(self, player: Player, name: str, suggestion: Suggestion) -> str:
        values = {"name": name, "number": player.number}
        if player == suggestion.remembered:
            return gettext("%(name)s, %(number)s (as in the club's earlier files)") % values
        if player == suggestion.usual:
            return gettext("%(name)s, %(number)s (plays with this partner)") % values
        return gettext("%(name)s, %(number)s") % values


def _name(player: Player, club_id: int) -> str:
    """Return the name of a player for the directors of a club, who know its hidden members."""
    return player.full_name if player.club_id == club_id else player.public_name


def _preset(open_: bool, player: Player | None, choice: Choice | None) -> str:
    """Return the value of the radio button to check at first.

    For a decided person, this is the number of the player or the value for a guest; otherwise it is "".

    open_: whether it is undecided who the person is
    """
    if open_:
        return ""
    return GUEST if choice and choice.guest else player.number


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
