"""Secrets of webhooks, and the signatures made with them (Standard Webhooks 1.0.0)."""

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable
from hashlib import sha256

from players.sealing import cipher

PREFIX = "whsec_"
RANDOM_BYTES = 32  # the specification wants 24 to 64
PURPOSE = "webhooks"  # of the cipher that encrypts stored secrets


def new_secret() -> str:
    """Return a secret as receivers get it: `whsec_` and random bytes in base64."""
    return PREFIX + b64encode(secrets.token_bytes(RANDOM_BYTES)).decode()


def seal(secret: str) -> str:
    """Return the secret as it is stored, encrypted."""
    return cipher(PURPOSE).encrypt(secret.encode()).decode()


def unseal(stored: str) -> str:
    """Return the secret of a stored one. Raises InvalidToken if SECRET_KEY changed without a fallback."""
    return cipher(PURPOSE).decrypt(stored.encode()).decode()


def signature(keys: Iterable[str], message_id: str, timestamp: int, body: bytes) -> str:
    """Return the header `webhook-signature`: one signature for each secret, separated by spaces.

    keys: the secrets, as `new_secret` returns them
    timestamp: seconds since 1970
    """
    content = f"{message_id}.{timestamp}.".encode() + body
    return " ".join(f"v1,{b64encode(_hmac(secret, content)).decode()}" for secret in keys)


def _hmac(secret: str, content: bytes) -> bytes:
    return hmac.new(b64decode(secret.removeprefix(PREFIX)), content, sha256).digest()
