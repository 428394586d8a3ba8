"""Rulings on all rating systems of Go. Rulings on a single system are in its folder."""

from scoring.regulations.texts import Text, _

RULINGS: tuple[Text, ...] = (
    _("A reset needs the declared grade and the highest before, only raises, and comes before all games."),
    _("A newcomer starts at the nominal rating of the grade declared: 2100 for 1 dan, 100 a grade."),
    _("All games of a tournament are rated with the ratings before it; the same two meet once in a round."),
    _("Without games a rating stays as it is, but a reset counts."),
    _("Forfeits and games that were not played are not rated."),
    _("No rating is rounded; pages show fewer decimals than are stored."),
)
