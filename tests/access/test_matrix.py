"""Request every URL of the project as every actor, and compare the responses with `matrix.py`."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from federation.asking import ASKED
from tests.access.matrix import (
    ACTORS,
    ADMIN_DOORS,
    API,
    IN,
    MATRIX,
    NOT_ASKED,
    OFFICE_PAGES,
    PUBLIC,
    SIGN_IN,
    TOKENS,
)
from tests.headers import wrong_headers
from tests.pages import Page
from ui.parameters import is_known
from ui.shared import is_shared

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
UNSAFE = ("post", "put", "patch", "delete")
# Arguments for URLs of the admin site. The objects need not exist, because access is refused first.
ADMIN_ARGUMENTS = {
    "object_id": "1",
    "id": "1",
    "app_label": "players",
    "content_type_id": "1",
    "url": "nothing",
}


def patterns(
    resolver: URLResolver, namespace: str = "", prefix: str = ""
) -> Iterator[tuple[str, str, object]]:
    """Yield (name with namespace, route, pattern) of every URL."""
    for pattern in resolver.url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from patterns(pattern, inner, route)
        else:
            yield f"{namespace}{pattern.name}", route, pattern


ALL = list(patterns(get_resolver()))
NAMES = sorted({name for name, _route, _pattern in ALL if not name.startswith("admin:")})
ADMIN_NAMES = sorted({name for name, _route, _pattern in ALL if name.startswith("admin:")} - {"admin:None"})


def client_of(world, actor: str, **options) -> Client:
    """Return a test client in which the actor is signed in."""
    client = Client(raise_request_exception=False, **options)
    if actor in world.sessions:
        client.cookies[settings.SESSION_COOKIE_NAME] = world.sessions[actor]
    return client


def outcome_of(response) -> str | int:
    """Return the outcome of a response, as the matrix writes it.

    SIGN_IN is a redirect to the sign-in page. IN means that the actor was let in: a page, another redirect,
    or a form with errors. Any other response has its HTTP status.
    """
    if response.status_code == 302 and response.url.startswith(reverse("account_login") + "?next="):
        return SIGN_IN
    return IN if response.status_code in (200, 302, 409, 422) else response.status_code


def address(name: str, world) -> str:
    return reverse(name, args=MATRIX[name].args(world))


def admin_address(name: str) -> str:
    pattern = next(item for result, _route, item in ALL if result == name)
    wanted = pattern.pattern.converters or pattern.pattern.regex.groupindex
    return reverse(name, kwargs={key: ADMIN_ARGUMENTS[key] for key in wanted})


def write_statements(run) -> list[str]:
    """Call `run`. Return its SQL statements that write, except those that every refused form may cause.

    These keep what was typed in the session, and count it (`federation.kept_forms`).
    """
    result = []

    def watch(execute, sql, params, many, context):
        writes = sql.lstrip().upper().startswith(WRITES)
        if writes and not any(table in sql for table in ("django_session", "players_tally")):
            result.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        run()
    return result


def all_rows() -> dict[str, list]:
    """Return {table: all its rows} for the project's tables.

    The statements are written here, because Django takes ten times as long to build them for every table.
    """
    rows = {}
    with connection.cursor() as cursor:
        for meta in (model._meta for model in apps.get_models()):
            if meta.label != "sessions.Session":
                cursor.execute(f'SELECT * FROM "{meta.db_table}" ORDER BY "{meta.pk.column}"')
                rows[meta.db_table] = cursor.fetchall()
    return rows


def unknown_parameters(responses: dict[str, HttpResponse]) -> set[str]:
    """Return the parameters in the links and forms of a page that are not in the table of names.

    responses: the page by actor; one page with most of its parts is enough
    """
    shown = (responses[actor] for actor in ("office", "club_admin", "player", "nobody"))
    page = next((Page(response) for response in shown if is_page(response)), None)
    return {name for name in page.parameters if not is_known(name)} if page else set()


def is_page(response: HttpResponse) -> bool:
    return response.status_code == 200 and response.headers["Content-Type"].startswith("text/html")


@pytest.fixture(scope="module")
def rows_at_first(built) -> dict[str, list]:
    """Return the rows before each test. They are always the same, because each test is rolled back."""
    return all_rows()


def test_the_matrix_has_exactly_the_named_urls_of_the_project():
    assert set(MATRIX) == set(NAMES)


def test_every_url_has_a_name():
    unnamed = [
        route for name, route, _pattern in ALL if name.endswith("None") and not route.startswith("admin/")
    ]
    assert unnamed == []


@pytest.mark.parametrize("name", NAMES)
def test_get_gives_each_actor_the_expected_response_and_writes_nothing(
    name, world, rows_at_first, short_refusals
):
    """All have the headers for browsers, and responses other than public pages must not be stored."""
    url, page = address(name, world), MATRIX[name]
    clients = {actor: client_of(world, actor) for actor in ACTORS}
    responses, writes = {}, []
    for actor, client in clients.items():
        writes += write_statements(lambda: responses.update({actor: client.get(url, page.query)}))  # noqa: B023
    assert {actor: outcome_of(response) for actor, response in responses.items()} == page.get
    assert unknown_parameters(responses) == set()
    assert {name for response in responses.values() for name in wrong_headers(response)} == set()
    assert writes == []
    assert all_rows() == rows_at_first
    if name not in PUBLIC and not is_shared(url):
        controls = {response.headers["Cache-Control"] for response in responses.values()}
        assert all("no-store" in control and "public" not in control for control in controls), controls


@pytest.mark.parametrize("status", [403, 404])
def test_who_is_refused_gets_a_page_that_writes_nothing(status, world):
    """The tests of the matrix leave these two pages out (`short_refusals`)."""
    pages = [name for name in reversed(NAMES) if not name.startswith("api:")]
    first = {actor: name for actor in ACTORS for name in pages if MATRIX[name].get[actor] == status}
    assert set(first) >= {"outsider", "player", "director", "far_region_admin", "committee", "auditor"}
    for actor, name in first.items():
        client, url, got = client_of(world, actor), address(name, world), []
        assert write_statements(lambda: got.append(client.get(url, MATRIX[name].query))) == []  # noqa: B023
        assert got[0].status_code == status
        assert len(Page(got[0]).headings(1)) == 1


@pytest.mark.parametrize("name", NAMES)
def test_post_gives_each_actor_the_expected_response_and_writes_nothing_if_refused(
    name, world, short_refusals
):
    url, page = address(name, world), MATRIX[name]
    got, writes = {}, {}
    for actor in ACTORS:
        client = client_of(world, actor)
        with transaction.atomic():
            writes[actor] = write_statements(
                lambda: got.update({actor: outcome_of(client.post(url, page.data(world)))})  # noqa: B023
            )
            transaction.set_rollback(True)
    if page.post is not None:
        assert got == page.post
    else:
        assert IN not in got.values()
    # Actors who are refused, or who post to a page without POST, must write nothing.
    idle = [actor for actor in ACTORS if page.post is None or page.post[actor] != IN]
    assert [writes[actor] for actor in idle] == [[] for _actor in idle]


@pytest.mark.parametrize("name", sorted(TOKENS))
def test_each_address_for_programs_gives_each_token_the_expected_answer(name, world):
    """An upload that a person of the club sent is none of the program's, and another club learns nothing."""
    page, own = MATRIX[name], {"own", "confirming"}
    method = "get" if page.get["nobody"] == 401 else "post"
    for uploads in (world.sent_id, world.draft_id):
        path = reverse(name, args=[world.club_code, *([uploads] if len(page.args(world)) == 2 else [])])
        answers = {
            token: getattr(Client(), method)(path, headers={"Authorization": f"Bearer {secret}"})
            for token, secret in world.tokens.items()
        }
        theirs = uploads == world.sent_id or name == "api:upload_send"
        expected = {
            token: status if theirs or token not in own else 404 for token, status in TOKENS[name].items()
        }
        assert {token: answer.status_code for token, answer in answers.items()} == expected
        assert all(b"pool.csv" not in answer.content for token, answer in answers.items() if token not in own)


