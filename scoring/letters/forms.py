"""The form of which notices come by e-mail."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from scoring.letters.choices import choices_of, choose, offered_to
from scoring.letters.models import Delivery, Reader


class ChoicesForm(forms.Form):
    """For each kind of notice offered to an account: no e-mail, at once, or weekly. And the language.

    kinds: the kinds, in the order of the rows
    """

    language = forms.ChoiceField(
        label=_("Language of the e-mails"),
        choices=settings.LANGUAGES,
        widget=forms.Select(attrs={"class": "form-select"}),
    )

    def __init__(self, account: User, data: Any = None) -> None:
        reader = Reader.objects.filter(account=account).first()
        language = reader.language if reader else settings.LANGUAGE_CODE
        super().__init__(data, initial={"language": language})
        self.account, self.kinds, chosen = account, offered_to(account), choices_of(account)
        for kind in self.kinds:
            self.fields[kind.code] = forms.ChoiceField(
                label=kind.label,
                choices=Delivery,
                initial=chosen[kind.code],
                widget=forms.RadioSelect(
                    attrs={"class": "form-check-input", "aria-describedby": f"kind-{kind.code}"}
                ),
            )

    def rows(self) -> list[forms.BoundField]:
        """Return the fields of the kinds, each a row of the table."""
        return [self[kind.code] for kind in self.kinds]

    def save(self) -> None:
        """Store the choices and the language."""
        choose(self.account, {kind.code: self.cleaned_data[kind.code] for kind in self.kinds})
        language = {"language": self.cleaned_data["language"]}
        Reader.objects.update_or_create(account=self.account, defaults=language)
