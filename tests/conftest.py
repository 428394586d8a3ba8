"""Fixtures for all tests: fast passwords and clients, an empty cache, and a way to empty guarded tables."""

import functools
import gc
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import cache
from django.db import connections, transaction
from django.test import Client, TransactionTestCase, override_settings
from django.test.client import ClientHandler
from django.utils import translation

from tests import examples, samples, servers, triggers
from tests.languages import speak
from tests.layout import squeezed
from ui import memo

HERE = Path(__file__).parent
examples.load_profile()
# The tests of real files are collected only if the folder of samples is configured.
collect_ignore = [] if samples.folder() else samples.TESTS
# Rows created by migrations (categories, rule sets), which a flush would delete.
MADE_BY_MIGRATIONS = ["players.Category", "promotions.PromotionRuleSet", "promotions.PromotionRule"]
USES_DATABASE = {"db", "transactional_db"}
# A migrated database that each process copies instead of migrating one: the path of a SQLite file, or the
# name of a PostgreSQL database. `tools/check.py` makes it.
MIGRATED = os.environ.get("BAZA_TESTS_MIGRATED")
# Objects until each garbage collection. Python's usual 700 take a seventh of the processor time of the tests.
GARBAGE = (10_000, 20, 100)
# Tests that depend only on code and translations need not run on a second database.
OF_CODE_ALONE = (
    "access/test_mass_assignment.py",
    "i18n/",
    "scoring/calculator/",
    "scoring/rulebook/",
)


# --- Which tests run, and in which order ----------------------------------------------------------------
def pytest_addoption(parser) -> None:
    parser.addoption(
        "--only-database",
        action="store_true",
        help="Only tests that use the database of this process: what a second database can change.",
    )


def pytest_configure(config) -> None:
    gc.disable()  # until the tests are collected: what is made until then is kept for the whole session
    lines = servers.not_run()
    if os.environ.get("BAZA_NO_SKIPS") and lines:
        raise pytest.UsageError("; ".join(lines))


def pytest_collection_modifyitems(config, items) -> None:
    kept, dropped, no_browser = [], [], not servers.chromium()
    missing = {name for name in servers.PROGRAMS if not servers.program(name)}
    for item in items:
        folder = item.path.relative_to(HERE).parts[0]
        if folder in {"browser", "system"}:
            item.add_marker(folder)
        if folder == "deploy":
            item.add_marker("system")
        elsewhere = config.getoption("--only-database") and not _uses_database(item, folder)
        needed = {name for marker in item.iter_markers("needs") for name in marker.args}
        left_out = elsewhere or (folder == "browser" and no_browser) or needed & missing
        (dropped if left_out else kept).append(item)
    config.hook.pytest_deselected(items=dropped)
    sizes = Counter(item.path for item in kept)
    items[:] = sorted(kept, key=lambda item: (_needs_no_server(item), -sizes[item.path]))


def pytest_collection_finish() -> None:
    """Exempt modules and tests from garbage collection, and collect what the tests make less often."""
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    gc.enable()


def _needs_no_server(item) -> bool:
    """Return False for tests that mostly wait for servers or browsers, which sorts them to the front.

    They start first, so that they wait while the other tests run. Files with few tests come last, so that all
    processes end at about the same time.
    """
    return not (item.get_closest_marker("system") or item.get_closest_marker("browser"))


def _uses_database(item, folder: str) -> bool:
    if folder in {"browser", "deploy", "system"} or item.path.relative_to(HERE).as_posix().startswith(
        OF_CODE_ALONE
    ):
        return False
    return bool(item.get_closest_marker("django_db") or USES_DATABASE & set(item.fixturenames))


def pytest_terminal_summary(terminalreporter, config) -> None:
    if not config.getoption("--only-database"):
        for line in servers.not_run():
            terminalreporter.write_line(line)
        reports = [item for kind in terminalreporter.stats.values() for item in kind]
        properties = [item for report in reports for item in getattr(report, "user_properties", ())]
        terminalreporter.write_line(samples.summary(properties))
    if skipped := _skipped(terminalreporter):
        terminalreporter.write_line(f"failed: {skipped} skipped tests, and no test of ours may be skipped")


