"""Signed notes and checkpoints (C2SP signed-note, tlog-checkpoint and tlog-cosignature).

A checkpoint is a signed note with the origin, the size and the root of a log. The log signs it; witnesses
cosign it with the time.
"""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519, COSIGNATURE = b"\x01", b"\x04"  # types of signatures
_ID, _TIME, _SIGNATURE = 4, 8, 64  # bytes


class InvalidNote(Exception):
    """A text that is no signed note, no checkpoint or no key."""


@dataclass(frozen=True, slots=True)
class Verifier:
    """A public key with its name, written `name+key id+key` ("vkey").

    kind: ED25519 for logs, COSIGNATURE for witnesses
    """

    name: str
    kind: bytes
    public: bytes

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a vkey. Raise InvalidNote."""
        name, _plus, rest = text.strip().partition("+")
        key_id, _plus, encoded = rest.partition("+")
        key = _decoded(encoded)
        verifier = cls(name, key[:1], key[1:])
        if not _is_name(name) or len(key) != 33 or key[:1] not in (ED25519, COSIGNATURE):
            raise InvalidNote(f"not a verifying key: {text!r}")
        if verifier.key_id.hex() != key_id:
            raise InvalidNote(f"the id of the key does not fit it: {text!r}")
        return verifier

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{_encoded(self.kind + self.public)}"

    @property
    def key_id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + self.kind + self.public).digest()[:_ID]

    def verifies(self, body: str, line: "Signature") -> bool:
        """Return whether a signature line of this key signs the body of a note."""
        signed = body.encode()
        if self.kind == COSIGNATURE:
            signed = _cosigned(body, int.from_bytes(line.signature[:_TIME], "big"))
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(line.signature[-_SIGNATURE:], signed)
        except (InvalidSignature, ValueError):
            return False
        return len(line.signature) == _SIGNATURE + (_TIME if self.kind == COSIGNATURE else 0)


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature line of a note. `signature` is what follows the id of the key."""

    name: str
    key_id: bytes
    signature: bytes

    def __str__(self) -> str:
        return f"— {self.name} {_encoded(self.key_id + self.signature)}\n"

    @property
    def time(self) -> int:
        """The time of a cosignature, in seconds since 1970."""
        return int.from_bytes(self.signature[:_TIME], "big")


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key with its name, written `PRIVATE+KEY+name+key id+key`."""

    name: str
    private: bytes

    @classmethod
    def generate(cls, name: str) -> Self:
        """Make a new key. Raise InvalidNote if notes cannot have this name."""
        if not _is_name(name):
            raise InvalidNote(f"a name has no spaces and no plus: {name!r}")
        return cls(name, Ed25519PrivateKey.generate().private_bytes_raw())

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a private key. Raise InvalidNote, without the text, which is a secret."""
        parts = text.strip().split("+", 4)
        if len(parts) != 5 or parts[:2] != ["PRIVATE", "KEY"] or not _is_name(parts[2]):
            raise InvalidNote("not a private key PRIVATE+KEY+name+id+key")
        try:
            key = _decoded(parts[4])
        except InvalidNote:
            key = b""
        if len(key) != 33 or key[:1] != ED25519:
            raise InvalidNote("not a private key of Ed25519")
        signer = cls(parts[2], key[1:])
        if signer.verifier().key_id.hex() != parts[3]:
            raise InvalidNote("the id of the private key does not fit it")
        return signer

    def __str__(self) -> str:
        return f"PRIVATE+KEY+{self.name}+{self.verifier().key_id.hex()}+{_encoded(ED25519 + self.private)}"

    def __repr__(self) -> str:
        return f"Signer({self.name})"  # keeps the key out of logs

    def verifier(self, kind: bytes = ED25519) -> Verifier:
        return Verifier(self.name, kind, self._key().public_key().public_bytes_raw())

    def sign(self, body: str) -> Signature:
        """Sign the body of a note, which ends with a newline."""
        return Signature(self.name, self.verifier().key_id, self._key().sign(body.encode()))

    def cosign(self, body: str, time: int) -> Signature:
        """Cosign a checkpoint as a witness. `time` is in seconds since 1970."""
        signature = self._key().sign(_cosigned(body, time))
        stamped = time.to_bytes(_TIME, "big") + signature
        return Signature(self.name, self.verifier(COSIGNATURE).key_id, stamped)

    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.private)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The origin, size and root of a log, with the signatures of a note that says so."""

    origin: str
    size: int
    root: bytes
    signatures: tuple[Signature, ...] = ()
    extensions: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a checkpoint. Raise InvalidNote."""
        body, blank, rest = text.rpartition("\n\n")
        lines = body.split("\n")
        if (
            not blank
            or len(lines) < 3
            or not all(lines)
            or any(ord(sign) < 32 for sign in body if sign != "\n")
        ):
            raise InvalidNote("not a checkpoint: origin, size, root, an empty line and signatures")
        origin, size, root = lines[:3]
        if not (size.isascii() and size.isdecimal() and len(size) < 19) or (size[0] == "0" and size != "0"):
            raise InvalidNote(f"not the size of a log: {size!r}")
        if len(digest := _decoded(root)) != 32:
            raise InvalidNote(f"not a root: {root!r}")
        return cls(origin, int(size), digest, signatures_of(rest), tuple(lines[3:]))

    @property
    def body(self) -> str:
        lines = [self.origin, str(self.size), _encoded(self.root), *self.extensions]
        return "".join(f"{line}\n" for line in lines)

    def __str__(self) -> str:
        return self.body + "\n" + "".join(map(str, self.signatures))

    def signed_by(self, verifiers: Sequence[Verifier]) -> list[Verifier]:
        """Return which of these keys signed the checkpoint.

        Raise InvalidNote if a signature claims to be of one of them and is not.
        """
        known = {(verifier.name, verifier.key_id): verifier for verifier in verifiers}
        signed = []
        for line in self.signatures:
            verifier = known.get((line.name, line.key_id))
            if verifier is None:
                continue
            if not verifier.verifies(self.body, line):
                raise InvalidNote(f"the signature of {line.name} is wrong")
            signed.append(verifier)
        return signed


def signatures_of(text: str) -> tuple[Signature, ...]:
    """Read signature lines. Raise InvalidNote."""
    lines = text.split("\n")
    if lines[-1] != "" or len(lines) < 2 or len(lines) > 101:
        raise InvalidNote("a note ends with 1 to 100 lines of signatures")
    signatures = []
    for line in lines[:-1]:
        dash, _space, rest = line.partition(" ")
        name, _space, encoded = rest.partition(" ")
        key = _decoded(encoded)
        if dash != "—" or not _is_name(name) or len(key) <= _ID:
            raise InvalidNote(f"not a signature: {line!r}")
        signatures.append(Signature(name, key[:_ID], key[_ID:]))
    return tuple(signatures)


def _cosigned(body: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{body}".encode()


def _is_name(name: str) -> bool:
    return bool(name) and "+" not in name and not any(sign.isspace() or ord(sign) < 32 for sign in name)


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidNote(f"not base64: {text!r}") from None
