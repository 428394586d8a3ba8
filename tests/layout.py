"""Drop the white space of a template's layout from a page: no reader sees it, and no test depends on it."""

import re

BLOCKS = (
    "address|article|aside|body|br|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h1|h2|h3|"
    "head|header|html|legend|li|link|main|meta|nav|noscript|ol|optgroup|option|p|section|select|summary|table|"
    "tbody|td|tfoot|th|thead|title|tr|ul"
)
INLINES = "a|button|code|em|label|span|strong"
BLOCK = rf"</?(?:{BLOCKS})\b[^>]*>"
# White space counts in these, and only there.
AS_WRITTEN = re.compile(r"(<(pre|textarea|script|style)\b.*?</\2>)", re.S)
STEPS = [
    (re.compile(r"[ \t\r\n\f]+"), " "),  # not the blank that keeps words together
    (re.compile(r" >"), ">"),
    (re.compile(rf" ?({BLOCK}) ?"), r"\1"),
    # What begins or ends a block does so inside a link or emphasis too, and a button is a block inside.
    (re.compile(rf"((?:{BLOCK})(?:<(?:{INLINES})\b[^>]*>)+) "), r"\1"),
    (re.compile(rf" ((?:</(?:{INLINES})>)+(?={BLOCK}))"), r"\1"),
    (re.compile(r'(<(?:button\b|a [^>]*class="btn)[^>]*>) '), r"\1"),
    (re.compile(r" (</button>)"), r"\1"),
]


def squeezed(html: str) -> str:
    """Drop white space at the edges of blocks; elsewhere a run of it becomes one blank."""
    parts = AS_WRITTEN.split(html)
    parts[2::3] = [""] * len(parts[2::3])  # only the names of those elements
    parts[::3] = map(_squeeze, parts[::3])
    return "".join(parts)


def _squeeze(text: str) -> str:
    for pattern, replacement in STEPS:
        text = pattern.sub(replacement, text)
    return text
