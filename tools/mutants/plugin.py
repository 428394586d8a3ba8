"""What pytest does in a copy of the project: record which test enters what, or try mutants.

A mutant within a function that no import calls is tried in a fork of this process, which has everything
loaded: the function gets other code. Any other is tried in a process of its own. Either way the file in the
copy is changed too, for the processes that tests start.
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

from tools.mutants.found import ROOMS, Mutant, mutated_files

COPY = Path(os.environ["BAZA_MUTANTS"])
WORK = json.loads((COPY / "work.json").read_text())
ONLY = COPY / "only.json"  # the tests of a process of its own, in their order
ALONE = "BAZA_MUTANTS_ALONE"
PROCESS = "a process"  # what a test enters that starts one: which functions run there is not known
PROJECT = ("players", "scoring", "tournaments")
SECONDS = 45  # that a test may take: an endless loop is noticed too
NOTICED = COPY / "noticed.txt"  # which test failed
BROKEN = 70  # how a process ends that could not try its mutant
# What every process would load anew: of other projects, and nothing that wants settings.
LOADED_BEFORE = (
    "celery.worker",
    "django.test",
    "hypothesis.strategies",
    "kombu.transport.redis",
    "numpy",
    "openpyxl",
)

# It is enough that a random example fails: making it small takes longer than all the rest. The project's own
# profile is made of this one.
hypothesis.settings.register_profile(
    "mutants", phases=(hypothesis.Phase.explicit, hypothesis.Phase.reuse, hypothesis.Phase.generate)
)
hypothesis.settings.load_profile("mutants")
builtins.entered = set()  # before anything of the project is imported


def pytest_configure(config) -> None:
    _database_from_template()
    recording = WORK["what"] == "record"
    config.pluginmanager.register(
        Recorder() if recording else Alone() if os.environ.get(ALONE) else Trials(), "mutants"
    )


def _database_from_template() -> None:
    """Migrations take longer than most mutants live: they run once, later databases are copies."""
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


def _remembering() -> list:
    """Functions of the project that remember results."""
    caches = [each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper)]
    return [each for each in caches if each.__module__.startswith(PROJECT)]


class Recorder:
    """Keeps how long each test takes, whether it passes and which marked functions it enters."""

    def __init__(self) -> None:
        self.tests: dict[str, dict] = {}
        self.outside: dict[str, list[str]] = {}
        sys.addaudithook(
            lambda event, _arguments: builtins.entered.add(PROCESS) if event == "subprocess.Popen" else None
        )

    def pytest_collection_finish(self) -> None:
        self.remembering = _remembering()

    def _taken(self) -> list[str]:
        entered, builtins.entered = builtins.entered, set()
        return sorted(entered)

    def pytest_collection(self) -> None:
        for path in mutated_files():
            importlib.import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        self.outside[""] = self._taken()

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector):
        report = yield
        self.outside[collector.nodeid] = self._taken()
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        for each in self.remembering:
            each.cache_clear()
        self._taken()
        started = time.monotonic()
        done = yield
        self.tests[item.nodeid] = {"seconds": time.monotonic() - started, "entered": self._taken()}
        return done

    def pytest_sessionfinish(self, exitstatus) -> None:
        if exitstatus:
            return
        outside = {name: entered for name, entered in self.outside.items() if entered}
        Path(WORK["records"]).write_text(json.dumps({"tests": self.tests, "outside": outside}))


class Noticing:
    """Writes down which test failed."""

    def pytest_runtest_logreport(self, report) -> None:
        if report.failed:
            NOTICED.write_text(report.nodeid)


class Alone(Noticing):
    """Runs the tests that the mutant of this process asks for, in their order."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items) -> None:
        order = {name: number for number, name in enumerate(json.loads(ONLY.read_text()))}
        items[:] = sorted((i for i in items if i.nodeid in order), key=lambda item: order[item.nodeid])
        gc.enable()

    def pytest_runtest_setup(self, item) -> None:
        signal.alarm(SECONDS)


