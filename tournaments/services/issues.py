"""The issues of uploads that depend on more than the file: on the register, the calendar or other uploads.

They are added to the catalogue of the issues that readers find in files.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.utils.translation import get_language, gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from tournaments.formats import wording
from tournaments.formats.catalogue import CATALOGUE, add_issues
from tournaments.formats.definitions import Definition, error, info, warning
from tournaments.formats.issues import issue
from tournaments.formats.types import LINES_PER_FILE, Issue, place_of
from tournaments.formats.wording import Description
from ui.formatting import NO_BREAK_SPACE, format_date, language

__all__ = ["CATALOGUE", "describe", "issue", "issue_groups"]

HEADER_ISSUES = {
    "missing_name": error(
        gettext_noop("The tournament has no name: neither the file nor the form gives one."),
        gettext_noop("Write the name in the data of the tournament."),
    ),
    "missing_date": error(
        gettext_noop("The date of the tournament is not known; a date is never guessed."),
        gettext_noop("Write the last day in the data of the tournament."),
    ),
    "missing_event_type": error(
        gettext_noop("The type of the tournament is not known."),
        gettext_noop("Choose the type in the data of the tournament."),
    ),
    "pool_proposed": info(
        gettext_noop("The file has no name: “%(value)s” and the type of a pool are proposed for its day."),
        gettext_noop("If it was something else, change the name and the type in the data of the tournament."),
    ),
    "type_of_name": info(
        gettext_noop("The type of a pool follows from the name: “%(value)s”."),
        gettext_noop("If it was something else, change the type in the data of the tournament."),
    ),
    "missing_venue": error(
        gettext_noop("It is not known whether this was played in person or online."),
        gettext_noop("Choose the venue in the data of the tournament."),
    ),
    "missing_format": error(
        gettext_noop("It is not known whether this was played in pairs, in teams or individually."),
        gettext_noop("Choose the format in the data of the tournament."),
    ),
    "missing_boards": error(
        gettext_noop("The number of boards is not known."),
        gettext_noop("Write how many boards the winner played in the data of the tournament."),
    ),
    "bad_boards_count": error(
        gettext_noop("%(value)s is not a possible number of boards."),
        gettext_noop("Write a whole number from 1 to 999 in the data of the tournament."),
    ),
    "boards_over_scheduled": error(
        gettext_noop(
            "The winner cannot have played more boards (%(value)s) than were scheduled (%(scheduled)s)."
        ),
        gettext_noop("Correct one of the two numbers."),
    ),
    "boards_assumed": info(
        gettext_noop("Only one number of boards is known, so %(value)s stands for played and scheduled."),
        gettext_noop("If the winner sat out a round, write both numbers."),
    ),
    "boards_like_last": info(
        gettext_noop("The number of boards, %(value)s, is that of the club's last pool: the file has none."),
        gettext_noop("If another number was played, write it."),
    ),
    "date_in_future": error(
        gettext_noop("The last day, %(value)s, has not come yet."),
        gettext_noop("Correct the date; results are uploaded once the tournament is over."),
    ),
    "dates_reversed": error(
        gettext_noop("The first day, %(value)s, is after the last day, %(last)s."),
        gettext_noop("Correct one of the two dates."),
    ),
    "date_differs": warning(
        gettext_noop("The file says %(value)s, the form says %(chosen)s as the last day."),
        gettext_noop("Check which date is right: it decides regulation, categories and licences."),
    ),
    "format_differs": warning(
        gettext_noop("The file is of another format (%(value)s) than the form says (%(chosen)s)."),
        gettext_noop("Check the format before you confirm."),
    ),
    "venue_differs": warning(
        gettext_noop(
            "The file or the name says that this was played online, but the form says that it was in person."
        ),
        gettext_noop("Check the venue in the data of the tournament: the points depend on it."),
    ),
    "no_regulation": error(
        gettext_noop("No regulation was in force on %(value)s."),
        gettext_noop("Check the date. Points before the first regulation come in as opening awards."),
    ),
    "event_type_not_in_force": error(
        gettext_noop("%(regulation)s, in force on %(day)s, has no tournament type “%(value)s”."),
        gettext_noop("Choose a type of that regulation in the data of the tournament."),
    ),
    "format_not_of_type": error(
        gettext_noop("“%(type)s” is played in another format: %(due)s, not %(value)s."),
        gettext_noop("Correct the type or the format in the data of the tournament."),
    ),
    "awaits_approval": error(
        gettext_noop("“%(name)s” waits for approval: it cannot be corrected until that is decided."),
        gettext_noop("Withdraw it from its receipt and mend that upload, or wait for the decision."),
    ),
    "awaits_annulment": error(
        gettext_noop("The annulment of “%(name)s” waits for approval: it cannot be corrected until then."),
        gettext_noop(
            "Whoever asked for it can withdraw it. Otherwise wait for the decision: this draft is kept."
        ),
    ),
    "missing_factor": error(
        gettext_noop("%(regulation)s needs the factor %(value)s, which nobody has entered yet."),
        gettext_noop("Ask the office to enter it with its source; then open the review again."),
    ),
    "not_scorable": error(
        gettext_noop("The regulation cannot score this ranking: %(value)s."),
        gettext_noop("Check the places and the tournament's data; if they are right, tell the office."),
    ),
}

PLAYER_ISSUES = {
    "unknown_player": error(
        gettext_noop("No player has the number %(value)s (%(name)s)."),
        gettext_noop("Correct the number, or mark the person as a guest: the place is kept without points."),
    ),
    "merged_number": info(
        gettext_noop("Number %(value)s was merged into %(kept)s, which gets the points (%(name)s)."),
        gettext_noop("Use the new number from now on, in the scoring program too."),
    ),
    "same_person": error(
        gettext_noop("Numbers %(value)s and %(first)s are of the same player (%(name)s)."),
        gettext_noop(
            "Correct the number that is somebody else's. If they are two persons, the office can part them."
        ),
    ),
    "name_hidden": warning(
        gettext_noop("Number %(value)s is of a player whose name is hidden; the ranking says “%(name)s”."),
        gettext_noop("Check the number; if it is right, tick this person."),
    ),
    "name_differs": warning(
        gettext_noop("Number %(value)s belongs to %(registered)s, but the ranking says “%(name)s”."),
        gettext_noop("Check the number; if it is right, tick this person."),
    ),
    "numbers_not_ours": error(
        gettext_noop(
            "These are not our numbers. People with a number: %(count)s; with another name in the register: "
            "%(others)s; not in it: %(unknown)s."
        ),
        gettext_noop(
            "Ignore the numbers and match by name. If the numbers are right, edit the ranking by hand and "
            "write the names as in the register, or leave them blank."
        ),
    ),
    "numbers_ignored": info(
        gettext_noop("The numbers of the file are ignored: people are matched by name in the review."),
        gettext_noop("If they are ours after all, use them again."),
    ),
    "unlicensed": info(
        gettext_noop("%(name)s (%(value)s) had no valid licence on %(day)s."),
        gettext_noop("The place and the points stay; only eligibility looks at licences."),
    ),
    "no_ranking": error(
        gettext_noop("The ranking is still empty."),
        gettext_noop("Type it in, a row for each pair, team or player."),
    ),
    "nobody_named": error(
        gettext_noop("It is not known who played: neither names nor licence numbers are in the file."),
        gettext_noop("Add the names by a start list in the review, or edit the ranking by hand."),
    ),
    "too_few_players": error(
        gettext_noop("The ranking has too few players: %(count)s, and at least 4 are needed."),
        gettext_noop("Add the players that are missing."),
    ),
    "score_too_large": error(
        gettext_noop("The score %(value)s is larger than any real one."),
        gettext_noop("Correct the score."),
    ),
    "percentage_differs": info(
        gettext_noop("%(name)s: the ranking says %(value)s, the results of the boards give %(computed)s."),
        gettext_noop(
            "Look whether a penalty, a handicap or a score changed by hand explains it. If nothing does, "
            "export the file again; places and points follow the ranking."
        ),
    ),
    "too_few_boards_played": info(
        gettext_noop(
            "Boards that %(name)s played: %(value)s of %(scheduled)s; points are given from %(share)s of "
            "them on."
        ),
        gettext_noop("The place stays and counts for the others, without points."),
    ),
    "edited_by_hand": info(
        gettext_noop("The ranking was changed by hand after the file was read; line numbers are its rows."),
    ),
    "board_difference_kept": info(
        gettext_noop(
            "Contestants whose result in the ranking differs from that of their boards: %(count)s. A penalty "
            "or a handicap may explain it: the difference is kept, and only what the changed boards give is "
            "added."
        ),
    ),
    "board_places_computed": warning(
        gettext_noop("The places of the ranking did not follow its results; now they do."),
        gettext_noop("Check the places, and edit the ranking if somebody has to stand elsewhere."),
    ),
    "guests": info(
        gettext_noop("People marked as guests: %(count)s. They keep their places and no points are stored."),
        # The same for all guests: it must not tell a director who is hidden.
        gettext_noop(
            "Public pages leave out guests' names that may be those of players who asked to be hidden."
        ),
    ),
    "numbers_mended": info(
        gettext_noop("Numbers were corrected in the review; the file itself is kept as it came."),
    ),
}

ARRIVAL_ISSUES = {
    "sent_before": info(
        gettext_noop("This file was sent before, so these fields were not used: %(value)s."),
        gettext_noop("Finish it on its page (review_url), and change them there."),
    ),
    "not_read": error(
        gettext_noop(
            "The file was stored, but its reading was interrupted: nothing of it has been checked yet."
        ),
        gettext_noop("Read it again; nothing needs uploading."),
    ),
    "upload_too_large": error(
        gettext_noop("The file is larger than %(limit)s MB."),
        gettext_noop("Upload only the result of one event, without pictures or hand records."),
    ),
    "same_file": error(
        gettext_noop("This very file was already confirmed as “%(name)s”."),
        gettext_noop(
            "Open that tournament. If something in it is wrong, correct it from there; if they are really "
            "two events, the page of the comparison puts that to the office."
        ),
    ),
    "same_file_replaced": warning(
        gettext_noop(
            "This very file was confirmed as “%(name)s”, whose ranking was corrected since "
            "and is another one now."
        ),
        gettext_noop("Open that tournament. Confirm the file only if it is of another one."),
    ),
    "same_ranking": error(
        gettext_noop(
            "“%(name)s” (%(club)s, %(day)s) is the same ranking: the same people have the same result "
            "(pairs, teams or players: %(count)s of %(total)s)."
        ),
        gettext_noop(
            "Compare the two. If this is that tournament, say that it corrects it; if they are really two "
            "events, the page of the comparison puts that to the office."
        ),
    ),
    "two_events": info(
        gettext_noop("The office says that this and “%(name)s” are two events: %(reason)s."),
    ),
    "same_people": warning(
        gettext_noop(
            "Nearly the same people (%(count)s of %(total)s) played “%(name)s” in the same club and on the "
            "same day."
        ),
        gettext_noop("Compare the two. If this is another tournament of theirs, tick this warning."),
    ),
    "same_source": warning(
        gettext_noop("“%(name)s” has the same club, the same day and the scoring program's same number."),
        gettext_noop("Compare the two. If this is another tournament, tick this warning."),
    ),
    "also_that_day": info(
        gettext_noop("%(person)s also played “%(name)s” on that day."),
        gettext_noop("Check that the date of this tournament is right."),
    ),
    "other_club": warning(
        gettext_noop("The file names the club %(name)s; this upload is of %(chosen)s."),
        gettext_noop("Check the club in the data of the tournament; if it is right, tick this warning."),
    ),
    "announced": info(
        gettext_noop("This is taken for the announced tournament “%(name)s” of %(day)s."),
        gettext_noop("If it is another tournament, say so in the review, beside the tournament's data."),
    ),
    "announced_perhaps": warning(
        gettext_noop("Is this the announced tournament “%(name)s” of %(day)s?"),
        gettext_noop(
            "If it is, press “Yes, it is this one” beside the tournament's data; if it is another "
            "tournament, tick this warning."
        ),
    ),
    "corrects_annulled": error(
        gettext_noop("“%(name)s”, which this corrects, was annulled and counts no more."),
        gettext_noop("Restore that tournament first; then open the review again."),
    ),
    "corrected_meanwhile": warning(
        gettext_noop("Another correction was confirmed since this one was begun: “%(value)s”."),
        gettext_noop(
            "Look at the tournament as it is now: this ranking will stand in its place. If so, tick."
        ),
    ),
    "boards_not_ranked": warning(
        gettext_noop(
            "The results of this ranking do not follow from its boards in a way that is known here: places "
            "and results stay as they were."
        ),
        gettext_noop(
            "If the correction changes them, edit the ranking by hand in the review, or upload the file from "
            "your scoring program instead; if not, tick."
        ),
    ),
    "corrections_joined": info(
        gettext_noop(
            "Another correction was confirmed meanwhile: “%(value)s”. The boards of this one are added to it."
        ),
    ),
    "board_corrected_twice": warning(
        gettext_noop(
            "Board %(board)s, %(ns)s against %(ew)s: the other correction gives %(first)s, and this one "
            "%(second)s, which would count."
        ),
        gettext_noop("If so, tick; if the other is right, undo the board under “Boards corrected”."),
    ),
    "correction_outdated": error(
        gettext_noop(
            "The ranking was corrected meanwhile (“%(value)s”), and the boards of this draft cannot be "
            "corrected in the new one."
        ),
        gettext_noop("Discard this draft, and correct the boards of the tournament as it is now."),
    ),
    "boards_go_back": warning(
        gettext_noop("Boards that were corrected would have the result from before again: %(value)s."),
        gettext_noop("If the correction was right, enter it in the scoring program and upload the new file."),
    ),
    "nothing_corrected": error(
        gettext_noop("This correction changes nothing: ranking, boards and points would be as they are."),
        gettext_noop("Discard it, or correct what is wrong."),
    ),
    "boards_were_changed": error(
        gettext_noop("Boards were changed in the review, and with these files they would be other boards."),
        gettext_noop("Upload all files of the event together as a new draft."),
    ),
    "same_draft": info(
        gettext_noop("The same file also waits for review since %(since)s."),
        gettext_noop("Discard one of the two drafts."),
    ),
}

# Reasons for which an engine refuses a ranking, by the engine's code.
FAULTS = {
    "place_sequence": gettext_noop("its places do not follow one another as in 1, 2, 2, 4"),
    "contestant_count": gettext_noop("it has more contestants than are said to have played"),
    "duplicate_id": gettext_noop("somebody is in it twice"),
    "out_of_range": gettext_noop("a number is larger or smaller than the rule can take"),
    "bad_number": gettext_noop("something that should be a number is none"),
    "missing_field": gettext_noop("something that the rule asks for is missing"),
    "unknown_category": gettext_noop("somebody has a category that the rule does not know"),
    "unknown_venue": gettext_noop("the rule does not know the venue"),
}
OTHER_FAULT = "refused"
# Parameters that are codes, and the words to show for them in a message.
WORDS = {
    **FAULTS,
    OTHER_FAULT: gettext_noop("it does not take what the tournament says"),
    "pairs": gettext_noop("Pairs"),
    "teams": gettext_noop("Teams"),
    "individual": gettext_noop("Individual"),
}

UPLOAD_ISSUES: Mapping[str, Definition] = {**HEADER_ISSUES, **PLAYER_ISSUES, **ARRIVAL_ISSUES}
add_issues(UPLOAD_ISSUES)
# The parameter with a registered player's public name, by issue code. The parameter `player` is their id, for
# readers who may see the name of a hidden player.
PLAYER_NAME_PARAMS = {
    "unlicensed": "name",
    "same_person": "name",
    "merged_number": "name",
    "name_differs": "registered",
    "name_hidden": "registered",
    "also_that_day": "person",
}
# Warnings about one person. Each needs its own tick, because a different name may mean a different person,
# and a hidden name is not compared.
PERSONAL = frozenset({"name_differs", "name_hidden"})
# For an issue's code, which of its texts are numbers as a program writes them. They are shown with the
# decimal separator of the language. Other texts are quoted as in the file.
NUMERIC: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("percentages_of_one", "bad_percentage", "score_too_large"), ("value",)),
    **dict.fromkeys(
        ("joined_other_percentages", "joined_other_computed", "joined_other_combined"), ("first", "second")
    ),
}
SEVERITIES = ("error", "warning", "info")
# Labels of the fields in issues. Fields that are not here are names of the file's own columns or elements.
FIELDS = {
    "name": _("Name"),
    "event_type": _("Tournament type"),
    "format": _("Format"),
    "venue": _("Venue"),
    "start_date": _("First day"),
    "end_date": _("Last day"),
    "boards": _("Boards"),
    "score": _("Result"),
    "licence": _("Number"),
    "place": _("Place"),
    "percentage": _("Percentage"),
    "direction": _("Line"),
    "club": _("Club"),
    "factors": _("Factor"),
    "tournament_class": _("Class"),
    "grade": _("Grade"),
    "rating": _("Rating"),
    "country": _("Country"),
    "player": _("Player"),
    "opponent": _("Opponent"),
    "result": _("Result"),
    "size": _("Board"),
}
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def fault_of(code: str) -> str:
    """Return the engine's error code if there is a text for it, else OTHER_FAULT.

    The result is the value of a `not_scorable` issue.
    """
    return code if code in FAULTS else OTHER_FAULT


def tick_of(warning: Issue) -> str:
    """Return the key of the tick that accepts a warning.

    The key is the warning's code. For a warning about a person, a digest of the person's number and names
    follows, so that each of them needs its own tick.
    """
    if warning.code not in PERSONAL:
        return warning.code
    subject = repr((warning.value, warning.params["name"], warning.params["registered"]))
    return f"{warning.code}:{hashlib.sha256(subject.encode()).hexdigest()[:16]}"


# The issues found in files whose value is a day. Other values are shown as they stand in the file.
OF_DAYS = frozenset({"title_date"})


def describe(issue: Issue) -> Description:
    """Return the message and the remedy of an issue in the active language."""
    params = {key: _in_words(value) for key, value in issue.params.items()}
    if params.get("name") == "":
        params["name"] = gettext("no name")
    value = issue.value
    if issue.code in UPLOAD_ISSUES or issue.code in OF_DAYS:
        value = _in_words(value)
    line = issue.line and issue.line % LINES_PER_FILE
    if issue.code in NUMERIC and language(get_language()) == "es":
        texts = {**params, "value": value}
        texts |= {name: _spanish(str(texts[name])) for name in NUMERIC[issue.code]}
        value = texts.pop("value")
        params = texts
    return wording.describe(replace(issue, line=line, value=value, params=params), gettext)


def _spanish(number: str) -> str:
    """Return a number, perhaps a percentage, as Spanish texts have it."""
    return number.replace(".", ",").replace("%", f"{NO_BREAK_SPACE}%")


def issue_groups(
    issues: Iterable[Issue],
    ticks: Collection[str] = (),
    by_row: bool = False,
    shown: Callable[[Issue], Issue] = lambda issue: issue,
    files: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """Group issues by code, errors first. Return the context of the template `tournaments/_issues.html`.

    "count" is the number of items, "hidden" that of items that the view takes away. If "personal" is true for
    a group, each of its items has its own tick. If the messages of a group differ, the first one is its
    heading, and "more" is the number of the other items; otherwise "more" is 0. Views add links and buttons
    to the items.

    ticks: the ticks that the user has already given
    by_row: whether line numbers are rows of the edited ranking instead of lines of the file
    files: the names of the files, if the upload was joined from several
    shown: returns an issue as the user may see it, for example without the name of a hidden player
    """
    groups: dict[str, dict[str, Any]] = {}
    for item in sorted(issues, key=lambda item: SEVERITIES.index(item.severity)):
        visible, tick = shown(item), tick_of(item)
        text = describe(visible)
        group = groups.setdefault(
            item.code,
            {
                "code": item.code,
                "severity": item.severity,
                "remedy": text.remedy,
                "ticked": item.code in ticks,
                "personal": item.code in PERSONAL,
                "items": [],
            },
        )
        if text.remedy != group["remedy"]:
            group["remedy"] = ""  # the template then shows the remedy of each item
        group["items"].append(
            {
                "issue": visible,
                "where": where(item, by_row, files),
                "place": ", ".join(str(part) for part in place_of(item.line, files) if part),
                "message": text.message,
                "remedy": text.remedy,
                "tick": tick,
                "ticked": tick in ticks,
                "links": [],
            }
        )
    for group in groups.values():
        items = group["items"]
        group["count"], group["hidden"] = len(items), 0
        group["more"] = len(items) - 1 if any(item["message"] != items[0]["message"] for item in items) else 0
    return list(groups.values())


def where(issue: Issue, by_row: bool = False, files: Sequence[str] = ()) -> str:
    """Return the file, the line and the field of an issue, such as "lista.csv, Line 14, Number".

    files: as for `issue_groups`
    """
    name, line = place_of(issue.line, files)
    parts = [name] if name else []
    if line:
        place = gettext("Row %(line)s") if by_row else gettext("Line %(line)s")
        parts.append(place % {"line": line})
    if issue.field:
        parts.append(str(FIELDS.get(issue.field, issue.field)))
    return ", ".join(parts)


def _in_words(value: str | int) -> str | int:
    """Return an issue's parameter for display: a code becomes words, an ISO date becomes a formatted date."""
    if value in WORDS:
        return gettext(WORDS[value])
    if isinstance(value, int) and value >= LINES_PER_FILE:
        return value % LINES_PER_FILE  # a line of one of several files
    if isinstance(value, str) and _ISO_DATE.fullmatch(value):
        try:
            return format_date(date.fromisoformat(value), get_language())
        except ValueError:
            return value  # a name or number that only looks like a date
    return value
