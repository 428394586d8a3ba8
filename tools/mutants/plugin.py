"""The pytest plugin that runs in a copy of the project. It records what the tests call, or tries mutants.

`work.json` in the copy says which of the two to do. Recording stores which functions each test enters. To try
a mutant means to change the code and run the tests that may notice the change.

Most mutants are tried in a fork of this process, which has imported everything: only the code of the changed
function is replaced. A mutant outside functions, or in a function that is called while modules are imported,
needs a new process. In both cases the file in the copy is changed too, for the processes that tests start.
"""

import builtins
import contextlib
import gc
import importlib
import json
import os
import shutil
import signal
import sys
import time
import traceback
from functools import _lru_cache_wrapper, partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FunctionType

import hypothesis
import pytest

from tools.mutants.mutations import ROOMS, Mutant, mutated_files

COPY = Path(os.environ["BAZA_MUTANTS"])
WORK = json.loads((COPY / "work.json").read_text())
SELECTED = COPY / "selected.json"  # the tests that a new process runs, in order
NEW_PROCESS = "BAZA_MUTANTS_NEW_PROCESS"  # environment variable, set in such a process
SUBPROCESS = "a process"  # recorded for tests that start a process: which functions run there is unknown
PROJECT = ("players", "scoring", "tournaments")
SECONDS = 45  # limit for a test, so that endless loops are noticed too
NOTICED = COPY / "noticed.txt"  # holds the id of the test that failed
BROKEN = 70  # exit code of a process that could not try its mutant
# Third-party modules loaded once for all new processes; none of them needs Django's settings.
PRELOADED = (
    "celery.worker",
    "django.test",
    "hypothesis.strategies",
    "kombu.transport.redis",
    "numpy",
    "openpyxl",
)

# Skip shrinking: it takes longer than everything else, and any failing example is enough. The project's own
# profile inherits from this one.
hypothesis.settings.register_profile(
    "mutants", phases=(hypothesis.Phase.explicit, hypothesis.Phase.reuse, hypothesis.Phase.generate)
)
hypothesis.settings.load_profile("mutants")
builtins.entered = set()  # set before any module of the project is imported


def pytest_configure(config) -> None:
    _copy_test_databases()
    if WORK["what"] == "record":
        plugin = Recorder()
    else:
        plugin = SelectedTests() if os.environ.get(NEW_PROCESS) else Trials()
    config.pluginmanager.register(plugin, "mutants")


def _copy_test_databases() -> None:
    """Make Django create only the first test database by migrations, and all later ones as copies of it.

    Migrations take longer than it takes to try most mutants.
    """
    from django.conf import settings
    from django.db.backends.sqlite3.creation import DatabaseCreation

    migrate = DatabaseCreation.create_test_db
    template = COPY / "template.sqlite3"

    def create_test_db(self, *args, **kwargs) -> str:
        if not template.exists():
            name = migrate(self, *args, **kwargs)
            self.connection.close()
            shutil.copy(name, template)
            return name
        name = self._get_test_db_name()
        shutil.copy(template, name)
        settings.DATABASES[self.connection.alias]["NAME"] = name
        self.connection.settings_dict["NAME"] = name
        return name

    DatabaseCreation.create_test_db = create_test_db


def _caches() -> list:
    """Return the project's functions that are decorated with `lru_cache`, whose caches must be cleared."""
    functions = [item for item in gc.get_objects() if isinstance(item, _lru_cache_wrapper)]
    return [function for function in functions if function.__module__.startswith(PROJECT)]


