"""The fork server: its children have limits and no secrets, and nothing that happens to them harms others."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from tests.servers import wait_until
from tests.tournaments.formats import makers
from tournaments.formats import limits, sandbox
from tournaments.formats.forks import ForkServer, ServerLost

CHILD = "tests.tournaments.formats.scripted_child"


@pytest.fixture
def server():
    """Return a server whose children run the program that is their request."""
    made = ForkServer(CHILD)
    yield made
    made.stop()


def run(server, program, seconds=20):
    return server.run(program.encode(), seconds)


def answer(text="done"):
    """Return a program that answers with a text."""
    return f"import os; os.write(1, {text.encode()!r})"


def test_a_child_inherits_neither_environment_nor_open_files_nor_django(server, monkeypatch, tmp_path):
    monkeypatch.setenv("DATABASE_URL", "postgres://secret")
    program = """
import json, os, sys
parent = open(f"/proc/{os.getppid()}/environ").read()
files = [os.readlink(f"/proc/self/fd/{number}") for number in (0, 1, 2)]
highest = os.dup(0)
print(json.dumps([parent, dict(os.environ), files, highest, sorted(sys.modules)]), flush=True)
"""
    with open(tmp_path / "secret", "w") as file:
        os.set_inheritable(file.fileno(), True)
        parent, environment, files, highest, modules = json.loads(run(server, program).output)
    assert "secret" not in parent
    assert set(environment) <= {"PYTHONPATH", "LC_CTYPE"}
    assert [name.split(" ")[0] for name in files] == ["/memfd:request", "/memfd:answer", "/memfd:messages"]
    assert highest == 3
    assert "openpyxl" in modules
    assert "django" not in modules


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("child._limit(1, 2**29)\nwhile True: pass", -signal.SIGXCPU),
        ("child._limit(9, 2**28)\nbytes(2**29)", 1),
        (f"child._limit(9, 2**29)\nos.truncate(1, {limits.ANSWER_BYTES + 1})", 1),
        ("os.kill(os.getpid(), 9)", -signal.SIGKILL),
        ("os.abort()", -signal.SIGABRT),
        ("raise ValueError('broken')", 1),
        ("raise SystemExit(0)", 1),
    ],
)
def test_a_child_that_fails_ends_alone(server, program, code):
    assert run(server, f"import os\nfrom tournaments.formats import child\n{program}").code == code
    assert run(server, answer()).output == b"done"


def test_a_late_child_is_killed_with_the_programs_that_it_started(server):
    program = (
        "import os, subprocess, time; p = subprocess.Popen(['sleep', '600']); os.write(1, b'%d' % p.pid)"
    )
    finished = run(server, f"{program}; time.sleep(600)", seconds=2)
    assert finished.code is None
    wait_until(lambda: not psutil.pid_exists(int(finished.output)), "the end of the program")


def test_a_killed_server_is_replaced(server):
    first = run(server, "import os; print(os.getppid(), flush=True)").output
    os.kill(int(first), signal.SIGKILL)
    assert run(server, answer()).output == b"done"
    with pytest.raises(ServerLost):  # the second server dies as well
        run(server, "import os, time; os.kill(os.getppid(), 9); time.sleep(1)")
    assert run(server, answer()).output == b"done"


def test_threads_get_their_own_answers_also_while_other_children_crash(server):
    programs = [answer(str(n)) if n % 3 else "import os; os.abort()" for n in range(30)]
    with ThreadPoolExecutor(10) as pool:
        finished = list(pool.map(lambda program: run(server, program), programs))
    assert [item.output.decode() for item in finished] == [str(n) if n % 3 else "" for n in range(30)]


def test_two_hundred_reads_leave_neither_zombies_nor_open_files():
    data = makers.csv_table(makers.PAIRS_TABLE)
    assert sandbox.read_results_safely("a.csv", data).entries
    own, server = psutil.Process(), psutil.Process(sandbox.SERVER._process.pid)
    before = own.num_fds() + server.num_fds()
    for _file in range(200):
        assert sandbox.read_results_safely("a.csv", data).entries
    wait_until(lambda: own.num_fds() + server.num_fds() <= before, "the end of the last read")
    assert server.children() == []
    assert server.pid == sandbox.SERVER._process.pid


def test_a_forked_process_uses_its_own_server():
    program = f"""
import os
from tournaments.formats.forks import ForkServer
server = ForkServer({CHILD!r})
parent = lambda: server.run(b"import os; print(os.getppid(), end='', flush=True)", 20).output.decode()
first = parent()
if pid := os.fork():
    os.waitpid(pid, 0)
    print(first == parent())
else:
    print(first == parent(), flush=True)
    server.stop()
    os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_a_server_ends_with_the_process_that_uses_it():
    program = f"""
import os
from tournaments.formats.forks import ForkServer
print(ForkServer({CHILD!r}).run(b"import os; print(os.getppid(), end='', flush=True)", 20).output.decode())
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-uc", program], capture_output=True, text=True, check=False)
    wait_until(lambda: not psutil.pid_exists(int(done.stdout)), "the end of the server")
