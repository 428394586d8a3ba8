"""Bring the Spanish catalogue up to date with the texts of the source: `make texts`.

New messages are added at the end, without a translation. Messages that the source no longer has are removed.
All others are left unchanged, while `makemessages` would write the whole catalogue in another order.
"""

from collections.abc import Collection
from io import BytesIO

from babel.messages import pofile

from tests.i18n.messages import CATALOGUE, PLACEHOLDERS, Key, key_of, source_messages


def main() -> None:
    source = source_messages()
    old = CATALOGUE.read_text(encoding="utf-8")
    new = updated(old, source)
    if new != old:
        CATALOGUE.write_text(new, encoding="utf-8")
    missing = untranslated(new)
    for key in missing:
        print(f"{source[key]}: {key[1]}")
    print(f"To translate in {CATALOGUE}: {len(missing)}")


def updated(text: str, source: Collection[Key]) -> str:
    """Return the catalogue's text with exactly the messages of the source code, each of them once.

    text: the catalogue as stored
    source: keys of the messages in Python code and templates
    """
    header, *entries = text.rstrip("\n").split("\n\n")
    by_key: dict[Key, str] = {}
    for entry in entries:
        for key, _texts in _messages_of(header, entry):
            if key in source:
                by_key.setdefault(key, entry)
    new = [_entry(key) for key in source if key not in by_key]
    return "\n\n".join([header, *by_key.values(), *new]) + "\n"


def untranslated(text: str) -> list[Key]:
    """Return the keys of the catalogue's messages that lack a translation, or that of a plural form."""
    return [key for key, texts in _messages_of(text) if not all(texts)]


def _messages_of(*parts: str) -> list[tuple[Key, tuple[str, ...]]]:
    catalogue = pofile.read_po(BytesIO("\n\n".join(parts).encode()))
    return [
        (key_of(message), message.string if isinstance(message.string, tuple) else (message.string,))
        for message in catalogue
        if message.id
    ]


def _entry(key: Key) -> str:
    context, singular, plural = key
    lines = (
        ["#, python-format"] if any(sign.startswith("%") for sign in PLACEHOLDERS.findall(singular)) else []
    )
    if context:
        lines.append(f"msgctxt {pofile.normalize(context, width=0)}")
    lines.append(f"msgid {pofile.normalize(singular, width=0)}")
    if plural:
        lines += [f"msgid_plural {pofile.normalize(plural, width=0)}", 'msgstr[0] ""', 'msgstr[1] ""']
    else:
        lines.append('msgstr ""')
    return "\n".join(lines)


if __name__ == "__main__":
    main()
