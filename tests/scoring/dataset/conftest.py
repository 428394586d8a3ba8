"""Fixtures: a federation in which everything happened that the ledger can tell, and a folder for dumps."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import connection, transaction

from players.models import Player
from players.proposals import act_of
from players.services import proposals
from scoring.dataset.models import Dump
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import posting, queue, runs, standings
from scoring.office.services import merges
from scoring.privacy.erasure_act import ask
from tests import factories as make
from tests import triggers
from tournaments import drafts

# Rows of migrations, which an empty installation has.
KEPT = {"players_category", "promotions_promotionrule", "promotions_promotionruleset"}
OF_DJANGO = ("django_", "auth_")


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    """Keep dumps in a folder of this test."""
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.fixture
def history(federation, today) -> SimpleNamespace:
    """Add to the federation a correction, a merge, an opening award, an adjustment and an erased player.

    The names of the erased and the hidden player are Secundina and Erasmo.
    """
    players = federation.players
    erased = players[1]
    erased.given_name, erased.surname = "Erasmo", "Borrado Luz"
    erased.save()
    correct(federation.counted, *make.pairs([*players[2:], *players[:2]]))
    twin = make.player(category="2P", club=federation.club)
    merges.merge(players[2], twin, "Registered twice", make.office())
    day = today - timedelta(days=200)
    posting.post_opening([posting.OpeningRow(players[3].pk, day, "Old Open", True, 1234)], None)
    LedgerEntry.objects.create(
        kind="adjustment", player=players[4], points=-150, played_on=day, online=False, title="Slip"
    )
    standings.refresh([players[4].pk], ["aeb"], day)
    erase(erased)
    return SimpleNamespace(**vars(federation), erased=erased, twin=twin, merged=players[2])


def correct(tournament, *contestants) -> None:
    """Correct the ranking of a tournament, and score it again."""
    with transaction.atomic():
        rows = make.rows(*contestants)
        revision = drafts.store(
            drafts.header_of(tournament), rows, None, corrects=tournament, reason="Wrong order"
        )
    runs.score(runs.create_run(revision, None).pk)


def erase(player: Player) -> None:
    """Erase a player's data, as the office does for somebody who wrote a letter."""
    proposal = ask(player, make.office(), "By letter")
    office = make.office()
    proposals.approve(proposal.pk, office, digest=act_of(proposal).effect(proposal, office).digest)


def stored(**fields) -> Dump:
    """Store a dump's row, without a file."""
    return Dump.objects.create(
        **{
            "state": Dump.State.DONE,
            "day": make.today(),
            "schema": 1,
            "size": 1_234_567,
            "sha256": "ab" * 32,
            "log_size": 12,
            "counts": {"awards.csv": 10},
            "finished_at": queue.now(),
            **fields,
        }
    )


def empty_installation() -> None:
    """Delete all rows but those of migrations, as if the database had just been migrated."""
    connection.check_constraints()
    with triggers.without(connection), connection.cursor() as cursor:
        for table in connection.introspection.django_table_names(only_existing=True):
            if table not in KEPT and not table.startswith(OF_DJANGO):
                cursor.execute(f"DELETE FROM {table}")
        connection.check_constraints()
