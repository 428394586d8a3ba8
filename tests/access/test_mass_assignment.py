"""Forms accept only the fields that they declare, and views read only the names that they know."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from django import forms
from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection, models, transaction
from django.urls import resolve, reverse

from players.models import Role
from players.services import invitations
from tests import factories
from tests.access.matrix import IN, MATRIX
from tests.access.test_matrix import NAMES, WRITES, address, client_of, is_page
from tests.pages import Element, Form, Page
from ui.clock import today
from ui.shared import is_shared

ROOMS = ["ui", "players", "tournaments", "scoring", "federation"]


def our_forms() -> list[type]:
    """Return every form class of the project."""
    result = set()
    for room in ROOMS:
        for path in (Path(settings.BASE_DIR) / room).rglob("*.py"):
            if "forms" in path.as_posix() or path.name == "admin.py":
                name = ".".join(path.relative_to(settings.BASE_DIR).with_suffix("").parts)
                module = import_module(name.removesuffix(".__init__"))
                result |= {
                    var
                    for var in vars(module).values()
                    if isinstance(var, type) and issubclass(var, forms.BaseForm) and var.__module__ == name
                }
    return sorted(result, key=lambda model: model.__qualname__)


def test_every_model_form_lists_its_fields():
    models = [form for form in our_forms() if issubclass(form, forms.ModelForm)]
    assert models  # make sure that there are forms to check
    assert [model for model in models if not isinstance(model._meta.fields, list | tuple)] == []


@pytest.fixture
def club(db):
    return factories.club()


def test_accepting_an_invitation_ignores_posted_values_for_other_roles_and_clubs(client, club):
    administrator = factories.user()
    factories.role(administrator, Role.Kind.CLUB_ADMIN, club=club)
    _invitation, code = invitations.invite(club, "lola@example.org", administrator, by_mail=True)
    elsewhere = factories.club()
    data = {
        "first_name": "Lola", "last_name": "Vera", "password1": "another-long-password",
        "password2": "another-long-password", "username": "root", "email": "x@example.org", "is_staff": "on",
        "is_superuser": "on", "kind": "office", "club": elsewhere.pk, "region": club.region_id,
    }  # fmt: skip
    assert client.post(reverse("invitation", args=[code]), data).status_code == 302
    lola = get_user_model().objects.get(email="lola@example.org")
    assert (lola.username, lola.is_staff, lola.is_superuser) == ("lola@example.org", False, False)
    assert list(lola.roles.values_list("kind", "club", "region")) == [("director", club.pk, None)]


def test_a_category_assigned_by_hand_records_the_signed_in_account_as_its_author(client, db):
    office, other, player = factories.office(), factories.user(), factories.player(category="2P")
    client.force_login(office)
    data = {
        "category": factories.category("1D").pk,
        "valid_from": today().isoformat(),
        "reason": "Champion",
        "evidence": "Acta 7",
        "origin": "campaign",
        "created_by": other.pk,
        "player": factories.player().pk,
        "revoked_reason": "x",
        "revoked_evidence": "x",
    }
    client.post(f"{reverse('category_assign')}?numero={player.number}", data)
    value = player.assignments.first()
    assert (value.category.code, value.origin, value.created_by) == ("1D", "manual", office)
    assert value.revoked_reason == value.revoked_evidence == ""


# --- Each form of the site, with the names of all columns behind it ---------------------------------------
# Who fills in the forms. The other roles see no form that these do not see.
WRITERS = ["office", "committee", "director", "club_admin", "player", "nobody"]
LEFT_OUT = {"account_logout"}  # ends the session of the next forms
NEEDS_PERSON = {"adjustments", "category_assign"}  # their addresses name a player
# What is typed into required fields that are empty, by type of field.
TYPED = {
    "date": today().isoformat(),
    "email": "planted@example.org",
    "number": "1",
    "password": "a-Long-word-77",
    "time": "20:00",
}
# What is typed into fields of these names, whatever they had.
NAMED = dict.fromkeys(["city", "issuer", "name", "reason", "surname", "text"], "Planted")
NAMED |= {"boards": "24", "points": "1"}
# Names that a page reads without showing a field of that name: its form has one, once the file could be read.
ALSO_READ = {"upload_review": {"club"}}
# The forms whose POST has to work here, so that the test proves something: roles, categories, points,
# licences, approvals, accounts, persons, clubs.
WEIGHTY = {
    "account_change",
    "account_new",
    "adjustments",
    "category_assign",
    "category_revoke",
    "club_tokens",
    "invitation",
    "office_club",
    "office_club_new",
    "person_change",
    "person_licence",
    "person_licence_add",
    "person_new",
    "proposal",
    "sign_up_finish",
}
# What differs between two equal requests: times, random ids, keys, digests, passwords and their hashes.
RANDOM = re.compile(
    r"\d{4}-\d\d-\d\d[ T][\d:.+]+|datetime\.datetime\([^)]*\)|[0-9a-f]{32,}|[0-9a-f-]{36}|"
    r"(?:pbkdf2_|md5)\S+|'!?[A-Za-z0-9]{32,40}'|baza_[\w-]+|gAAAAA[\w=-]+|.memory at \w+>"
)


@dataclass
class Filled:
    """A form of a page, filled in."""

    action: str
    data: dict[str, list[str]] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)  # of all fields and buttons of the page


def forms_of(world, writer: str, known: set) -> Iterator[Filled]:
    """Yield the forms that the writer sees, filled in, without those that `known` has already."""
    client = client_of(world, writer)
    for name in NAMES:
        if MATRIX[name].get[writer] != IN or name in LEFT_OUT:
            continue
        url = address(name, world)
        if writer != "nobody" and is_shared(url):
            continue  # the same page for everybody
        query = {"numero": world.player_number} if name in NEEDS_PERSON else MATRIX[name].query
        response = client.get(url, query)
        if not is_page(response):
            continue
        main = Page(response).main
        for element, form in zip(main.all("form"), main.forms, strict=True):
            action = form.action or f"{url}?{urlencode(query)}"
            kind = (
                resolve(urlsplit(action).path).view_name,
                *sorted({*form.values, *form.boxes, *form.buttons}),
            )
            if (
                element.get("method", "get").lower() == "post"
                and kind[0] not in LEFT_OUT
                and kind not in known
            ):
                known.add(kind)
                yield Filled(action, filled(element, form), set(main.fields))


def filled(element: Element, form: Form) -> dict[str, list[str]]:
    """Return what a reader sends who fills what is required, ticks all boxes and presses the first button."""
    data = {name: [value or typed(element, name) for value in values] for name, values in form.values.items()}
    data |= {name: [NAMED[name]] for name in form.values.keys() & NAMED}
    for extra in (form.boxes, form.buttons):
        for name, values in extra.items():
            data.setdefault(name, values[:1])
    data.pop("csrfmiddlewaretoken", None)
    return data


def typed(element: Element, name: str) -> str:
    """Return what is entered into an empty field: nothing unless it is required."""
    control = next(item for item in element.controls if item["name"] == name)
    if control.tag == "select":
        options = [option.get("value") for option in control.all("option") if option.get("value")]
        return options[0] if options and ("required" in control.attributes or name == "club") else ""
    return TYPED.get(control.get("type"), "Planted") if "required" in control.attributes else ""


def writes_of(client, action: str, data: dict) -> tuple[list, set[str]]:
    """Return the statements of a POST that write, with their values, and their tables. Nothing stays."""
    statements: list[tuple[str, str]] = []

    def watch(execute, sql, params, many, context):
        if sql.lstrip().upper().startswith(WRITES) and "django_session" not in sql:
            statements.append((sql, RANDOM.sub("…", repr(params))))
        return execute(sql, params, many, context)

    with transaction.atomic(), connection.execute_wrapper(watch):
        client.post(action, data)
        transaction.set_rollback(True)
    return statements, {table for sql, _values in statements for table in re.findall(r'"(\w+)"', sql)[:1]}


def planted(tables: set[str], listed: set[str]) -> dict[str, str]:
    """Return a value for every column of these tables whose name the page does not list."""
    result = {}
    for model in apps.get_models():
        if model._meta.db_table not in tables:
            continue
        for column in model._meta.concrete_fields:
            for name in {column.name, column.attname} - listed:
                result[name] = planted_value(column)
    return result


def planted_value(column: models.Field) -> str:
    if column.is_relation:
        row = column.related_model._default_manager.order_by("-pk").first()
        return str(row.pk) if row else "1"
    if column.choices:
        return str(column.flatchoices[-1][0])
    if isinstance(column, models.BooleanField):
        return "on"
    if isinstance(column, models.DateField):
        return "2001-02-03"
    return "77" if isinstance(column, models.IntegerField | models.DecimalField) else "planted-77"


def test_no_form_writes_a_column_that_it_does_not_show(world):
    """Each form is sent twice, the second time with the names of all columns of the tables that it writes."""
    known: set[tuple] = set()
    tried, changed = set(), []
    for writer in WRITERS:
        client = client_of(world, writer)
        for form in forms_of(world, writer, known):
            plain, tables = writes_of(client, form.action, form.data)
            if not plain:
                continue
            name = resolve(urlsplit(form.action).path).view_name
            tried.add(name)
            more = planted(tables, form.names | set(form.data) | ALSO_READ.get(name, set()))
            crowded, _tables = writes_of(client, form.action, {**more, **form.data})
            if plain != crowded:
                changed.append(
                    (name, writer, next(_differing(plain, crowded), "another number of statements"))
                )
    assert changed == []
    assert tried >= WEIGHTY


def _differing(plain: list, crowded: list) -> Iterator[tuple]:
    return (pair for pair in zip(plain, crowded, strict=False) if pair[0] != pair[1])


# --- What views read of a request without a form -----------------------------------------------------------
# The modules in which more than single names of a request go to something that is no form.
WHOLE_REQUESTS = {
    "federation/asking.py",  # hidden fields of the page that asks for the second factor, for the same view
    "federation/kept_forms.py",  # kept in the session, shown in the same form again
    "federation/middleware.py",  # the same names, without direction marks
    "federation/sign_up_views.py",  # a function that returns it to forms
    "scoring/cases/views/case.py",  # through `submitted` into forms
    "scoring/promotions/views/rule_sets.py",  # values for the editor, a set of forms
    "scoring/promotions/views/simulation.py",  # a day and two sets of rules, by their names
    "scoring/uploads/sent_pages.py",  # the numbers that a page sent, which are compared
    "scoring/uploads/views/editing.py",  # the number of a page
    "scoring/uploads/views/memory.py",  # one field for each remembered name of the club, by its id
    "scoring/uploads/views/review.py",  # the numbers that a page sent, and the buttons of boards
    "scoring/uploads/views/steps.py",  # into a form, beside a default
    "scoring/uploads/views/submission.py",  # fields of seats by their position, and into a form
}
ONE_NAME = {"get", "getlist"}
FORM = re.compile(r"(Form|Editor|Confirmation)$|(^|\.)(form|form_class|FORMS\[\w+\])$")


def test_only_known_modules_read_whole_requests():
    """All others read single names, or give the request to a form, which has its own."""
    found_in = {
        path.relative_to(settings.BASE_DIR).as_posix()
        for room in ROOMS
        for path in (Path(settings.BASE_DIR) / room).rglob("*.py")
        if reads_whole_request(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found_in == WHOLE_REQUESTS


@pytest.mark.parametrize(
    "line",
    [
        "Club.objects.create(**request.POST.dict())",
        "for name, value in request.POST.items(): setattr(club, name, value)",
        "sent = request.POST\n    for name in sent: setattr(club, name, sent[name])",
    ],
)
def test_whole_requests_are_recognised(line):
    assert reads_whole_request(ast.parse(f"def view(request, club):\n    {line}"))


def reads_whole_request(tree: ast.Module) -> bool:
    """Return whether `request.POST`, or a variable with it, may give more than single names to no form."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "POST"]
    return not all(_is_bounded(node, parents) for node in uses)


def _is_bounded(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    above = parents[node]
    if isinstance(above, ast.Attribute):
        return above.attr in ONE_NAME
    if isinstance(above, ast.Subscript | ast.Compare):
        return True
    while isinstance(above, ast.IfExp | ast.BoolOp | ast.Starred | ast.Tuple):
        above = parents[above]
    if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name):
        return all(_is_bounded(use, parents) for use in _uses(above.targets[0].id, above, parents))
    return isinstance(above, ast.Call) and bool(FORM.search(ast.unparse(above.func)))


def _uses(name: str, node: ast.AST, parents: dict[ast.AST, ast.AST]) -> list[ast.Name]:
    """Return where the function around a node reads a variable."""
    while not isinstance(node, ast.FunctionDef | ast.Module):
        node = parents[node]
    return [
        use
        for use in ast.walk(node)
        if isinstance(use, ast.Name) and use.id == name and isinstance(use.ctx, ast.Load)
    ]
