"""The issues of several files that were sent as one upload."""

from tournaments.formats.definitions import error, gettext_noop, info, warning

_APART = gettext_noop(
    "Upload the files apart, or go on without the one that does not belong: both are offered below."
)

_SEVERAL = gettext_noop(
    "Several pairs of the ranking have the same number (%(value)s), one in North-South and one in East-West, "
    "or each in another section: the list “%(name)s” does not say which of them it means."
)
_WHICH = gettext_noop(
    "Write the line or the section with the number in the list (7 NS, 7 EW, A7), or go on without the list."
)

_SEATS = gettext_noop(
    "The list names the people of each table, who are taken for the pairs that began there. Table → pairs "
    "North-South and East-West: %(pairs)s."
)
_CHECK_NUMBERS = gettext_noop(
    "Check it. If the pairs have other numbers, add a list with the numbers of the pairs."
)

JOINING_ISSUES = {
    "joined_unreadable": error(
        gettext_noop("“%(name)s” could not be used, so the files were not joined."),
        gettext_noop("Go on without it, or add the right file: the others are kept."),
    ),
    "joined_columns": error(
        gettext_noop("It is not known what the columns of “%(name)s” mean, so the files are not joined yet."),
        gettext_noop(
            "Say what they mean: the files are kept, and are joined then. A list of names must have no "
            "column of results."
        ),
    ),
    "joined_only_names": error(
        gettext_noop("These files say who played, but none of them has a result."),
        gettext_noop("Add the file of the result: these are kept."),
    ),
    "joined_other_kind": error(
        gettext_noop("“%(name)s” and “%(other)s” are of two events: %(kind)s and %(due)s."),
        _APART,
    ),
    "joined_other_people": error(
        gettext_noop(
            "“%(name)s” and “%(other)s” have other people: people of the first: %(first)s; of the second: "
            "%(second)s; in common: %(common)s. The first pair that differs is number %(value)s."
        ),
        _APART,
    ),
    "joined_other_day": error(
        gettext_noop("“%(name)s” is of %(day)s and “%(other)s” of %(last)s: they are two events."), _APART
    ),
    "joined_other_day_dealt": warning(
        gettext_noop("The hands of “%(name)s” are of %(last)s, and “%(other)s” is of %(day)s."),
        gettext_noop("Go on if they were dealt for this event; otherwise go on without that file."),
    ),
    "joined_other_pairs": error(
        gettext_noop("“%(name)s” and “%(other)s” have other numbers of pairs: %(value)s."), _APART
    ),
    "joined_no_numbers": error(
        gettext_noop(
            "No column of “%(name)s” is read as the number of the pair, by which it fits “%(other)s”. "
            "Columns that are not read: %(value)s."
        ),
        gettext_noop("Say which column has the numbers; the files are kept, and are joined then."),
    ),
    "joined_other_boards": error(
        gettext_noop("“%(name)s” and “%(other)s” have other boards: %(value)s."), _APART
    ),
    "joined_other_scores": error(
        gettext_noop(
            "Board %(board)s, pairs %(ns)s and %(ew)s: “%(name)s” says %(value)s, “%(other)s” says %(first)s."
        ),
        gettext_noop("Export both files again, or go on without one of them."),
    ),
    "joined_which_session": error(
        gettext_noop("The hands of “%(name)s” fit several sessions or none."),
        gettext_noop("Go on without it, and add it to the files of its session."),
    ),
    "joined_two_rankings": error(
        gettext_noop("“%(name)s” and “%(other)s” are both rankings of the whole."),
        gettext_noop("Go on with the ranking that counts, without the other."),
    ),
    "joined_not_summed": error(
        gettext_noop(
            "The ranking of the whole cannot be computed: not every file has percentages, nor has every file "
            "scores or the results of all boards."
        ),
        gettext_noop("Add the ranking of the whole, as a sheet or from the scoring program."),
    ),
    "joined_list_unused": error(
        gettext_noop("No pair of the list “%(name)s” is in the ranking."),
        gettext_noop("Compare the numbers of the pairs, or go on without the list."),
    ),
    "joined_list_several": error(_SEVERAL, _WHICH),
    "joined_list_some_several": warning(_SEVERAL, _WHICH),
    "joined_list_tables": error(
        gettext_noop(
            "The list “%(name)s” names the people of each table, but the pairs of the ranking play in both "
            "lines: the number of a table is not theirs."
        ),
        gettext_noop("Write the number of its pair beside each pair, or go on without the list."),
    ),
    "joined_list_numbers": warning(
        gettext_noop(
            "The list names the people of each table. North-South has the number of the table; East-West of "
            "table → pair: %(value)s."
        ),
        _CHECK_NUMBERS,
    ),
    "joined_list_seats": info(_SEATS),
    "joined_list_seats_unsure": warning(_SEATS, _CHECK_NUMBERS),
    "joined_list_unknown": warning(
        gettext_noop("These pairs of the list “%(name)s” are not in the ranking: %(value)s."),
        gettext_noop("Check that the list is of this event."),
    ),
    "joined_sections": warning(
        gettext_noop("One ranking is made of the sections %(value)s."),
        gettext_noop("Go on only if they are one event; boards of one number count as the same deal."),
    ),
    "joined_sessions": warning(
        gettext_noop("One ranking is made of the sessions of %(value)s."),
        gettext_noop(
            "Go on only if the same pairs played all of them in one event. A pool of each week is an event "
            "of its own, and two rooms have other pairs: upload them apart, or export them as two sections."
        ),
    ),
    "joined_sums": warning(
        gettext_noop("The results of the sessions were added up."),
        gettext_noop("If the event counts them in another way, add the ranking of the whole."),
    ),
    "joined_boards_missing": warning(
        gettext_noop("Boards by the ranking: %(stated)s; in the files with results: %(counted)s."),
        gettext_noop("Add the files of the other sessions, or go on: places and points follow the ranking."),
    ),
    "joined_substitute": warning(
        gettext_noop("Pair %(value)s has other people in “%(name)s”; those of “%(other)s” count."),
        gettext_noop("Check who played; correct the people in the review."),
    ),
    "joined_other_percentages": warning(
        gettext_noop(
            "The rankings contradict each other, first at pair %(value)s: “%(name)s” says %(first)s and "
            "“%(other)s” says %(second)s. “%(name)s” counts."
        ),
        gettext_noop("Go on if the ranking that counts is right; otherwise go on without its file."),
    ),
    "joined_equal_results": warning(
        gettext_noop(
            "Most results are the same in “%(name)s” and “%(other)s” (%(count)s of %(total)s), which count "
            "as two sessions."
        ),
        gettext_noop("If one is the other ranking with a penalty, go on without its file."),
    ),
    "joined_other_combined": warning(
        gettext_noop(
            "“%(name)s” is the ranking of the whole and counts, but it is not what the sessions give, first "
            "at pair %(value)s: %(first)s in the ranking, %(second)s by the sessions. Pairs that differ: "
            "%(count)s."
        ),
        gettext_noop("Go on if a penalty or a handicap explains it; otherwise correct the file."),
    ),
    "joined_overall_perhaps": warning(
        gettext_noop(
            "“%(name)s” is taken for the ranking of the whole, by its name or its number of boards, and "
            "alone counts. Its results are neither the mean nor the sum of the sessions."
        ),
        gettext_noop(
            "Go on if it is the final ranking. If it is a session of its own, go on without it and add the "
            "ranking of the whole."
        ),
    ),
    "joined_other_computed": warning(
        gettext_noop(
            "The ranking of “%(name)s” is not that of the boards of “%(other)s”, first at pair %(value)s: "
            "%(first)s in the ranking, %(second)s by the boards. Pairs that differ: %(count)s. The ranking "
            "counts."
        ),
        gettext_noop(
            "Go on if a penalty or another way of scoring explains it. To let the boards count, choose under "
            "“How the boards are scored” how."
        ),
    ),
    "joined_more_results": warning(
        gettext_noop(
            "Results of boards in “%(name)s” that “%(other)s” lacks and that do not count: %(value)s."
        ),
        gettext_noop("If the file that counts was saved before the end, go on without it."),
    ),
    "joined_part_of": info(
        gettext_noop("“%(name)s” is a part of “%(other)s”, so its results do not count twice."),
    ),
    "joined_same_ranking": info(
        gettext_noop("“%(name)s” is the same ranking as “%(other)s”, so its results do not count twice."),
    ),
    "joined_boards_numbered": info(
        gettext_noop(
            "The boards of “%(name)s” are numbered from %(first)s on: other deals have the same numbers."
        ),
    ),
    "joined_pairs_numbered": info(
        gettext_noop("The pairs have other numbers in the sessions, so they are numbered anew."),
    ),
}
