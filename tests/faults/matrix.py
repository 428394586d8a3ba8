"""The faults, each declared with what people may notice of it.

The numbers are those of the table in docs/reliability.md. Faults that need another installation are tests of
their own.
"""

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import psutil

from tests import servers
from tests.faults import replicas
from tests.faults.harness import PATIENCE, Fault, Run
from tests.servers import stop
from tests.system.conftest import Installation, kill_group
from tests.system.faults import locked_table

FAULTS: dict[str, Fault] = {}
LEDGER = "ledger_ledgerentry"
ALL = 4  # processes of two workers
LONG_QUEUE = 60  # seconds in which hundreds of runs are scored, one after the other
Act = Callable[[Run], Iterator[None]]


def _nothing(_run: Run) -> Iterator[None]:
    yield


NO_FAULT = Fault("0", "none, for comparison", "", _nothing)


def fault(number: str, name: str, how: str, *, shown: str = "", **options) -> Callable[[Act], Act]:
    """Declare a fault by its act. For the arguments see `Fault`; `shown` has its statuses in one text."""

    def declare(act: Act) -> Act:
        FAULTS[number] = Fault(number, name, how, act, shown=frozenset(shown.split()), **options)
        return act

    return declare


# --- Workers --------------------------------------------------------------------------------------------
HALF_WAY = f"""
SELECT count(*) >= {{number}} FROM pg_locks WHERE NOT granted AND relation = '{LEDGER}'::regclass
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


@contextmanager
def half_way(run: Run, number: int = 2) -> Iterator[None]:
    """Keep the workers half-way through posting inside the context, at least `number` processes of them."""
    with locked_table(run.site, LEDGER):
        run.wait_for(HALF_WAY.format(number=number), "workers to post")
        yield


@fault("1", "a process of a worker is killed", "SIGKILL half-way through posting", seconds=1)
def child_killed(run: Run) -> Iterator[None]:
    with half_way(run, ALL):
        run.random.choice(run.children(run.random.choice(run.workers))).kill()
    yield


@fault(
    "2",
    "a whole worker is killed",
    "SIGKILL to all its processes half-way; started again after 3 s",
    seconds=3,
)
def worker_killed(run: Run) -> Iterator[None]:
    with half_way(run):
        run.kill_worker(run.random.choice(run.workers))
    yield
    run.start_worker()


def one_attempt_each(run: Run) -> list[str]:
    """Complain if a run was started more than once."""
    (most,) = run.site.query("SELECT max(attempts) FROM ledger_scoringrun")[0]
    return [] if most == 1 else [f"a run was started {most} times"]


@fault(
    "3",
    "a worker is restarted for an update",
    "SIGTERM to both, one after the other",
    expect=one_attempt_each,
)
def workers_restarted(run: Run) -> Iterator[None]:
    for worker in list(run.workers):
        worker.send_signal(signal.SIGTERM)
        began = time.monotonic()
        worker.wait(PATIENCE)
        if time.monotonic() - began > 30:
            run.complaints.append("a worker took more than 30 seconds to stop")
        run.workers.remove(worker)
        run.start_worker()
    yield


@fault("4", "a worker is stopped without waiting for its work", "SIGQUIT half-way", seconds=3)
def worker_quits(run: Run) -> Iterator[None]:
    worker = run.random.choice(run.workers)
    with half_way(run):
        worker.send_signal(signal.SIGQUIT)
        time.sleep(1)
    stop(worker, signal.SIGQUIT)
    run.kill_worker(worker)
    yield
    run.start_worker()


HELD = """
SELECT 1 FROM ledger_scoringrun
WHERE state = 'running' AND lease_until < clock_timestamp() + interval '5.5 seconds'
"""
POSTING = """
SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
"""


def was_taken_over(run: Run) -> list[str]:
    """Complain unless a worker lost its run to another one."""
    (taken,) = run.site.query("SELECT count(*) FROM ledger_scoringrun WHERE attempts > 1")[0]
    noticed = "was taken over by another worker" in run.site.log_text("workers")
    return [] if taken and noticed else [f"{taken} runs taken over; the frozen worker noticed: {noticed}"]


@fault(
    "5",
    "a worker is frozen, another takes over, the first goes on",
    "SIGSTOP for 16 s between claiming and posting",
    shown="503",  # its other process may hold locks for which a confirmation waits
    worker="slow",
    seconds=16,
    expect=was_taken_over,
)
def worker_frozen(run: Run) -> Iterator[None]:
    worker = run.random.choice(run.workers)
    processes = [psutil.Process(worker.pid), *run.children(worker)]

    def holds_a_run() -> bool:
        """Freeze the worker. Thaw it again unless it has claimed a run that it is not posting yet."""
        for process in processes:
            process.suspend()
        time.sleep(3)  # the others finish what they are doing
        if run.site.query(HELD) and not run.site.query(POSTING):
            return True
        for process in processes:
            process.resume()
        time.sleep(run.random.random())
        return False

    servers.wait_until(holds_a_run, "the worker to be frozen while it holds a run", PATIENCE)
    yield
    for process in processes:
        process.resume()


def deaths(run: Run) -> list[str]:
    return sorted(path.name for path in Path(run.site.folder).glob("death at *"))


@fault(
    "6",
    "a worker dies between any two statements",
    "SIGKILL once at each boundary, around COMMIT and before the message is acknowledged",
    worker="dying",
    seconds=10,
    expect=lambda run: [] if len(deaths(run)) > 15 else [f"only {deaths(run)}"],
)
def dies_at_each_boundary(run: Run) -> Iterator[None]:
    yield


@fault(
    "7",
    "a task takes longer than the broker waits for it",
    "6 s against a `visibility_timeout` of 1 s",
    worker="longer than the broker waits",
    expect=one_attempt_each,
)
def delivered_while_running(run: Run) -> Iterator[None]:
    yield


@fault(
    "8",
    "a message arrives ten times, at four workers",
    "ten messages for each of half of the runs",
    workers=4,
    expect=one_attempt_each,
)
def delivered_ten_times(run: Run) -> Iterator[None]:
    deliver_ten_times(run)
    yield


def deliver_ten_times(run: Run) -> None:
    """Send ten messages for each run, as soon as it is confirmed."""
    sent: set[int] = set()
    while len(sent) < len(run.scene.drafts) // 2:
        for (pk,) in run.site.query("SELECT id FROM ledger_scoringrun"):
            if pk not in sent:
                run.site.act("deliver", pk, 10)
                sent.add(pk)


# --- Redis ----------------------------------------------------------------------------------------------
@fault("9", "Redis is killed without persistence", "SIGKILL, started again after 4 s", seconds=4)
def redis_killed(run: Run) -> Iterator[None]:
    kill_group(run.redis.process)
    yield
    run.redis.start()


def with_append_only_file(run: Run) -> None:
    """Let Redis write its append-only file. It restarts with it."""
    run.redis.stop()
    run.redis.options = ["--appendonly", "yes", "--appendfsync", "always"]
    run.redis.start()


@fault(
    "10",
    "Redis is killed with persistence, and its file is cut off",
    "AOF `always`; SIGKILL, the last 20 bytes removed",
    seconds=4,
    prepare=with_append_only_file,
)
def redis_file_cut(run: Run) -> Iterator[None]:
    run.signal_workers(signal.SIGSTOP)  # messages remain in the queue
    time.sleep(2)
    kill_group(run.redis.process)
    run.signal_workers(signal.SIGCONT)
    yield
    (newest,) = run.redis.directory.glob("appendonlydir/*.incr.aof")
    os.truncate(newest, max(0, newest.stat().st_size - 20))
    run.redis.start()


@fault("11", "the queue is emptied", "FLUSHALL while messages wait for frozen workers", seconds=1)
def queue_emptied(run: Run) -> Iterator[None]:
    run.signal_workers(signal.SIGSTOP)
    time.sleep(3)
    run.redis.client().flushall()
    run.signal_workers(signal.SIGCONT)
    yield


@fault("12", "Redis is full", "`maxmemory 1`, `noeviction`, half-way through posting")
def redis_full(run: Run) -> Iterator[None]:
    with half_way(run):  # the workers cannot acknowledge their messages
        run.redis.client().config_set("maxmemory-policy", "noeviction")
        run.redis.client().config_set("maxmemory", 1)
    yield
    run.redis.client().config_set("maxmemory", 0)


@fault("13", "Redis is frozen", "SIGSTOP", slowest=4)
def redis_frozen(run: Run) -> Iterator[None]:
    run.redis.process.send_signal(signal.SIGSTOP)
    yield
    run.redis.process.send_signal(signal.SIGCONT)


@fault("14", "Redis is away while directors confirm", "SIGTERM, started again")
def redis_away(run: Run) -> Iterator[None]:
    run.redis.stop()
    yield
    run.redis.start()


# --- Web processes --------------------------------------------------------------------------------------
@fault(
    "15",
    "a web process dies between COMMIT and sending the message",
    "SIGKILL of itself, five times",
    web="dying",
    shown="cut",
)
def web_process_dies(run: Run) -> Iterator[None]:
    yield


@fault(
    "16",
    "something else fails after COMMIT, before the message is sent",
    "an exception, five times; it is shown",
    web="raising",
    shown="500",
)
def earlier_callback_fails(run: Run) -> Iterator[None]:
    yield


def web_children(run: Run) -> list[psutil.Process]:
    """Return the processes of gunicorn that answer requests."""
    return psutil.Process(run.web.pid).children()


@fault("W1", "a web process is killed", "SIGKILL; gunicorn starts another", seconds=4, shown="cut")
def web_process_killed(run: Run) -> Iterator[None]:
    run.random.choice(web_children(run)).kill()
    yield


@fault(
    "W2",
    "a web process is frozen",
    "SIGSTOP for 8 s",
    seconds=8,
    shown="503",  # it may hold locks for which a confirmation waits
)
def web_process_frozen(run: Run) -> Iterator[None]:
    (process, *_) = web_children(run)
    process.suspend()
    yield
    process.resume()


NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log; user root;
events {{ worker_connections 1000; }}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port}; client_max_body_size 24m;
        location / {{
            proxy_pass http://127.0.0.1:{web_port}; proxy_set_header Host $host:$server_port;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        }}
    }}
}}
"""


