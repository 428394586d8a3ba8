"""Measure when a telephone shows a page, and how many bytes it transfers.

    python -m benchmarks.paint [rounds]

Chromium plays a slow telephone: a window of 390 pixels, a quarter of this processor, 1.6 Mbit/s with a
latency of 150 ms for every request, and nothing in its cache. Each round opens every page once, the plain
page among them: one paragraph from the same server, through the same middleware. The figure is the largest
contentful paint: the moment at which the largest text or image of the first screen has been drawn.

The bytes are those that the browser counts, headers included: of a first visit to the page of a player, and
of the page of another player after it.

The server is `manage.py up` with the demo federation, on SQLite. With BASE=http://… in the environment, the
pages of a server that runs already are measured, without the plain page.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests import servers

from .timing import line, medians

ROUNDS = 5
PAINT_BAR, FIRST_BAR, NEXT_BAR = 2.0, 90_000, 15_000
PLAIN = "/bench/paragraph/"
PHONE = {"width": 390, "height": 844}
DOWN, UP = 1_600_000 // 8, 750_000 // 8  # bytes per second
LATENCY, SLOWER = 150, 4  # milliseconds; times
OPTIONS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run"]
OBSERVE = """new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    const at = entry.element, what = at ? `${at.tagName.toLowerCase()} ${at.className}`.trim() : "";
    window.largest = {seconds: entry.startTime / 1000, what: what};
  }
}).observe({type: "largest-contentful-paint", buffered: true})"""


# --- The telephone ----------------------------------------------------------------------------------------
@contextmanager
def telephone(browser: Browser) -> Iterator[tuple[Page, list[int]]]:
    """Yield a slow telephone with an empty cache, and the list to which it adds the bytes of each answer."""
    context = browser.new_context(
        viewport=PHONE, device_scale_factor=2, is_mobile=True, has_touch=True, locale="es-ES"
    )
    page, sizes = context.new_page(), []
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    conditions = {"offline": False, "latency": LATENCY, "downloadThroughput": DOWN, "uploadThroughput": UP}
    devtools.send("Network.emulateNetworkConditions", conditions)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(OBSERVE)
    yield page, sizes
    context.close()


def open_page(page: Page, address: str) -> dict:
    """Open a page and return its largest paint: {seconds, what}."""
    page.goto(address, wait_until="networkidle")
    page.wait_for_function("() => window.largest")
    page.wait_for_timeout(300)  # a later, larger paint would be reported by now
    return page.evaluate("window.largest")


# --- The pages --------------------------------------------------------------------------------------------
def addresses(browser: Browser, base: str) -> dict[str, str]:
    """Return the pages to measure by name: those that most people read, by the links that lead there."""
    page = browser.new_page()
    page.goto(f"{base}/clasificaciones/2p/")
    players = page.eval_on_selector_all("main table a[href*='/jugadores/']", "all => all.map(a => a.href)")
    page.goto(f"{base}/torneos/")
    tournament = page.eval_on_selector("main table a[href*='/torneos/']", "a => a.href")
    page.close()
    return {
        "home": f"{base}/",
        "standings": f"{base}/clasificaciones/2p/",
        "player": players[0],
        "tournament": tournament,
        "another player": players[1],
    }


def measure(browser: Browser, base: str, rounds: int, plain: bool) -> None:
    """Measure all pages in turn, and print the results."""
    pages = addresses(browser, base)
    another = pages.pop("another player")
    if plain:
        pages["plain"] = base + PLAIN
    times: dict[str, list[float]] = {name: [] for name in pages}
    largest: dict[str, str] = {}
    for number in range(rounds + 1):  # the first round fills the server's caches and is not counted
        for name, address in pages.items():
            with telephone(browser) as (page, _sizes):
                paint = open_page(page, address)
            largest[name] = paint["what"]
            if number:
                times[name].append(paint["seconds"])
    print(f"Largest contentful paint on a slow telephone; median and worst of {rounds} rounds")
    median = medians(times)
    for name, value in median.items():
        met = None if name == "plain" else value < PAINT_BAR
        worst = f"{value:.2f} / {max(times[name]):.2f} s"
        line(f"{name} ({largest[name]})", worst, "" if met is None else f"under {PAINT_BAR:.1f} s", met)
    if plain:
        for name in (name for name in median if name != "plain"):
            line(f"{name} : plain page", f"{median[name] / median['plain']:.1f}")
    first, later = bytes_of(browser, pages["player"], another)
    for label, size, bar in (
        ("player page, first visit", first, FIRST_BAR),
        ("the page of another player", later, NEXT_BAR),
    ):
        line(label, f"{size / 1000:.1f} kB", f"at most {bar // 1000} kB", size <= bar)


def bytes_of(browser: Browser, address: str, another: str) -> tuple[int, int]:
    """Return the bytes that a telephone transfers for one page, and then for another one."""
    with telephone(browser) as (page, sizes):
        open_page(page, address)
        first, before = sum(sizes), len(sizes)
        open_page(page, another)
        return first, sum(sizes[before:])


# --- The server -------------------------------------------------------------------------------------------
@contextmanager
def demo_server() -> Iterator[str]:
    """Run the demo federation with the benchmarks' URLs. Yield its URL, without a final slash."""
    port = servers.free_port()
    with tempfile.TemporaryDirectory(prefix="baza-paint-") as folder:
        log_file = Path(folder) / "log"
        environment = servers.clean_environment(BAZA_VAR=folder, DJANGO_SETTINGS_MODULE="benchmarks.settings")
        with open(log_file, "w") as log:
            command = [sys.executable, "manage.py", "up", "--port", str(port)]
            server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            servers.wait_until(lambda: "Ctrl-C" in log_file.read_text(), "the demo federation", 300)
            yield f"http://localhost:{port}"
        finally:
            servers.stop(server)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    if not servers.chromium():
        print("No Chromium on this machine: install the package `chromium`.")
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=servers.chromium(), args=OPTIONS)
        if base := os.environ.get("BASE"):
            measure(browser, base.rstrip("/"), rounds, plain=False)
            return
        with demo_server() as base:
            measure(browser, base, rounds, plain=True)


if __name__ == "__main__":
    main()