def test_every_address_that_takes_a_token_is_tried_with_each():
    assert set(TOKENS) == {
        name for name, page in MATRIX.items() if 401 in ({*page.get.values()} | {*(page.post or {}).values()})
    }


def test_urls_refuse_unsafe_requests_without_a_csrf_token(world):
    client = client_of(world, "office", enforce_csrf_checks=True)
    got = {
        name: {method: getattr(client, method)(address(name, world)).status_code for method in UNSAFE}
        for name in NAMES
    }
    exempt = {name for name in NAMES if not MATRIX[name].token}
    assert {name for name in NAMES if got[name] != dict.fromkeys(UNSAFE, 403)} == exempt
    # The interface for programs and the witness ignore cookies, so a forged request has nothing to use.
    assert exempt == {
        "log_add_checkpoint",
        *API,
        "set_language",
        "unsubscribe",
    }


def test_each_office_page_that_writes_asks_for_the_second_factor_or_is_known_not_to():
    """Add a new page of the office to `federation.asking.ASKED`, or to NOT_ASKED of the matrix."""
    writing = {name for name, page in OFFICE_PAGES.items() if page.post}
    assert writing - ASKED == NOT_ASKED


def test_no_role_opens_the_administration_site(world):
    clients = [client_of(world, actor) for actor in ACTORS]
    let_in = [
        (name, actor, method)
        for name in ADMIN_NAMES
        if name not in ADMIN_DOORS
        for actor, client in zip(ACTORS, clients, strict=True)
        for method in ("get", "post")
        if not redirects_to(reverse("admin:login"), getattr(client, method)(admin_address(name)))
    ]
    assert let_in == []


def redirects_to(url: str, response) -> bool:
    return response.status_code == 302 and response.url.split("?")[0] == url


def test_the_administration_site_requires_csrf_tokens_and_writes_nothing_on_get(world):
    account = world.accounts["office"]
    account.is_staff = account.is_superuser = True
    account.save()
    client = client_of(world, "office", enforce_csrf_checks=True)
    posted, shown = {}, {}

    def look() -> None:
        for name in ADMIN_NAMES:
            shown[name] = client.get(admin_address(name)).status_code

    assert write_statements(look) == []
    assert [name for name, status in shown.items() if status >= 500] == []
    for name in ADMIN_NAMES:
        posted[name] = client.post(admin_address(name)).status_code
    assert posted == dict.fromkeys(ADMIN_NAMES, 403)
