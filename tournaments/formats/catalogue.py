"""The severity, message and remedy of the issues that files of several formats can have.

The issues of a single format are declared beside its reader; other packages add theirs with `add_issues`.

The texts are gettext message ids, marked by `gettext_noop` because this package does not depend on Django.
Placeholders are filled from the value, field, line and parameters of the issue.
"""

from collections.abc import Mapping

from .definitions import Definition, error, gettext_noop, info, warning
from .joining.catalogue import JOINING_ISSUES

FILE_ISSUES = {
    "empty_file": error(
        gettext_noop("The file is empty."),
        gettext_noop("Save or export it again, and check that it has content."),
    ),
    "too_large": error(
        gettext_noop("Size of the file in bytes: %(size)s; the most that is accepted is %(limit)s."),
        gettext_noop("Upload only the result of one event, without pictures or hand records."),
    ),
    "wrong_type": error(
        gettext_noop("This file cannot be read here: it is %(found)s."),
        gettext_noop("Choose a file in one of the formats that the page names."),
    ),
    "not_yet_supported": error(
        gettext_noop("This is %(found)s, which cannot be read yet."),
        gettext_noop("Export the result as USEBIO XML, or use the table template of the upload page."),
    ),
    "name_mismatch": warning(
        gettext_noop("The name ends in %(extension)s but the content is %(found)s; it was read as such."),
        gettext_noop("Check that you chose the right file."),
    ),
    "nul_bytes": error(
        gettext_noop("The file contains NUL bytes, which no text has."),
        gettext_noop("Save it again as CSV UTF-8 or as XLSX; the copy may have been damaged on the way."),
    ),
    "binary_file": error(
        gettext_noop("This is not a text file."),
        gettext_noop("Choose a file in one of the formats that the page names."),
    ),
    "undecodable": error(
        gettext_noop("The letters of this line cannot be read in any accepted encoding."),
        gettext_noop("Save the file again as UTF-8."),
    ),
    "unknown_encoding": warning(
        gettext_noop("The file declares “%(value)s”, an unknown encoding; it was read as %(used)s."),
        gettext_noop("Look at the accents of the names before you confirm."),
    ),
    "encoding_mismatch": warning(
        gettext_noop("The file declares the encoding “%(value)s” but is written in %(used)s."),
        gettext_noop("Look at the accents of the names before you confirm."),
    ),
    "code_page_used": info(
        gettext_noop("The file is not UTF-8; it was read as %(used)s."),
        gettext_noop("Look at the accents of the names before you confirm."),
    ),
    "damaged_letters": warning(
        gettext_noop("Some letters were already lost when this file was made (they read “�”)."),
        gettext_noop("Export the file again as UTF-8, or correct the names by hand."),
    ),
    "control_characters": warning(
        gettext_noop("The line holds invisible control characters; they were left out."),
        gettext_noop("Check the values of this line."),
    ),
    "too_slow": error(
        gettext_noop("Reading the file took more than %(seconds)s seconds and was stopped."),
        gettext_noop("Upload a simpler file, for example the table template filled in."),
    ),
    "too_big_to_read": error(
        gettext_noop("Reading the file needed more memory than is allowed and was stopped."),
        gettext_noop("Upload a smaller file, for example the table template filled in."),
    ),
    "reader_failed": error(
        gettext_noop("The file could not be read because of a fault of this application."),
        gettext_noop("Send the file to the office, and use the table template in the meantime."),
    ),
    "more_like_this": info(
        gettext_noop("More remarks of one kind, not listed: %(count)s."),
        gettext_noop("Mend the ones that are listed first."),
    ),
}

