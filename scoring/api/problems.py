"""The errors of the interface for programs: problem documents (RFC 9457) with codes of the catalogue."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_noop

from tournaments.formats.definitions import Definition, error
from tournaments.services.issues import describe, issue

CONTENT_TYPE = "application/problem+json"

ISSUES: dict[str, Definition] = {
    "token_missing": error(
        gettext_noop("The request has no token."),
        gettext_noop("Send the header Authorization: Bearer, followed by a token of the club."),
    ),
    "token_refused": error(
        gettext_noop(
            "This token does not work: it is unknown, revoked or expired, or who made it no longer manages "
            "the club."
        ),
        gettext_noop("Ask an administrator of the club for a new token."),
    ),
    "plain_http": error(
        gettext_noop("The request came over HTTP, where others can read its token."),
        gettext_noop("Revoke the token, make a new one, and use the address with https."),
    ),
    "nothing_here": error(
        gettext_noop("There is nothing at this address that the token may use."),
        gettext_noop("Check the address, the club's code and the upload's id."),
    ),
    "too_many_requests": error(
        gettext_noop("There were too many requests. Seconds to wait: %(seconds)s."),
        gettext_noop("Try again after that time; the header Retry-After has it too."),
    ),
    "not_multipart": error(
        gettext_noop("The request has another content type than multipart/form-data."),
        gettext_noop("Send the file as the field “file” of a form."),
    ),
    "length_missing": error(
        gettext_noop("The request does not say how long it is."),
        gettext_noop("Send the header Content-Length, and no chunks."),
    ),
    "body_incomplete": error(
        gettext_noop("The request ended before all of it had come."),
        gettext_noop("Send it again."),
    ),
    "body_too_slow": error(
        gettext_noop("The request took too long to come: more than %(seconds)s seconds."),
        gettext_noop("Check the connection and send it again."),
    ),
    "body_malformed": error(
        gettext_noop("The form in the request cannot be read."),
        gettext_noop("Send multipart/form-data with a boundary, in UTF-8."),
    ),
    "too_many_fields": error(
        gettext_noop("The form has too many fields; the most that it may have is %(limit)s."),
        gettext_noop("Send the file and the fields of the documentation alone."),
    ),
    "repeated_field": error(
        gettext_noop("The form has the field “%(value)s” more than once."),
        gettext_noop("Send each field once."),
    ),
    "unknown_field": error(
        gettext_noop("The form has no field “%(value)s”."),
        gettext_noop("Send the fields of the documentation alone."),
    ),
    "field_invalid": error(
        gettext_noop("Some fields have a value that cannot be used: %(names)s."),
        gettext_noop("Correct them as “errors” says; what is left out is taken from the file."),
    ),
    "file_missing": error(
        gettext_noop("The form has no file."),
        gettext_noop("Send the file as the field “file”, with a file name."),
    ),
    "several_files": error(
        gettext_noop("The form has several files."),
        gettext_noop("Send each file in a request of its own."),
    ),
    "bad_key": error(
        gettext_noop("The Idempotency-Key is not 1 to 255 visible ASCII characters."),
        gettext_noop("Use the file's SHA-256, for example."),
    ),
    "key_reused": error(
        gettext_noop("This Idempotency-Key came before with another file or other fields."),
        gettext_noop("Use a new key for a new file."),
    ),
    "upload_moved": error(
        gettext_noop("This file was sent before, and a director has given it to another club since."),
        gettext_noop("Look for it in the uploads of that club."),
    ),
    "may_not_confirm": error(
        gettext_noop("This token may not confirm."),
        gettext_noop("Open the review in the browser and confirm there."),
    ),
    "uploaded_by_person": error(
        gettext_noop("A person uploaded this file, so no token confirms it."),
        gettext_noop("Open the review in the browser and confirm there."),
    ),
    "not_confirmable": error(
        gettext_noop("It cannot be confirmed yet: %(codes)s."),
        gettext_noop("Open the review in the browser, mend the errors and tick the warnings."),
    ),
    "not_found": error(
        gettext_noop("There is nothing public at this address."),
        gettext_noop("Check the number, code or id in the address."),
    ),
    "method_not_allowed": error(
        gettext_noop("This address does not take this method."),
        gettext_noop("Use one of the methods that the header Allow names."),
    ),
    "parameter_invalid": error(
        gettext_noop("Some parameters have a value that cannot be used: %(names)s."),
        gettext_noop("Correct them as “errors” says."),
    ),
    "cursor_invalid": error(
        gettext_noop("The cursor is not one of this list."),
        gettext_noop("Begin without a cursor, and follow the links to the next document."),
    ),
    "not_json_type": error(
        gettext_noop("The request has another content type than application/json or application/x-ndjson."),
        gettext_noop("Send one event as a JSON object, or each event on a line of its own."),
    ),
    "not_json": error(
        gettext_noop("The request is not JSON in UTF-8: %(reason)s."),
        gettext_noop("Send one event as a JSON object, or each event on a line of its own."),
    ),
    "body_too_large": error(
        gettext_noop("The request is larger than %(limit)s KB."),
        gettext_noop("Send the events in several requests."),
    ),
    "too_many_events": error(
        gettext_noop("Events in the request: %(events)s; at most: %(limit)s."),
        gettext_noop("Send several events as application/x-ndjson, and many in several requests."),
    ),
    "too_many_iterations": error(
        gettext_noop("An event asks for more iterations than %(limit)s."),
        gettext_noop("Ask for fewer, or run manage.py score, which has no such limit."),
    ),
    "occupied": error(
        gettext_noop("The application answers as many such requests as it can at the moment."),
        gettext_noop("Try again after the time in the header Retry-After."),
    ),
    "request_malformed": error(
        gettext_noop("The request cannot be understood."),
        gettext_noop("Compare it with the documentation."),
    ),
    "busy": error(
        gettext_noop("The application cannot reach its database at the moment."),
        gettext_noop("Try again after the time in the header Retry-After."),
    ),
    "files_unavailable": error(
        gettext_noop("The place where uploaded files are kept does not answer. The file was not stored."),
        gettext_noop("Try again after the time in the header Retry-After."),
    ),
    "files_full": error(
        gettext_noop("There is no room left for uploaded files. The file was not stored."),
        gettext_noop("Try again later, and tell the office if it stays."),
    ),
    "database_full": error(
        gettext_noop("The application has no room left to store anything. Nothing was saved."),
        gettext_noop("Try again after the time in the header Retry-After."),
    ),
    "fault": error(
        gettext_noop("The application has a fault."),
        gettext_noop("Try again later, and tell the office if it stays."),
    ),
}
STATUS = {
    "token_missing": 401,
    "token_refused": 401,
    "plain_http": 403,
    "may_not_confirm": 403,
    "nothing_here": 404,
    "not_found": 404,
    "method_not_allowed": 405,
    "body_too_slow": 408,
    "upload_moved": 409,
    "uploaded_by_person": 409,
    "not_confirmable": 409,
    "length_missing": 411,
    "upload_too_large": 413,
    "body_too_large": 413,
    "too_many_events": 413,
    "not_multipart": 415,
    "not_json_type": 415,
    "unknown_field": 422,
    "field_invalid": 422,
    "file_missing": 422,
    "several_files": 422,
    "empty_file": 422,
    "key_reused": 422,
    "parameter_invalid": 422,
    "too_many_iterations": 422,
    "too_many_requests": 429,
    "fault": 500,
    "busy": 503,
    "occupied": 503,
    "files_unavailable": 503,
    "files_full": 507,
    "database_full": 507,
}  # all others: 400


class Problem(Exception):
    """A request that is refused.

    code: of the catalogue of issues
    headers: further headers of the response
    errors: for invalid fields, {"field": name, "message": text} of each
    params: the values for the placeholders of the message
    """

    def __init__(
        self,
        code: str,
        *,
        headers: dict[str, str] | None = None,
        errors: list[dict[str, str]] | None = None,
        **params: Any,
    ) -> None:
        super().__init__(code)
        self.code, self.headers, self.errors, self.params = code, headers or {}, errors or [], params


def is_program(request: HttpRequest) -> bool:
    """Return whether the request is for the interface for programs, which gets problems instead of pages."""
    return request.path_info.startswith("/api/")


def response_of(request: HttpRequest, problem: Problem) -> JsonResponse:
    """Return the response to a refused request, in the active language."""
    status = STATUS.get(problem.code, 400)
    text = describe(issue(problem.code, **problem.params))
    document = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": problem.code,
        "detail": text.message,
        "remedy": text.remedy,
        "errors": problem.errors,
    }
    response = JsonResponse(document, status=status, content_type=CONTENT_TYPE, headers=problem.headers)
    return finish(request, response)


def finish(request: HttpRequest, response: Any) -> Any:
    """Add to a response the headers that all responses of the interface have.

    Shared addresses give everybody the same: `SharedPagesMiddleware` says for how long caches keep it.
    """
    varies = ["Accept-Language"]
    if not getattr(request, "shared", False):
        response["Cache-Control"] = "no-store"
        varies.append("Authorization")
    patch_vary_headers(response, varies)
    for name, value in getattr(request, "limit_headers", {}).items():
        response[name] = value
    return response
