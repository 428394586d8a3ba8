"""Decode text: the line numbers of undecodable bytes, and how many of them make a file binary."""

import pytest

from tournaments.formats.text import decode

BAD = b"\x81"  # valid neither in Windows-1252 nor in UTF-8


@pytest.mark.parametrize(
    ("before", "line"), [(b"", 1), (b"a", 1), (b"\n", 2), (b"a\nb\n", 3), (b"\n\n\n", 4)]
)
def test_undecodable_bytes_are_reported_with_their_line(before, line):
    (result,) = decode(before + BAD + b"\n\n").issues
    assert (result.code, result.line) == ("undecodable", line)


def test_a_control_character_is_reported_with_its_line():
    (result,) = decode(b"\n\x01" + b"a" * 98).issues
    assert (result.code, result.line) == ("control_characters", 2)


@pytest.mark.parametrize(("letters", "controls", "binary"), [(48, 2, False), (47, 3, True), (0, 1, False)])
def test_more_than_a_few_control_characters_make_a_file_binary(letters, controls, binary):
    text = decode(b"a" * letters + b"\x01" * controls)
    assert ({issue.code for issue in text.issues} == {"binary_file"}) == binary
    assert text.text == (None if binary else "a" * letters)
