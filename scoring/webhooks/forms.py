"""The form that adds a webhook."""

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.webhooks.addresses import Undelivered, target_of
from scoring.webhooks.models import Delivery, Webhook
from scoring.webhooks.owners import Owner

RESOLVE_SECONDS = 3.0  # how long the form waits for the name of the server


class WebhookForm(forms.Form):
    """The address and the events of a new webhook. The address is resolved, as before each message."""

    url = forms.CharField(
        label=_("Address"),
        max_length=Webhook._meta.get_field("url").max_length,
        help_text=_("It begins with https:// and its server can be reached from the internet."),
    )
    events = forms.MultipleChoiceField(
        label=_("Tell it when"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Tick at least one.")},
    )

    def __init__(self, *args, owner: Owner, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["events"].choices = [(event.value, event.label) for event in owner.events]

    def clean_url(self) -> str:
        url = self.cleaned_data["url"]
        try:
            target_of(url, RESOLVE_SECONDS)
        except Undelivered as error:
            text = _("This address cannot be used: %(reason)s.")
            raise forms.ValidationError(text % {"reason": Delivery.Problem(error.problem).label}) from error
        return url
