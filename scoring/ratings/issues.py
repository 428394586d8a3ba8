"""The issues of a Go upload that depend on more than the file: on stored players, tournaments and ratings."""

from django.utils.translation import gettext_noop

from tournaments.formats.definitions import error, warning

FIX_FILE = gettext_noop("Correct it in the file and upload that one.")
ADD_PIN = gettext_noop("Add the PIN to the file and upload it again.")

RATING_ISSUES = {
    "go_missing": error(
        gettext_noop("The file does not say this: %(value)s."),
        gettext_noop("Write it in the data of the tournament."),
    ),
    "go_registered": error(
        gettext_noop("This very tournament is registered already: nothing would change."),
        gettext_noop("Discard this upload."),
    ),
    "go_another_event": error(
        gettext_noop("Another tournament with this name, day and players exists already."),
        gettext_noop("Correct that tournament instead."),
    ),
    "go_not_yours": error(
        gettext_noop("Only the office or who registered this tournament may correct it."),
        gettext_noop("Ask one of them to upload the file."),
    ),
    "go_ambiguous_name": error(gettext_noop("Several rated players are called “%(value)s”."), ADD_PIN),
    "go_one_player": error(gettext_noop("Two rows are the same rated player, “%(value)s”."), ADD_PIN),
    "go_no_country": warning(
        gettext_noop("%(name)s has no country in the file: taken for %(value)s (%(country)s), rated before."),
        gettext_noop("If this is somebody else, write the country in the file and upload it again."),
    ),
    "go_all_registered": error(
        gettext_noop("All these games are registered already, in “%(name)s”."),
        gettext_noop("Correct that tournament instead."),
    ),
    "go_same_event": warning(
        gettext_noop("A tournament called %(name)s of the same day exists, with other players."),
        gettext_noop("If this is another tournament, tick this warning."),
    ),
    "go_same_games": warning(
        gettext_noop(
            "The players of some of these games (%(count)s) met in %(name)s on the same days too: no game "
            "may count twice."
        ),
        gettext_noop("If these are other games, tick this warning."),
    ),
    "go_same_results": warning(
        gettext_noop(
            "All these games, round by round and with the same results, are registered in %(name)s of "
            "%(day)s: no game may count twice."
        ),
        gettext_noop("Look at the dates. If these are other games, tick this warning."),
    ),
    "go_no_system": error(
        gettext_noop("No rating system was in force on %(day)s."), gettext_noop("Correct the date.")
    ),
    "go_bad_rating": error(
        gettext_noop(
            "“%(name)s” has the rating %(value)s, and the rating system takes those from %(lowest)s to below "
            "%(highest)s."
        ),
        FIX_FILE,
    ),
    "go_unrated_player": error(
        gettext_noop("The rating system cannot rate “%(name)s”."),
        gettext_noop("Check the grade and the rating in the file."),
    ),
    "go_two_games": error(
        gettext_noop("“%(first)s” and “%(second)s” have two games in round %(round)s."),
        gettext_noop("Remove one of them from the file and upload it again."),
    ),
    "go_bad_handicap": error(
        gettext_noop(
            "The game of “%(first)s” and “%(second)s” in round %(round)s has a handicap of %(value)s, and "
            "the rating system takes at most %(most)s."
        ),
        FIX_FILE,
    ),
    "go_unrated_game": error(
        gettext_noop(
            "The rating system cannot rate the game of “%(first)s” and “%(second)s” in round %(round)s."
        ),
        gettext_noop("Check it in the file."),
    ),
    "go_unrated": error(
        gettext_noop("The rating system cannot rate this tournament."),
        gettext_noop("Check its class, its players and its games."),
    ),
}
