"""`make screenshots`: every page of the demo federation, for every reader, light and dark, narrow and wide.

It starts the real server with its own demo federation, and brings uploads and lists into every state that has
a page. Then it follows links from the home page as the tests do, and opens pages that no link leads to
(refusals, empty lists, errors). Pictures are `screenshots/READER/PAGE-WIDTH-THEME.png`; there are also
pictures of lists and receipts as printed.
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
READERS = [None, "jugador", "director", "club", "territorial", "oficina", "comite", "auditor"]
SIZES = {
    "320": {"width": 320, "height": 640},
    "390": {"width": 390, "height": 844},
    "1280": {"width": 1280, "height": 900},
}
THEMES = ["light", "dark"]
PAPER = {"width": 718, "height": 1016}  # A4 without margins, in CSS pixels
PRINTED = {"standing-full", "promotion", "tournament", "player", "award", "club", "upload-receipt"}
PASSWORD = "bridge-demo-2026"
# Pages that no link leads to: empty lists, errors and refusals.
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
            take_all(f"http://localhost:{port}", Path(folder) / "demo")
        finally:
            servers.stop(server)
    return 0


def take_all(base: str, samples: Path) -> None:
    """Prepare uploads in each state, then take screenshots for every reader, width and theme."""
    from playwright.sync_api import sync_playwright

    from tests import servers
    from tests.browser.conftest import CHROMIUM_OPTIONS

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=servers.chromium(), args=CHROMIUM_OPTIONS)
        # The other readers sign in later: the site refuses many sign-ins from one address at the same time.
        states = {reader: sign_in(browser, base, reader) for reader in ("director", "oficina")}
        own_pages = {
            "director": upload(browser, base, samples, states["director"]),
            "oficina": import_list(browser, base, states["oficina"]),
        }
        for reader in READERS:
            state = states.get(reader) or sign_in(browser, base, reader)
            extra = UNLINKED | own_pages.get(reader, {})
            for width, size in SIZES.items():
                for theme in THEMES:
                    take_pages(browser, base, reader, state, (width, size, theme), extra)
            print(f"{name_of(reader)}: {len(list(folder_of(reader).iterdir()))} pictures", flush=True)


def take_pages(browser, base: str, reader: str | None, state, look: tuple, extra: dict[str, str]) -> None:
    """Take screenshots of all pages of one reader in one look.

    state: the reader's cookies; None for an anonymous reader
    look: (name of the width, viewport, theme)
    extra: names and paths of pages that no link leads to
    """
    from tests.browser.walking import walk

    width, size, theme = look
    context = browser.new_context(storage_state=state, viewport=size, color_scheme=theme, locale="es-ES")
    page = context.new_page()
    folder = folder_of(reader)
    for name, path, _status in walk(page, base):
        name += "-asked" if urlsplit(path).query else ""
        take(page, folder, name, look)
    for name, path in extra.items():
        page.goto(base + path)
        take(page, folder, name, look)
    context.close()


def take(page, folder: Path, name: str, look: tuple) -> None:
    """Take a screenshot of the open page in this look.

    A page in PRINTED is also taken as printed, once, in the wide, light look.
    """
    width, size, theme = look
    page.screenshot(path=folder / f"{name}-{width}-{theme}.png", full_page=True)
    if name in PRINTED and (width, theme) == ("1280", "light"):
        take_printed(page, size, folder / f"{name}-print.png")


def take_printed(page, size: dict[str, int], path: Path) -> None:
    """Take a screenshot of the open page as it would be printed.

    Afterwards restore the screen media and the viewport.
    """
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print")
    page.screenshot(path=path, full_page=True)
    page.emulate_media(media="screen")
    page.set_viewport_size(size)


def name_of(reader: str | None) -> str:
    return reader or "anyone"


def folder_of(reader: str | None) -> Path:
    return TARGET / name_of(reader)


def sign_in(browser, base: str, reader: str | None) -> dict | None:
    """Sign in to a demo account and return its cookies; None for an anonymous reader."""
    if reader is None:
        return None
    context = browser.new_context(base_url=base)
    page = context.new_page()
    page.goto("/cuenta/entrar/")
    page.fill("main input[name=login]", reader)
    page.fill("main input[name=password]", PASSWORD)
    page.click("main button[type=submit]")
    page.wait_for_url(lambda url: "/cuenta/entrar/" not in url)  # each role has a place of its own
    state = context.storage_state()
    context.close()
    return state


def upload(browser, base: str, samples: Path, state: dict | None) -> dict[str, str]:
    """Create four uploads: one with errors, one ready to confirm, one confirmed, and a correction.

    Return {name of the picture: path} of their pages.
    """
    context = browser.new_context(base_url=base, storage_state=state)
    page = context.new_page()
    fields = {"name": "Pool de la tarde", "end_date": date.today().isoformat()}
    sheet = next(samples.glob("*subir.csv"))
    errors = send(page, next(samples.glob("*errores*.csv")))
    receipt = confirm(page, send(page, next(samples.glob("*.xml"))))
    page.goto(receipt)
    start = page.locator("main a[href*='corrige=']").first.get_attribute("href")
    correction = send_correction(page, sheet, start, "Se subió la clasificación de otra tarde.")
    ready = send(page, sheet)
    describe(page, ready, **fields)
    context.close()
    return {
        "upload-review-errors": errors,
        "upload-edit": errors.replace("/revisar/", "/editar/"),
        "upload-review-ready": ready,
        "upload-confirm": correction.replace("/revisar/", "/confirmar/"),
        "upload-receipt": receipt,
        "upload-review-correction": correction,
    }


def send(page, file: Path) -> str:
    """Choose a file, which the page sends at once; return the path of its review page."""
    page.goto("/resultados/subir/")
    with page.expect_navigation():
        page.set_input_files("#id_file", file)
    return urlsplit(page.url).path


def send_correction(page, file: Path, start: str, reason: str) -> str:
    """Upload a file that corrects a tournament, with the reason; return the path of its review page."""
    page.goto(start)
    page.fill("#id_reason", reason)
    page.set_input_files("#id_file", file)
    with page.expect_navigation():
        page.locator("main form button[type=submit]").last.click()
    return urlsplit(page.url).path


def describe(page, review: str, **fields: str) -> None:
    """Fill in the details of an upload under review, and save them."""
    page.goto(review)
    page.select_option("#id_event_type", "pool")
    for name, value in {"boards": "24", **fields}.items():
        page.fill(f"#id_{name}", value)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def confirm(page, review: str) -> str:
    """Tick all warnings of a review and confirm the upload; return the path of its receipt."""
    page.goto(review)
    for tick in page.locator("input[name=accept]").all():
        tick.check()
    with page.expect_navigation():
        page.click("#continue")
    page.click("main form button.btn-primary")
    page.wait_for_url("**/recibo/**")
    return urlsplit(page.url).path


def import_list(browser, base: str, state: dict | None) -> dict[str, str]:
    """Upload a list of players with errors as the office.

    Return {name of the picture: path} of its review page, and of the page of one player's categories.
    """
    context = browser.new_context(base_url=base, storage_state=state)
    page = context.new_page()
    page.goto("/jugadores/")
    number = page.locator("table.baza tbody td").nth(0).inner_text()
    page.goto("/oficina/importar/")
    kind = page.locator("main a[href$='.csv']").first.get_attribute("href")
    heads = page.request.get(kind).text().splitlines()[0]
    rows = f"{heads}\n99001;Ana;Valle Ruiz;;;;\n99002;;;Club que no existe;;;\n"
    page.set_input_files(
        "input[type=file]", {"name": "jugadores.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    )
    page.click("main input[type=submit], main button[type=submit]")
    page.wait_for_load_state()
    pages = {
        "office-import-review": urlsplit(page.url).path,
        "category-player": f"/oficina/categorias/?numero={number}",
    }
    context.close()
    return pages


if __name__ == "__main__":
    sys.exit(main())
