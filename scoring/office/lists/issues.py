"""Messages of the issues that only imported lists can have. They are part of the catalogue of all issues."""

from django.utils.translation import gettext_noop

from tournaments.formats.definitions import error, info, warning

OFFICE_ISSUES = {
    "list_too_large": error(
        gettext_noop("The file is larger than %(limit)s MB."),
        gettext_noop("Split the list in two."),
    ),
    "bad_federation_number": error(
        gettext_noop("“%(value)s” is not a federation number."),
        gettext_noop("A number has one to eight digits; leading zeros and points do not matter."),
    ),
    "unknown_number": error(
        gettext_noop("There is no player with number %(value)s."),
        gettext_noop("Correct the number, or import the list of players first."),
    ),
    "number_merged": error(
        gettext_noop("Number %(value)s was merged into %(kept)s."),
        gettext_noop("Write the number that was kept, or remove the line."),
    ),
    "number_erased": info(
        gettext_noop("The data of number %(value)s were erased: the line is left out."),
    ),
    "repeated_row": error(
        gettext_noop("Lines %(first)s and %(line)s say the same of number %(value)s."),
        gettext_noop("Remove one of the two lines."),
    ),
    "contradicting_row": error(
        gettext_noop("Lines %(first)s and %(line)s contradict each other about number %(value)s."),
        gettext_noop("Keep the right line and remove the other."),
    ),
    "unknown_club": error(
        gettext_noop("No club has the code or the name “%(value)s”."),
        gettext_noop("Write it as in the list of clubs, or add the club on the page of clubs first."),
    ),
    "several_clubs": error(
        gettext_noop("Several clubs have the name “%(value)s”."),
        gettext_noop("Write the code of one of them: %(codes)s."),
    ),
    "bad_yes_no": error(
        gettext_noop("“%(value)s” is neither yes nor no."),
        gettext_noop("Write sí or no; a blank cell leaves it as it is."),
    ),
    # The messages about e-mail addresses and years of birth do not repeat them: auditors read them too.
    "bad_email": error(
        gettext_noop("The line has no valid e-mail address."),
        gettext_noop("Correct it; a blank cell leaves the address as it is."),
    ),
    "bad_birth_year": error(
        gettext_noop("The line has no valid year of birth, from %(first)s until today."),
        gettext_noop("Write the year in four digits; a blank cell leaves it as it is."),
    ),
    "text_over_limit": error(
        gettext_noop("“%(value)s” is longer than %(limit)s characters."),
        gettext_noop("Shorten it."),
    ),
    "another_name": warning(
        gettext_noop("Number %(value)s is %(old)s now, and the file calls it %(new)s."),
        gettext_noop("Check that the number has not been mistaken for another person's."),
    ),
    "licence_dates_missing": error(
        gettext_noop("The line says neither the season nor both dates."),
        gettext_noop("Fill the season (2026), or the first and the last day."),
    ),
    "bad_season": error(
        gettext_noop("“%(value)s” is not a season."),
        gettext_noop("Write the year in four digits, or use the columns of the first and the last day."),
    ),
    "licence_dates_reversed": error(
        gettext_noop("The last day, %(value)s, is before the first, %(first)s."),
        gettext_noop("Correct one of the two dates."),
    ),
    "licence_overlap": warning(
        gettext_noop("Number %(value)s already has a licence that covers part of these days."),
        gettext_noop("Nothing breaks; check that the dates are the right ones."),
    ),
    "unknown_category": error(
        gettext_noop("There is no category “%(value)s”."),
        gettext_noop("Use the codes of the regulations: 3D … 1P, MN-O, ME-S, MM-D …"),
    ),
    "category_not_in_ladder": error(
        gettext_noop("The category %(value)s does not exist on %(day)s."),
        gettext_noop("Use a category of the ladder in force on that day, or correct the date."),
    ),
    "category_taken": error(
        gettext_noop("The player already has %(old)s from %(day)s on."),
        gettext_noop("Revoke that one by hand first, or correct the date."),
    ),
    "category_overtaken": warning(
        gettext_noop("From %(day)s on the player has %(new)s (%(why)s), which takes the place of %(value)s."),
        gettext_noop("Check that the line is meant so: the category holds until that day only."),
    ),
    "bad_points": error(
        gettext_noop("“%(value)s” is not a number of points."),
        gettext_noop(
            "Write more than zero, with at most two decimals and without separating the thousands: 1234,56."
        ),
    ),
    "bad_venue": error(
        gettext_noop("“%(value)s” is no venue."),
        gettext_noop("Write presencial or en línea."),
    ),
    "future_award": error(
        gettext_noop("The tournament ends on %(value)s, which is in the future."),
        gettext_noop("Opening awards are of tournaments already played: correct the date."),
    ),
    "other_points": warning(
        gettext_noop("This award is already in the ledger with other points: %(old)s, not %(value)s."),
        gettext_noop("The difference would be posted as an adjustment: check which of the two is right."),
    ),
    "old_award": info(
        gettext_noop("Awards of more than twelve months ago are kept but no longer count: %(count)s."),
    ),
}
