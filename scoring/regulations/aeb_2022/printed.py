"""Tables 3 to 7 of AEB 2022: points of fictitious tournaments, as printed and as computed by the engine.

Table 7 misprints some coefficients; `page.ERRATA` lists them.
"""

from dataclasses import dataclass, replace
from decimal import Decimal

from scoring.engine.types import Contestant, Event
from scoring.regulations.aeb.scheme import Scheme
from scoring.regulations.context import Context
from scoring.regulations.page import Column, Grid, Paragraph, Section
from scoring.regulations.texts import Citation, Words, _, points, printed


@dataclass(frozen=True, slots=True)
class PrintedTournament:
    """A tournament that the regulation's document invents as an example, with the points that it prints.

    points: those of the first, the middle and the last place, as decimal text
    """

    name: str
    event_type: str
    format: str
    contestants: int
    boards: int
    c4: Decimal
    venue: str
    points: tuple[str, ...]

    def event(self, place_rule: str) -> Event:
        """Return the tournament as an event for the engine.

        The event states the number of contestants, and lists none of them.

        place_rule: how places become positions: "text" or "even" (see `Scheme.position`)
        """
        return Event(
            event_type=self.event_type,
            format=self.format,
            boards=self.boards,
            venue=self.venue,
            c4=self.c4,
            contestant_count=self.contestants,
            place_rule=place_rule,
            contestants=(),
        )

    def computed(self, scheme: Scheme, place_rule: str) -> tuple[int, ...]:
        """Return the points, in hundredths, of the first, middle and last place under a place rule."""
        event, last = self.event(place_rule), Decimal(self.contestants)
        places = (Decimal(1), (last + 1) / 2, last)
        contestants = tuple(Contestant(str(place), i=scheme.position(event, place)) for place in places)
        return tuple(award.points for award in scheme.score(replace(event, contestants=contestants)).awards)


def _row(
    name: str,
    event_type: str,
    format_name: str,
    contestants: int,
    boards: int,
    c4: str,
    venue: str,
    points: str,
) -> PrintedTournament:
    return PrintedTournament(
        name, event_type, format_name, contestants, boards, Decimal(c4), venue, tuple(points.split())
    )


PERSON, WATCHED, ONLINE = "in_person", "online_supervised", "online"


