"""`make screenshots`: every page of the demo federation, as every reader, light and dark, narrow and wide.

Starts the real server with a demo federation of its own, brings uploads and lists into every state that has
a page, follows links from the home page as the tests do, opens what no link leads to (refusals, empty lists,
errors), and writes `screenshots/READER/PAGE-WIDTH-THEME.png`; lists and receipts also as printed.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "screenshots"
READERS = [None, "jugador", "director", "club", "oficina", "comite", "auditor"]
SIZES = {"320": {"width": 320, "height": 640}, "1280": {"width": 1280, "height": 900}}
THEMES = ["light", "dark"]
PAPER = {"width": 718, "height": 1016}  # A4 less its margins, in CSS pixels
PRINTED = {"standing-full", "promotion", "tournament", "player", "award", "club", "upload-receipt"}
PASSWORD = "bridge-demo-2026"
# What the walk does not find by itself: empty, wrong and refused.
UNLINKED = {
    "search": "/buscar/?q=garc%C3%ADa",
    "search-empty": "/buscar/?q=zzzz",
    "standing-full": "/clasificaciones/2p/",
    "standing-empty": "/clasificaciones/2p/?q=zzzz",
    "standing-wrong-day": "/clasificaciones/2p/?a=2026-02-30",
    "tournaments-empty": "/torneos/?q=zzzz",
    "not-found": "/no-existe/",
    "refused": "/oficina/",
}


def main() -> int:
    os.environ["DJANGO_SETTINGS_MODULE"] = "federation.settings"
    import django

    from tests import servers

    django.setup()
    if not servers.chromium():
        print("No Chromium on this machine: install the package `chromium`.")
        return 1
    shutil.rmtree(TARGET, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="baza-screenshots-") as folder:
        port = servers.free_port()
        environment = servers.clean_environment(BAZA_VAR=folder, PORT=str(port))
        command = [sys.executable, "manage.py", "up"]
        with open(Path(folder) / "log", "wb") as log:
            server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            ready = f":{port}/"
            servers.wait_until(lambda: ready in (Path(folder) / "log").read_text(), "the demo", 180)
            draw(f"http://localhost:{port}", Path(folder) / "demo")
        finally:
            servers.stop(server)
    return 0


def draw(base: str, samples: Path) -> None:
    """Walk as each reader in each look; uploads are brought to each of their steps first."""
    from playwright.sync_api import sync_playwright

    from tests import servers
    from tests.browser.conftest import CHROMIUM_OPTIONS

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=servers.chromium(), args=CHROMIUM_OPTIONS)
        # The others sign in when their turn comes: so many at once from one address are refused.
        states = {reader: signed_in(browser, base, reader) for reader in ("director", "oficina")}
        only = {
            "director": upload(browser, base, samples, states["director"]),
            "oficina": import_list(browser, base, states["oficina"]),
        }
        for reader in READERS:
            state = states.get(reader) or signed_in(browser, base, reader)
            extra = UNLINKED | only.get(reader, {})
            for width, size in SIZES.items():
                for theme in THEMES:
                    look(browser, base, reader, state, (width, size, theme), extra)
            print(f"{name_of(reader)}: {len(list(folder_of(reader).iterdir()))} pictures", flush=True)


def look(browser, base: str, reader: str | None, state, how: tuple, extra: dict[str, str]) -> None:
    """Every page of one reader in one width and theme."""
    from tests.browser.walking import walk

    width, size, theme = how
    context = browser.new_context(storage_state=state, viewport=size, color_scheme=theme, locale="es-ES")
    page = context.new_page()
    folder = folder_of(reader)
    for name, path, _status in walk(page, base):
        name += "-asked" if urlsplit(path).query else ""
        page.screenshot(path=folder / f"{name}-{width}-{theme}.png", full_page=True)
        if name in PRINTED and (width, theme) == ("1280", "light"):
            on_paper(page, size, folder / f"{name}-print.png")
    for name, path in extra.items():
        page.goto(base + path)
        page.screenshot(path=folder / f"{name}-{width}-{theme}.png", full_page=True)
        if name in PRINTED and (width, theme) == ("1280", "light"):
            on_paper(page, size, folder / f"{name}-print.png")
    context.close()


def on_paper(page, size: dict[str, int], path: Path) -> None:
    """The open page as a printer would get it."""
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print")
    page.screenshot(path=path, full_page=True)
    page.emulate_media(media="screen")
    page.set_viewport_size(size)


def name_of(reader: str | None) -> str:
    return reader or "anyone"


def folder_of(reader: str | None) -> Path:
    return TARGET / name_of(reader)


def signed_in(browser, base: str, reader: str | None) -> dict | None:
    """The cookies of a demo account; nothing for a reader who is not signed in."""
    if reader is None:
        return None
    context = browser.new_context(base_url=base)
    page = context.new_page()
    page.goto("/cuenta/entrar/")
    page.fill("main input[name=login]", reader)
    page.fill("main input[name=password]", PASSWORD)
    page.click("main button[type=submit]")
    page.wait_for_url(base + "/")
    state = context.storage_state()
    context.close()
    return state


def upload(browser, base: str, samples: Path, state: dict | None) -> dict[str, str]:
    """The addresses of uploads at each step: with errors, ready, confirmed, and correcting one."""
    context = browser.new_context(base_url=base, storage_state=state)
    page = context.new_page()
    errors = send(page, next(samples.glob("*errores*.csv")))
    receipt = confirmed(page, send(page, next(samples.glob("*.xml"))))
    page.goto(receipt)
    start = page.locator("main a[href*='corrige=']").get_attribute("href")
    sheet, named = (
        next(samples.glob("*subir.csv")),
        {"name": "Pool de la tarde", "end_date": date.today().isoformat()},
    )
    correction = send(page, sheet, start, reason="Se subió la clasificación de otra tarde.", **named)
    ready = send(page, sheet, **named)
    context.close()
    return {
        "upload-review-errors": errors,
        "upload-edit": errors.replace("/revisar/", "/editar/"),
        "upload-review-ready": ready,
        "upload-confirm": correction.replace("/revisar/", "/confirmar/"),
        "upload-receipt": receipt,
        "upload-review-correction": correction,
    }


def send(page, file: Path, start: str = "/resultados/subir/", **fields: str) -> str:
    """Upload one file with what is typed beside it; returns the address of its review."""
    page.goto(start)
    page.set_input_files("input[type=file]", file)
    page.select_option("select[name=event_type]", "pool")
    for name, value in {"boards": "24", **fields}.items():
        page.fill(f"main [name={name}]", value)
    page.click("main input[type=submit], main button[type=submit]")
    page.wait_for_url("**/revisar/")
    return urlsplit(page.url).path


def confirmed(page, review: str) -> str:
    """Tick what a review asks to be ticked and confirm it; returns the address of its receipt."""
    page.goto(review)
    for tick in page.locator("input[name=accept]").all():
        tick.check()
    page.click("#accept button")
    page.wait_for_url("**/confirmar/")
    page.click("main form button[type=submit]")
    page.wait_for_url("**/recibo/")
    return urlsplit(page.url).path


def import_list(browser, base: str, state: dict | None) -> dict[str, str]:
    """The addresses of the office's pages about one list and one player."""
    context = browser.new_context(base_url=base, storage_state=state)
    page = context.new_page()
    page.goto("/jugadores/")
    number = page.locator("table.baza tbody td").nth(0).inner_text()
    page.goto("/oficina/importar/")
    kind = page.locator("main a[href$='.csv']").first.get_attribute("href")
    heads = page.request.get(kind).text().splitlines()[0]
    rows = f"{heads}\n99001;Ana;Valle Ruiz;;\n99002;;;Club que no existe;\n"
    page.set_input_files(
        "input[type=file]", {"name": "jugadores.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    )
    page.click("main input[type=submit], main button[type=submit]")
    page.wait_for_load_state()
    found = {
        "office-import-review": urlsplit(page.url).path,
        "category-player": f"/oficina/categorias/?numero={number}",
    }
    context.close()
    return found


if __name__ == "__main__":
    sys.exit(main())