def behind_nginx(run: Run) -> None:
    """Put nginx in front of gunicorn, as docs/production.md says."""
    run.port = servers.free_port()
    configuration = run.site.folder / "nginx.conf"
    text = NGINX.format(folder=run.site.folder, port=run.port, web_port=run.web_port)
    configuration.write_text(text)
    run.site.start("nginx", "-c", str(configuration), log="nginx")


SLOW_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
SLOW_BODY = (
    b"POST /resultados/subir/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n"
    b"Content-Type: multipart/form-data; boundary=x\r\n\r\n--x"
)


@fault(
    "W3",
    "200 clients send their requests byte by byte",
    "through nginx: headers and bodies, a byte a second, 10 s",
    seconds=1,
    prepare=behind_nginx,
)
def slow_clients(run: Run) -> Iterator[None]:
    with ExitStack() as stack:
        clients = [
            stack.enter_context(socket.create_connection(("127.0.0.1", run.port), timeout=PATIENCE))
            for _number in range(200)
        ]
        for number, client in enumerate(clients):
            client.sendall(SLOW_BODY if number % 2 else SLOW_HEAD)
        for _second in range(10):
            for client in clients:
                client.sendall(b"x")
            time.sleep(1)
        yield


# --- PostgreSQL -----------------------------------------------------------------------------------------
@fault(
    "17",
    "PostgreSQL stops at once and starts again",
    "SIGQUIT, started again after 3 s",
    seconds=3,
    shown="503",
)
def database_restarted(run: Run) -> Iterator[None]:
    run.cluster.stop_at_once()
    yield
    run.cluster.start()


