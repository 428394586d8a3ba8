"""Read the body of a request within limits of size, fields and time: a form with a file, or any other."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, QueryDict
from django.http.multipartparser import MultiPartParserError
from django.http.request import UnreadablePostError
from django.utils.datastructures import MultiValueDict

from scoring.api.problems import Problem
from ui.fields import submitted

MAX_FIELDS = 50
FORM_BYTES = 64 * 1024  # the most that the form may have besides the file
LOST = "\N{REPLACEMENT CHARACTER}"
Form = tuple[QueryDict, "MultiValueDict[str, UploadedFile]"]


def read_form(request: HttpRequest) -> Form:
    """Return the fields and the files of a multipart form. Raises Problem."""
    if request.content_type != "multipart/form-data":
        raise Problem("not_multipart")
    fields, files = _parse(request, read_body(request, settings.UPLOAD_LIMIT + FORM_BYTES, too_large()))
    if len(fields) + len(files) > MAX_FIELDS:
        raise Problem("too_many_fields", limit=MAX_FIELDS)
    if repeated := [name for name, values in fields.lists() if len(values) > 1]:
        raise Problem("repeated_field", value=min(repeated)[:60])
    if any(LOST in text for item in fields.items() for text in item):
        raise Problem("body_malformed")
    return fields, files


def the_file(files: "MultiValueDict[str, UploadedFile]") -> UploadedFile:
    """Return the one file of a form. Raises Problem."""
    if others := files.keys() - {"file"}:
        raise Problem("unknown_field", value=min(others)[:60])
    sent = files.getlist("file")
    if not sent:
        raise Problem("file_missing")
    if len(sent) > 1:
        raise Problem("several_files")
    if not sent[0].size:
        raise Problem("empty_file")
    if sent[0].size > settings.UPLOAD_LIMIT:
        raise too_large()
    return sent[0]


def too_large() -> Problem:
    return Problem("upload_too_large", limit=settings.UPLOAD_LIMIT // 2**20)


def read_body(request: HttpRequest, limit: int, too_long: Problem) -> bytes:
    """Return the whole body. Nothing of it is read if its length is too large or unknown. Raises Problem.

    limit: the most bytes that it may have
    too_long: raised if it has more

    Django leaves out a file that ends early, as if none had been sent. The length is compared, so that a
    program knows that sending it again helps.
    """
    stated = request.META.get("CONTENT_LENGTH") or ""
    if not (stated.isascii() and stated.isdigit()):
        raise Problem("length_missing")
    length = int(stated)
    if length > limit:
        raise too_long
    with _deadline(request) as expired:
        try:
            body = request.read(length)
        except UnreadablePostError:
            body = b""
    if len(body) < length:
        if expired.is_set():
            raise Problem("body_too_slow", seconds=settings.API_BODY_SECONDS)
        raise Problem("body_incomplete")
    return body


@contextmanager
def _deadline(request: HttpRequest) -> Iterator[threading.Event]:
    """Stop reading from the client after a time, so that a slow one does not keep a thread of the server.

    Yield an event that is set if the time is over. Other servers than gunicorn give no access to the
    connection; then there is no limit.
    """
    expired, connection = threading.Event(), request.META.get("gunicorn.socket")

    def stop() -> None:
        expired.set()
        with suppress(OSError):  # the client has already closed the connection
            connection.shutdown(socket.SHUT_RD)

    timer = threading.Timer(settings.API_BODY_SECONDS, stop)
    if connection is not None:
        timer.start()
    try:
        yield expired
    finally:
        timer.cancel()


def _parse(request: HttpRequest, body: bytes) -> Form:
    try:
        fields, files = request.parse_file_upload(request.META, BytesIO(body))
    except (TooManyFieldsSent, TooManyFilesSent, RequestDataTooBig) as error:
        raise Problem("too_many_fields", limit=MAX_FIELDS) from error
    except (MultiPartParserError, BadRequest, ValueError) as error:
        raise Problem("body_malformed") from error
    return submitted(fields), files
