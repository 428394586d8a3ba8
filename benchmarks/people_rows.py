"""The rows of generated players: their licences, categories and indexed names."""

from datetime import date
from random import Random

from django.utils import timezone

from players.models import Category, CategoryAssignment, Licence, NamePair, Player
from players.models.names import pairs_of
from scoring.demo import people
from scoring.demo.people import Person, Size

from .copying import Rows, escaped, or_null
from .tiers import shape_person


class PeopleRows:
    """Rows of players, with those that refer to them. Their ids are counted from 1."""

    def __init__(self, ladder: dict[str, Category]) -> None:
        self.ladder, self.now = ladder, timezone.now()
        self.players = Rows(
            Player,
            "id number given_name surname search_text sort_key club_id hidden email birth_year deceased_on",
        )
        self.licences = Rows(Licence, "player_id valid_from valid_to issuer equivalent")
        self.assignments = Rows(
            CategoryAssignment,
            "player_id category_id valid_from origin reason evidence created_at by_two",
        )
        self.names = Rows(NamePair, "player_id stem second")

    def draw(
        self, number: int, club_id: int, home: int, size: Size, rng: Random, until: date, store: bool
    ) -> tuple[Person, bool]:
        """Draw a player. Return them, without a name, and whether they play.

        home: the index of the player's club
        store: whether to add the player's rows
        """
        person, row = people.draw_person(number, club_id, size, rng, until)
        plays = shape_person(person, row, size, until, rng)
        person.pk = number + 1
        licences = people.draw_licences(person, home, size, rng, until)
        if store:
            self._add(person, row, licences)
        person.given_name = person.surname = person.number = ""  # play needs no names, and memory is short
        return person, plays

    def _add(self, person: Person, row: Player, licences: list[Licence]) -> None:
        self.players.add(
            *(person.pk, row.number, row.given_name, row.surname, row.search_text, escaped(row.sort_key)),
            *(row.club_id, row.hidden, row.email, or_null(row.birth_year), or_null(row.deceased_on)),
        )
        for licence in licences:
            self.licences.add(
                person.pk, licence.valid_from, licence.valid_to, licence.issuer, licence.equivalent
            )
        for assignment in people.assignments_of(person, self.ladder, None):
            self.assignments.add(
                *(
                    person.pk,
                    assignment.category_id,
                    assignment.valid_from,
                    assignment.origin,
                    assignment.reason,
                ),
                *(assignment.evidence, self.now, assignment.by_two),
            )
        for stem, second in sorted(pairs_of(row.search_text)):
            self.names.add(person.pk, stem, second)

    def write(self, cursor) -> None:
        """Write the rows that were added since the last call."""
        for rows in (self.players, self.licences, self.assignments, self.names):
            rows.write(cursor)
