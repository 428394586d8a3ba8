"""The number of queries grows neither with the length of a ranking nor with the number of uploads."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.ledger.models import ScoringRun
from scoring.ledger.services import runs, standings
from tests import factories
from tests.scoring.uploads.makers import csv_of, sent, tick_and_confirm, usebio_of
from tournaments.services import uploads
from tournaments.services.drafts import draft_of

pytestmark = pytest.mark.django_db


def counted(act) -> int:
    """Return the number of SQL statements that `act` executes. Batches of one bulk INSERT count once.

    The number of board results grows with the ranking, and SQLite limits the number of values per statement.
    """
    with CaptureQueriesContext(connection) as queries:
        act()
    text = [query["sql"].partition(" VALUES ")[0] for query in queries]
    return sum(
        1 for at, sql in enumerate(text) if not (sql.startswith("INSERT") and at and text[at - 1] == sql)
    )


def mixed_pairs(club, count: int):
    """Return pairs, the last one without licences, so that the pages have rows of every kind."""
    licensed = factories.players(2 * count - 2, club=club, category="2P")
    return factories.pairs(licensed + factories.players(2, club=club, licensed=False))


def test_the_queries_of_pages_do_not_grow_with_the_ranking(signed_in, club):
    asked = []
    for count, day in ((4, "2026-03-01"), (40, "2026-03-02")):
        pairs = mixed_pairs(club, count)
        data = csv_of(pairs).replace(pairs[0][0].number.encode(), b"99999999")
        upload = sent(signed_in, club, data, end_date=day)
        signed_in.get(reverse("uploads"))  # read the session and the roles before counting queries
        asked.append(
            [
                counted(lambda: draft_of(upload)),  # noqa: B023
                counted(lambda: signed_in.get(reverse("upload_review", args=[upload.pk]))),  # noqa: B023
                counted(lambda: signed_in.get(reverse("upload_edit", args=[upload.pk]))),  # noqa: B023
            ]
        )
    assert asked[0] == asked[1]


def test_the_queries_for_suggestions_do_not_grow_with_people(signed_in, club):
    asked = []
    pairs = mixed_pairs(club, 4)
    for count in (1, 3):
        data = csv_of(pairs)
        for pair in pairs[:count]:
            given_name, surname, _second, place = pair[0].full_name.split()
            name = f"{given_name} {surname} {place}"  # without the second surname the player is only proposed
            data = data.replace(f"{pair[0].number};{pair[0].full_name}".encode(), f";{name}".encode())
        upload = sent(signed_in, club, data)
        review = reverse("upload_review", args=[upload.pk])
        signed_in.get(review)
        asked.append(
            [
                counted(lambda: signed_in.get(review)),  # noqa: B023
                counted(lambda: signed_in.post(review, {"action": "proposals"})),  # noqa: B023
            ]
        )
        assert len(signed_in.get(review).context["people"].decided) == count
        signed_in.post(reverse("upload_discard", args=[upload.pk]))
    assert asked[0] == asked[1]


def test_the_queries_to_receive_and_confirm_do_not_grow_with_the_ranking(signed_in, director, club):
    asked = []
    standings.roll_if_due()  # create the state of the standings, which the first access would do
    for count, day in ((4, "2026-03-01"), (40, "2026-03-02")):
        data = usebio_of(mixed_pairs(club, count))
        form = {"event_type": "pool", "venue": "in_person", "end_date": day}
        sent_now = []
        receive = counted(lambda: sent_now.append(uploads.receive(director, club, "a.xml", data, form)))  # noqa: B023
        confirm = counted(lambda: tick_and_confirm(signed_in, sent_now[0]))  # noqa: B023
        runs.score(ScoringRun.objects.latest("pk").pk)
        receipt = counted(lambda: signed_in.get(reverse("upload_receipt", args=[sent_now[0].pk])))  # noqa: B023
        asked.append((receive, confirm, receipt))
    assert asked[0] == asked[1]


def test_the_queries_of_the_list_do_not_grow_with_uploads(signed_in, club):
    asked = []
    for more in (1, 2):
        for _upload in range(more):
            sent(signed_in, club, csv_of(mixed_pairs(club, 4)))
        signed_in.get(reverse("uploads"))
        asked.append(counted(lambda: signed_in.get(reverse("uploads"))))
    assert asked[0] == asked[1]
