"""What can be done with a webhook, each act with the question that its page asks first."""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.webhooks import services
from scoring.webhooks.models import Webhook


@dataclass(frozen=True, slots=True)
class Act:
    """One act.

    perform: does it in the name of an account; may raise ValidationError, and returns the new secret if it
        makes one
    label: the text of the button
    question: the heading, with the name of the server
    what_happens: the consequences, in two or three sentences
    done: the message afterwards
    harmless: whether it can be undone, or ends nothing
    """

    perform: Callable[[Webhook, User], object]
    label: Promise
    question: Promise
    what_happens: Promise
    done: Promise
    harmless: bool = True


# By the last part of the page's address.
ACTS: dict[str, Act] = {
    "probar": Act(
        lambda webhook, _by: services.send_test(webhook),
        _("Send a test"),
        _("Send a test to %(server)s"),
        _("A message of the type “test” is sent within a few seconds. The page then shows the answer."),
        _("The test is on its way: load the page again in a few seconds to see the answer."),
    ),
    "reenviar": Act(
        lambda webhook, _by: services.send_again(webhook),
        _("Send again what did not arrive"),
        _("Send again to %(server)s what did not arrive"),
        _(
            "The messages of the last 30 days that were given up are sent again, the oldest first. They keep "
            "their identifiers, so the program that receives them can ignore those that it has had."
        ),
        _("The messages are on their way: load the page again in a few seconds to see the answers."),
    ),
    "secreto": Act(
        services.renew_secret,
        _("Make a new secret"),
        _("Make a new secret for %(server)s"),
        _(
            "The page shows the new secret once. For 24 hours messages are signed with the former one, too, "
            "so that the program that receives them can be changed in the meantime."
        ),
        _("The new secret is made."),
    ),
    "desactivar": Act(
        lambda webhook, by: services.disable(webhook, Webhook.Stop.PERSON, by),
        _("Disable"),
        _("Disable the webhook of %(server)s"),
        _("Nothing is sent any more, nor what waits to be sent. It can be enabled again."),
        _("The webhook is disabled."),
        harmless=False,
    ),
    "activar": Act(
        services.enable,
        _("Enable"),
        _("Enable the webhook of %(server)s"),
        _(
            "What happens from now on is sent. What happened while it was disabled is not; what did not "
            "arrive before can be sent again."
        ),
        _("The webhook is enabled."),
    ),
    "borrar": Act(
        services.delete,
        _("Delete"),
        _("Delete the webhook of %(server)s"),
        _("Nothing is sent any more, and the record of its deliveries is deleted. This cannot be undone."),
        _("The webhook is deleted."),
        harmless=False,
    ),
}
