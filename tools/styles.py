"""Cut Bootstrap's style sheet to the rules that our pages use: `make css`.

A rule is kept if all classes of one of its selectors occur in our templates, in crispy's templates of forms,
or in our Python and JavaScript. Rules for elements are kept. Variables that no kept rule reads are left out.
The result is committed, with its row in `static/vendor/VERSIONS.md`; a test compares it.
"""

import ast
import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import crispy_bootstrap5

ROOT = Path(__file__).resolve().parent.parent
FULL = ROOT / "tools/bootstrap/bootstrap.min.css"
CUT = ROOT / "static/vendor/bootstrap/bootstrap.cut.css"
VERSIONS = ROOT / "static/vendor/VERSIONS.md"
PYTHON = ("federation", "ui", "players", "tournaments", "scoring")
CRISPY = Path(crispy_bootstrap5.__file__).parent / "templates/bootstrap5"
# Crispy's templates that `{{ form|crispy }}` and `{{ field|as_crispy_field }}` render.
CRISPY_TEMPLATES = (
    "field.html",
    "uni_form.html",
    "layout/field_errors.html",
    "layout/field_errors_block.html",
    "layout/field_file.html",
    "layout/help_text.html",
    "layout/help_text_and_errors.html",
    "layout/radio_checkbox_select.html",
)
WORD = re.compile(r"[A-Za-z][\w-]*")
CLASS = re.compile(r"\.((?:\\.|[\w-])+)")
VARIABLE = re.compile(r"var\((--bs-[\w-]+)")
DECLARED = re.compile(r"(--bs-[\w-]+):")


# --- The classes in use -----------------------------------------------------------------------------------
def used_classes() -> set[str]:
    """Return every word that our pages may use as a class. Some are none."""
    used: set[str] = set()
    for path in sorted((ROOT / "templates").rglob("*.html")):
        used |= _in_markup(path.read_text(encoding="utf-8"))
    for name in CRISPY_TEMPLATES:
        used.update(WORD.findall((CRISPY / name).read_text(encoding="utf-8")))
    for folder in PYTHON:
        for path in sorted((ROOT / folder).rglob("*.py")):
            used |= _in_python(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "static/js").glob("*.js")):
        used.update(WORD.findall(" ".join(re.findall(r'"([^"]*)"', path.read_text(encoding="utf-8")))))
    return used


def _in_markup(text: str) -> set[str]:
    """Return the words in the class attributes of a template, whichever branch of a tag they stand in."""
    plain = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", " ", text, flags=re.DOTALL)
    words = re.findall(r'class="([^"]*)"', plain)
    # Words in the tags too: {% if … %}own{% endif %} is plain, but {% firstof "btn-primary" … %} is not.
    words += re.findall(r'"([a-z-]+)"', " ".join(re.findall(r"\{%.*?%\}", text, flags=re.DOTALL)))
    return set(WORD.findall(" ".join(words)))


def _in_python(text: str) -> set[str]:
    """Return the words of string literals that can be classes: those with a hyphen, and values of "class"."""
    words = set(WORD.findall(" ".join(re.findall(r'"class": f?"([^"]*)"', text))))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words.update(word for word in WORD.findall(node.value) if "-" in word)
    return words


# --- Cutting ----------------------------------------------------------------------------------------------
def rules(css: str) -> Iterator[tuple[str, str]]:
    """Yield (prelude, body) of the rules of a style sheet without comments; the body of a statement is ""."""
    at = 0
    while at < len(css):
        brace, semicolon = css.find("{", at), css.find(";", at)
        if brace < 0:
            return
        if 0 <= semicolon < brace:
            yield css[at : semicolon + 1], ""
            at = semicolon + 1
            continue
        depth, end = 1, brace + 1
        while depth:
            depth += {"{": 1, "}": -1}.get(css[end], 0)
            end += 1
        yield css[at:brace], css[brace + 1 : end - 1]
        at = end


def selectors(prelude: str) -> list[str]:
    """Return the selectors of a rule, divided at the commas outside parentheses."""
    return re.split(r",(?![^()]*\))", prelude)


def cut(css: str, used: set[str]) -> str:
    """Return the rules of a style sheet that concern the used classes, and all rules for elements."""
    kept = []
    for prelude, body in rules(css):
        if prelude.startswith(("@media", "@supports")):
            inner = cut(body, used)
            kept += [f"{prelude}{{{inner}}}"] if inner else []
        elif prelude.startswith("@"):
            kept.append(f"{prelude}{{{body}}}" if body else prelude)
        else:
            mine = [part for part in selectors(prelude) if set(CLASS.findall(part)) <= used]
            kept += [f"{','.join(mine)}{{{body}}}"] if mine else []
    return "".join(kept)


def without_unused(css: str, others: str) -> str:
    """Remove animations and variables that nothing uses.

    others: our own style sheets, which read variables too
    """
    for name in re.findall(r"@keyframes ([\w-]+)", css):
        if not re.search(rf"animation[\w-]*:[^;}}]*\b{name}\b", css + others):
            css = re.sub(rf"@keyframes {name}\{{(?:[^{{}}]*\{{[^{{}}]*\}})*\}}", "", css)
    while unused := set(DECLARED.findall(css)) - set(VARIABLE.findall(css + others)):
        names = "|".join(sorted(unused))
        css = re.sub(rf"(?<=[{{;])(?:{names}):(?:[^;}}\"]|\"[^\"]*\")*;?", "", css)
    return re.sub(r"(?<=\})[^{}@]*\{\}", "", css)


def result() -> str:
    """Return the cut style sheet."""
    own = " ".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "static/css").glob("*.css")))
    full = re.sub(r"/\*.*?\*/", "", FULL.read_text(encoding="utf-8"), flags=re.DOTALL).replace("\n", "")
    kept = without_unused(cut(full, used_classes()), own)
    return f"/* Bootstrap 5.3.8, MIT: the rules in use (tools/styles.py) */\n{kept}\n"


def main() -> int:
    """Write the cut style sheet, and its checksum into the list of vendored files."""
    text = result()
    CUT.write_text(text, encoding="utf-8")
    row = rf"(\| `{CUT.parent.name}/{CUT.name}` \| `)[0-9a-f]{{64}}"
    digest = hashlib.sha256(text.encode()).hexdigest()
    VERSIONS.write_text(
        re.sub(row, rf"\g<1>{digest}", VERSIONS.read_text(encoding="utf-8")), encoding="utf-8"
    )
    print(f"{CUT.relative_to(ROOT)}: {len(text):,} of {FULL.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
