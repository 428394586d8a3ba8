"""The texts of the issues of PBN files; the others are in catalogue.py."""

from __future__ import annotations

from .definitions import error, gettext_noop, info

PBN_ISSUES = {
    "pbn_no_ranking": error(
        gettext_noop("This PBN file holds deals or hand records but no ranking ([TotalScoreTable])."),
        gettext_noop("Export the result of the tournament from the scoring program, not only the hands."),
    ),
    "pbn_frequencies": error(
        gettext_noop("This PBN file only counts how often each score occurred: it names no pairs."),
        gettext_noop("Export the result with its ranking and its travellers."),
    ),
    "pbn_several_rankings": error(
        gettext_noop("The file holds %(count)s rankings; only one tournament at a time can be read."),
        gettext_noop("Export each ranking to a file of its own."),
    ),
    "pbn_no_names": error(
        gettext_noop("The ranking names nobody: it has no column “Names”."),
        gettext_noop("Export the result with the names of the players, and their numbers if possible."),
    ),
    "pbn_row": error(
        gettext_noop("The line has more or fewer values than the heading of its table."),
        gettext_noop("Export the file again; if you edited it, put names with blanks in quotation marks."),
    ),
    "pbn_boards_without_pairs": info(
        gettext_noop("The results of %(count)s boards name no pairs; only the ranking was read."),
    ),
}
