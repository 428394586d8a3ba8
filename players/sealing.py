"""Encrypt secrets that the database keeps and the application has to read again."""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac


def cipher(purpose: str) -> MultiFernet:
    """Return the cipher of a purpose, with keys derived from SECRET_KEY and its fallbacks.

    So a backup alone reveals no secret. Decrypting raises InvalidToken if the key of a secret is no longer
    among them.
    """
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [salted_hmac(purpose, "", secret=key, algorithm="sha256").digest() for key in keys]
    return MultiFernet([Fernet(urlsafe_b64encode(digest)) for digest in digests])
