"""Messages about the files of a changeover. They are part of the catalogue of all issues."""

from django.utils.translation import gettext_noop

from tournaments.formats.definitions import error, info

CHANGEOVER_ISSUES = {
    "changeover_bad_archive": error(
        gettext_noop("The compressed file is damaged, or it is not a single file."),
        gettext_noop("Compress each CSV file alone, as .zip or .gz, and upload it again."),
    ),
    "changeover_too_long": error(
        gettext_noop("Decompressed, the file is larger than %(limit)s MB."),
        gettext_noop("Split it in two, by year for example."),
    ),
    "changeover_repeated": error(
        gettext_noop("The award of number %(value)s is in the files more than once (%(count)s)."),
        gettext_noop("Keep one of the lines. Two tournaments of one day need different names."),
    ),
    "changeover_other_points": error(
        gettext_noop("The ledger has this award of number %(value)s already, with other points: %(posted)s."),
        gettext_noop("Remove the line, or correct the points in the ledger by an adjustment first."),
    ),
    "changeover_zero": info(
        gettext_noop("Awards of zero points are left out."),
    ),
    "changeover_merged": info(
        gettext_noop("Number %(value)s was merged into %(kept)s, who gets its points."),
    ),
    "changeover_listed_twice": error(
        gettext_noop("Number %(value)s stands twice in the old list."),
        gettext_noop("Keep one of the lines."),
    ),
}