class Recorder:
    """A pytest plugin that records how long each test takes, and which functions it enters.

    `trial._with_marks` has added a statement to every function of the copy, which notes that it was entered.

    tests: test id -> {"seconds", "entered"}
    outside: id of a test module -> functions entered while it was imported; the key "" stands for the
        import of the project's own modules
    """

    def __init__(self) -> None:
        self.tests: dict[str, dict] = {}
        self.outside: dict[str, list[str]] = {}
        sys.addaudithook(
            lambda event, _args: builtins.entered.add(SUBPROCESS) if event == "subprocess.Popen" else None
        )

    def pytest_collection_finish(self) -> None:
        self.caches = _caches()

    def _take_entered(self) -> list[str]:
        entered, builtins.entered = builtins.entered, set()
        return sorted(entered)

    def pytest_collection(self) -> None:
        for path in mutated_files():
            importlib.import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        self.outside[""] = self._take_entered()

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector):
        report = yield
        # The session itself is collected as "", like what was imported before.
        self.outside.setdefault(collector.nodeid, []).extend(self._take_entered())
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        for function in self.caches:
            function.cache_clear()
        self._take_entered()
        started = time.monotonic()
        result = yield
        self.tests[item.nodeid] = {"seconds": time.monotonic() - started, "entered": self._take_entered()}
        return result

    def pytest_sessionfinish(self, exitstatus) -> None:
        if exitstatus:
            return
        outside = {name: entered for name, entered in self.outside.items() if entered}
        Path(WORK["records"]).write_text(json.dumps({"tests": self.tests, "outside": outside}))


class FailureLog:
    """A pytest plugin that writes the id of a failed test to the file NOTICED."""

    def pytest_runtest_logreport(self, report) -> None:
        if report.failed:
            NOTICED.write_text(report.nodeid)


class SelectedTests(FailureLog):
    """A pytest plugin for a new process, which runs the tests listed in the file SELECTED, in that order."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items) -> None:
        order = {name: number for number, name in enumerate(json.loads(SELECTED.read_text()))}
        items[:] = sorted((i for i in items if i.nodeid in order), key=lambda item: order[item.nodeid])
        gc.enable()

    def pytest_runtest_setup(self, item) -> None:
        signal.alarm(SECONDS)


class Trials(FailureLog):
    """A pytest plugin that tries the mutants one by one, instead of running all tests once."""

    def __init__(self) -> None:
        records = json.loads(Path(WORK["records"]).read_text())
        self.tests, self.outside = records["tests"], records["outside"]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        self.session, self.functions = session, _functions()
        for function in _caches():
            function.cache_clear()
        gc.freeze()
        stored = [item for item in session.items if item.get_closest_marker("django_db")]
        # Run one test with a database, which creates the template that later databases are copied from.
        if stored and _run_in_fork(lambda: self._run(stored[:1], seconds=0)):
            raise RuntimeError(f"a test fails without a change: {stored[0].nodeid}")
        for number, job in enumerate(WORK["jobs"]):
            if time.time() > WORK["until"]:
                break
            room = job.pop("room")
            started = time.monotonic()
            NOTICED.write_text("")
            outcome = self._outcome(Mutant(**job), room, number)
            with (COPY / "tried.log").open("a", encoding="utf-8") as log:
                seconds = time.monotonic() - started
                log.write(f"{room:12}{outcome:9}{seconds:6.1f} s  {job['key']}  {NOTICED.read_text()}\n")
            with Path(WORK["results"]).open("a", encoding="utf-8") as results:
                results.write(json.dumps([job["key"], outcome], ensure_ascii=False) + "\n")
        return True

    def _outcome(self, mutant: Mutant, room: str, number: int) -> str:
        """Try a mutant. Return "killed", "survived", "timeout" or "broken" (it could not be tried).

        number: unique for each mutant; becomes the modification time of the changed file, in seconds, so
            that Python compiles the file again
        """
        name = f"{mutant.path}::{mutant.function}"
        importers = {module for module, entered in self.outside.items() if name in entered}
        needs_process = bool(importers) or not mutant.function
        needs_all = "" in importers or not mutant.function
        items = [
            item
            for item in self._tests_of(room)
            if needs_all or self._may_notice(item.nodeid, name, importers)
        ]
        if not items:
            return "survived"
        path = COPY / mutant.path
        source, times = path.read_bytes(), path.stat()
        changed = mutant.applied(source)
        try:
            path.write_bytes(changed)
            # Python recompiles a file only if its time, in seconds, or its size differs.
            os.utime(path, (number, number))
            if not needs_process:
                return _outcome_of(_run_in_fork(lambda: self._run_patched(mutant, changed, items)))
            FORK_SERVER.send([item.nodeid for item in items])
            return _outcome_of(FORK_SERVER.recv())
        finally:
            path.write_bytes(source)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def _tests_of(self, room: str) -> list[pytest.Item]:
        """Return a room's tests, the quickest first. Tests of unknown duration come before all others."""
        items = [item for item in self.session.items if item.nodeid.startswith(tuple(ROOMS[room][1]))]
        return sorted(items, key=lambda item: self.tests.get(item.nodeid, {"seconds": 0})["seconds"])

    def _may_notice(self, test: str, name: str, modules: set[str]) -> bool:
        if test not in self.tests or test.partition("::")[0] in modules:
            return True
        entered = self.tests[test]["entered"]
        return name in entered or SUBPROCESS in entered

    def _run_patched(self, mutant: Mutant, changed: bytes, items: list[pytest.Item]) -> None:
        """Run tests after replacing the code of the mutant's function.

        changed: the source of its file with the mutant applied
        """
        for code in _codes(compile(changed, COPY / mutant.path, "exec")):
            for function in self.functions.get((mutant.path, code.co_qualname, code.co_firstlineno), ()):
                function.__code__ = code
        self._run(items)

    def _run(self, items: list[pytest.Item], seconds: int = SECONDS) -> None:
        for item, following in zip(items, [*items[1:], None], strict=True):
            signal.alarm(seconds)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.session.testsfailed:
                os._exit(1)
        os._exit(0)