XML_ISSUES = {
    "xml_not_well_formed": error(
        gettext_noop("The XML is not well formed at column %(column)s."),
        gettext_noop("Export the file again; if you edited it, write & as &amp; and < as &lt; in names."),
    ),
    "xml_junk_before": error(
        gettext_noop("There is other text before the start of the XML."),
        gettext_noop("Delete everything before “<?xml”, or export the file again."),
    ),
    "truncated": error(
        gettext_noop("The file ends before its end: the last part is missing."),
        gettext_noop("Download or export it again and check that it is complete."),
    ),
    "xml_entities": error(
        gettext_noop("The XML declares entities, which are not accepted because they can hide an attack."),
        gettext_noop("Export the file from the scoring program without changing it."),
    ),
    "too_many_elements": error(
        gettext_noop("The XML has more than %(limit)s elements."),
        gettext_noop("Upload only the result of one event."),
    ),
    "too_deep": error(
        gettext_noop("The XML nests its elements more than %(limit)s deep."),
        gettext_noop("Export the file from the scoring program without changing it."),
    ),
    "unknown_xml": error(
        gettext_noop("This is an XML file of another kind: it begins with “%(value)s” instead of “USEBIO”."),
        gettext_noop("Choose the USEBIO export of the scoring program."),
    ),
    "no_event": error(
        gettext_noop("The USEBIO file holds no event."),
        gettext_noop("Export one event with its ranking."),
    ),
    "text_too_long": error(
        gettext_noop("The element “%(field)s” has more than %(limit)s characters."),
        gettext_noop("Shorten it, or export the file again."),
    ),
    "several_events": error(
        gettext_noop("Events in the USEBIO file: %(count)s."),
        gettext_noop("Upload one event at a time."),
    ),
    "several_sessions": error(
        gettext_noop("Sessions ranked apart, without an overall ranking: %(count)s."),
        gettext_noop("Export the overall result of the event, or upload each session as its own tournament."),
    ),
    "unknown_event_type": error(
        gettext_noop("Events of type “%(value)s” are not supported."),
        gettext_noop("Pairs, teams and individual events can be read; use the table template for others."),
    ),
    "boards_differ": warning(
        gettext_noop("Boards by the heading: %(stated)s; by the travellers: %(counted)s."),
        gettext_noop("Check the number of boards before you confirm."),
    ),
    "boards_unreadable": warning(
        gettext_noop("Results of boards left out because their board number cannot be read: %(count)s."),
        gettext_noop("Check the number of boards before you confirm."),
    ),
    "deals_unreadable": info(
        gettext_noop("Boards shown without their cards, because those cannot be read: %(count)s."),
    ),
}

