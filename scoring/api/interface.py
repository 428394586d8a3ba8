"""The interface for programs as a whole: its addresses, its errors and its description (OpenAPI 3.1)."""

from copy import deepcopy
from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import ValidationError

from scoring.api.fields import properties
from scoring.api.problems import CONTENT_TYPE, Problem, finish, response_of
from scoring.api.uploads import router

FILE = "The result file, with a file name. One in each request."


class Interface(NinjaAPI):
    """The interface, with headers for every response and the form of uploads in its description."""

    def create_response(self, request: HttpRequest, data: Any, **options: Any) -> HttpResponse:
        return finish(request, super().create_response(request, data, **options))

    @cached_property
    def _of_code(self) -> dict[str, Any]:
        """The library's description of the code. It never changes, and takes long to make."""
        return super().get_openapi_schema()

    def get_openapi_schema(self, **_options: Any) -> dict[str, Any]:
        """Return the description: refusals are problem documents, and files come in a form.

        The form's choices are read from the database.
        """
        schema = deepcopy(self._of_code)
        for path in schema["paths"].values():
            for operation in path.values():
                for status, response in operation["responses"].items():
                    if int(status) >= 400:
                        response["content"] = {CONTENT_TYPE: response["content"]["application/json"]}
                if operation["operationId"] == "send_upload":
                    operation["requestBody"] = _request_body()
        return schema


def _request_body() -> dict[str, Any]:
    """Return the description of the form that sends a file."""
    file = {"type": "string", "contentMediaType": "application/octet-stream", "description": FILE}
    schema = {
        "type": "object",
        "properties": {"file": file, **properties()},
        "required": ["file"],
        "additionalProperties": False,
    }
    return {"required": True, "content": {"multipart/form-data": {"schema": schema}}}


interface = Interface(
    title="Baza",
    version="1",
    description="Results of the federation's clubs. Documentation: docs/api.md.",
    urls_namespace="api",
    docs_url=None,
)
interface.add_router("", router)


@interface.exception_handler(Problem)
def on_problem(request: HttpRequest, problem: Problem) -> HttpResponse:
    return response_of(request, problem)


@interface.exception_handler(ValidationError)
def on_invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Answer an invalid header. Nothing else is validated by the library."""
    return response_of(request, Problem("bad_key"))
