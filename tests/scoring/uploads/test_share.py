"""Contestants who played too few of the boards get no points if the federation requires a share.

They keep their place.
"""

from dataclasses import replace

import pytest
from django.urls import reverse

from scoring.audit import verify
from scoring.ledger.models import LedgerEntry
from scoring.ledger.queries.awards import not_counted
from scoring.ledger.services import runs
from scoring.pages.queries.tournaments import ranking_of
from scoring.uploads.services.confirm import confirm
from scoring.uploads.services.review import review_of
from tests import factories
from tests.pages import open_page
from tests.scoring.uploads.makers import csv_of, details, sent
from tests.scoring.uploads.test_same_ranking import ranking
from tournaments.services import uploads

pytestmark = pytest.mark.django_db


@pytest.fixture
def upload(director, club, pairs):
    """Create an upload of four pairs who should play 24 boards.

    The second pair played 10 boards. The number is unknown for the third pair.
    """
    parsed = ranking(pairs)
    played = (24, 10, None, 24)
    entries = tuple(replace(item, boards=boards) for item, boards in zip(parsed.entries, played, strict=True))
    return uploads.receive_typed(director, club, details(boards=24), replace(parsed, entries=entries))


def paid(upload, director) -> dict[int, int]:
    run = confirm(upload, director)
    runs.score(run.pk)
    return dict(LedgerEntry.objects.values_list("player_id", "points"))


def test_no_share_of_the_boards_is_required_by_default(upload, director, pairs):
    assert len(paid(upload, director)) == 8


def test_contestants_below_the_share_keep_their_place_but_get_no_points(
    client, upload, director, pairs, settings
):
    with_all = review_of(upload).points_by_player
    settings.MINIMUM_SHARE = 50
    review = review_of(upload)
    assert [issue.severity for issue in review.issues if issue.code == "too_few_boards_played"] == ["info"]
    held = {pair.pk for pair in pairs[1]}
    expected = {player: points for player, points in with_all.items() if player not in held}
    assert review.points_by_player == expected
    assert paid(upload, director) == expected
    upload.refresh_from_db()
    tournament = upload.revision.tournament
    settings.MINIMUM_SHARE = 0  # awards already posted do not change
    assert [difference for batch in verify.batches() for difference in batch.differences] == []
    page = client.get(tournament.get_absolute_url()).content.decode()
    assert "1 puesto no tiene puntos" in page
    reasons = {player.pk: [row["why"] for row in not_counted(player)] for pair in pairs for player in pair}
    why = "Manos jugadas: 10 de 24, muy pocas para tener puntos."
    assert reasons == {player: [why] if player in held else [] for player in reasons}
    own = client.get(pairs[1][0].get_absolute_url()).content.decode()
    assert tournament.name in own and why in own


def test_the_page_shows_every_category_counted_in_c4(client, upload, director, pairs, settings):
    """The page shows the category of every player who is counted in C4, so that readers can check it.

    C4 is the mean of the values of these categories.
    """
    for player in pairs[1]:
        factories.assign(player, "1C")
    settings.MINIMUM_SHARE = 50
    assert len(paid(upload, director)) == 6
    upload.refresh_from_db()
    tournament = upload.revision.tournament
    shown = ranking_of(tournament)
    codes = [person["category"] for row in shown.rows for person in row["people"]]
    assert codes == ["2P"] * 2 + ["1C"] * 2 + ["2P"] * 4
    scheme = shown.evaluation.regulation
    values = [scheme.categories.find(code).value for code in codes]
    assert shown.evaluation.fields[0].result.coefficients["C4"] == sum(values) / len(values)
    ranking = open_page(client, tournament.get_absolute_url()).tables[0].element
    assert len(ranking.all(class_="suit-c")) == 2


def test_a_share_that_is_exactly_reached_is_enough(upload, director, settings):
    settings.MINIMUM_SHARE = 100 * 10 / 24
    assert len(paid(upload, director)) == 8


def test_the_column_of_boards_is_read_and_kept_when_editing(client, director, club, pairs, settings):
    settings.MINIMUM_SHARE = 50
    client.force_login(director)
    lines = csv_of(pairs).decode().split("\r\n")
    data = "\r\n".join(
        [f"{lines[0]};manos", *(f"{line};{6 if line[0] == '4' else 24}" for line in lines[1:])]
    )
    upload = sent(client, club, data.encode())
    assert len(review_of(upload).points_by_player) == 6
    uploads.replace_entries(
        upload, [replace(entry, boards=None) for entry in uploads.draft_of(upload).entries]
    )
    upload.refresh_from_db()
    assert len(review_of(upload).points_by_player) == 6
    page = client.get(reverse("upload_review", args=[upload.pk])).content.decode()
    assert "6 de 24; se dan puntos a partir del" in page