def pytest_sessionfinish(session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and _skipped(reporter) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _skipped(reporter) -> int:
    return sum(len(reporter.stats.get(kind, ())) for kind in ("skipped", "xfailed", "xpassed"))


# --- Database -------------------------------------------------------------------------------------------
@pytest.fixture(scope="session")
def django_db_modify_db_settings(request, tmp_path_factory) -> None:
    """Use a SQLite file, as in a real installation, so that each thread has a connection of its own.

    If there is a migrated database, the test database starts as a copy of it.
    """
    connection = connections["default"]
    if connection.vendor == "sqlite":
        path = tmp_path_factory.mktemp("database") / "test.sqlite3"
        connection.settings_dict["TEST"]["NAME"] = str(path)
        if MIGRATED:
            servers.copy_sqlite(Path(MIGRATED), path)
    else:
        request.getfixturevalue("django_db_modify_db_settings_parallel_suffix")
        connection.settings_dict["TEST"]["TEMPLATE"] = MIGRATED


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """Do not delete a SQLite file that was copied from the migrated database."""
    return django_db_keepdb or (MIGRATED is not None and connections["default"].vendor == "sqlite")


@pytest.fixture(scope="session", autouse=True)
def flush_past_the_triggers() -> Iterator[None]:
    """Let Django empty the database after tests with real transactions, although guards refuse to delete.

    Django deletes or truncates all tables after each such test. The guards are disabled for that. Afterwards
    the rows that migrations create are inserted again.
    """
    setup, teardown = TransactionTestCase._fixture_setup, TransactionTestCase._fixture_teardown
    kept: list = []

    def set_up(cls) -> None:
        if connections["default"].in_atomic_block:
            raise RuntimeError("transaction=True in a module with a fixture that is `rolled_back`")
        if not kept:  # before the first such test, the tables contain the rows of the migrations
            for label in MADE_BY_MIGRATIONS:
                kept.extend(apps.get_model(label).objects.order_by("pk"))
        setup.__func__(cls)

    def tear_down(self) -> None:
        with triggers.without(connections["default"]):
            teardown(self)
        # In one transaction, because a category may refer to a successor inserted later.
        with transaction.atomic():
            for item in kept:
                item.save_base(raw=True, force_insert=True)

    TransactionTestCase._fixture_setup = classmethod(set_up)
    TransactionTestCase._fixture_teardown = tear_down
    yield
    TransactionTestCase._fixture_setup = setup
    TransactionTestCase._fixture_teardown = teardown


@pytest.fixture
def english(client) -> Iterator[None]:
    """Use English, so that pages can be compared with the messages in the code."""
    speak(client, "en")
    with translation.override("en"):
        yield


@pytest.fixture
def sample(record_property):
    """Return a function that reads a real result file, by its name in the folder of samples.

    pytest's summary at the end counts every file that was read.
    """

    def read(name: str) -> bytes:
        record_property(samples.PROPERTY, name)
        return (samples.folder() / name).read_bytes()

    return read


# --- Pages ----------------------------------------------------------------------------------------------
@pytest.fixture(scope="session", autouse=True)
def pages_without_layout() -> Iterator[None]:
    """Remove white space from HTML responses, so that tests do not depend on the layout of templates."""
    get_response = ClientHandler.get_response

    def get_squeezed(self, request):
        response = get_response(self, request)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if is_page and not response.streaming and not response.has_header("Content-Encoding"):
            response.content = squeezed(response.content.decode())
        return response

    ClientHandler.get_response = get_squeezed
    yield
    ClientHandler.get_response = get_response


def force_login(client: Client, account) -> None:
    """Sign in as `Client.force_login` does, with four queries instead of fourteen."""
    session = SessionStore()
    session[SESSION_KEY] = str(account.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = account.get_session_auth_hash()
    session.create()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key


@pytest.fixture(scope="session", autouse=True)
def quick_sign_in() -> Iterator[None]:
    """Let test clients sign in by `force_login` above. Tests of signing in use the form."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "force_login", force_login)
        yield


# --- Passwords, files, cache, queue ---------------------------------------------------------------------
@pytest.fixture(scope="session", autouse=True)
def fast_password_hashing() -> None:
    """Use a fast password hasher. A real one takes a quarter of a second for each password."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session", autouse=True)
def go_is_rated() -> None:
    """Offer the ratings of Go, which a new installation does not, besides its own points."""
    settings.FAMILIES = ["aeb", "go"]


@pytest.fixture(scope="session", autouse=True)
def static_files_on_demand() -> None:
    """Let WhiteNoise look up files on request: it would otherwise scan all files for each test client.

    The addresses of files are made once: a page has about 16, and they never change.
    """
    settings.WHITENOISE_AUTOREFRESH = True
    staticfiles_storage.url = functools.cache(staticfiles_storage.url)


@pytest.fixture(scope="session", autouse=True)
def cache_of_this_process() -> Iterator[None]:
    """Use a separate Redis database for the cache in each parallel test process."""
    location = settings.CACHES["default"].get("LOCATION", "")
    if not location.startswith("redis:"):
        yield
        return
    number = 1 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    own = {**settings.CACHES["default"], "LOCATION": f"{location.rsplit('/', 1)[0]}/{number}"}
    with override_settings(CACHES={"default": own}):
        yield


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    """Clear what one test could leave for the next one: the cache, memoized lists, the active language."""
    translation.deactivate()
    cache.clear()
    memo.forget()  # versions start from 0 again in each test, which never happens in a real database


@pytest.fixture(autouse=True)
def comparing_worker(monkeypatch) -> None:
    """Do what workers do with an uploaded list where a page would wait for it: tests have no workers."""
    from scoring.office.lists import tasks, writing

    def compare(batch) -> None:
        for task in batch.tasks.filter(verb="compare", state="pending"):
            writing.perform(task.pk)

    monkeypatch.setattr(tasks, "wait", compare)


@pytest.fixture
def eager_queue() -> Iterator[None]:
    """Run Celery tasks immediately where they are sent, and raise their errors there."""
    from federation.celery import app

    app.conf.update(task_always_eager=True, task_eager_propagates=True)
    yield
    app.conf.update(task_always_eager=False, task_eager_propagates=False)
