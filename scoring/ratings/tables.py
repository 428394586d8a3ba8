"""Tables of the Go pages."""

from typing import Any, ClassVar

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.ledger.tables import ReceiptColumn
from scoring.ledger.wording import regulation_link
from scoring.ratings.queries import change_text, rating_text
from ui.columns import Column, DateColumn, NumberColumn, PlayerColumn, YesNoColumn
from ui.formatting import format_whole
from ui.tables import BaseTable

NUMBER = {"cell": {"class": "num"}}


class RatingColumn(Column):
    """A column of ratings with `digits` decimals."""

    defaults: ClassVar = {"attrs": NUMBER}

    def __init__(self, *args: Any, digits: int = 0, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.digits = digits

    def render(self, value: float) -> str:
        return rating_text(value, self.digits)


class ChangeColumn(RatingColumn):
    """A column of changes of ratings, with their signs."""

    def render(self, value: float) -> str:
        return change_text(value, self.digits)


class GameChangeColumn(ChangeColumn):
    """A column of rating changes from single games.

    After the change from a lost game, the change that a win would have given is in brackets.

    if_won: name of the record's field with the change for a win; the field is None if the game was not lost
    """

    def __init__(self, *args: Any, if_won: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.if_won = if_won

    def render(self, value: float, record: dict[str, Any]) -> SafeString | str:
        text, if_won = change_text(value, self.digits), record[self.if_won]
        if if_won is None:
            return text
        won = format_html('<span class="muted">({})</span>', change_text(if_won, self.digits))
        return format_html("{} {}", text, won)


class RatingTable(BaseTable):
    """A table of Go players, the rating list. Its rows come from `player_records`."""

    row_header = "name"
    key_column = "rating"
    printable = True
    caption = _("Rating list of Go players")

    name = PlayerColumn()
    country = tables.Column(verbose_name=_("Country"))
    grade = tables.Column(verbose_name=_("Grade"))
    rating = RatingColumn(verbose_name=_("Rating"))
    events = NumberColumn(verbose_name=_("Tournaments"))
    day = DateColumn(verbose_name=_("Last played"))

    def value_rating(self, value: float) -> int:
        return round(value)


class OpponentTable(BaseTable):
    """A table of one player's games. Its rows come from `opponent_records`."""

    row_header = "opponent"
    key_column = "result"
    caption = _("All games, latest first")

    day = DateColumn(verbose_name=_("Date"))
    opponent = PlayerColumn(verbose_name=_("Opponent"), url="opponent_url")
    grade = tables.Column(verbose_name=_("Grade"))
    tournament = PlayerColumn(verbose_name=_("Tournament"), url="tournament_url")
    note = tables.Column(verbose_name=_("Handicap or note"))
    result = tables.Column(verbose_name=_("Result"))
    receipt = ReceiptColumn(about="opponent")


class RatedPlayerTable(BaseTable):
    """The office's table of Go players. Its rows come from `office_records`."""

    row_header = "name"
    caption = _("Go players")

    name = PlayerColumn()
    pin = tables.Column(verbose_name=_("PIN"))
    country = tables.Column(verbose_name=_("Country"))
    number = tables.Column(verbose_name=_("Federation number"))
    rating = RatingColumn(verbose_name=_("Rating"))
    day = DateColumn(verbose_name=_("Last played"))


class HistoryTable(BaseTable):
    """A table of one player's tournaments. Its rows come from `history_records`."""

    row_header = "title"
    key_column = "after"
    caption = _("Rated tournaments, latest first")

    day = DateColumn(verbose_name=_("Date"))
    title = PlayerColumn(verbose_name=_("Tournament"))
    grade = tables.Column(verbose_name=_("Declared grade"))
    before = RatingColumn(verbose_name=_("Before"))
    reset_to = RatingColumn(verbose_name=_("Reset to"))
    change = ChangeColumn(verbose_name=_("Change"), digits=2)
    after = RatingColumn(verbose_name=_("After"))
    regulation = tables.Column(verbose_name=_("Regulation"))
    receipt = ReceiptColumn(about="title")

    def render_regulation(self, value: str) -> SafeString | str:
        return regulation_link(value)


class OwnTournamentTable(BaseTable):
    """The signed-in player's tournaments and where they are. Its rows come from `entry_records`."""

    row_header = "title"
    key_column = "after"
    caption = _("Your tournaments, latest first")

    day = DateColumn(verbose_name=_("Date"))
    title = PlayerColumn(verbose_name=_("Tournament"))
    registered = DateColumn(verbose_name=_("Registered"))
    by = tables.Column(verbose_name=_("Uploaded by"))
    rated = DateColumn(verbose_name=_("Rated"))
    state = tables.Column(verbose_name=_("State"))
    change = ChangeColumn(verbose_name=_("Change"), digits=2)
    after = RatingColumn(verbose_name=_("After"))
    receipt = ReceiptColumn(about="title")
    report = tables.Column(verbose_name=_("Something wrong?"), exclude_from_export=True)

    def render_report(self, value: int, record: dict[str, Any]) -> SafeString:
        return format_html(
            '<a href="{}?go={}">{}<span class="visually-hidden">: {}</span></a>',
            reverse("case_open"),
            value,
            gettext("Report it"),
            record["title"],
        )


class GoTournamentTable(BaseTable):
    """A table of Go tournaments."""

    row_header = "name"
    caption = _("Go tournaments, latest first")

    end_date = DateColumn(verbose_name=_("Date"))
    name = tables.Column(verbose_name=_("Tournament"), linkify=True)
    tournament_class = tables.Column(verbose_name=_("Class"))
    players = NumberColumn(verbose_name=_("Players"))
    rated_games = NumberColumn(verbose_name=_("Rated games"))

    def render_rated_games(self, value: int, record: Any) -> str:
        return gettext("annulled") if record.annulled_at else format_whole(value, get_language() or "")

    def value_rated_games(self, value: int, record: Any) -> int | str:
        return gettext("annulled") if record.annulled_at else value


class EntrantTable(BaseTable):
    """A table of the players of one tournament. Its rows come from `entrant_records`."""

    row_header = "name"
    key_column = "after"
    caption = _("Ratings before and after")

    position = NumberColumn(verbose_name=_("Row"))
    name = PlayerColumn(attrs={"cell": {"class": "roomy"}})
    grade = tables.Column(verbose_name=_("Declared grade"))
    before = RatingColumn(verbose_name=_("Before"))
    reset_to = RatingColumn(verbose_name=_("Reset to"))
    games = NumberColumn(verbose_name=_("Rated games"))
    change = ChangeColumn(verbose_name=_("Change"), digits=2)
    after = RatingColumn(verbose_name=_("After"), digits=2)
    receipt = ReceiptColumn(about="name")

    class Meta:
        attrs = {"class": "baza crowded"}


class GameTable(BaseTable):
    """A table of all games of one tournament. Its rows come from `game_records`."""

    row_header = "first"
    key_column = "result"
    caption = _(
        "Games: result, expected result and change; in brackets what the loser would have got for winning"
    )

    round = NumberColumn(verbose_name=_("Round"))
    first = PlayerColumn(verbose_name=_("White"), url="first_url")
    second = PlayerColumn(verbose_name=_("Black"), url="second_url")
    handicap = NumberColumn(verbose_name=_("Handicap"))
    result = tables.Column(verbose_name=_("Result"))
    expected = RatingColumn(verbose_name=_("Expected of White"), digits=4)
    first_change = GameChangeColumn(verbose_name=_("Change of White"), digits=2, if_won="first_if_won")
    second_change = GameChangeColumn(verbose_name=_("Change of Black"), digits=2, if_won="second_if_won")
    note = tables.Column(verbose_name=_("Remark"))

    class Meta:
        attrs = {"class": "baza crowded"}


class OwnGameTable(BaseTable):
    """A table of one player's games in one tournament. Its rows come from `own_game_records`."""

    row_header = "opponent"
    key_column = "change"
    caption = _("What each game changed")
    empty_text = _("No rated game: the rating stays.")

    opponent = tables.Column(verbose_name=_("Opponent"))
    round = NumberColumn(verbose_name=_("Round"))
    opponent_rating = RatingColumn(verbose_name=_("Opponent's rating"), digits=2)
    result = tables.Column(verbose_name=_("Result"), attrs=NUMBER)
    expected = RatingColumn(verbose_name=_("Expected"), digits=4)
    change = ChangeColumn(verbose_name=_("Change"), digits=2)
    if_won = ChangeColumn(verbose_name=_("Had they won"), digits=2)
    bare = ChangeColumn(verbose_name=_("Without ε, as class A"), digits=2)

    class Meta:
        attrs = {"class": "baza crowded"}


class VariantTable(BaseTable):
    """A table of one player's rating change: as computed, and without some of the rules.

    Its rows come from `variant_records`.
    """

    row_header = "label"
    caption = _("The same games computed in other ways")

    label = tables.Column(verbose_name=_("Computed"))
    before = RatingColumn(verbose_name=_("Before"), digits=2)
    change = ChangeColumn(verbose_name=_("Change"), digits=2)
    rounded = ChangeColumn(verbose_name=_("Rounded on the way"))
    after = RatingColumn(verbose_name=_("After"), digits=2)


class GoPreviewTable(EntrantTable):
    """A table of the ratings that an upload would give. Its rows are `Preview.rows`."""

    caption = _("Ratings that this tournament would give")

    new = YesNoColumn(verbose_name=_("New"))
    receipt = None  # removes the column

    class Meta:
        sequence = ("position", "name", "new", "...")


class ReplayTable(BaseTable):
    """A table of the ratings that a replay changed, with their old and new values."""

    row_header = "name"
    caption = _("Ratings that changed")

    name = PlayerColumn()
    tournament = tables.Column(verbose_name=_("Tournament"))
    old = RatingColumn(verbose_name=_("Old"), digits=2)
    new = RatingColumn(verbose_name=_("New"), digits=2)
