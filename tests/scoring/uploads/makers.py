"""Make result files and form data for the upload tests, with players from the factories."""

from collections.abc import Sequence

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from players.models import Club, Player, Proposal
from players.proposals import act_of
from players.services import proposals
from tournaments.models import ResultUpload
from tournaments.services.drafts import draft_of

HEADINGS = "puesto;licencia;nombre;pareja;porcentaje"


def csv_of(pairs: Sequence[Sequence[Player]], headings: str = HEADINGS, less: int = 0) -> bytes:
    """Return a CSV file in the documented format, with one row per player and the pairs in order of place.

    less: percentage points to subtract from each result, to get another tournament of the same people
    """
    lines = [headings]
    for place, pair in enumerate(pairs, start=1):
        share = f"{70 - less - place / 4:.2f}".replace(".", ",")
        lines += [f"{place};{player.number};{player.full_name};{place};{share}" for player in pair]
    return "\r\n".join(lines).encode()


def usebio_of(
    pairs: Sequence[Sequence[Player]], date: str = "14/03/2026", boards: int = 24, **fields
) -> bytes:
    """Return a USEBIO file of pairs with one winner. Its travellers show every pair on every board.

    fields: `event_id`; `play`, further elements of each traveller line; `hands`, a HANDSET element
    """
    event_id = fields.get("event_id", "77")
    listed = "".join(
        f"<PAIR><PAIR_NUMBER>{number}</PAIR_NUMBER><PLACE>{number}</PLACE>"
        f"<PERCENTAGE>{70 - number / 4:.2f}</PERCENTAGE>"
        + "".join(
            f"<PLAYER><PLAYER_NAME>{player.full_name}</PLAYER_NAME>"
            f"<NATIONAL_ID_NUMBER>{player.number.zfill(8)}</NATIONAL_ID_NUMBER></PLAYER>"
            for player in pair
        )
        + "</PAIR>\n"
        for number, pair in enumerate(pairs, start=1)
    )
    lines = "".join(
        f"<BOARD><BOARD_NUMBER>{board}</BOARD_NUMBER>"
        + "".join(
            f"<TRAVELLER_LINE><NS_PAIR_NUMBER>{first}</NS_PAIR_NUMBER>"
            f"<EW_PAIR_NUMBER>{first + 1}</EW_PAIR_NUMBER><SCORE>420</SCORE>"
            f"{fields.get('play', '')}</TRAVELLER_LINE>"
            for first in range(1, len(pairs), 2)
        )
        + "</BOARD>\n"
        for board in range(1, boards + 1)
    )
    return (
        '<?xml version="1.0"?>\n<USEBIO Version="1.2"><CLUB><CLUB_NAME>Villa</CLUB_NAME></CLUB>\n'
        f'<EVENT EVENT_TYPE="MP_PAIRS"><EVENT_IDENTIFIER>{event_id}</EVENT_IDENTIFIER>'
        f"<EVENT_DESCRIPTION>Martes</EVENT_DESCRIPTION><DATE>{date}</DATE><WINNER_TYPE>1</WINNER_TYPE>\n"
        f"<PARTICIPANTS>{listed}</PARTICIPANTS>\n{lines}</EVENT>"
        f"{fields.get('hands', '')}</USEBIO>"
    ).encode()


def details(**values) -> dict:
    """Return form data for a 24-board pool of pairs, played on 14 March 2026. `values` replace fields."""
    return {
        "name": "Pool",
        "event_type": "pool",
        "format": "pairs",
        "venue": "in_person",
        "end_date": "2026-03-14",
        "boards": "24",
        "ranking": "one",
        **values,
    }


def post_file(client, club: Club, data: bytes, file_name: str = "martes.csv", query: str = "", **values):
    """Submit step 1 of an upload: the form with its file. Return the response."""
    form = {**details(**values), "club": club.pk, "file": SimpleUploadedFile(file_name, data)}
    return client.post(reverse("upload_start") + query, form)


def sent(
    client, club: Club, data: bytes, file_name: str = "martes.csv", query: str = "", **values
) -> ResultUpload:
    """Submit step 1 of an upload, which must succeed, and return the new upload."""
    known = set(ResultUpload.objects.values_list("pk", flat=True))
    response = post_file(client, club, data, file_name, query, **values)
    assert response.status_code == 302, response.context["form"].errors
    return ResultUpload.objects.exclude(pk__in=known).get()


def codes(upload: ResultUpload) -> set[str]:
    """Return the codes of the upload's stored issues."""
    return set(upload.issues.values_list("code", flat=True))


def approve(by, proposal: Proposal) -> None:
    """Approve a pending proposal with its current digest, like somebody who has just looked at it."""
    proposals.approve(proposal.pk, by, act_of(proposal).effect(proposal, by).digest)


def tick_and_confirm(client, upload: ResultUpload):
    """Do steps 2 and 3 of an upload: tick every warning, then confirm. Return the last response."""
    warnings = draft_of(ResultUpload.objects.get(pk=upload.pk)).by_tick
    client.post(reverse("upload_review", args=[upload.pk]), {"action": "accept", "accept": warnings})
    return client.post(reverse("upload_confirm", args=[upload.pk]))