def _run_in_fork(work) -> int:
    """Call `work` in a fork of this process. Return its exit code, or minus the signal that ended it."""
    child = os.fork()
    if not child:
        try:
            os.setsid()
            work()
        except BaseException:  # the child must never continue as if it were the parent
            traceback.print_exc()
        finally:
            os._exit(BROKEN)  # `work` itself ends with another exit code
    _child, status = os.waitpid(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # processes that the tests started and did not stop
    return os.waitstatus_to_exitcode(status)


def _outcome_of(code: int) -> str:
    return {0: "survived", BROKEN: "broken", -signal.SIGALRM: "timeout"}.get(code, "killed")


def _fork_server() -> Connection:
    """Start a process that preloads third-party modules, and return the connection to it.

    It receives lists of tests, runs each list in a fork of itself and sends back the exit code.
    """
    parent_end, child_end = Pipe()
    if os.fork():
        child_end.close()
        return parent_end
    parent_end.close()
    for name in PRELOADED:
        importlib.import_module(name)
    while True:
        try:
            tests = child_end.recv()
        except EOFError:
            os._exit(0)
        child_end.send(_run_in_fork(partial(_run_selected, tests)))


def _run_selected(tests: list[str]) -> None:
    """Run these tests, by id, in this process, which has loaded no module of the project yet; then exit."""
    SELECTED.write_text(json.dumps(tests))
    os.environ[NEW_PROCESS] = "1"
    signal.alarm(4 * SECONDS)  # the limit until the first test, which sets its own
    gc.disable()  # until the tests are collected
    files = sorted({test.partition("::")[0] for test in tests})
    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "tools.mutants.plugin"]
    os._exit(pytest.main([*options, *files]))


def _codes(code: CodeType):
    """Yield the code of all functions of a module, including methods and nested functions."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _functions() -> dict[tuple[str, str, int], list[FunctionType]]:
    """Return all function objects of the files that may be mutated, by (file, qualified name, first line)."""
    files = {str(COPY / path): path for path in mutated_files()}
    functions: dict[tuple[str, str, int], list[FunctionType]] = {}
    for item in gc.get_objects():
        if isinstance(item, FunctionType) and item.__code__.co_filename in files:
            code = item.__code__
            key = (files[code.co_filename], code.co_qualname, code.co_firstlineno)
            functions.setdefault(key, []).append(item)
    return functions


if WORK["what"] == "try" and NEW_PROCESS not in os.environ:
    FORK_SERVER = _fork_server()  # started before any module of the project is loaded
