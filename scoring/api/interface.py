"""The interface for programs as a whole: its addresses, its errors and its description (OpenAPI 3.1)."""

import re
from copy import deepcopy
from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.errors import ValidationError

from scoring.api import computing, uploads
from scoring.api.description import complete
from scoring.api.problems import Problem, response_of
from scoring.api.reading.common import one_of
from scoring.api.reading.routers import ROUTERS


class Interface(NinjaAPI):
    """The interface, with a complete description."""

    @cached_property
    def _of_code(self) -> dict[str, Any]:
        """The library's description of the code. It never changes, and takes long to make."""
        return super().get_openapi_schema()

    def get_openapi_schema(self, **_options: Any) -> dict[str, Any]:
        """Return the description. The choices of the form of uploads are read from the database."""
        return complete(deepcopy(self._of_code))


interface = Interface(
    title="Baza",
    version="1",
    description="What the federation's pages show, as JSON; scoring; results of its clubs.",
    urls_namespace="api",
    docs_url=None,
    docs_decorator=require_safe,
)
for router in (*ROUTERS, computing.router, uploads.router):
    interface.add_router("", router)


@interface.exception_handler(Problem)
def on_problem(request: HttpRequest, problem: Problem) -> HttpResponse:
    return response_of(request, problem)


@interface.exception_handler(ValidationError)
def on_invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Answer an invalid address, header or parameter. Nothing else is validated by the library."""
    return response_of(request, _problem_of(error))


def _problem_of(error: ValidationError) -> Problem:
    """Return the problem of a validation error: of the address, else of a header, else of parameters."""
    places = {item["loc"][0] for item in error.errors}
    if "path" in places:
        return Problem("not_found")
    if "header" in places:
        return Problem("bad_key")
    names = list(dict.fromkeys(item["loc"][-1] for item in error.errors))
    if names == ["cursor"]:
        return Problem("cursor_invalid")
    errors = [{"field": item["loc"][-1], "message": _message(item)} for item in error.errors]
    return Problem("parameter_invalid", names=", ".join(names), errors=errors)


def _message(item: dict[str, Any]) -> str:
    if item["type"] == "literal_error":
        return one_of(re.findall(r"'(.+?)'", item["ctx"]["expected"]))  # "'a' or 'b'", in English alone
    return _("This value cannot be used.")
