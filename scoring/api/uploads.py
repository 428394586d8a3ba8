"""Send a club's files, look at what became of them, and confirm those without problems."""

from typing import Annotated
from uuid import UUID

from django.http import HttpRequest, QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_noop
from ninja import Header, Path, Router, Status

from players.models import Club
from players.services.tokens import Grant
from scoring.api.authentication import ClubToken
from scoring.api.body import read_form, the_file
from scoring.api.documents import upload_document
from scoring.api.fields import FIELDS_OF_FORM
from scoring.api.problems import Problem
from scoring.api.schemas import ProblemOut, UploadOut
from scoring.engine.errors import EngineError
from scoring.uploads.forms.details import UploadForm
from scoring.uploads.services import confirm as confirming
from tournaments.models import ResultUpload
from tournaments.services import sending
from tournaments.services.headers import is_proposed
from tournaments.services.issues import issue

REFUSALS = dict.fromkeys([400, 401, 404, 429, 500, 503], ProblemOut)
ClubCode = Annotated[str, Path(description=gettext_noop("code of the club"), example="C0001")]
UploadId = Annotated[
    UUID,
    Path(
        description=gettext_noop("id of the upload, from the answer to the file"),
        example="0b0f3c0e-6d3e-4b7c-9f57-6f3f0a4c1f2d",
    ),
]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description=gettext_noop("1 to 255 visible ASCII characters; sent again, it gives the same upload"),
        pattern=r"^[\x21-\x7e]{1,255}$",
    ),
]

router = Router(auth=ClubToken(), tags=["uploads"])


@router.post(
    "/clubs/{code}/uploads",
    response={200: UploadOut, 201: UploadOut, **dict.fromkeys([408, 409, 411, 413, 415, 422], ProblemOut)}
    | REFUSALS,
    url_name="upload_send",
    operation_id="send_upload",
    summary=gettext_noop("Send a result file"),
    description=gettext_noop(
        "Store and read a result file. The same key or the same bytes give the same upload, with "
        "status 200.\n\n"
        "All fields but the file may be left out. Those of a later request fill what the draft "
        "lacks, unless a person has changed it; an issue names those that were not used. Nothing "
        "counts until the upload is confirmed."
    ),
)
def send(request: HttpRequest, code: ClubCode, idempotency_key: Key = None):
    """Store and read a result file."""
    grant = _grant(request, code)
    fields, files = read_form(request)
    file = the_file(files)
    details = _details(grant.token.club, fields, files)
    try:
        sent = sending.send(grant.token, idempotency_key or "", file.name, file.read(), details)
    except sending.KeyReused as error:
        raise Problem("key_reused") from error
    if sent.upload.club_id != grant.token.club_id:
        raise Problem("upload_moved")
    notes = [issue("sent_before", value=", ".join(sent.unused))] if sent.unused else []
    return Status(201 if sent.is_new else 200, upload_document(request, sent.upload, notes))


@router.get(
    "/clubs/{code}/uploads/{uuid:upload_id}",
    response={200: UploadOut, **REFUSALS},
    url_name="upload_show",
    operation_id="show_upload",
    summary=gettext_noop("Look at an upload"),
    description=gettext_noop("Show an upload that was sent to the club, as it is now."),
)
def show(request: HttpRequest, code: ClubCode, upload_id: UploadId):
    """Show an upload that was sent to the club, as it is now."""
    return upload_document(request, _upload(_grant(request, code), upload_id))


@router.post(
    "/clubs/{code}/uploads/{uuid:upload_id}/confirm",
    response={200: UploadOut, 403: ProblemOut, 409: ProblemOut, **REFUSALS},
    url_name="upload_settle",
    operation_id="confirm_upload",
    summary=gettext_noop("Confirm an upload"),
    description=gettext_noop(
        "Confirm an upload without errors and without warnings to tick, with a token that may.\n\n"
        "A person has to look at a name and type that were only proposed (`pool_proposed`). "
        "Confirming again has no further effect. If the type of the tournament needs a second "
        "person's approval, its points wait for it as after a confirmation in the browser."
    ),
)
def confirm(request: HttpRequest, code: ClubCode, upload_id: UploadId):
    """Confirm an upload without errors and without warnings to tick, with a token that may."""
    grant = _grant(request, code)
    upload = _upload(grant, upload_id)
    if not grant.may_confirm:
        raise Problem("may_not_confirm")
    if upload.token_id is None:
        raise Problem("uploaded_by_person")
    if upload.state == ResultUpload.State.REVIEW and is_proposed(upload.details):
        raise Problem("not_confirmable", codes="pool_proposed")
    try:
        confirming.confirm(upload, grant.token.made_by)
    except confirming.NotConfirmable as error:
        raise Problem("not_confirmable", codes=", ".join(dict.fromkeys(error.codes))) from error
    except EngineError as error:
        raise Problem("not_confirmable", codes=error.code) from error
    return upload_document(request, _upload(grant, upload_id))


def _grant(request: HttpRequest, code: str) -> Grant:
    """Return what the request's token allows. For another club there is nothing, whether it exists or not.

    code: the club's code; capitals do not matter
    """
    grant = request.auth
    if grant.token.club.code.casefold() != code.casefold():
        raise Problem("nothing_here")
    return grant


def _upload(grant: Grant, pk: UUID) -> ResultUpload:
    upload = sending.sent_upload(grant.token, pk)
    if upload is None:
        raise Problem("nothing_here")
    return upload


def _details(club: Club, fields: QueryDict, files: MultiValueDict) -> dict:
    """Return the tournament's data in the form's fields, checked as on the upload page. Raises Problem."""
    data = fields.copy()
    data["club"] = str(club.pk)
    form = UploadForm(data, files, clubs=Club.objects.filter(pk=club.pk))
    if unknown := fields.keys() - (form.fields.keys() - FIELDS_OF_FORM):
        raise Problem("unknown_field", value=min(unknown)[:60])
    if not form.is_valid():
        errors = [
            {"field": name, "message": message} for name, texts in form.errors.items() for message in texts
        ]
        raise Problem("field_invalid", names=", ".join(form.errors), errors=errors)
    return form.details()
