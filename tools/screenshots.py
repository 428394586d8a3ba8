"""`make screenshots`: every page of the demo federation, as every reader, light and dark, narrow and wide.

Starts the real server with a demo federation of its own, follows links from the home page as the tests do,
and writes `screenshots/READER/PAGE-WIDTH-THEME.png`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "screenshots"
READERS = [None, "jugador", "director", "club", "oficina", "comite", "auditor"]
SIZES = {"320": {"width": 320, "height": 640}, "1280": {"width": 1280, "height": 900}}
THEMES = ["light", "dark"]
PASSWORD = "bridge-demo-2026"


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
    """Walk as each reader in each look; an upload is begun first so that its pages are there."""
    from playwright.sync_api import sync_playwright

    from tests import servers
    from tests.browser.conftest import CHROMIUM_OPTIONS
    from tests.browser.walking import walk

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=servers.chromium(), args=CHROMIUM_OPTIONS)
        upload(browser, base, samples)
        for reader in READERS:
            state = signed_in(browser, base, reader)
            for width, size in SIZES.items():
                for theme in THEMES:
                    context = browser.new_context(
                        storage_state=state, viewport=size, color_scheme=theme, locale="es-ES"
                    )
                    page = context.new_page()
                    folder = TARGET / (reader or "anyone")
                    for name, path, _status in walk(page, base):
                        asked = "-asked" if urlsplit(path).query else ""
                        page.screenshot(path=folder / f"{name}{asked}-{width}-{theme}.png", full_page=True)
                    context.close()
            print(
                f"{reader or 'anyone'}: {len(list((TARGET / (reader or 'anyone')).iterdir()))} pictures",
                flush=True,
            )


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


def upload(browser, base: str, samples: Path) -> None:
    """Bring the sample with errors to its review, as the director."""
    context = browser.new_context(base_url=base, storage_state=signed_in(browser, base, "director"))
    page = context.new_page()
    page.goto("/resultados/subir/")
    page.set_input_files("input[type=file]", sorted(samples.glob("*errores*.csv"))[0])
    page.select_option("select[name=event_type]", "pool")
    page.fill("input[name=boards]", "24")
    page.click("main input[type=submit], main button[type=submit]")
    page.wait_for_url("**/revisar/")
    context.close()


if __name__ == "__main__":
    sys.exit(main())
