"""The rules for new passwords beyond Django's own: known ones, and those made of the federation's words.

No rule asks for kinds of characters, and none sends the password, or a part of it, to another host.
"""

import hashlib
import logging
import os
import re
from bisect import bisect_left
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.checks import Error
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from ui.text import fold

logger = logging.getLogger(__name__)
KNOWN = Path(__file__).parent / "known_passwords/digests.bin"
DIGEST_BYTES = 8
# A known password with at most this many digits and signs around it is as easy to guess.
MOST_AROUND = 8
SHORTEST_CORE = 4
# The words that people take for a password here, without accents; also in the plural.
WORDS = (
    "acceso", "admin", "aeb", "arbitro", "asociacion", "auditor", "baza", "blackwood", "bridge",
    "campeonato", "carteo", "categoria", "clasificacion", "clave", "club", "clubs", "comite",
    "contrasena", "contrato", "copa", "corazon", "dealer", "declarante", "diamante", "diamonds",
    "director", "doblo", "dummy", "duplicado", "entrar", "equipo", "espanola", "federacion",
    "federation", "gran", "hearts", "hola", "jugador", "licencia", "liga", "mano", "mesa", "muerto",
    "notrump", "oficina", "pareja", "partner", "password", "pequeno", "pica", "picas", "player",
    "points", "puntos", "ranking", "redoblo", "ronda", "secreto", "sintriunfo", "slam", "spades",
    "stayman", "subasta", "tablero", "team", "torneo", "trebol", "trick", "triunfo", "trump", "usuario",
    "vulnerable",
)  # fmt: skip
# Letters that digits and signs are written for.
AS_LETTERS = str.maketrans("013457@$!", "oieastasi")
YEAR = re.compile(r"(?:19|20)\d\d")
# What has to be left of a password without the words above and a year.
FEWEST_LEFT = 7
HASH_LINE = re.compile(rb"[0-9A-F]{40}(:\d+)?\r?\n?")


def digest_of(password: str) -> bytes:
    """Return the digest by which the list knows a password, in small letters."""
    return hashlib.blake2b(password.encode(), digest_size=DIGEST_BYTES).digest()


@cache
def _known_digests() -> bytes:
    return KNOWN.read_bytes()


@cache
def _common() -> set[str]:
    return CommonPasswordValidator().passwords


def is_known(password: str) -> bool:
    """Return whether a password, in small letters, is on Django's list or on ours."""
    if password in _common():
        return True
    digests, digest = _known_digests(), digest_of(password)

    def at(place: int) -> bytes:
        return digests[place * DIGEST_BYTES : (place + 1) * DIGEST_BYTES]

    count = len(digests) // DIGEST_BYTES
    return at(bisect_left(range(count), digest, key=at)) == digest


def _repeated(text: str) -> str:
    """Return what the text repeats: 'abab' -> 'ab'; the text itself if it repeats nothing."""
    length = (text + text).find(text, 1)
    return text[:length]


class KnownPasswordValidator:
    """Refuse passwords that everybody tries first: known from leaks, also repeated or with digits around."""

    def validate(self, password: str, user=None) -> None:
        """Raise ValidationError for a known password."""
        small = password.casefold()
        core = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", small)
        around = len(small) - len(core)
        near = len(core) >= SHORTEST_CORE and around <= MOST_AROUND and is_known(core)
        if near or is_known(small) or is_known(_repeated(small)):
            raise ValidationError(
                _(
                    "This password is one of those that are tried first: a common one, perhaps with digits "
                    "or signs around it. Choose another, such as four words that do not belong together."
                ),
                code="password_known",
            )

    def get_help_text(self) -> str:
        """Return the rule in words."""
        return _("Not a common password, also not with digits or signs around it.")


class FederationWordsValidator:
    """Refuse passwords that are words of bridge or of the federation, with a year or some digits."""

    def validate(self, password: str, user=None) -> None:
        """Raise ValidationError if little is left of the password without these words."""
        plain = fold(password)
        # In a text such as "bridge2026" digits are digits, in "br1dg3" they are letters.
        if min(_left_of(plain), _left_of(plain.translate(AS_LETTERS))) < FEWEST_LEFT:
            raise ValidationError(
                _(
                    "This password is made of words of bridge or of the federation, which are easy to guess. "
                    "Choose another, such as four words that do not belong together."
                ),
                code="password_federation_words",
            )

    def get_help_text(self) -> str:
        """Return the rule in words."""
        return _("Not made of words of bridge or of the federation alone.")


@cache
def _words() -> re.Pattern[str]:
    names = [word for word in fold(settings.FEDERATION_NAME).split() if len(word) > 2]
    longest_first = sorted({*WORDS, *names}, key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, longest_first))})(?:es|s)?")


def _left_of(text: str) -> int:
    """Return how many characters are left without words of the federation and years."""
    return len(YEAR.sub("", _words().sub("", text)))


class BreachedPasswordValidator:
    """Refuse passwords of the file `settings.BREACHED_PASSWORDS`; without one, accept all.

    The file has the SHA-1 digests of passwords in capitals, in ascending order, one a line, each with `:` and
    a count behind it if the file is a download of Pwned Passwords.
    """

    def validate(self, password: str, user=None) -> None:
        """Raise ValidationError if the file has the password."""
        path = settings.BREACHED_PASSWORDS
        if not path:
            return
        digest = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper().encode()
        try:
            breached = has_line(path, digest)
        except OSError:
            # The other rules hold without it: nobody who chooses a password has to wait for the operator.
            logger.exception("BAZA_BREACHED_PASSWORDS could not be read: a password was accepted without it")
            return
        if breached:
            raise ValidationError(
                _(
                    "This password has been published after a theft of data from another site. Choose "
                    "another here, and change it wherever you use it."
                ),
                code="password_breached",
            )

    def get_help_text(self) -> str:
        """Return the rule in words; nothing without a file."""
        return _("Not one that was stolen from another site.") if settings.BREACHED_PASSWORDS else ""


def has_line(path: str, start: bytes) -> bool:
    """Return whether a sorted file has a line that begins with these bytes, by reading a few blocks of it."""
    with open(path, "rb") as file:
        low, high = 0, file.seek(0, os.SEEK_END)
        # The line that is looked for begins at `low` or later, and before `high`.
        while low < high:
            middle = (low + high) // 2
            file.seek(max(middle - 1, low))
            if middle > low:
                file.readline()  # the rest of a line that began before `middle`
            begins, line = file.tell(), file.readline()
            if not line or begins >= high or line[: len(start)] > start:
                high = middle
            elif line.startswith(start):
                return True
            else:
                low = file.tell()
    return False


def check_breached_file(app_configs, **_kwargs) -> list[Error]:
    """Report a file of breached passwords that cannot be read, or that is none."""
    path = settings.BREACHED_PASSWORDS
    if not path:
        return []
    try:
        with open(path, "rb") as file:
            if HASH_LINE.fullmatch(file.readline(100)):
                return []
            reason = "its first line is no SHA-1 digest in capitals"
    except OSError as error:
        reason = str(error.strerror)
    return [Error(f"BAZA_BREACHED_PASSWORDS, {path}: {reason}", id="federation.E001")]
