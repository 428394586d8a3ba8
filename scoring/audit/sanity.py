"""Sanity checks that quick audits make: the frozen lists of the year-end change, and the ratings of Go."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from scoring.audit import approved, campaigns, go
from ui.sanity import Check, Severity, TextsOf


def _lists() -> Iterator[str]:
    for difference in campaigns.differences():
        yield difference.stored.partition(":")[0]


def _adjustments() -> Iterator[str]:
    for difference in approved.differences():
        yield f"{difference.player}: {difference.stored}"


def _ratings() -> Iterator[str]:
    for difference in go.player_differences():
        yield difference.player


CHECKS = [
    Check(
        "campaign_list",
        Severity.ERROR,
        _("Frozen or applied lists of the year-end change that were altered"),
        _(
            "The list is not the one that was frozen or approved. The committee and the operator "
            "have to look."
        ),
        TextsOf(_lists),
    ),
    Check(
        "adjustment_unapproved",
        Severity.ERROR,
        _("Points by hand without a second person's approval"),
        _("Nobody approved these points. Take them back, and prepare them for a second person."),
        TextsOf(_adjustments),
    ),
    Check(
        "go_rating",
        Severity.ERROR,
        _("Ratings of Go that are not those after the last tournament"),
        _("The rating list is wrong. The operator runs “manage.py replay_ratings”."),
        TextsOf(_ratings),
    ),
]