TABLE_ISSUES = {
    "bad_quotes": error(
        gettext_noop("The quotation marks from this line on do not match."),
        gettext_noop("Close the quotation mark, or remove it from the cell."),
    ),
    "damaged_workbook": error(
        gettext_noop("The workbook is damaged or incomplete."),
        gettext_noop("Open it in the spreadsheet program, save it again as XLSX and upload the copy."),
    ),
    "encrypted_workbook": error(
        gettext_noop("The workbook is protected by a password."),
        gettext_noop("Save a copy without a password."),
    ),
    "zip_bomb": error(
        gettext_noop("The workbook unpacks to far more data than a result can have."),
        gettext_noop("Copy the table into a new workbook and upload that."),
    ),
    "no_sheet": error(
        gettext_noop("The workbook has no visible sheet with cells."),
        gettext_noop("Put the table on the first sheet."),
    ),
    "other_sheets": info(
        gettext_noop("The workbook has several sheets; “%(value)s” was read."),
        gettext_noop("If it is another one, put its table on the first sheet."),
    ),
    "start_list": error(
        gettext_noop("This is a start list: it names who plays, without any result. Rows: %(count)s."),
        gettext_noop("Upload the ranking that the scoring program exports once the boards are entered."),
    ),
    "register_list": error(
        gettext_noop("This is a list of members with their numbers, without any result. Rows: %(count)s."),
        gettext_noop("Upload the ranking of the tournament; lists of members are for the office."),
    ),
    "columns_to_choose": error(
        gettext_noop("It is not certain what these columns mean: %(headings)s."),
        gettext_noop("Say what each column means, on the page of the columns."),
    ),
    "tables_to_choose": error(
        gettext_noop(
            "The places begin anew in each table of the sheet, and nothing names their lines of play. "
            "Tables: %(count)s."
        ),
        gettext_noop("Say what the tables are, on the page of the columns."),
    ),
    "other_percentage": warning(
        gettext_noop(
            "The places follow the column “%(value)s” (in the first row: %(figure)s), but “%(column)s” "
            "(%(read)s) was read as the percentage."
        ),
        gettext_noop("If the ranking is that of the other column, say so on the page of the columns."),
    ),
    "decimals_joined": warning(
        gettext_noop(
            "Decimals that the comma between the cells had split were joined again, here to %(value)s. "
            "Rows: %(count)s."
        ),
        gettext_noop("Compare the figures with those of your program."),
    ),
    "rows_left_out": info(
        gettext_noop("Rows below the ranking, totals or remarks, that were not read: %(count)s."),
    ),
    "subtotals_left_out": info(
        gettext_noop("Totals between the rows of the ranking that were not read: %(count)s."),
    ),
    "sit_outs_left_out": info(
        gettext_noop("Rows without anybody (%(value)s), which were left out: %(count)s."),
    ),
    "names_not_read": warning(
        gettext_noop("The column “%(value)s” holds names that were not read. People: %(count)s."),
        gettext_noop("If they played, say what the columns mean, or put them into rows below the others."),
    ),
    "title_title": info(
        gettext_noop("The tournament's name comes from the titles above the table: %(value)s")
    ),
    "title_date": info(gettext_noop("The date comes from the titles above the table: %(value)s")),
    "title_club_name": info(
        gettext_noop("The titles above the table name this club, which was only compared: %(value)s")
    ),
    "title_boards": info(
        gettext_noop("The number of boards comes from the titles above the table: %(value)s")
    ),
    "played_online": info(
        gettext_noop("The file says that this was played online: “%(value)s”."),
        gettext_noop("If it was played in person, change the venue in the form of the review, and tick."),
    ),
    "columns_remembered": info(
        gettext_noop("The columns were read as you chose for an earlier file of this layout."),
    ),
    "no_rows": error(
        gettext_noop("The table has no rows below its headings."),
        gettext_noop("Put the headings in the first line and one row for each line of the table below."),
    ),
    "too_many_rows": error(
        gettext_noop("The table has more than %(limit)s rows."),
        gettext_noop("Split it into several files."),
    ),
    "too_many_columns": error(
        gettext_noop("The row has more than %(limit)s columns."),
        gettext_noop("Keep only the documented columns."),
    ),
    "extra_cells": error(
        gettext_noop("The row has values to the right of the last heading."),
        gettext_noop(
            "Check the separators, and quote a cell that itself contains one. If it is another column, "
            "give it a heading."
        ),
    ),
    "long_row": error(
        gettext_noop(
            "The row has %(count)s cells, but the headings end with number %(headings)s, “%(last)s”."
        ),
        gettext_noop(
            "If a cell contains the character that separates the cells, quote it; if the last value is "
            "another column, give it a heading. Then upload the list again."
        ),
    ),
    "not_a_list": error(
        gettext_noop("This is %(found)s, not a list in lines and columns."),
        gettext_noop(
            "Save the list as CSV or XLSX, with the headings in the first line and one entry in each line "
            "below."
        ),
    ),
    "extra_texts": warning(
        gettext_noop(
            "Rows with a text to the right of the last heading that was not read, such as “%(value)s”: "
            "%(count)s."
        ),
        gettext_noop("Check that they are only remarks, and that no row is shifted."),
    ),
    "cell_too_long": error(
        gettext_noop("The cell has more than %(limit)s characters."),
        gettext_noop("Shorten it; look for a quotation mark that is not closed."),
    ),
    "no_headings": error(
        gettext_noop("None of the expected headings is in the first line. Found: %(headings)s."),
        gettext_noop(
            "Put the headings in the first line; the template of the upload page has every heading."
        ),
    ),
    "missing_column": error(
        gettext_noop("The column “%(column)s” is missing. Headings found: %(headings)s."),
        gettext_noop("Add the column; the template of the upload page has every heading."),
    ),
    "no_licence_column": info(
        gettext_noop("The table has no column of licences: people are matched by name in the review."),
    ),
    "unknown_column": info(
        gettext_noop("The column “%(value)s” is not known and was not read."),
    ),
    "duplicate_column": error(
        gettext_noop("The columns “%(first)s” and “%(value)s” mean the same."),
        gettext_noop("Keep one of them."),
    ),
    "missing_value": error(
        gettext_noop("The cell “%(field)s” is blank."),
        gettext_noop("Fill it in, or delete the row."),
    ),
    "bad_number": error(
        gettext_noop("“%(value)s” is not a number."),
        gettext_noop("Write digits with a decimal comma or point and without thousands separators."),
    ),
    "bad_date": error(
        gettext_noop("The date “%(value)s” cannot be read."),
        gettext_noop("Write it as 31/12/2026 or as 2026-12-31; a date is never guessed."),
    ),
    "formula_without_value": error(
        gettext_noop("Cell %(cell)s holds a formula whose result is not stored in the file."),
        gettext_noop("Open the workbook, let it calculate, and save it; or paste the cells as values."),
    ),
    "formula_in_cell": error(
        gettext_noop("The cell holds a formula instead of a value: %(value)s"),
        gettext_noop("Write the value itself."),
    ),
    "formulas_read": info(
        gettext_noop("Cells that are formulas, of which the stored results were used: %(count)s."),
    ),
    "cell_error": error(
        gettext_noop("Cell %(cell)s shows the error %(value)s."),
        gettext_noop("Mend the formula of the cell, or write the value itself."),
    ),
    "leading_zeros_lost": info(
        gettext_noop("Licences stored as numbers, so that zeros at their start are lost: %(count)s."),
        gettext_noop("Nothing to do: zeros at the start do not distinguish licences."),
    ),
}

