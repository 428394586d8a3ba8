"""The issues that only Bridgemate databases have."""

from tournaments.formats.definitions import error, gettext_noop, info, warning

_ASK_WHO_RUNS = gettext_noop(
    "Whoever runs this installation can add what is missing with one command: apt-get install mdbtools. Then "
    "read the file again. Until then, upload the result that your scoring program exports."
)
_EXPORT = gettext_noop("Copy the file again when the scoring program is closed, and upload that copy.")

BWS_ISSUES = {
    "mdbtools_missing": error(
        gettext_noop("This installation cannot open Bridgemate databases yet."), _ASK_WHO_RUNS
    ),
    "bws_unreadable": error(
        gettext_noop("The database cannot be opened: it is damaged, cut off or encrypted."), _EXPORT
    ),
    "bws_stopped": error(
        gettext_noop("Reading the database did not come to an end and was stopped: it is probably damaged."),
        _EXPORT,
    ),
    "bws_other_database": error(
        gettext_noop("This Access database is not of Bridgemates: it has no table %(value)s."),
        gettext_noop("Upload the .bws file of the evening."),
    ),
    "bws_no_results": error(
        gettext_noop("The database has no results: no board was entered, or all were erased."),
        gettext_noop("Upload the .bws file of the evening once the boards are played."),
    ),
    "bws_too_many_results": error(
        gettext_noop("The database has more than %(limit)s results."),
        gettext_noop("Upload only the result of one event."),
    ),
    "bws_double": warning(
        gettext_noop(
            "Board %(board)s, pairs %(ns)s and %(ew)s: entered twice, first %(first)s, then %(value)s. "
            "The last entry counts."
        ),
        gettext_noop("If another one is right, choose it below, among the boards to decide."),
    ),
    "bws_played_twice": warning(
        gettext_noop("Board %(board)s: pair %(value)s has two results. Both count."),
        gettext_noop("Check whether a board was entered under a wrong number, and decide it below."),
    ),
    "bws_other_pairs": warning(
        gettext_noop(
            "Board %(board)s, pairs %(ns)s and %(ew)s: the entry says pairs %(value)s, who did not sit "
            "there. It counts for those who did."
        ),
        gettext_noop("Check who played the board, and decide it below."),
    ),
    "bws_other_round": warning(
        gettext_noop(
            "Round %(round)s, table %(table)s: all results were entered for pairs %(ns)s and %(ew)s; by the "
            "movement, pairs %(value)s sat there. They count as entered."
        ),
        gettext_noop("Check who played the round, and decide it below."),
    ),
    "bws_exchanged": warning(
        gettext_noop(
            "Board %(board)s, pairs %(ns)s and %(ew)s: by the movement they sat the other way round. "
            "It counts as entered."
        ),
        gettext_noop("Check which pair sat North-South, and decide it below."),
    ),
    "bws_other_board": warning(
        gettext_noop(
            "Board %(board)s, pairs %(ns)s and %(ew)s: board %(value)s was entered, but by the movement they "
            "played %(boards)s. It counts as board %(board)s."
        ),
        gettext_noop("Check which board it was, and decide it below."),
    ),
    "bws_other_boards": warning(
        gettext_noop(
            "Round %(round)s, table %(table)s: boards %(value)s were entered, but by the movement they were "
            "%(boards)s. They count as boards %(counted)s."
        ),
        gettext_noop("Check which boards they were, and decide it below."),
    ),
    "bws_unplanned_round": warning(
        gettext_noop(
            "Round %(round)s, table %(table)s: results of pairs %(ns)s and %(ew)s were entered, but the "
            "movement has no play there. They count."
        ),
        gettext_noop("If they are of another evening, erase them in the scoring program and upload again."),
    ),
    "bws_other_movement": warning(
        gettext_noop(
            "Results with other pairs or boards than in the movement of the database: %(count)s of "
            "%(total)s. They count as entered."
        ),
        gettext_noop("Check that the numbers of the pairs in the ranking are the right ones."),
    ),
    "bws_several_days": warning(
        gettext_noop(
            "Results not entered on %(day)s, but on other days, from %(other)s on: %(count)s of %(total)s. "
            "All of them count."
        ),
        gettext_noop(
            "If some are left from another evening, erase them in the scoring program and upload the file "
            "again."
        ),
    ),
    "bws_erased": warning(
        gettext_noop("Board %(board)s, pairs %(ns)s and %(ew)s: %(value)s was erased and not entered again."),
        gettext_noop("If it was played, decide it below."),
    ),
    "bws_arbitral": warning(
        gettext_noop(
            "Board %(board)s, pairs %(ns)s and %(ew)s: an arbitral score without its decision. "
            "It does not count."
        ),
        gettext_noop("Enter the score or the percentages below, among the boards to decide."),
    ),
    "bws_wrong_direction": warning(
        gettext_noop(
            "Board %(board)s, pairs %(ns)s and %(ew)s, %(value)s: played in the wrong direction. "
            "The pairs were exchanged."
        ),
        gettext_noop("Check that the contract is of the pair that played it, and decide it below."),
    ),
    "bws_adjusted": info(
        gettext_noop("Board %(board)s, pairs %(ns)s and %(ew)s: adjusted by the director, %(value)s."),
    ),
    "bws_not_played": info(gettext_noop("Boards not played: %(count)s.")),
    "bws_remark_unknown": warning(
        gettext_noop(
            "Board %(board)s, pairs %(ns)s and %(ew)s, %(value)s: the remark is not known here. "
            "The result counts as entered."
        ),
        gettext_noop("Check whether the director adjusted the score, and decide the board below."),
    ),
    "bws_result_unreadable": warning(
        gettext_noop(
            "Board %(board)s, pairs %(ns)s and %(ew)s: “%(value)s” is no result. It does not count."
        ),
        gettext_noop("Enter the right result below, among the boards to decide."),
    ),
    "bws_sections": warning(
        gettext_noop("The sections %(value)s are compared with each other, as one field."),
        gettext_noop("If they played other deals, choose below that each section is scored apart."),
    ),
}
