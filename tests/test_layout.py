"""`tests.layout.squeezed` removes white space used for layout, and keeps the spaces that readers see."""

import pytest

from tests.layout import squeezed


@pytest.mark.parametrize(
    ("html", "same"),
    [
        ("<ul>\n  <li>\n    one two\n  </li>\n</ul>", "<ul><li>one two</li></ul>"),
        ("<p>\n  <strong>\n    a\n  </strong>\n</p>", "<p><strong>a</strong></p>"),
        ("<p>\n  <a href='/'>a</a>,\n  b\n</p>", "<p><a href='/'>a</a>, b</p>"),
        ("<p>a\n  <strong>b</strong>\n  c</p>", "<p>a <strong>b</strong> c</p>"),
        ("<th scope='col'\n    class='num'\n    >Points</th>", "<th scope='col' class='num'>Points</th>"),
        ("<button>\n  Send\n</button>", "<button>Send</button>"),
        ("<p>57,5\u00a0%\n</p>", "<p>57,5\u00a0%</p>"),
        ("<p>a\nb</p><textarea>\n a\n  b</textarea>", "<p>a b</p><textarea>\n a\n  b</textarea>"),
    ],
)
def test_layout_is_removed_but_spaces_between_words_are_kept(html, same):
    assert squeezed(html) == same


def test_pages_of_the_test_client_have_no_layout(client, db):
    assert "\n  " not in client.get("/ayuda/").content.decode().split("</head>")[1]
