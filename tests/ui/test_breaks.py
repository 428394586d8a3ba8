"""Long words get places where they may break; ordinary words, tags and entities stay as they are."""

import pytest
from django.utils.safestring import SafeString

from ui.breaks import with_breaks

LONG = "Wolfeschlegelsteinhausenb"  # 25 letters
BROKEN = "Wolfesch<wbr>legelste<wbr>inhausen<wbr>b"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (LONG, BROKEN),
        (f"{LONG} {LONG}", f"{BROKEN} {BROKEN}"),
        (f'<a href="/{LONG}/">Ana {LONG}</a>', f'<a href="/{LONG}/">Ana {BROKEN}</a>'),
        (f"{LONG}&amp;{LONG}", f"{BROKEN}&amp;{BROKEN}"),
    ],
)
def test_a_long_word_may_break(html, expected):
    broken = with_breaks(SafeString(html))
    assert broken == expected
    assert isinstance(broken, SafeString)


@pytest.mark.parametrize(
    "html",
    [
        LONG[:24],
        "María de los Ángeles Fernández-Villaverde y Fernández-Santacristina",
        "&amp;" * 20,
        f"Ana <b>{LONG[:24]}</b>",
    ],
)
def test_ordinary_words_and_entities_stay_whole(html):
    assert with_breaks(SafeString(html)) == html