RESULT_ISSUES = {
    "no_players": error(
        gettext_noop("The file lists no players."),
        gettext_noop("Export the result with its ranking and the names of the players."),
    ),
    "too_many_entries": error(
        gettext_noop("Contestants in the file: %(count)s; the most that is accepted is %(limit)s."),
        gettext_noop("Upload only the result of one event."),
    ),
    "too_many_people": error(
        gettext_noop("Players in the file: %(count)s; the most that is accepted is %(limit)s."),
        gettext_noop("Upload only the result of one event."),
    ),
    "too_large_contestant": error(
        gettext_noop("Players of one contestant: %(count)s; the most that is accepted is %(limit)s."),
        gettext_noop("Export the result again, with only the players of each pair or team."),
    ),
    "duplicate_player": error(
        gettext_noop("Licence %(value)s appears twice (lines %(first)s and %(line)s)."),
        gettext_noop("Correct the number, or remove one of the two."),
    ),
    "malformed_licence": error(
        gettext_noop("“%(value)s” is not a licence number (%(name)s)."),
        gettext_noop("Write the 1 to 8 digits of the licence, or leave it blank for a guest."),
    ),
    "no_number": warning(
        gettext_noop("%(name)s has no licence number: the place is kept, but no points are stored."),
        gettext_noop("Add the licence number, or confirm that this is a guest."),
    ),
    "no_name": warning(
        gettext_noop("A seat has neither a name nor a licence number; it is kept as an unknown guest."),
        gettext_noop("Add the name or the licence number."),
    ),
    "start_list_empty": error(
        gettext_noop("The start list has no pairs: no line begins with the number of a pair."),
        gettext_noop("Write a line for each pair: its number, and the names or licences of its players."),
    ),
    "stand_in": warning(
        gettext_noop("“%(value)s” is a stand-in without a licence: nobody earns points in that seat."),
        gettext_noop("If somebody entitled to points played there, write the licence number in the file."),
    ),
    "pair_size": error(
        gettext_noop("The number of players of the pair “%(name)s” is %(count)s."),
        gettext_noop("List exactly two players for each pair."),
    ),
    "individual_size": error(
        gettext_noop("“%(name)s” is in an individual event, and its number of players is %(count)s."),
        gettext_noop("List one player for each place, or choose pairs or teams."),
    ),
    "team_size": warning(
        gettext_noop("The number of players of the team “%(name)s” is %(count)s; teams have 4 to 8."),
        gettext_noop("Check that every player of the team is listed, and only those."),
    ),
    "team_missing": error(
        gettext_noop("The team of this player is not given."),
        gettext_noop("Write the team's name or number on the row of each of its players."),
    ),
    "pair_incomplete": error(
        gettext_noop("The rows %(first)s and %(line)s should be a pair but have different places."),
        gettext_noop("Put the two players of a pair on consecutive rows, or fill in the pair column."),
    ),
    "pairs_assumed": warning(
        gettext_noop("The pair column is blank: rows with the same place were read as pairs, two by two."),
        gettext_noop("Check the pairs; if it was an individual event, choose that and upload again."),
    ),
    "pairs_of_one": warning(
        gettext_noop(
            "The column “%(field)s” numbers pairs, but each row has only one person: the ranking was read as "
            "individual."
        ),
        gettext_noop(
            "If a cell holds both names of a pair, write “ - ” between them in the file and upload it again; "
            "if it was an individual event, accept this."
        ),
    ),
    "teams_of_one": warning(
        gettext_noop(
            "The column “%(field)s” names teams, but each row has only one person: the ranking was read as "
            "individual."
        ),
        gettext_noop(
            "If a cell holds all names of a team, write “ - ” between them in the file and upload it again; "
            "if it was an individual event, accept this."
        ),
    ),
    "names_of_several": warning(
        gettext_noop("Most names look like those of several people, but each was read as one: “%(value)s”."),
        gettext_noop(
            "If a cell holds several people, write “ - ” between them in the file and upload it again; if "
            "not, accept this."
        ),
    ),
    "contestant_conflict": error(
        gettext_noop("The rows %(first)s and %(line)s are the same contestant but differ in “%(field)s”."),
        gettext_noop("Write the same value on both rows, or correct the pair or team."),
    ),
    "mixed_layout": error(
        gettext_noop("The table has both numbered player columns and a plain licence or name column."),
        gettext_noop("Use one row for each player, or the numbered columns, but not both."),
    ),
    "bad_direction": error(
        gettext_noop("“%(value)s” is not a line of play."),
        gettext_noop("Write N-S or E-W."),
    ),
    "bad_percentage": error(
        gettext_noop("The percentage %(value)s is not between 0 and 100."),
        gettext_noop("Correct it, or use the score column for IMPs and victory points."),
    ),
    "percentages_of_one": warning(
        gettext_noop(
            "No percentage is larger than %(value)s: they look like parts of one, not of a hundred."
        ),
        gettext_noop("If so, correct them in the file and upload it again."),
    ),
    "percentages_multiplied": info(
        gettext_noop("The percentages are parts of one (%(value)s) and were multiplied by a hundred."),
    ),
    "bad_boards": error(
        gettext_noop("“%(value)s” is not a possible number of boards."),
        gettext_noop("Write a whole number from 1 to 999."),
    ),
}

