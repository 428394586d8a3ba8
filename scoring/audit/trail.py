"""The trail from points to the file: a run with its inputs, their digest and the uploaded files."""

import json
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access import require, roles_of
from scoring.ledger.models import ScoringRun
from scoring.ledger.snapshots import stored_digest
from scoring.ledger.wording import FIELD_NAMES
from tournaments.models import ResultUpload
from ui.addresses import crumbs


@dataclass(frozen=True, slots=True)
class File:
    """A file of the upload that a ranking came from, as it was recorded on arrival.

    kept: whether its bytes are still stored
    """

    name: str
    sha256: str
    size: int
    kept: bool


@login_required
@require_safe
def run_inputs(request: HttpRequest, uid: Any) -> HttpResponse:
    """Show the inputs of a run, whether they have the digest recorded, and the files they came from."""
    roles = roles_of(request.user)
    require(roles.reads_everything)
    runs = ScoringRun.objects.select_related("tournament__club", "revision", "created_by")
    run = get_object_or_404(runs, uid=uid)
    upload = upload_of(run)
    computed = stored_digest(run.inputs)
    context = {
        "run": run,
        "computed": computed,
        "agrees": computed == run.input_digest,
        "upload": upload,
        "files": files_of(upload) if upload else [],
        "deleted_at": upload and upload.file_deleted_at,
        "sees_upload": roles.office or roles.auditor,
        "may_download": roles.office,
        "inputs": [
            {
                "field": FIELD_NAMES.get(stored["field"], stored["field"]),
                "event": json.dumps(stored["event"], indent=2, ensure_ascii=False, sort_keys=True),
            }
            for stored in run.inputs
        ],
        "breadcrumbs": crumbs(
            (run.tournament.name, run.tournament.get_absolute_url()), (_("What was scored"), None)
        ),
    }
    return render(request, "audit/run.html", context)


def upload_of(run: ScoringRun) -> ResultUpload | None:
    """Return the upload that the run's ranking came from; None if it did not come from an upload."""
    uploads = ResultUpload.objects.select_related("created_by", "token").defer("parsed", "details")
    return uploads.filter(revision=run.revision_id).first()


def files_of(upload: ResultUpload) -> list[File]:
    """Return the files of an upload in their order; [] if the ranking was typed by hand."""
    if not upload.sha256:
        return []
    files = [File(upload.file_name, upload.sha256, upload.size, upload.file_id is not None)]
    return files + [
        File(file.file_name, file.sha256, file.size, file.file_id is not None)
        for file in upload.further_files.all()
    ]
