"""The issues of Go results. The others are in catalogue.py."""

from __future__ import annotations

from .definitions import error, gettext_noop, info, warning

_FIX_FILE = gettext_noop("Correct it in the pairing program, export the file again and upload that one.")

GO_ISSUES = {
    "go_file": error(
        gettext_noop("This is a file of the type %(found)s, with games of Go."),
        gettext_noop("Upload it on the page of Go tournaments; this page is for bridge."),
    ),
    "not_go": error(
        gettext_noop("This file (%(found)s) is no result of a Go tournament."),
        gettext_noop("Upload a result table of the European Go Database (.h9) or OpenGotha's XML file."),
    ),
    "go_no_players": error(
        gettext_noop("No player could be read from the file."),
        gettext_noop("Upload a result table of the European Go Database (.h9) or OpenGotha's XML file."),
    ),
    "go_no_games": error(
        gettext_noop("The file has no game that can be rated."),
        gettext_noop("Export it again once the results have been entered."),
    ),
    "go_row_unreadable": error(
        gettext_noop("This row is not a player with name, grade and results: %(value)s"),
        _FIX_FILE,
    ),
    "go_rounds_differ": error(
        gettext_noop(
            "The row of %(name)s does not have as many results as the others: %(count)s, not %(rounds)s."
        ),
        _FIX_FILE,
    ),
    "go_unknown_opponent": error(
        gettext_noop("Round %(round)s: “%(value)s” names a row that is not there."),
        _FIX_FILE,
    ),
    "go_not_reciprocal": error(
        gettext_noop("Round %(round)s: line %(line)s says “%(value)s” but line %(other)s says “%(answer)s”."),
        _FIX_FILE,
    ),
    "go_unknown_player": error(
        gettext_noop("Round %(round)s: the game names “%(value)s”, who is not among the players."),
        _FIX_FILE,
    ),
    "go_bad_game": error(
        gettext_noop("Round %(round)s: a game cannot have “%(value)s” as opponent, result or handicap."),
        _FIX_FILE,
    ),
    "go_played_twice": error(
        gettext_noop("%(name)s has two games in round %(round)s (lines %(first)s and %(line)s)."),
        _FIX_FILE,
    ),
    "go_listed_twice": error(
        gettext_noop("“%(value)s” is listed twice (lines %(first)s and %(line)s)."),
        gettext_noop("Remove one of the two, or give each player their own PIN."),
    ),
    "go_bad_grade": error(
        gettext_noop("“%(value)s” is not a grade (%(name)s)."),
        gettext_noop("Write a grade from 30k to 1k, from 1d to 9d, or from 1p to 9p."),
    ),
    "go_no_pin": warning(
        gettext_noop("Players without a PIN, recognised by name and country: %(count)s."),
        gettext_noop(
            "Look at the names: a player spelt differently than before would be taken for a new one."
        ),
    ),
    "go_board_size": warning(
        gettext_noop("The games were played on a board of size %(value)s; ratings are of games on 19."),
        gettext_noop("Go on only if the file is wrong about this."),
    ),
    "go_rengo": warning(
        gettext_noop("This looks like rengo or pair go, two against two: “%(value)s”."),
        gettext_noop("Go on only if every game was played by one person against another."),
    ),
    "go_bad_date": warning(
        gettext_noop("The date “%(value)s” cannot be read."),
        gettext_noop("Check both days; if one is wrong, upload the file again and fill them in on the form."),
    ),
    "go_one_day": warning(
        gettext_noop("The file only says when it began: %(day)s is taken for the last day too."),
        gettext_noop("If it went on longer, upload the file again and fill in the last day on the form."),
    ),
    "go_long": warning(
        gettext_noop("Days from the first to the last: %(count)s."),
        gettext_noop("Check both days; if one is wrong, upload the file again and fill them in on the form."),
    ),
    "go_code_differs": warning(
        gettext_noop("The code of the tournament, %(value)s, is of another first day."),
        gettext_noop("Check both days; if one is wrong, upload the file again and fill them in on the form."),
    ),
    "go_rank_taken": info(
        gettext_noop("Players whose grade cannot be read, so that their rank is taken: %(count)s."),
    ),
    "go_professional": info(
        gettext_noop("%(name)s is a professional (%(value)s), which is taken as 7d."),
    ),
    "go_foreign_ratings": info(
        gettext_noop("Ratings of the file that are not European ones and are not used: %(count)s."),
    ),
    "go_not_rated": info(
        gettext_noop(
            "Games that are not rated (forfeits, unfinished games, results for both or neither): %(count)s."
        ),
    ),
    "go_handicap_rebuilt": info(
        gettext_noop("Games whose handicap is not written and was worked out from the grades: %(count)s."),
    ),
}
