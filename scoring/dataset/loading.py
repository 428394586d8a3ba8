"""Import a dump into an empty installation: who there is, and all points, so that the standings follow.

Awards become opening entries, because the scoring runs behind them are not imported. Everything is one
transaction: a dump that cannot be imported leaves nothing behind.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.color import no_style
from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, OuterRef

from players.models import Category, CategoryAssignment, Club, Licence, Player, PlayerMerge, Region
from scoring.dataset import schema
from scoring.dataset.archive import parts_of
from scoring.dataset.reading import BadDataset, Dataset, Values
from scoring.dataset.schema import File
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import standings
from scoring.transparency.models import Pseudonym
from tournaments.models import Tournament
from ui.copying import copy_rows

Kind = LedgerEntry.Kind
ENTRY = (
    "id",
    "family",
    "kind",
    "player",
    "points",
    "played_on",
    "online",
    "reverses",
    "title",
    "reason",
    "source_key",
    "posted_at",
)


class NotEmpty(Exception):
    """The installation has data of its own, which an import would mix with others."""


@transaction.atomic
def load(path: Path) -> dict[str, int]:
    """Import a dump. Return {name of a CSV file: number of rows} of the files that were imported.

    Raise NotEmpty, BadDataset or OSError.
    """
    require_empty()
    with Dataset(path) as dataset:
        loader = Loader(dataset)
        loader.load()
        families = loader.families | {FAMILY}
        standings.lock_states(families)
        standings.rebuild_at_once(dataset.day)
    return loader.counts


def require_empty() -> None:
    """Raise NotEmpty if there is a region, club, player, tournament or ledger entry."""
    for model in (Region, Club, Player, Tournament, LedgerEntry):
        if model._default_manager.exists():
            raise NotEmpty(
                f"this installation has rows in {model._meta.db_table}: load a dataset into an empty one"
            )


class Loader:
    """Stores the rows of a dump, file by file. It keeps the ids of what other files refer to.

    counts: {name of a CSV file: number of rows stored}
    families: families of the entries stored
    """

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self.counts: dict[str, int] = {}
        self.families: set[str] = set()
        self._regions: dict[str, int] = {}
        self._clubs: dict[str, int] = {}
        self._players: dict[str, int] = {}  # by what other files call them: the number or the pseudonym
        self._people: dict[str, int] = {}  # by pseudonym
        self._merged: list[tuple[int, str, int]] = []  # player's id, who took it over, line
        self._categories: dict[str, int] = {}
        self._titles: dict[int, str] = {}
        self._highest = 0  # number of a player
        self._last_leaf = -1

    def load(self) -> None:
        """Store everything. Raise BadDataset."""
        for row in self._rows(schema.REGIONS):
            self._once(schema.REGIONS, "code", row["code"], self._regions)
            region = Region(**row)
            self._stored(schema.REGIONS, region.save)
            self._regions[region.code] = region.pk
        self._store(schema.CLUBS, self._club, self._remember_clubs)
        self._load_players()
        self._load_ladder()
        self._store(schema.ASSIGNMENTS, self._assignment)
        self._store(schema.LICENCES, self._licence)
        for row in self._rows(schema.TOURNAMENTS):
            self._titles[row["tournament"]] = row["name"]
        self._load_awards()

    def _rows(self, file: File) -> Iterator[Values]:
        self.counts[file.csv] = 0
        for row in self.dataset.rows(file):
            self.counts[file.csv] += 1
            yield row

    def _store(
        self, file: File, build: Callable[[Values], Any], after: Callable[[list[Any]], None] | None = None
    ) -> None:
        """Store the rows of a file, in parts.

        build: function that returns the unsaved object of a row
        after: function that is called with the objects stored
        """
        for part in parts_of(map(build, self._rows(file))):
            stored = self._stored(file, partial(type(part[0]).objects.bulk_create, part))
            if after:
                after(stored)

    def _stored(self, file: File, store: Callable[[], Any]) -> Any:
        """Call a function that stores rows. Raise BadDataset if they contradict each other."""
        try:
            with connection.wrap_database_errors, transaction.atomic():  # COPY raises the driver's errors
                return store()
        except IntegrityError:
            what = "this row or one before it contradicts another, or ends before it begins"
            raise BadDataset(what, file.csv, f"line {self.dataset.line}") from None

    def _once(self, file: File, column: str, value: str, known: dict[str, int]) -> None:
        """Remember a key. Raise BadDataset if it is there already."""
        if value in known:
            raise self.dataset.error(file, column, f"{value!r} is there twice")
        known[value] = 0

    def _id_of(self, file: File, column: str, row: Values, known: dict[str, int]) -> int:
        """Return the id of what a cell refers to. Raise BadDataset if no row has that key."""
        try:
            return known[row[column]]
        except KeyError:
            raise self.dataset.error(file, column, f"{row[column]!r} is not in the dataset") from None

    # --- Clubs and players ----------------------------------------------------------------------------------
    def _club(self, row: Values) -> Club:
        self._once(schema.CLUBS, "code", row["code"], self._clubs)
        region = self._id_of(schema.CLUBS, "region", row, self._regions)
        return Club(
            code=row["code"],
            name=row["name"],
            region_id=region,
            city=row["city"] or "",
            active=row["active"],
        )

    def _remember_clubs(self, clubs: list[Club]) -> None:
        self._clubs |= {club.code: club.pk for club in clubs}

    def _load_players(self) -> None:
        self._highest = max(
            (int(row["number"]) for row in self.dataset.rows(schema.PLAYERS) if row["number"]), default=0
        )
        self._store(schema.PLAYERS, self._player, self._remember_players)
        for player, kept, line in self._merged:
            self.dataset.line = line
            survivor = self._id_of(schema.PLAYERS, "merged_into", {"merged_into": kept}, self._players)
            self._stored(schema.PLAYERS, partial(self._merge, player, survivor))

    def _merge(self, player: int, survivor: int) -> None:
        """Store that a player's number was merged into another."""
        Player.objects.filter(pk=player).update(merged_into=survivor)
        PlayerMerge.objects.create(duplicate_id=player, kept_id=survivor, reason=self.dataset.name[:200])

    def _player(self, row: Values) -> Player:
        key = row["number"] or row["person"]
        if not key or bool(row["number"]) == row["erased"]:
            what = "erased players, and only they, have a pseudonym in place of it"
            raise self.dataset.error(schema.PLAYERS, "number", what)
        self._once(schema.PLAYERS, "number", key, self._players)
        if row["person"]:
            self._once(schema.PLAYERS, "person", row["person"], self._people)
        club = self._id_of(schema.PLAYERS, "club", row, self._clubs) if row["club"] else None
        player = Player(
            number=row["number"] or self._free_number(),
            given_name=row["given_name"] or "",
            surname=row["surname"] or "",
            club_id=club,
            hidden=row["hidden"],
            erased_on=self.dataset.day if row["erased"] else None,
        )
        player.imported = (key, row["person"], row["merged_into"], self.dataset.line)
        return player

    def _free_number(self) -> str:
        """Return a number that no player of the dataset has, for a player whose own is not published."""
        self._highest += 1
        return str(self._highest)

    def _remember_players(self, players: list[Any]) -> None:
        pseudonyms = []
        for player in players:
            key, person, kept, line = player.imported
            self._players[key] = player.pk
            if person:
                self._people[person] = player.pk
                pseudonyms.append(Pseudonym(player=player, code=person))
            if kept:
                self._merged.append((player.pk, kept, line))
        Pseudonym.objects.bulk_create(pseudonyms)

    # --- Categories and licences ----------------------------------------------------------------------------
    def _load_ladder(self) -> None:
        """Store the categories that this installation lacks. Raise BadDataset if one is another here."""
        known = {category.code: category for category in Category.objects.select_related("successor")}
        successors = {}
        for row in self._rows(schema.LADDER):
            code, successor = row["code"], row.pop("successor")
            if code in known:
                self._compare_category(known[code], row, successor)
            else:
                self._stored(schema.LADDER, Category(**row).save)
                successors[code] = successor
        self._categories = dict(Category.objects.values_list("code", "pk"))
        for code, successor in successors.items():
            if successor:
                after = self._id_of(schema.LADDER, "successor", {"successor": successor}, self._categories)
                Category.objects.filter(code=code).update(successor=after)

    def _compare_category(self, category: Category, row: Values, successor: str | None) -> None:
        here = {name: getattr(category, name) for name in row}
        here["successor"] = category.successor.code if category.successor else None
        for column, value in {**row, "successor": successor}.items():
            if value != here[column]:
                what = f"{category.code} is another category in this installation"
                raise self.dataset.error(schema.LADDER, column, what)

    def _assignment(self, row: Values) -> CategoryAssignment:
        return CategoryAssignment(
            player_id=self._id_of(schema.ASSIGNMENTS, "player", row, self._players),
            category_id=self._id_of(schema.ASSIGNMENTS, "category", row, self._categories),
            valid_from=row["valid_from"],
            origin=CategoryAssignment.Origin.IMPORT,
        )

    def _licence(self, row: Values) -> Licence:
        player = self._id_of(schema.LICENCES, "player", row, self._players)
        return Licence(player_id=player, valid_from=row["valid_from"], valid_to=row["valid_to"])

    # --- Points ---------------------------------------------------------------------------------------------
    def _load_awards(self) -> None:
        for part in parts_of(map(self._entry, self._rows(schema.AWARDS))):
            self._stored(schema.AWARDS, partial(copy_rows, LedgerEntry, ENTRY, part))
        self._check_reversals()
        self._go_on_after()

    def _entry(self, row: Values) -> tuple[Any, ...]:
        """Return the values of an entry's columns, in the order of `ENTRY`."""
        if row["leaf"] <= self._last_leaf:
            raise self.dataset.error(schema.AWARDS, "leaf", f"comes after leaf {self._last_leaf}")
        self._last_leaf = row["leaf"]
        kind = Kind.OPENING if row["kind"] == Kind.AWARD else Kind(row["kind"])
        if (kind == Kind.REVERSAL) != bool(row["reverses"]):
            what = "reversals, and only they, take an entry back"
            raise self.dataset.error(schema.AWARDS, "reverses", what)
        self.families.add(row["family"])
        ops = connection.ops
        return (
            row["entry"],
            row["family"],
            kind.value,
            self._id_of(schema.AWARDS, "person", row, self._people),
            row["points"],
            ops.adapt_datefield_value(row["played_on"]),
            row["venue"] == "online",
            row["reverses"],
            "" if kind == Kind.REVERSAL else self._title(row, kind),
            "",
            f"dataset:{row['entry']}",
            ops.adapt_datetimefield_value(row["posted_at"]),
        )

    def _title(self, row: Values, kind: LedgerEntry.Kind) -> str:
        if row["tournament"] is None:
            return str(kind.label)
        if row["tournament"] not in self._titles:
            what = f"{row['tournament']} is not in {schema.TOURNAMENTS.csv}"
            raise self.dataset.error(schema.AWARDS, "tournament", what)
        return self._titles[row["tournament"]]

    def _check_reversals(self) -> None:
        """Raise BadDataset if a reversal takes back an entry that is not in the dataset."""
        there = LedgerEntry.objects.filter(pk=OuterRef("reverses_id"))
        orphans = LedgerEntry.objects.filter(~Exists(there), kind=Kind.REVERSAL).order_by("pk")
        if orphan := orphans.values_list("pk", "reverses_id").first():
            entry, reverses = orphan
            raise BadDataset(
                f"entry {entry} takes back entry {reverses}, which is not there", schema.AWARDS.csv
            )

    def _go_on_after(self) -> None:
        """Let the ids of new entries begin after those of the dataset, which were stored as they are."""
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), [LedgerEntry]):
                cursor.execute(statement)
