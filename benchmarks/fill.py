"""A PostgreSQL database with 150,000 players and five million awards, made by the server itself.

The ledger holds six years; about a sixth of it counts today. Each of its tournaments paid thirty players.
Tournaments, revisions and runs are there because the ledger's rows refer to them. The last complete year has
its rankings too, of fifteen pairs each, half with results of single boards: the year-end change reads them.
"""

import os
import sys
from datetime import timedelta

PLAYERS, AWARDS = 150_000, 5_000_000
CLUBS, REGIONS, A_TOURNAMENT, YEARS = 3_000, 25, 30, 6

STATEMENTS = [
    # Foreign keys are right by construction; checking five million of them takes minutes.
    "SET session_replication_role = replica",
    "SELECT setseed(0.5)",
    """INSERT INTO players_region (id, code, name, slug)
       SELECT n, 'R' || n, 'Región ' || n, 'region-' || n FROM generate_series(1, {regions}) n""",
    """INSERT INTO players_club (id, code, name, slug, region_id, city, active)
       SELECT n, 'C' || n, 'Club de Bridge ' || n, 'club-' || n, 1 + n % {regions}, 'Villa ' || n, true
       FROM generate_series(1, {clubs}) n""",
    """INSERT INTO players_player (id, number, given_name, surname, search_text, club_id, hidden)
       SELECT n, (20000 + 3 * n)::text, 'Nombre' || n % 300, 'Apellido' || n % 1000 || ' Segundo' || n % 777,
              'nombre' || n % 300 || ' apellido' || n % 1000 || ' segundo' || n % 777, 1 + n % {clubs},
              n % 50 = 0
       FROM generate_series(1, {players}) n""",
    """INSERT INTO players_licence (player_id, valid_from, valid_to, issuer, equivalent)
       SELECT n, make_date({year} - 1, 1, 1), make_date({year}, 12, 31), '', false
       FROM generate_series(1, {players}) n WHERE n % 20 <> 0""",
    """INSERT INTO players_categoryassignment
              (player_id, category_id, valid_from, origin, reason, created_at, revoked_reason)
       SELECT n, ladder.ids[1 + floor(9 * power(random(), 1.5))::int], '2022-01-02', 'initial', '', now(), ''
       FROM generate_series(1, {players}) n,
            (SELECT array_agg(id ORDER BY "order") AS ids FROM players_category WHERE NOT is_title) ladder""",
    """CREATE TEMPORARY TABLE played AS
       SELECT n AS id, date '{today}' - (({tournaments} - n) * {days} / {tournaments})::int AS day,
              random() < 0.1 AS online
       FROM generate_series(1, {tournaments}) n""",
    """INSERT INTO tournaments_tournament
              (id, name, club_id, event_type, format, venue, start_date, end_date, boards, boards_scheduled,
               ranking, regulation_override, override_reason, source_id, created_at, published_id, family,
               params)
       SELECT id, 'Pool ' || id, 1 + id % {clubs}, 'pool', 'pairs',
              CASE WHEN online THEN 'online' ELSE 'in_person' END, day, day, 24, 24, 'one', '', '', '',
              now(), id, 'aeb', '{{}}'
       FROM played""",
    """INSERT INTO tournaments_revision (id, tournament_id, number, reason, created_at, boards_scored)
       SELECT id, id, 1, '', now(), CASE WHEN id % 2 = 0 THEN 'mp' ELSE '' END FROM played""",
    """INSERT INTO tournaments_contestant
              (id, revision_id, position, field, place, label, team_name, percentage, boards_played, adjusted)
       SELECT (id - 1) * {pairs} + place, id, place, '', place, place::text, '', 65 - 2 * place,
              CASE WHEN id % 2 = 0 THEN 24 END, CASE WHEN id % 2 = 0 THEN 64 - 2 * place + random() END
       FROM played, generate_series(1, {pairs}) place
       WHERE day BETWEEN make_date({year} - 1, 1, 1) AND make_date({year} - 1, 12, 31)""",
    """INSERT INTO tournaments_seat (id, revision_id, contestant_id, position, player_id, guest_name)
       SELECT (id - 1) * 2 * {pairs} + seat, id, (id - 1) * {pairs} + (seat + 1) / 2, 1 + (seat + 1) % 2,
              1 + (id * 7919 + seat * 5003) % {players}, ''
       FROM played, generate_series(1, 2 * {pairs}) seat
       WHERE day BETWEEN make_date({year} - 1, 1, 1) AND make_date({year} - 1, 12, 31)""",
    """INSERT INTO scoring_scoringrun
              (id, uid, tournament_id, revision_id, number, regulation, reason, inputs, input_digest,
               engine_version, state, stage, attempts, error, eligible, outcome, created_at, finished_at)
       SELECT id, gen_random_uuid(), id, id, 1,
              CASE WHEN day < '2026-01-01' THEN 'aeb-2022' ELSE 'aeb-2026' END, '', '[]', '', '',
              'done', '', 1, '', true,
              jsonb_build_object('reasons', '[]'::jsonb, 'persons', {a_tournament}, 'licensed', 30,
                  'lines', jsonb_build_array(jsonb_build_object('field', '', 'n', '{pairs}', 'coefficients',
                      jsonb_build_object('C4', (1 + (id % 9) / 10.0)::text)))),
              now(), now()
       FROM played""",
    # A different player for each of a tournament's thirty rows: steps of a prime number.
    """INSERT INTO scoring_ledgerentry
              (family, kind, player_id, points, played_on, online, tournament_id, run_id, title, reason,
               source_key, posted_at)
       SELECT 'aeb', 'award', 1 + (id * 7919 + seat * 5003) % {players}, 10 + floor(random() * 1500)::int,
              day, online, id, id, '', '', '', now()
       FROM played, generate_series(1, {a_tournament}) seat""",
    "SET session_replication_role = DEFAULT",
    *(
        f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))"
        for table in (
            "players_region", "players_club", "players_player", "tournaments_tournament",
            "tournaments_revision", "scoring_scoringrun", "tournaments_contestant", "tournaments_seat",
        )
    ),
]  # fmt: skip


def fill(players: int = PLAYERS, awards: int = AWARDS) -> None:
    """Fill the empty, migrated database that DATABASE_URL names, and build its standings."""
    import django

    django.setup()
    from django.db import connection

    from scoring.services import standings

    today = standings.today()
    values = {
        "players": players, "clubs": CLUBS, "regions": REGIONS, "year": today.year, "today": today,
        "tournaments": awards // A_TOURNAMENT, "a_tournament": A_TOURNAMENT,
        "pairs": A_TOURNAMENT // 2,
        "days": (today - today.replace(year=today.year - YEARS, day=1)) // timedelta(days=1),
    }  # fmt: skip
    with connection.cursor() as cursor:
        for statement in STATEMENTS:
            cursor.execute(statement.format(**values))
        cursor.execute("VACUUM ANALYZE")
    standings.rebuild(today)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE scoring_standing")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    fill(*map(int, sys.argv[1:]))
