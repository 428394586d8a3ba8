"""Tables of persons, their licences and the journal of the register."""

from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.models import Licence, LicenceState
from players.models.changes import RecordChange
from players.services.persons import change_in_words
from ui.columns import DateColumn, PlayerColumn
from ui.formatting import format_date
from ui.tables import BaseTable


class PersonTable(BaseTable):
    """The persons that a search found. Records come from `queries.persons.records`."""

    caption = _("Persons")
    row_header = "name"
    key_column = "number"
    empty_text = _("Nobody fits.")

    name = PlayerColumn(verbose_name=_("Name"))
    number = tables.Column(verbose_name=_("Number"))
    club = tables.Column(verbose_name=_("Club"), default="—")
    state = tables.Column(verbose_name=_("Licence"))
    birth_year = tables.Column(verbose_name=_("Born in"), default="—")
    account = tables.Column(verbose_name=_("Account"), default="—")
    how = tables.Column(verbose_name=_("Found by"), default=_("name"))

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    def render_number(self, value: str, record: dict[str, Any]) -> str:
        if not record["kept"]:
            return value
        return gettext("%(number)s, merged into %(kept)s") % {"number": value, "kept": record["kept"]}

    def render_state(self, value: LicenceState, record: dict[str, Any]) -> SafeString:
        light = format_html('<span class="light light-{}">{}</span>', value.value, value.label)
        if value != LicenceState.VALID or not record["until"]:
            return light
        day = format_date(record["until"], get_language())
        return format_html("{} {}", light, gettext("until %(day)s") % {"day": day})


class PersonLicenceTable(BaseTable):
    """The licences of a person. Records are `Licence`s."""

    caption = _("Licences")
    row_header = "valid_from"
    empty_text = _("No licence.")

    valid_from = DateColumn(verbose_name=_("From"))
    valid_to = DateColumn(verbose_name=_("Until"))
    issuer = tables.Column(verbose_name=_("Federation"), empty_values=())
    correct = tables.Column(verbose_name=_("Correct"), empty_values=(), accessor="pk")

    def __init__(self, *args: Any, number: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.number = number

    def render_issuer(self, record: Licence) -> str:
        if not record.issuer:
            return gettext("ours")
        text = gettext("%(issuer)s, counts") if record.equivalent else gettext("%(issuer)s, does not count")
        return text % {"issuer": record.issuer}

    def render_correct(self, record: Licence) -> SafeString:
        day = format_date(record.valid_from, get_language())
        return format_html(
            '<a href="{}">{}<span class="visually-hidden">: {}</span></a>',
            reverse("person_licence", args=[self.number, record.pk]),
            gettext("Correct or remove"),
            day,
        )


class ChangeTable(BaseTable):
    """A part of the journal of the register, latest first. Records are `PlayerChange`s or its likes.

    sees_private: whether the reader sees e-mail addresses and years of birth
    """

    caption = _("History of changes, latest first")
    row_header = "what"
    empty_text = _("Nothing has been changed here since the history is kept.")

    at = DateColumn(verbose_name=_("Day"))
    what = tables.Column(verbose_name=_("What"), empty_values=(), accessor="after")
    reason = tables.Column(verbose_name=_("Reason"), default="—")
    by = tables.Column(verbose_name=_("Who"), empty_values=())

    class Meta(BaseTable.Meta):
        attrs = {"class": "baza prose"}

    def __init__(self, *args: Any, sees_private: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sees_private = sees_private

    def render_what(self, record: Any) -> SafeString:
        lines = change_in_words(record.before, record.after, sees_private=self.sees_private)
        content = format_html_join("", "<div>{}</div>", ((line,) for line in lines))
        return format_html("<div><strong>{}</strong>{}</div>", heading_of(record), content)

    def render_by(self, record: Any) -> SafeString | str:
        if record.by is None:
            return gettext("command line")
        if record.proposal is None:
            return record.by.get_username()
        names = {"by": record.by.get_username(), "prepared_by": record.proposal.prepared_by.get_username()}
        text = gettext("%(by)s approved what %(prepared_by)s prepared") % names
        return format_html('<a href="{}">{}</a>', record.proposal.get_absolute_url(), text)


class RecentChangeTable(ChangeTable):
    """The journal of all players, latest first. Records are `PlayerChange`s."""

    caption = _("Latest changes")
    row_header = "number"

    number = tables.Column(verbose_name=_("Person"), linkify=("person", {"number": tables.A("number")}))

    class Meta(ChangeTable.Meta):
        sequence = ("at", "number", "what", "reason", "by")


def heading_of(record: RecordChange) -> str:
    """Return what a line of the journal is about, such as "Licence removed, imported list"."""
    kind = getattr(record, "kind", "")
    if not kind:
        return gettext("Added") if not record.before else gettext("Changed")
    if not (record.before or record.after):
        return gettext("Erased")
    texts = {
        "added": (gettext("Added to the register"), gettext("Removed from the register")),
        "licence": (gettext("Licence added"), gettext("Licence removed")),
    }
    if kind in texts and not (record.before and record.after):
        text = texts[kind][not record.after]
    else:
        text = gettext("Licence corrected") if kind == "licence" else gettext("Entry changed")
    if record.source == "office":
        return text
    return f"{text}, {record.get_source_display()}"
