"""The published log: checkpoint, tiles, bundles of entries, the script that checks it, and the witness."""

import re

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from scoring.transparency import keys as log_keys
from scoring.transparency import queries, stamping, witnessing
from scoring.transparency.models import Checkpoint, Stamp
from scoring.transparency.tree import WIDTH, tile_path
from ui import exports

TEXT, BYTES = "text/plain; charset=utf-8", "application/octet-stream"
FOR_EVER = "public, max-age=31536000, immutable"
_PATH = re.compile(r"((?:x[0-9]{3}/)*[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")


@require_safe
def checkpoint(request: HttpRequest) -> HttpResponse:
    """Serve the latest checkpoint, with the cosignatures of witnesses."""
    latest = queries.latest_checkpoint()
    if latest is None:
        raise Http404
    return _file(queries.published_note(latest).encode(), TEXT, "public, max-age=5")


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """Serve the verifying keys of the log, one a line: the current one first."""
    return _file("".join(f"{key}\n" for key in log_keys.verifiers()).encode(), TEXT, "public, max-age=60")


@require_safe
def tile(request: HttpRequest, level: str, path: str) -> HttpResponse:
    """Serve a tile of hashes."""
    number, width = _number_and_width(path)
    return _immutable(queries.tile(int(level), number, width))


@require_safe
def bundle(request: HttpRequest, path: str) -> HttpResponse:
    """Serve a bundle of entries."""
    return _immutable(queries.bundle(*_number_and_width(path)))


@require_safe
def stamp(request: HttpRequest, pk: int) -> HttpResponse:
    """Serve the time stamp of a checkpoint, as the authority gave it."""
    content = get_object_or_404(Stamp, checkpoint=pk).content
    return _file(bytes(content), stamping.REPLY, FOR_EVER)


@require_safe
def past_checkpoint(request: HttpRequest, pk: int) -> HttpResponse:
    """Serve a checkpoint as it was signed and stamped: without cosignatures, which came later."""
    return _file(get_object_or_404(Checkpoint, pk=pk).note.encode(), TEXT, FOR_EVER)


@require_safe
def script(request: HttpRequest) -> HttpResponseBase:
    """Download the script that checks the log."""
    content = (settings.BASE_DIR / "tools" / "verify_log.py").read_bytes()
    return exports.attached(
        HttpResponse(content, content_type="text/x-python; charset=utf-8"), "verify_log.py"
    )


@csrf_exempt
@require_POST
def add_checkpoint(request: HttpRequest) -> HttpResponse:
    """Cosign the checkpoint of another log, as its witness (C2SP tlog-witness).

    The request has no account: what opens it is the signature of a log that this installation witnesses.
    """
    answer = witnessing.witness(request.read(witnessing.MOST_BYTES + 1))
    return HttpResponse(answer.body, status=answer.status, content_type=answer.content_type)


def _number_and_width(path: str) -> tuple[int, int]:
    """Read the path of a tile below its level. Raise Http404 if it is not written as the log writes it."""
    match = _PATH.fullmatch(path)
    if match is None:
        raise Http404
    number, width = int(match[1].replace("x", "").replace("/", "")), int(match[2] or WIDTH)
    if tile_path(number, width) != path:
        raise Http404
    return number, width


def _immutable(content: bytes | None) -> HttpResponse:
    if content is None:
        raise Http404
    return _file(content, BYTES, FOR_EVER)


def _file(content: bytes, content_type: str, cache: str) -> HttpResponse:
    return HttpResponse(content, content_type=content_type, headers={"Cache-Control": cache})
