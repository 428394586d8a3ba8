"""`make texts` adds and removes messages of the catalogue, and does not change the others."""

from tests.i18n.messages import CATALOGUE, source_messages
from tools.texts import untranslated, updated

HEADER = (
    'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=2; plural=n != 1;\\n"'
)
PLACE = '# Of a ranking.\nmsgctxt "place"\nmsgid "from"\nmsgstr "del"'
UNUSED = 'msgid "Gone"\nmsgstr "Desaparecido"'
KNOWN = 'msgid "Known"\nmsgstr "Conocido"'


def test_new_messages_are_appended_and_unused_ones_removed():
    source = [
        (None, "New “%(name)s”", None),
        (None, "Known", None),
        ("place", "from", None),
        ("day", "from", None),
    ]
    text = "\n\n".join([HEADER, PLACE, UNUSED, KNOWN, PLACE]) + "\n"
    first = '#, python-format\nmsgid "New “%(name)s”"\nmsgstr ""'
    second = 'msgctxt "day"\nmsgid "from"\nmsgstr ""'
    assert updated(text, source) == "\n\n".join([HEADER, PLACE, KNOWN, first, second]) + "\n"


def test_a_new_plural_message_gets_two_empty_forms():
    key = (None, "%(count)s error", "%(count)s errors")
    text = updated(HEADER, [key])
    assert text.endswith('msgid_plural "%(count)s errors"\nmsgstr[0] ""\nmsgstr[1] ""\n')
    assert untranslated(text) == [key]
    assert untranslated(text.replace('[0] ""', '[0] "un error"')) == [key]
    assert untranslated(text.replace('] ""', '] "errores"')) == []


def test_an_up_to_date_catalogue_is_not_changed():
    text = CATALOGUE.read_text(encoding="utf-8")
    assert updated(text, source_messages()) == text
