"""Send an invitation by e-mail, or make the page to print where the site sends none."""

from smtplib import SMTPException

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from players.models import Club, Invitation
from players.services import invitations


def send(request: HttpRequest, club: Club, email: str, role: str) -> Invitation:
    """Send the letter, and return the invitation.

    Raises ValidationError, and stores no invitation, if the mail server refuses it.
    """
    try:
        with transaction.atomic():
            invitation, code = invitations.invite(club, email, request.user, by_mail=True, role=role)
            link = request.build_absolute_uri(reverse("invitation", args=[code]))
            context = {"invitation": invitation, "link": link, "federation": settings.FEDERATION_NAME}
            get_adapter().send_mail("account/email/invitation", invitation.email, context)
    except (SMTPException, OSError) as error:
        text = _("The e-mail could not be sent: try again in a while. Nobody was invited.")
        raise ValidationError(text, code="mail") from error
    return invitation


def printed(request: HttpRequest, club: Club, email: str, role: str) -> dict:
    """Store an invitation, and return the template context of the page to print. Raises ValidationError."""
    invitation, code = invitations.invite(club, email, request.user, by_mail=False, role=role)
    return {
        "invitation": invitation,
        "code": invitations.in_groups(code),
        "address": request.build_absolute_uri(reverse("invitation_code")),
    }
