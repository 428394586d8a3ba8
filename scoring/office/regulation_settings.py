"""The settings with which this installation applies the regulations, for the office to read."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.ledger import systems
from scoring.ledger.services.approval import being_set_up
from scoring.ledger.wording import event_type_name


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of the installation.

    name: of the setting in `federation/settings.py`
    variable: the environment variable that sets it; "" if it is changed in the code
    what: what it decides, in a sentence
    value: its present value, in the reader's language
    """

    name: str
    what: str | Promise
    value: str
    variable: str = ""


TIES = {
    "mean": _("the mean of the awards of the places that they share"),
    "mean_place": _("the award of the mean of these places"),
    "best": _("the award of the best of these places"),
}
PLACE_RULES = {
    "text": _("the formula of the text"),
    "even": _("places spread evenly, as some printed tables have them"),
}


def regulation_settings() -> Iterator[Setting]:
    """Yield the settings of the regulations, of licences and approvals, and of what is kept."""
    families = [_("Go ratings") if name == "go" else systems.of(name).label for name in settings.FAMILIES]
    words = ", ".join(str(label) for label in families)
    yield Setting("FAMILIES", _("Systems of points in use, our own first."), words, "BAZA_FAMILIES")
    yield Setting("TIES", _("What tied contestants get."), str(TIES[settings.TIES]))
    yield Setting(
        "PLACE_RULE",
        _("How places of teams and individuals are counted."),
        str(PLACE_RULES[settings.PLACE_RULE]),
    )
    yield Setting(
        "MINIMUM_SHARE",
        _("Share of the scheduled boards that players have to play to earn points."),
        f"{settings.MINIMUM_SHARE} %" if settings.MINIMUM_SHARE else gettext("none is asked for"),
    )
    yield Setting(
        "UNLICENSED_EARN",
        _("Whether players without a licence earn points."),
        _yes_no(settings.UNLICENSED_EARN),
    )
    yield Setting(
        "STANDINGS_LICENSED_ONLY",
        _("Whether the standings list only players with a licence, unless the reader asks for all."),
        _yes_no(settings.STANDINGS_LICENSED_ONLY),
    )
    yield Setting("FIRST_CATEGORY", _("The category proposed for a new player."), settings.FIRST_CATEGORY)
    if len(settings.FAMILIES) > 1:
        yield Setting(
            "BRONZE_DECIMALS",
            _("Decimals of Swedish bronze points won from September 2020 on."),
            str(settings.BRONZE_DECIMALS),
        )
    yield Setting(
        "FEDERATION_SETUP",
        _(
            "During set-up, until the first tournament is confirmed, one person gives first categories "
            "and points."
        ),
        gettext("set-up goes on") if being_set_up() else gettext("set-up is over"),
    )
    yield Setting(
        "CORRECTION_DAYS",
        _("Days in which a club corrects or annuls what it confirmed without a second person."),
        ", ".join(
            f"{event_type_name(kind)}: {_days(days)}" for kind, days in settings.CORRECTION_DAYS.items()
        ),
    )
    yield Setting(
        "APPROVAL_WAITING_DAYS",
        _(
            "Days in which an account approves nothing after a change of its roles, password, address "
            "or player."
        ),
        _days(settings.APPROVAL_WAITING_DAYS),
    )
    yield Setting(
        "CASE_CLUB_DAYS",
        _("Days that a club has to answer a member's case before the office takes over."),
        _days(settings.CASE_CLUB_DAYS),
    )
    yield Setting(
        "KEEP_CONFIRMED_FILES",
        _("How long the uploaded file of a confirmed tournament is kept, from its last day."),
        _days(settings.KEEP_CONFIRMED_FILES),
    )
    yield Setting(
        "KEEP_DISCARDED_FILES",
        _("How long a discarded upload can be taken back."),
        _days(settings.KEEP_DISCARDED_FILES),
    )


def _yes_no(value: bool) -> str:
    return gettext("yes") if value else gettext("no")


def _days(span: Any) -> str:
    number = span.days if isinstance(span, timedelta) else span
    return ngettext("%(number)s day", "%(number)s days", number) % {"number": number}