RANKING_ISSUES = {
    "place_text": error(
        gettext_noop("“%(value)s” is not a place."),
        gettext_noop("Write a number; ties may be 3=, =3 or 3-4. Keep a sheet from turning 3-4 into a date."),
    ),
    "place_zero": error(
        gettext_noop("There is no place %(value)s: places start at 1."),
        gettext_noop("Write the right place."),
    ),
    "place_missing": error(
        gettext_noop("The place is missing and there is no score to work it out from."),
        gettext_noop("Write the place, or the percentage or score of every contestant."),
    ),
    "no_common_board": error(
        gettext_noop("No board was played in both rooms, so the teams have no results."),
        gettext_noop(
            "If this was no tournament of teams, choose another way under “How the boards are scored”. "
            "Otherwise the two pairs of a team need the same number in the scoring program."
        ),
    ),
    "place_gap": error(
        gettext_noop("The ranking jumps to place %(value)s where place %(expected)s is due."),
        gettext_noop("Check whether a contestant is missing, or correct the place."),
    ),
    "place_differs": warning(
        gettext_noop("The place says %(value)s, the score gives %(computed)s; the printed place is kept."),
        gettext_noop("Check the place and the score before you confirm."),
    ),
    "place_replaced": warning(
        gettext_noop("The place says %(value)s; as other places are blank, %(computed)s was worked out."),
        gettext_noop("Fill in every place, or check the scores."),
    ),
    "places_renumbered": info(
        gettext_noop("The places after a tie did not skip; they were renumbered (1, 2, 2, 4)."),
    ),
    "places_computed": info(
        gettext_noop("The places were worked out from the scores."),
    ),
    "tie_split": info(
        gettext_noop("The lines %(first)s and %(line)s have equal scores; their different places are kept."),
    ),
    "lines_merged": info(
        gettext_noop("Separate rankings (by line or section) were merged into one by percentage."),
    ),
    "lines_merged_by_score": info(
        gettext_noop("Separate rankings (by line or section) were merged into one by score."),
    ),
    "cannot_merge": error(
        gettext_noop("The lines are ranked apart and no percentage or score allows to merge them."),
        gettext_noop("Choose two fields, North-South and East-West."),
    ),
    "direction_missing": error(
        gettext_noop("It is not known whether this contestant sat North-South or East-West."),
        gettext_noop("Choose one field, or fill in the line of play."),
    ),
}

