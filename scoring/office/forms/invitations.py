"""Filter the members whom the office invites to make an account."""

from datetime import date

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from players.club_fields import filter_field
from players.models import Category
from players.services.sign_in import normal_number
from scoring.office.queries.invitations import ADDRESSES, LICENCES, STATES, WITHOUT, InvitationFilter


class InvitationFilterForm(forms.Form):
    """The filters, in the address of the page and in the forms that act on the members listed."""

    q = forms.CharField(label=_("Number"), max_length=20, required=False)
    club = filter_field(_("of the club"))
    categoria = forms.ChoiceField(label=_("of category"), required=False)
    licencia = forms.ChoiceField(
        label=_("Licence"), choices=[("", _("with or without")), *LICENCES.items()], required=False
    )
    estado = forms.ChoiceField(
        label=_("Show those"), choices=[("", _("all")), *STATES.items()], required=False, initial=WITHOUT
    )
    correo = forms.ChoiceField(
        label=_("E-mail address"), choices=[("", _("with or without")), *ADDRESSES.items()], required=False
    )

    def __init__(self, data: QueryDict, *, day: date) -> None:
        super().__init__(data if "estado" in data else {**data.dict(), "estado": WITHOUT})
        self.categories = {category.code: category for category in Category.objects.on(day)}
        for form_field in self.fields.values():
            is_text = not isinstance(form_field.widget, forms.Select)
            form_field.widget.attrs["class"] = "form-control" if is_text else "form-select"
        self.fields["categoria"].choices = [("", _("any")), *((code, code) for code in self.categories)]

    def filters(self) -> InvitationFilter:
        """Return the filters. A value that is not offered counts as left out."""
        self.full_clean()
        values = self.cleaned_data
        return InvitationFilter(
            normal_number(values.get("q", "")),
            values.get("club"),
            self.categories.get(values.get("categoria", "")),
            values.get("estado", ""),
            values.get("correo", ""),
            values.get("licencia", ""),
        )

    def hidden(self) -> list[tuple[str, str]]:
        """Return names and values of the chosen filters, for the hidden fields of the acts."""
        values = {name: str(self[name].value() or "") for name in self.fields}
        return [(name, value) for name, value in values.items() if value or name == "estado"]


class ActForm(forms.Form):
    """An act on the members listed.

    number: how many members the button named
    again: whether to print also for members whose code still works
    """

    number = forms.IntegerField(min_value=0)
    again = forms.BooleanField(required=False)
