"""A field of forms in which one chooses a club: from a list, or by typing where a list would be too long."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.forms.utils import flatatt
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ui.choices import MOST_CHOICES

from .choosing import MOST, clubs_meant
from .models import Club

ANY = _("any")


class ClubWidget(forms.Select):
    """A `<select>` of clubs, or a text box if there are more than `MOST_CHOICES` of them."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        if not self.is_typed:
            return super().render(name, value, attrs, renderer)
        own = self.build_attrs(self.attrs, attrs)
        classes = own.get("class", "").replace("form-select", "form-control").split()
        own |= {
            "name": name,
            "value": self._text(value),
            "class": " ".join(dict.fromkeys([*classes, "form-control"])),
            "placeholder": self.choices.field.empty_label or "",
            "data-lookup": reverse("clubs_like"),
        }
        return render_to_string("ui/club_box.html", {"attributes": flatatt(own)})

    @property
    def is_typed(self) -> bool:
        return len(self.choices.queryset.order_by()[: MOST_CHOICES + 1]) > MOST_CHOICES

    def _text(self, value: Any) -> str:
        """Return the label of the club that the value names, or what was typed."""
        if value in self.choices.field.empty_values:
            return ""
        column = self.choices.field.to_field_name or "pk"
        try:
            return self.choices.queryset.get(**{column: value}).label
        except (Club.DoesNotExist, ValueError):
            return str(value)


class ClubField(forms.ModelChoiceField):
    """A club. Its value may be that of the `<select>`, a code, or words that only one club has."""

    widget = ClubWidget

    def __init__(self, queryset: QuerySet[Club] | None = None, **options: Any) -> None:
        super().__init__(Club.objects.all() if queryset is None else queryset, **options)

    def to_python(self, value: Any) -> Club | None:
        if value in self.empty_values or not self.widget.is_typed:
            return super().to_python(value)
        meant = clubs_meant(str(value), self.queryset)
        if len(meant) == 1:
            return meant[0]
        if not meant:
            text = gettext("No club to choose has this name or code: “%(text)s”.")
            raise forms.ValidationError(text % {"text": value}, code="invalid_choice")
        labels = " · ".join(club.label for club in meant[:MOST])
        text = gettext("“%(text)s” may be several clubs. Write the code of one of them: %(clubs)s.")
        raise forms.ValidationError(text % {"text": value, "clubs": labels}, code="several")


def filter_field(label: Any, empty_label: Any = ANY) -> ClubField:
    """Return a field that filters by a club, which the address names by its slug."""
    widget = ClubWidget({"class": "form-select"})
    return ClubField(
        label=label, required=False, empty_label=empty_label, to_field_name="slug", widget=widget
    )
