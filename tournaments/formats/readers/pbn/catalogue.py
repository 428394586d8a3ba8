"""The issues of PBN files. Those of several formats are in `tournaments.formats.catalogue`."""

from tournaments.formats.definitions import error, gettext_noop, info, warning

_CUT_OFF = gettext_noop(
    "Export the file again if its end may be missing; otherwise check the number of boards and go on."
)

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
        gettext_noop("Rankings in the file: %(count)s; only one tournament at a time can be read."),
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
    "pbn_intermediate": warning(
        gettext_noop("This is the ranking after session %(session)s of %(sessions)s, not the final one."),
        gettext_noop("Upload the ranking after the last session; go on only if no other was played."),
    ),
    "pbn_pairs_missing": warning(
        gettext_noop("Pairs by the heading: %(stated)s; in the ranking: %(counted)s."),
        _CUT_OFF,
    ),
    "pbn_pairs_unranked": warning(
        gettext_noop(
            "The results of the boards name pairs that the ranking does not list: %(missing)s. "
            "Pairs in the ranking: %(counted)s."
        ),
        gettext_noop("Export the file again: part of the ranking seems to be missing."),
    ),
    "pbn_results_missing": warning(
        gettext_noop("Boards that its pairs played by the ranking: %(stated)s; by the results: %(counted)s."),
        _CUT_OFF,
    ),
    "pbn_boards_missing": warning(
        gettext_noop("Boards by the file: %(stated)s; with results in it: %(counted)s."),
        _CUT_OFF,
    ),
    "pbn_cut_off": warning(
        gettext_noop("The results end here earlier than expected."),
        _CUT_OFF,
    ),
    "pbn_boards_unequal": warning(
        gettext_noop(
            "The file does not state how many boards were played; in its results the pairs have from "
            "%(least)s to %(most)s."
        ),
        _CUT_OFF,
    ),
    "pbn_boards_counted": warning(
        gettext_noop(
            "The file does not state how many boards were played. Counted in its results: %(count)s."
        ),
        gettext_noop("Check the number of boards before you confirm."),
    ),
    "pbn_boards_without_pairs": info(
        gettext_noop("Boards whose results name no pairs, so that only the ranking was read: %(count)s."),
    ),
}