# fmt: off
TABLES: dict[str, tuple[PrintedTournament, ...]] = {
    "3": (
        _row("Club 1", "pool", "pairs", 30, 24, "1.23", PERSON, "16.07 4.34 0.10"),
        _row("Club 2", "pool", "pairs", 30, 24, "1.10", PERSON, "14.38 3.89 0.10"),
        _row("Club 3", "pool", "pairs", 18, 24, "1.08", PERSON, "12.84 3.76 0.10"),
        _row("BBO 1", "pool", "pairs", 60, 14, "1.18", ONLINE, "4.11 1.02 0.03"),
        _row("BBO 2", "pool", "pairs", 40, 20, "1.12", ONLINE, "3.77 0.98 0.03"),
        _row("Funbridge AEB", "pool", "individual", 50, 20, "1.11", ONLINE, "3.42 0.95 0.03"),
    ),
    "4": (
        _row("Aut. 1", "regional", "pairs", 25, 48, "1.15", PERSON, "47.91 13.29 0.30"),
        _row("Aut. 2", "regional", "pairs", 42, 48, "1.15", PERSON, "52.84 13.64 0.30"),
        _row("Aut. 3", "regional", "pairs", 42, 72, "1.15", PERSON, "56.05 14.45 0.30"),
        _row("Nac. 1", "national", "pairs", 40, 52, "1.25", PERSON, "134.30 34.83 0.70"),
        _row("Nac. 2", "national", "pairs", 125, 52, "1.16", PERSON, "154.75 35.30 0.70"),
        _row("Nac. 3", "national", "pairs", 60, 52, "1.13", PERSON, "131.32 32.43 0.70"),
        _row("Nac. 4", "national", "pairs", 115, 78, "1.28", PERSON, "179.66 41.22 0.70"),
    ),
    "5": (
        _row("Zonal 1", "zonal", "teams", 3, 80, "1.15", PERSON, "145.92 51.60 1.00"),
        _row("Zonal 2", "zonal", "teams", 11, 80, "1.15", PERSON, "168.07 47.47 1.00"),
        _row("Zonal 3", "zonal", "teams", 15, 80, "1.25", WATCHED, "96.77 26.08 0.50"),
        _row("Zonal 4", "zonal", "teams", 15, 80, "1.15", WATCHED, "89.03 24.02 0.50"),
        _row("Zonal 5", "zonal", "teams", 15, 80, "1.05", WATCHED, "81.29 21.97 0.50"),
        _row("Sel. 1", "selection_mixed_women_senior", "teams", 3, 80, "1.28", PERSON, "113.69 40.15 0.70"),
        _row("Sel. 2", "selection_mixed_women_senior", "teams", 6, 80, "1.28", PERSON, "117.38 36.54 0.70"),
    ),
    "6": (
        _row("Mix/Dam 1", "mixed_women_teams_open", "teams", 10, 80, "1.20", PERSON, "172.34 49.36 1.00"),
        _row("Mix/Dam 2", "mixed_women_teams_open", "teams", 13, 120, "1.22", WATCHED, "97.83 26.90 0.50"),
        _row("Mix/Dam 3", "mixed_women_teams_heart", "teams", 13, 120, "1.16", WATCHED, "69.77 19.20 0.38"),
        _row("Mix/Dam 4", "mixed_women_teams_diamond", "teams", 13, 120, "1.10", WATCHED, "44.11 12.15 0.25"),
        _row("Sel. Open", "selection_open", "teams", 3, 80, "1.32", PERSON, "167.49 59.13 1.00"),
    ),
    "7": (
        _row("Par. 1", "pairs_championship_open", "pairs", 45, 78, "1.25", PERSON, "312.39 79.73 1.50"),
        _row("Par. 2", "pairs_championship_heart", "pairs", 45, 78, "1.15", WATCHED, "107.77 27.54 0.56"),
        _row("Par. 3", "pairs_championship_diamond", "pairs", 45, 78, "1.05", WATCHED, "65.60 16.79 0.38"),
        _row("Eq. 1", "teams_championship_open", "teams", 15, 120, "1.25", WATCHED, "231.66 62.38 1.13"),
        _row("Eq. 2", "teams_championship_heart", "teams", 15, 120, "1.15", WATCHED, "159.84 43.09 0.84"),
        _row("Eq. 3", "teams_championship_diamond", "teams", 15, 120, "1.05", WATCHED, "97.30 26.27 0.56"),
        _row("Eq. 4", "teams_championship_open", "teams", 6, 80, "1.32", PERSON, "389.10 121.06 2.25"),
    ),
}
# fmt: on


def printed_tables(scheme: Scheme, context: Context) -> list[Section]:
    """Return the page section with tables 3 to 7: the printed points, and the points by the text's formula.

    The formula gives different points only for the middle and the last place.
    """
    explanation = _(
        "Every printed number is that of the formulas. For teams and individuals the tables spread the "
        "places evenly over 1 to n; by the formula of the text the middle and the last get other points, "
        "which stand beside them."
    )
    if context.place_rule == "text":
        ruling = _("The text's formula is applied: a ruling, to be confirmed by the federation.")
    else:
        ruling = _("Places are spread evenly, as in the tables: a ruling, to be confirmed by the federation.")
    grids = [_grid(scheme, name, rows) for name, rows in TABLES.items()]
    return [
        Section(_("Tables 3 to 7"), [Paragraph(explanation), Paragraph(ruling, note=True), *grids]),
    ]


def _grid(scheme: Scheme, name: str, rows: tuple[PrintedTournament, ...]) -> Grid:
    columns = (
        Column(_("Tournament")),
        Column(_("First"), number=True),
        Column(_("Middle"), number=True),
        Column(_("Middle, by the text"), number=True),
        Column(_("Last"), number=True),
        Column(_("Last, by the text"), number=True),
    )
    caption = _("Points as table %(number)s prints them") % {"number": name}
    return Grid(caption, columns, [_line(scheme, row) for row in rows], Citation(scheme.code, "4", name))


def _line(scheme: Scheme, row: PrintedTournament) -> tuple[Words, ...]:
    first, middle, last = (printed(number) for number in row.points)
    _first, middle_by_text, last_by_text = row.computed(scheme, "text")
    return row.name, first, middle, points(middle_by_text, 2), last, points(last_by_text, 2)
