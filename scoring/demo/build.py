"""Build the whole demo federation in one transaction."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from random import Random

from django.db import transaction

from scoring.ledger.models import ScoringRun
from scoring.ledger.services import runs, standings
from scoring.ledger.systems import offers_go
from scoring.letters import occasions
from scoring.letters.models import Letter
from tournaments import drafts
from tournaments.models import Revision, Tournament

from . import accounts, announced, boards, cases, go, other_systems, people, play, samples
from .fixtures import Calendar
from .people import Federation, Host, Size
from .storage import PlayedTournament, store_all

CORRECTION = "Una mano estaba apuntada al revés: cambian los puestos segundo y cuarto."
REPORT_EVERY = 2  # seconds


@dataclass(slots=True)
class Counts:
    """The numbers of tournaments and awards that were stored."""

    tournaments: int = 0
    awards: int = 0


@transaction.atomic
def make(size: Size, seed: int, until: date, report: Callable[[str], None]) -> Counts:
    """Fill an empty database with the demo federation.

    Two calls with the same size, seed and last day give the same federation.

    until: the last day of play
    report: called now and then with a line about the progress
    """
    rng = Random(seed)  # noqa: S311 (not for secrets)
    users = accounts.make()
    office = users[accounts.OFFICE]
    federation = people.build(size, rng, until, office, report)
    home = federation.hosts[0]
    accounts.give_roles(users, home.pk)
    by_club = {home.pk: users[accounts.DIRECTOR]}
    counts = _tournaments(federation, size, rng, until, by_club, office, report)
    report("standings")
    standings.rebuild_at_once(until)
    correct_one(home, users[accounts.DIRECTOR])
    other_systems.enter_factors(office)
    other_systems.play(home, users[accounts.DIRECTOR])
    player = accounts.link_player(users[accounts.PLAYER], home.pk)
    samples.write(home, until, rng)
    if offers_go():
        report("Go tournaments")
        go.make(users[accounts.DIRECTOR], until, rng)
        go.link(player)
        go.write_samples(samples.folder(), until, rng)
    # The pool of the second day counts for the year end.
    for day in (until, date(until.year - 1, *boards.DECEMBER)):
        if day >= size.since:
            boards.session(home, day, users[accounts.DIRECTOR], rng)
    announced.make(federation, until, office, users[accounts.DIRECTOR], rng)
    cases.make(player, until, users[accounts.DIRECTOR])
    occasions.tell_of_leaving(until.replace(day=1))
    Letter.objects.all().delete()  # the demo's e-mail addresses belong to nobody
    return counts


def _tournaments(federation: Federation, size: Size, rng, until: date, by_club, office, report) -> Counts:
    """Simulate and store all AEB tournaments of the calendar. Return the numbers of tournaments and awards.

    by_club: club id -> account that uploads the club's tournaments
    office: the account that uploads the tournaments of all other clubs
    """
    played = (
        PlayedTournament(fixture, play.play(fixture, rng), by_club.get(fixture.header.club_id, office))
        for fixture in Calendar(federation, size, rng).fixtures(size.since, until)
    )
    counts, reported_at = Counts(), time.monotonic()
    for tournaments, awards in store_all(federation, played):
        counts.tournaments += tournaments
        counts.awards += awards
        if time.monotonic() - reported_at > REPORT_EVERY:
            report(f"{counts.tournaments} tournaments, {counts.awards} awards")
            reported_at = time.monotonic()
    report(f"{counts.tournaments} tournaments, {counts.awards} awards")
    return counts


def correct_one(home: Host, by) -> Revision | None:
    """Correct the result of the club's latest eligible pairs pool, so that the demo has a correction.

    Return the new revision; None if the club has no such pool.

    by: the account that makes the correction
    """
    pools = Tournament.objects.filter(
        club_id=home.pk, event_type="pool", format=Tournament.Format.PAIRS, ranking=Tournament.Ranking.ONE
    )
    eligible = ScoringRun.objects.filter(eligible=True).values("tournament_id")
    tournament = pools.filter(pk__in=eligible).order_by("-end_date", "-pk").first()
    if tournament is None:
        return None
    rows = drafts.rows_of(tournament.published)
    second, fourth = rows[1], rows[3]
    rows[1] = replace(second, percentage=fourth.percentage)
    rows[3] = replace(fourth, percentage=second.percentage)
    revision = drafts.store(
        drafts.header_of(tournament), play.ranked(rows), by, corrects=tournament, reason=CORRECTION
    )
    runs.score(runs.create_run(revision, by, CORRECTION).pk)
    return revision
