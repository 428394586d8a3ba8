"""Run one fault in a real installation, and judge what it left behind.

The installation is that of docs/production.md: PostgreSQL, Redis, gunicorn with two processes, and two Celery
workers. Two directors upload and confirm the tournaments of a `scene.Scene` over HTTP while a reader opens
public pages. The seed chooses the order of the confirmations and the moment at which the fault begins.
Afterwards every tournament must be scored as in a run without faults.
"""

import itertools
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.client import HTTPException
from random import Random
from subprocess import Popen

import psutil

from tests import servers
from tests.factories import PASSWORD
from tests.faults.scene import Outcome, Scene
from tests.system.conftest import Installation, kill_group
from tests.system.web import Answer, Reader, Stay

PATIENCE = 180  # seconds until everything must be scored: a hard limit, because the machine may be busy
RECOVERY = 15  # seconds in which everything has to be scored once a fault has ended
DIRECTORS = 2
SLOWEST = 12  # seconds; a frozen process or database keeps people waiting for most of them
PAGES = ("/", "/clasificaciones/", "/torneos/", "/clubes/", "/en/", "/ayuda/")


@dataclass(frozen=True)
class Fault:
    """A fault, and what people may notice of it.

    number: that of the list in docs/reliability.md
    how: how it is made
    act: a generator: the fault begins before its `yield` and ends after it
    seconds: how long it lasts
    shown: what people may be shown while it lasts: statuses, or "cut" for a connection that breaks
    workers: the number of Celery workers
    worker, web: the variant of the worker (`variants.worker`) or of gunicorn (`variants.web`) that they run
    prepare: called before the programs start
    expect: returns what is wrong afterwards, besides what is judged for every fault
    tournaments: whether directors confirm tournaments; otherwise `act` makes its own
    parked: how many runs have to be parked
    recovery: seconds in which everything has to be scored once it has ended
    slowest: the longest that anybody may wait for an answer, in seconds
    moves_clock: whether totals are those of another day afterwards, so that `expect` has to check them
    """

    number: str
    name: str
    how: str
    act: Callable[["Run"], Iterator[None]]
    seconds: float = 6
    shown: frozenset[str] = frozenset()
    workers: int = 2
    worker: str = ""
    web: str = ""
    prepare: Callable[["Run"], object] = lambda run: None
    expect: Callable[["Run"], list[str]] = lambda run: []
    tournaments: bool = True
    parked: int = 0
    recovery: float = RECOVERY
    slowest: float = SLOWEST
    moves_clock: bool = False


@dataclass(frozen=True)
class Shown:
    """What a request got: a status, or "cut" if the connection broke. Times in seconds."""

    who: str
    what: str
    began: float
    took: float
    retry_after: str | None = None


@dataclass
class Verdict:
    """What a fault left: a line of the table.

    settled: the longest that a run waited after the fault had ended and it had been confirmed, in seconds
    lost, doubled, half: tournaments without points, with points twice, or with some of their points
    back: how long after the fault the last page failed, in seconds
    slowest: the longest that a director waited for an answer from the beginning of the fault on, in seconds
    complaints: everything that is wrong; empty if the fault did no harm
    """

    fault: Fault
    seed: int
    settled: float = 0
    lost: int = 0
    doubled: int = 0
    half: int = 0
    parked: int = 0
    back: float = 0
    slowest: float = 0
    shown: Counter = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)


