"""Normalise the white space of HTML, so that tests do not depend on the layout of templates."""

import re

BLOCKS = (
    "address|article|aside|body|br|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h1|h2|h3|"
    "head|header|html|legend|li|link|main|meta|nav|noscript|ol|optgroup|option|p|section|select|summary|table|"
    "tbody|td|tfoot|th|thead|title|tr|ul"
)
INLINES = "a|button|code|em|label|span|strong"
BLOCK = rf"</?(?:{BLOCKS})\b[^>]*>"
# Elements in which white space matters.
AS_WRITTEN = re.compile(r"(<(pre|textarea|script|style)\b.*?</\2>)", re.S)
STEPS = [
    (re.compile(r"[ \t\r\n\f]+"), " "),  # without the no-break space
    (re.compile(r" >"), ">"),
    (re.compile(rf" ?({BLOCK}) ?"), r"\1"),
    # Treat a block's edge inside a link or emphasis like the block's own edge. A button counts as a block.
    (re.compile(rf"((?:{BLOCK})(?:<(?:{INLINES})\b[^>]*>)+) "), r"\1"),
    (re.compile(rf" ((?:</(?:{INLINES})>)+(?={BLOCK}))"), r"\1"),
    (re.compile(r'(<(?:button\b|a [^>]*class="btn)[^>]*>) '), r"\1"),
    (re.compile(r" (</button>)"), r"\1"),
]


def squeezed(html: str) -> str:
    """Remove white space at the edges of blocks, and reduce other white space to one space."""
    parts = AS_WRITTEN.split(html)
    # The regular expression also captures the names of those elements: drop them.
    parts[2::3] = [""] * len(parts[2::3])
    parts[::3] = map(_squeeze, parts[::3])
    return "".join(parts)


def _squeeze(text: str) -> str:
    for pattern, replacement in STEPS:
        text = pattern.sub(replacement, text)
    return text
