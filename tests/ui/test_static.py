"""Static files and templates: vendored files, the security policy, and contrast of colours."""

import gzip
import hashlib
import re
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.folders import ROOT
from tools import styles
from ui.styles import squeezed, text_of

STATIC, TEMPLATES = ROOT / "static", ROOT / "templates"
TOKENS = (STATIC / "css/tokens.css").read_text()
TEXT_ON_PAGE = ["ink", "muted", "accent", "danger", "caution", "spade", "heart", "diamond", "club"]


def vendored() -> dict[str, str]:
    rows = re.findall(r"\| `([^`]+)` \| `([0-9a-f]{64})` \|", (STATIC / "vendor/VERSIONS.md").read_text())
    return dict(rows)


def test_no_line_of_a_template_is_longer_than_120_characters():
    long = [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for path in sorted(TEMPLATES.rglob("*.*"))
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1)
        if len(line) > 120
    ]
    assert long == []


def test_vendored_files_are_those_listed_with_their_hashes():
    here = {
        str(path.relative_to(STATIC / "vendor")): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (STATIC / "vendor").rglob("*")
        if path.is_file() and path.name != "VERSIONS.md"
    }
    assert here == vendored()


def test_static_files_collect_with_hashed_names(tmp_path, settings):
    """The production storage raises an error if a style sheet refers to a missing file."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"},
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    assert "atkinson" in next((tmp_path / "css").glob("site.*.css")).read_text()


def test_bootstrap_is_cut_to_the_classes_in_use():
    """If this fails, run `make css`: a template, a form or a script uses a class that was cut."""
    assert (STATIC / "vendor/bootstrap/bootstrap.cut.css").read_text() == styles.result()
    full = styles.FULL.read_text()
    assert hashlib.sha256(full.encode()).hexdigest() in (STATIC / "vendor/VERSIONS.md").read_text()
    assert not {"mt-2", "form-control", "is-invalid", "visually-hidden"} - set(
        styles.CLASS.findall(styles.result())
    )
    assert "carousel" in full and "carousel" not in styles.result()


@pytest.mark.parametrize(
    ("full", "kept"),
    [
        (".a,.b:not(.a,.c) i{x:1}", ".a{x:1}"),
        ("@media(x){.b{y:1}.a>p{x:1}}", "@media(x){.a>p{x:1}}"),
        ("@media(x){.b{y:1}}", ""),
        (".a.b{x:1}p,.b{x:1}", "p{x:1}"),
    ],
)
def test_rules_of_unused_classes_are_cut(full, kept):
    assert styles.cut(full, {"a", "c"}) == kept


def test_variables_and_animations_that_nothing_reads_are_cut():
    css = ':root{--bs-a:1;--bs-b:url("x;y");--bs-c:var(--bs-d);--bs-d:2}p{x:var(--bs-a)}'
    css += "@keyframes k{0%{x:1}100%{x:2}}"
    assert styles.without_unused(css, "") == ":root{--bs-a:1;}p{x:var(--bs-a)}"
    assert "@keyframes k" in styles.without_unused(css, "q{animation-name:k}")


def test_the_style_sheet_contains_every_file_and_limits_print_to_paper():
    text = text_of(STATIC)
    names = {path.stem for path in (STATIC / "css").glob("*.css")}
    for name in names - {"sheet"}:
        first = squeezed((STATIC / f"css/{name}.css").read_text())[:40].strip()
        assert first in text, name
    assert text.rstrip().endswith("}}") and text.count("@media print{") >= 1


def test_the_style_sheet_is_small():
    """Bytes that every first visit waits for."""
    assert len(gzip.compress(text_of(STATIC).encode(), 9)) < 20_000


def templates() -> list[Path]:
    result = sorted(TEMPLATES.rglob("*.html"))
    assert len(result) > 10
    return result


# Mail programs read no style sheet but the one in the letter itself.
E_MAILS = {"letters/letter.html"}
FORBIDDEN = {
    "a style attribute": re.compile(r"<[^>]*\sstyle\s*=", re.I),
    "a style element": re.compile(r"<style\b", re.I),
    "an event attribute": re.compile(r"<[^>]*\son[a-z]+\s*=", re.I),
    "hyperscript of htmx": re.compile(r"hx-on|hx-vals\s*=\s*.js:", re.I),
    "an inline script": re.compile(r"<script\b(?![^>]*\bsrc=)", re.I),
    "a script address": re.compile(r"javascript:", re.I),
    "a box that a browser restores by its place": re.compile(
        r"<input\b(?=[^>]*type=.(?:radio|checkbox))(?![^>]*autocomplete=.off)[^>]*>", re.I
    ),
    "another host": re.compile(r"(?:src|<link[^>]*href)\s*=\s*[\"']?(?:https?:)?//(?!\{\{)", re.I),
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_template_contains_forbidden_markup(what):
    paths = [path for path in templates() if path.relative_to(TEMPLATES).as_posix() not in E_MAILS]
    wrong = [str(path) for path in paths if FORBIDDEN[what].search(path.read_text())]
    assert not wrong, what


@pytest.mark.parametrize(
    ("what", "sample"),
    [
        ("a style attribute", '<p class="a" style="x">'),
        ("a box that a browser restores by its place", '<input type="radio" name="who">'),
        ("an event attribute", '<a href="/" onclick="x()">'),
        ("an inline script", "<script>x()</script>"),
        ("another host", '<script src="https://cdn.example/x.js">'),
    ],
)
def test_the_patterns_find_forbidden_markup(what, sample):
    assert FORBIDDEN[what].search(sample)


@pytest.mark.parametrize("path", sorted((STATIC / "css").glob("*.css")), ids=lambda path: path.name)
def test_style_sheets_are_short_and_load_nothing_from_other_hosts(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 430
    assert "//" not in re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    assert not re.search(r"gradient|(?<!-)box-shadow: (?!none|inset)|text-shadow", text)


def test_no_font_size_is_below_16_pixels():
    sizes = [
        (path.name, float(size) * 16)
        for path in (STATIC / "css").glob("*.css")
        for size in re.findall(r"font-size: ([\d.]+)rem", path.read_text())
    ]
    assert len(sizes) > 5
    assert [entry for entry in sizes if entry[1] < 16] == []


# --- Contrast (WCAG 2.2, relative luminance) --------------------------------------------------------------


def blocks() -> dict[str, dict[str, str]]:
    """Return the colours of the style sheet, as palette -> {variable: colour}.

    The palettes are "light", "dark" for readers whose system is dark, and "dark chosen" for those who chose
    it.
    """
    palettes = [
        dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", body))
        for body in re.findall(r"\{([^{}]*)\}", TOKENS)
    ]
    light, dark_system, dark_chosen = [palette for palette in palettes if "page" in palette]
    return {"light": light, "dark": dark_system, "dark chosen": dark_chosen}


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, other: str) -> float:
    light, dark = sorted((luminance(first), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_contrast_formula_gives_the_standard_values():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_dark_colours_are_the_same_by_system_setting_and_by_choice():
    assert blocks()["dark"] == blocks()["dark chosen"]
    assert blocks()["light"].keys() == blocks()["dark"].keys()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", TEXT_ON_PAGE)
@pytest.mark.parametrize("ground", ["page", "soft"])
def test_text_and_suits_have_enough_contrast(theme, name, ground):
    palette = blocks()[theme]
    assert contrast(palette[name], palette[ground]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_and_lines_on_the_felt_have_enough_contrast(theme):
    palette = blocks()[theme]
    assert contrast(palette["felt-ink"], palette["felt"]) >= 7
    assert contrast(palette["felt-muted"], palette["felt"]) >= 4.5
    assert contrast(palette["felt-line"], palette["felt"]) >= 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lines_and_button_texts_have_enough_contrast(theme):
    palette = blocks()[theme]
    assert contrast(palette["fill"], palette["page"]) >= 3
    assert contrast(palette["strong"], palette["page"]) >= 7
    assert contrast(palette["rule"], palette["page"]) >= 3
    assert contrast(palette["accent-ink"], palette["accent"]) >= 4.5