class Run:
    """One fault with one seed. Made for one use: `judge` does everything.

    patience: seconds until everything must be scored
    """

    def __init__(
        self,
        fault: Fault,
        seed: int,
        site: Installation,
        cluster: servers.Postgres,
        scene: Scene,
        patience: float = PATIENCE,
    ) -> None:
        self.patience = patience
        self.fault, self.seed, self.site, self.cluster, self.scene = fault, seed, site, cluster, scene
        self.random = Random(f"{fault.number} {seed}")
        self.port = self.web_port = servers.free_port()  # that of a proxy, if there is one, and gunicorn's
        self.web: Popen | None = None
        self.workers: list[Popen] = []
        self.worker_environment: dict[str, str] = {}
        self.answers: list[Shown] = []
        self.acknowledged: set[str] = set()
        self.complaints: list[str] = []
        self.stopping = threading.Event()
        self.names = itertools.count(1)

    @property
    def redis(self) -> servers.Redis:
        assert self.site.redis
        return self.site.redis

    # --- Programs -------------------------------------------------------------------------------------
    def start_web(self) -> None:
        """Start gunicorn as docs/production.md does. Return before it answers."""
        application = "tests.faults.variants.web" if self.fault.web else "federation.wsgi"
        self.web = self.site.start(
            "gunicorn",
            "-c",
            "federation/gunicorn_conf.py",
            application,
            log="web",
            PORT=str(self.web_port),
            WEB_CONCURRENCY="2",
            BAZA_FAULT=self.fault.web,
            BAZA_FAULT_FOLDER=str(self.site.folder),
        )

    def wait_ready(self) -> None:
        """Wait until gunicorn answers and each worker takes work."""

        def ready() -> bool:
            return _opens(self.reader()) and self.site.log_text("workers").count(" ready.") >= len(
                self.workers
            )

        servers.wait_until(ready, "gunicorn to answer and the workers to be ready", PATIENCE)

    def start_worker(self, variant: str | None = None) -> Popen:
        """Start a Celery worker with two child processes. Return before it is ready.

        variant: which one; by default that of the fault
        """
        variant = self.fault.worker if variant is None else variant
        application = "tests.faults.variants.worker" if variant else "federation"
        options = ["--concurrency", "2", "-n", f"w{next(self.names)}@%h", "--loglevel", "INFO"]
        worker = self.site.start(
            "celery",
            "-A",
            application,
            "worker",
            *options,
            log="workers",
            BAZA_FAULT=variant,
            BAZA_FAULT_FOLDER=str(self.site.folder),
            **self.worker_environment,
        )
        self.workers.append(worker)
        return worker

    def kill_worker(self, worker: Popen) -> None:
        kill_group(worker)
        self.workers.remove(worker)

    def children(self, worker: Popen) -> list[psutil.Process]:
        """Return the processes of a worker in which its tasks run."""
        return psutil.Process(worker.pid).children()

    def signal_workers(self, number: signal.Signals) -> None:
        """Send a signal to every process of every worker."""
        for worker in self.workers:
            for process in [psutil.Process(worker.pid), *self.children(worker)]:
                process.send_signal(number)

    def wait_for(self, statement: str, what: str) -> None:
        """Wait until a query returns a true value."""
        servers.wait_until(lambda: self.site.query(statement)[0][0], what, PATIENCE)

    def reader(self) -> Reader:
        return Reader(f"http://127.0.0.1:{self.port}", Stay())

    # --- People ---------------------------------------------------------------------------------------
    def ask(self, who: str, request: Callable[[], Answer]) -> Answer | None:
        """Make a request and record what it got. Return None if the connection broke."""
        began, answer = time.time(), None
        try:
            answer = request()
        except (OSError, HTTPException):
            what, again = "cut", None
        else:
            what, again = str(answer.status), answer.headers.get("Retry-After")
        self.answers.append(Shown(who, what, began, time.time() - began, again))
        return answer

    def read_pages(self) -> None:
        """Open public pages until the run ends, each after a short pause."""
        reader = self.reader()
        for path in itertools.cycle(PAGES):
            if self.stopping.wait(0.3):
                return
            answer = self.ask("reader", lambda path=path: reader.get(path))
            if answer and answer.status == 200 and "</footer>" not in answer.text:
                self.complaints.append(f"{path} was shown without its content")

    def confirm_all(self, items: list[tuple[str, str]]) -> None:
        """Confirm tournaments as a director, until no item is left. Items are drafts and names of files."""
        director = Director(self)
        while items and not self.stopping.is_set():
            kind, name = items.pop()
            director.upload(name) if kind == "file" else director.confirm(name)

    # --- The run --------------------------------------------------------------------------------------
    def judge(self) -> Verdict:
        """Let the fault happen while directors confirm tournaments. Return what it left behind."""
        self.fault.prepare(self)
        self.start_web()
        for _number in range(self.fault.workers):
            self.start_worker()
        self.wait_ready()
        items = [("draft", pk) for pk in self.scene.drafts] + [("file", name) for name in self.scene.files]
        self.random.shuffle(items)
        expected = len(items)
        moment = self.random.randint(expected // 6, expected // 2)
        pause = self.random.random() / 2
        threads = [threading.Thread(target=self.read_pages)]
        if self.fault.tournaments:
            threads += [threading.Thread(target=self.confirm_all, args=[items]) for _ in range(DIRECTORS)]
        for thread in threads:
            thread.start()
        try:
            if self.fault.tournaments:
                servers.wait_until(
                    lambda: len(self.acknowledged) >= moment, "the moment of the fault", PATIENCE
                )
            time.sleep(pause)
            began = time.time()
            with contextmanager(self.fault.act)(self):
                time.sleep(self.fault.seconds)
            ended = time.time()
            self._wait_settled(expected if self.fault.tournaments else 0)
        finally:
            # The verdict comes last, so that a page for which somebody still waits is judged, too.
            self.stopping.set()
            for thread in threads:
                thread.join(PATIENCE)
        return self._verdict(began, ended)

    def _wait_settled(self, confirmed: int) -> None:
        """Wait until everything is confirmed and no run is left to score. Complain if that takes too long."""
        left = "SELECT count(*) FROM ledger_scoringrun WHERE state IN ('pending', 'running')"
        try:
            servers.wait_until(
                lambda: len(self.acknowledged) >= confirmed and self.site.query(left) == [(0,)],
                "everything to be scored",
                self.patience,
            )
        except TimeoutError as error:
            self.complaints.append(
                f"{error}; {len(self.acknowledged)} confirmed, {self.site.query(left)} left"
            )

    def _verdict(self, began: float, ended: float) -> Verdict:
        verdict = Verdict(self.fault, self.seed, complaints=self.complaints)
        waited_since = f"greatest(created_at, to_timestamp({ended}))"
        (waited,) = self.site.query(
            f"SELECT coalesce(max(extract(epoch FROM finished_at - {waited_since})), 0)::float"
            " FROM ledger_scoringrun WHERE state = 'done'"
        )[0]
        verdict.settled = max(0.0, waited)
        if verdict.settled > self.fault.recovery:
            verdict.complaints.append(
                f"scored {waited:.1f} s after the end, not within {self.fault.recovery}"
            )
        outcome = Outcome.of(self.site)
        if self.fault.tournaments and self.scene.outcome:
            self._compare(verdict, outcome)
        verdict.parked = outcome.parked
        if verdict.parked != self.fault.parked:
            verdict.complaints.append(f"{verdict.parked} parked: {outcome.errors}")
        self._judge_shown(verdict, began, ended)
        verdict.complaints += self.fault.expect(self)
        return verdict

    def _compare(self, verdict: Verdict, outcome: Outcome) -> None:
        """Compare the ledger and the standings with those of the run without faults."""
        wanted = self.scene.outcome
        for name, entries in wanted.ledger.items():
            stored = outcome.ledger.get(name, [])
            if not stored:
                verdict.lost += 1
            elif Counter(stored) - Counter(entries):
                verdict.doubled += 1
            elif Counter(entries) - Counter(stored):
                verdict.half += 1
        if verdict.lost != self.fault.parked or verdict.doubled or verdict.half:
            verdict.complaints.append(
                f"{verdict.lost} lost, {verdict.doubled} doubled, {verdict.half} half-written"
            )
        if unknown := set(outcome.ledger) - set(wanted.ledger):
            verdict.complaints.append(f"points of unknown tournaments: {unknown}")
        if not self.fault.parked and not self.fault.moves_clock and outcome.sums != wanted.sums:
            verdict.complaints.append("totals or ranks differ")

    def _judge_shown(self, verdict: Verdict, began: float, ended: float) -> None:
        """Count the errors that were shown, and complain about those that the fault does not excuse."""
        for shown in self.answers:
            during = began - 1 <= shown.began + shown.took and shown.began <= ended + RECOVERY
            during = during or bool(self.fault.web)  # the variant fails from the first confirmation on
            if during:
                verdict.slowest = max(verdict.slowest, shown.took)
            if not is_error(shown):
                continue
            verdict.back = max(verdict.back, shown.began + shown.took - ended)
            verdict.shown[shown.what] += 1
            if shown.what not in self.fault.shown or not during:
                verdict.complaints.append(f"{shown.who} was shown {shown.what}")
            elif shown.what in ("503", "507") and not shown.retry_after:
                verdict.complaints.append(f"a {shown.what} without Retry-After")
        if verdict.slowest > self.fault.slowest:
            verdict.complaints.append(
                f"an answer took {verdict.slowest:.1f} s, more than {self.fault.slowest}"
            )
        read = [shown for shown in self.answers if shown.who == "reader"]
        if not any(shown.began + shown.took >= began for shown in read):
            verdict.complaints.append("no page was answered since the fault began")


class Director:
    """A signed-in director, who tries again until the site confirms."""

    def __init__(self, run: Run) -> None:
        self.run, self.reader = run, run.reader()
        self.page = self._sign_in()

    def _sign_in(self) -> Answer:
        """Sign in, and return the page of the first step of an upload."""
        page = self.reader.get("/cuenta/entrar/")
        self.reader.submit(page, page.form("login"), {"login": "lola", "password": PASSWORD})
        return self.reader.get("/resultados/subir/")

    def confirm(self, pk: str) -> None:
        """Confirm a draft."""
        address = f"/resultados/{pk}/confirmar/"
        self._submit(address, {}, None, "/recibo/")
        self.run.acknowledged.add(pk)

    def upload(self, name: str) -> None:
        """Upload a file, tick its warnings and confirm it."""
        day, text = self.run.scene.files[name]
        values = {"event_type": "pool", "format": "pairs", "name": name, "end_date": day, "boards": "24"}
        review = self._submit(
            "/resultados/subir/", values, {"file": (f"{name}.csv", text.encode())}, "/revisar/"
        )
        page = self._get(review)
        form = page.form("seen")
        ticks = {field: boxes for field, boxes in form.boxes.items() if field == "accept"}
        self._submit(review, {**form.values, "action": "accept", **ticks}, None, "/confirmar/")
        self.confirm(review.rstrip("/").split("/")[-2])

    def _get(self, address: str) -> Answer:
        return self._insist(lambda: self.reader.get(address), lambda answer: answer.status == 200)

    def _submit(self, address: str, values: dict, files: dict | None, leads_to: str) -> str:
        """Submit a form until the site leads on. Return the address to which it leads.

        leads_to: a part of that address
        """
        form = self.page.form("csrfmiddlewaretoken", None)
        own = form.values if files else {"csrfmiddlewaretoken": form.values["csrfmiddlewaretoken"]}
        form = replace(form, action=address, values=own)
        answer = self._insist(
            lambda: self.reader.submit(self.page, form, values, files),
            lambda answer: leads_to in answer.headers.get("Location", ""),
        )
        return answer.headers["Location"]

    def _insist(self, request: Callable[[], Answer], is_right: Callable[[Answer], bool]) -> Answer:
        """Repeat a request while the site is in trouble. Raise if it responds with something else."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            answer = self.run.ask("director", request)
            if answer and is_right(answer):
                return answer
            if answer and answer.status < 500:
                self.run.complaints.append(f"{answer.url}: {answer.status} {answer.headers.get('Location')}")
                raise AssertionError(f"{answer.url}: {answer.status}\n{answer.text[:3000]}")
            time.sleep(0.5)
        raise TimeoutError("the site did not recover")


def is_error(shown: Shown) -> bool:
    """Return whether somebody was shown an error."""
    return not shown.what.startswith(("2", "3"))


def _opens(reader: Reader) -> bool:
    try:
        return reader.get("/salud/").status == 200
    except OSError:
        return False


COUNTED = ("lost", "doubled", "half", "parked")
HEADINGS = (
    "#",
    "fault",
    "seeds",
    "settled after (s)",
    "lost / doubled / half / parked",
    "errors shown",
    "pages back after (s)",
    "slowest answer (s)",
    "",
)


def table(verdicts: list[Verdict]) -> str:
    """Return the verdicts as a table of Markdown, with one line for each fault."""
    groups = itertools.groupby(verdicts, lambda verdict: verdict.fault.number)
    lines = [f"| {' | '.join(HEADINGS)} |", "|---" * len(HEADINGS) + "|"]
    return "\n".join([*lines, *(summary(list(group)) for _number, group in groups)])


def summary(rows: list[Verdict]) -> str:
    """Return the line of the table for the verdicts of one fault."""
    fault = rows[0].fault
    shown = sum((row.shown for row in rows), Counter())
    cells = [
        fault.number,
        fault.name,
        ", ".join(str(row.seed) for row in rows),
        ", ".join(f"{row.settled:.1f}" for row in rows),
        " / ".join(str(sum(getattr(row, name) for row in rows)) for name in COUNTED),
        ", ".join(f"{what} × {times}" for what, times in sorted(shown.items())) or "none",
        f"{max(row.back for row in rows):.1f}",
        f"{max(row.slowest for row in rows):.1f}",
        "**red**" if any(row.complaints for row in rows) else "",
    ]
    return f"| {' | '.join(cells)} |"
