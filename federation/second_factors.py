"""allauth's adapter for second factors: how their secrets are stored, and their texts."""

import ipaddress

from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.sealing import cipher

LOCAL = "localhost"
PURPOSE = "second factors"  # of the cipher that encrypts their secrets


class SecondFactorAdapter(DefaultMFAAdapter):
    """allauth's adapter with secrets encrypted in the database, and our own error messages."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("That did not work: try again, with the passkey of this account."),
    }

    def get_totp_issuer(self) -> str:
        """Return the name under which apps list the account."""
        return settings.FEDERATION_NAME

    def encrypt(self, text: str) -> str:
        """Encrypt a secret with a key derived from SECRET_KEY, so that a backup alone reveals none."""
        return cipher(PURPOSE).encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt a secret. Raises InvalidToken if SECRET_KEY changed and its fallbacks lack the old key."""
        return cipher(PURPOSE).decrypt(encrypted_text.encode()).decode()

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return the name of the site, to which passkeys are bound, and of the federation."""
        return {**super().get_public_key_credential_rp_entity(), "name": settings.FEDERATION_NAME}


def address_for_passkeys(request: HttpRequest) -> str:
    """Return the address at which this page has to be opened for passkeys; "" if this one will do.

    Browsers offer passkeys only to sites with a name, and only over HTTPS, except on the same machine.
    """
    host = request.get_host().partition(":")[0]
    if host == LOCAL or (request.is_secure() and not _is_bare(request)):
        return ""
    return f"{settings.SITE_ADDRESS}{request.get_full_path()}"


def _is_bare(request: HttpRequest) -> bool:
    """Whether the page was opened by an IP address instead of a name."""
    host = request.get_host()
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