_FIX_GO_FILE = gettext_noop("Correct it in the pairing program, export the file again and upload that one.")
GO_ISSUES = {
    "go_file": error(
        gettext_noop("This is a file of the type %(found)s, with games of Go."),
        gettext_noop(
            "Choose a result of bridge. Games of Go can be uploaded only if the federation rates them, and "
            "only in the browser."
        ),
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
        _FIX_GO_FILE,
    ),
    "go_rounds_differ": error(
        gettext_noop(
            "The row of %(name)s does not have as many results as the others: %(count)s, not %(rounds)s."
        ),
        _FIX_GO_FILE,
    ),
    "go_unknown_opponent": error(
        gettext_noop("Round %(round)s: “%(value)s” names a row that is not there."),
        _FIX_GO_FILE,
    ),
    "go_not_reciprocal": error(
        gettext_noop("Round %(round)s: line %(line)s says “%(value)s” but line %(other)s says “%(answer)s”."),
        _FIX_GO_FILE,
    ),
    "go_unknown_player": error(
        gettext_noop("Round %(round)s: the game names “%(value)s”, who is not among the players."),
        _FIX_GO_FILE,
    ),
    "go_bad_game": error(
        gettext_noop("Round %(round)s: a game cannot have “%(value)s” as opponent, result or handicap."),
        _FIX_GO_FILE,
    ),
    "go_played_twice": error(
        gettext_noop("%(name)s has two games in round %(round)s (lines %(first)s and %(line)s)."),
        _FIX_GO_FILE,
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
        gettext_noop("Check both days; if one is wrong, correct it in the data of the tournament."),
    ),
    "go_one_day": warning(
        gettext_noop("The file only says when it began: %(day)s is taken for the last day too."),
        gettext_noop("If it went on longer, correct the last day in the data of the tournament."),
    ),
    "go_long": warning(
        gettext_noop("Days from the first to the last: %(count)s."),
        gettext_noop("Check both days; if one is wrong, correct it in the data of the tournament."),
    ),
    "go_code_differs": warning(
        gettext_noop("The code of the tournament, %(value)s, is of another first day."),
        gettext_noop("Check both days; if one is wrong, correct it in the data of the tournament."),
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

SHARED_ISSUES = {
    **FILE_ISSUES,
    **XML_ISSUES,
    **TABLE_ISSUES,
    **RESULT_ISSUES,
    **RANKING_ISSUES,
    **GO_ISSUES,
    **JOINING_ISSUES,
}
CATALOGUE: dict[str, Definition] = dict(SHARED_ISSUES)


def add_issues(issues: Mapping[str, Definition]) -> None:
    """Add issues to the catalogue. Raise ValueError for a code that the catalogue already has."""
    if taken := issues.keys() & CATALOGUE.keys():
        raise ValueError(f"Issues defined twice: {', '.join(sorted(taken))}")
    CATALOGUE.update(issues)