class Trials(Noticing):
    """Tries one mutant after the other instead of running the tests."""

    def __init__(self) -> None:
        records = json.loads(Path(WORK["records"]).read_text())
        self.tests, self.outside = records["tests"], records["outside"]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        self.session, self.functions = session, _functions()
        for each in _remembering():
            each.cache_clear()
        gc.freeze()
        stored = [item for item in session.items if item.get_closest_marker("django_db")]
        if stored and _ended(lambda: self._run(stored[:1], seconds=0)):  # makes the database that others copy
            raise RuntimeError(f"a test fails without a change: {stored[0].nodeid}")
        for number, job in enumerate(WORK["jobs"]):
            if time.time() > WORK["until"]:
                break
            room = job.pop("room")
            started = time.monotonic()
            NOTICED.write_text("")
            word = self._outcome(Mutant(**job), room, number)
            with (COPY / "tried.log").open("a", encoding="utf-8") as log:
                seconds = time.monotonic() - started
                log.write(f"{room:12}{word:9}{seconds:6.1f} s  {job['key']}  {NOTICED.read_text()}\n")
            with Path(WORK["results"]).open("a", encoding="utf-8") as results:
                results.write(json.dumps([job["key"], word], ensure_ascii=False) + "\n")
        return True

    def _outcome(self, mutant: Mutant, room: str, number: int) -> str:
        """killed, survived, timeout or broken (it could not be tried): what the tests say of a mutant."""
        name = f"{mutant.path}::{mutant.function}"
        where = {module for module, entered in self.outside.items() if name in entered}
        alone = bool(where) or not mutant.function
        every = "" in where or not mutant.function
        items = [item for item in self._of(room) if every or self._may_notice(item.nodeid, name, where)]
        if not items:
            return "survived"
        path = COPY / mutant.path
        source, times = path.read_bytes(), path.stat()
        changed = mutant.applied(source)
        try:
            path.write_bytes(changed)
            # Compiled files are told from older ones by the second and the size alone.
            os.utime(path, (number, number))
            if not alone:
                return _word(_ended(lambda: self._patched(mutant, changed, items)))
            NURSERY.send([item.nodeid for item in items])
            return _word(NURSERY.recv())
        finally:
            path.write_bytes(source)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def _of(self, room: str) -> list[pytest.Item]:
        """A room's tests, the quickest first; those that are not recorded, being new, before them."""
        items = [item for item in self.session.items if item.nodeid.startswith(tuple(ROOMS[room][1]))]
        return sorted(items, key=lambda item: self.tests.get(item.nodeid, {"seconds": 0})["seconds"])

    def _may_notice(self, test: str, name: str, modules: set[str]) -> bool:
        if test not in self.tests or test.partition("::")[0] in modules:
            return True
        entered = self.tests[test]["entered"]
        return name in entered or PROCESS in entered

    def _patched(self, mutant: Mutant, changed: bytes, items: list[pytest.Item]) -> None:
        """Run tests with the function's other code."""
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


def _ended(work) -> int:
    """How a process ended that did the work: its exit code, below zero the signal."""
    child = os.fork()
    if not child:
        try:
            os.setsid()
            work()
        except BaseException:  # whatever it is, this process must not go on as its parent does
            traceback.print_exc()
        finally:
            os._exit(BROKEN)  # nothing that `work` ends with
    _child, status = os.waitpid(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what the tests started and did not end
    return os.waitstatus_to_exitcode(status)


def _word(code: int) -> str:
    return {0: "survived", BROKEN: "broken", -signal.SIGALRM: "timeout"}.get(code, "killed")


def _nursery() -> Connection:
    """A process that has loaded what is not ours, and has a child run the tests that it is sent."""
    ours, theirs = Pipe()
    if os.fork():
        theirs.close()
        return ours
    ours.close()
    for name in LOADED_BEFORE:
        importlib.import_module(name)
    while True:
        try:
            tests = theirs.recv()
        except EOFError:
            os._exit(0)
        theirs.send(_ended(partial(_alone, tests)))


def _alone(tests: list[str]) -> None:
    """Run tests in a process that has loaded nothing of the project yet."""
    ONLY.write_text(json.dumps(tests))
    os.environ[ALONE] = "1"
    signal.alarm(4 * SECONDS)  # until the first test
    gc.disable()  # until the tests are collected
    files = sorted({test.partition("::")[0] for test in tests})
    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "tools.mutants.plugin"]
    os._exit(pytest.main([*options, *files]))


def _codes(code: CodeType):
    """The code of a module's functions, in classes too."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _codes(each)


def _functions() -> dict[tuple[str, str, int], list[FunctionType]]:
    """Every function of the mutated files that lives, by file, name and line."""
    files = {str(COPY / path): path for path in mutated_files()}
    found: dict[tuple[str, str, int], list[FunctionType]] = {}
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename in files:
            code = each.__code__
            key = (files[code.co_filename], code.co_qualname, code.co_firstlineno)
            found.setdefault(key, []).append(each)
    return found


if WORK["what"] == "try" and ALONE not in os.environ:
    NURSERY = _nursery()  # while nothing of the project is loaded