TERMINATE = (
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@fault(
    "18",
    "all connections to the database are terminated",
    "`pg_terminate_backend`, every 5 s, three times",
    seconds=1,
)
def connections_terminated(run: Run) -> Iterator[None]:
    for _time in range(3):
        run.site.query(TERMINATE)
        time.sleep(5)  # a request that is repeated has time to end
    yield


@fault("20", "the disk of the database is full", "300 MB, full to the last byte", shown="507 503")
def database_disk_full(run: Run) -> Iterator[None]:
    with full(run.cluster.directory.parent):
        yield


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Keep the file system full to the last byte inside the context."""
    ballast = disk / "ballast"
    with open(ballast, "wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                continue
    try:
        yield
    finally:
        ballast.unlink()


def audited(run: Run) -> list[str]:
    """Return what `audit` finds wrong: tournaments that are not scored once, and standings that differ."""
    return run.site.act("audit")


def no_deadlocks(run: Run) -> list[str]:
    counted = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
    (deadlocks,) = run.site.query(counted)[0]
    return [f"{deadlocks} deadlocks"] * bool(deadlocks) + audited(run)


@fault(
    "22",
    "many tournaments share their players, in any order",
    "300 tournaments at four processes",
    tournaments=False,
    expect=no_deadlocks,
    seconds=1,
    recovery=LONG_QUEUE,
)
def same_players(run: Run) -> Iterator[None]:
    run.site.act("confirm_shuffled", 300, run.seed)
    yield


@fault("23", "a transaction that somebody left open holds a lock", "on the ledger for 30 s", seconds=30)
def lock_left_open(run: Run) -> Iterator[None]:
    with locked_table(run.site, LEDGER):
        yield


@fault("D1", "PostgreSQL is frozen", "SIGSTOP to all its processes", shown="503")
def database_frozen(run: Run) -> Iterator[None]:
    replicas.freeze(run.cluster)
    yield
    replicas.thaw(run.cluster)


# --- Work ------------------------------------------------------------------------------------------------
@fault(
    "24",
    "two files need more memory than there is",
    "`RLIMIT_AS`; one of them kills its process",
    worker="poison",
    parked=2,
    seconds=40,
)
def poison(run: Run) -> Iterator[None]:
    yield


@fault(
    "25",
    "500 uploads in ten seconds while workers die",
    "a whole worker is killed every two seconds",
    tournaments=False,
    expect=audited,
    seconds=1,
    recovery=LONG_QUEUE,
)
def storm(run: Run) -> Iterator[None]:
    for _second in range(5):
        began = time.monotonic()
        run.site.act("confirm_shuffled", 100, run.seed)
        time.sleep(max(0, 2 - (time.monotonic() - began)))
        run.kill_worker(run.random.choice(run.workers))
        run.start_worker()
    yield


# --- The clock ------------------------------------------------------------------------------------------
MADRID = ZoneInfo("Europe/Madrid")
LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
CLOCK = "clock"  # the file in the folder of the installation that says how far the workers' clock is ahead


def set_clock(run: Run, to: datetime | None = None, by: timedelta = timedelta(0)) -> None:
    """Set the clock of the workers to a time, or move it."""
    file = run.site.folder / CLOCK
    ahead = (to - datetime.now(MADRID)) if to else timedelta(seconds=float(file.read_text())) + by
    file.write_text(f"{ahead.total_seconds():+.0f}")


def with_another_clock(run: Run) -> None:
    (run.site.folder / CLOCK).write_text("+0")
    run.worker_environment = {
        "LD_PRELOAD": LIBRARY,
        "FAKETIME_TIMESTAMP_FILE": str(run.site.folder / CLOCK),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


def wait_for_day(run: Run, day: str) -> None:
    run.wait_for(f"SELECT bool_and(as_of = '{day}') FROM ledger_standingsstate", f"the standings of {day}")


def last_sunday(year: int, month: int) -> int:
    """Return the day of a month of 31 days on which the clocks change."""
    return 31 - (date(year, month, 31).weekday() + 1) % 7


def standings_as_recomputed(run: Run) -> list[str]:
    """Compare the standings with those computed again, on the day of the workers' clock."""
    site = run.site
    later = Installation({**site.environment, **run.worker_environment}, site.folder, site.redis)
    try:
        return later.act("unequal")
    finally:
        later.stop()


@fault(
    "26",
    "the clock of the workers goes wrong",
    "libfaketime: end of the year, an hour back, three days without worker, summer time and back",
    prepare=with_another_clock,
    expect=standings_as_recomputed,
    moves_clock=True,
    seconds=1,
)
def clock_moves(run: Run) -> Iterator[None]:
    year = datetime.now(MADRID).year
    set_clock(run, datetime(year, 12, 31, 23, 59, 55, tzinfo=MADRID))
    wait_for_day(run, f"{year + 1}-01-01")
    set_clock(run, by=-timedelta(hours=1))
    time.sleep(5)
    wait_for_day(run, f"{year + 1}-01-01")  # a day that has begun does not end again
    for worker in list(run.workers):
        run.kill_worker(worker)
    set_clock(run, by=timedelta(days=3, hours=1))
    for _number in range(2):
        run.start_worker()
    wait_for_day(run, f"{year + 1}-01-04")
    for month, hour in ((3, 1), (10, 2)):
        sunday = last_sunday(year + 1, month)
        set_clock(run, datetime(year + 1, month, sunday, hour, 59, 55, tzinfo=MADRID))
        wait_for_day(run, f"{year + 1}-{month:02}-{sunday}")
        time.sleep(8)
    yield
