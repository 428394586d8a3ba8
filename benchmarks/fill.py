"""Fill a PostgreSQL database with 150,000 players and five million awards, by SQL in the server.

The ledger covers six years; about a sixth of it counts today. Each tournament gave awards to thirty players.
Tournaments, revisions and runs exist because the ledger's rows refer to them. Those of the last complete year
and of the current one also have rankings of fifteen pairs and the engine's inputs: their pages and receipts
can be opened, and their awards are those that the engine computes. Half of these rankings have adjusted
percentages, which the year-end change reads; one in fifty has the results of its boards.
"""

import json
import os
import sys
from collections.abc import Iterator
from datetime import timedelta

PLAYERS, AWARDS = 150_000, 5_000_000
CLUBS, REGIONS, A_TOURNAMENT, YEARS = 3_000, 25, 30, 6
PAIRS = A_TOURNAMENT // 2
STRENGTHS = 9  # number of different values of C4

STATEMENTS = [
    # Foreign keys are correct by construction; checking five million of them takes minutes.
    "SET session_replication_role = replica",
    "SELECT setseed(0.5)",
    # Digits as in `ui.text.sort_key`.
    """CREATE FUNCTION pg_temp.digits(n bigint) RETURNS text LANGUAGE sql
       RETURN regexp_replace(n::text, '(.)', '2\\1', 'g')""",
    """INSERT INTO players_region (id, code, name, slug, sort_key)
       SELECT n, 'R' || n, 'Región ' || n, 'region-' || n, 'regiona1' || pg_temp.digits(n)
       FROM generate_series(1, {regions}) n""",
    """INSERT INTO players_club (id, code, name, slug, sort_key, region_id, city, active)
       SELECT n, 'C' || n, 'Club de Bridge ' || n, 'club-' || n, 'club1de1bridge1' || pg_temp.digits(n),
              1 + n % {regions}, 'Villa ' || n, true
       FROM generate_series(1, {clubs}) n""",
    """INSERT INTO players_player
              (id, number, given_name, surname, search_text, sort_key, club_id, hidden, email)
       SELECT n, (20000 + 3 * n)::text, 'Nombre' || n % 300, 'Apellido' || n % 1000 || ' Segundo' || n % 777,
              'nombre' || n % 300 || ' apellido' || n % 1000 || ' segundo' || n % 777,
              'apellido' || pg_temp.digits(n % 1000) || '1segunado' || pg_temp.digits(n % 777)
              || '0naombre' || pg_temp.digits(n % 300), 1 + n % {clubs}, n % 50 = 0, ''
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
              random() < 0.1 AS online, n % {strengths} AS strength
       FROM generate_series(1, {tournaments}) n""",
    # The tournaments that have rankings: those of the last complete year and of the current one.
    """CREATE TEMPORARY TABLE ranked AS
       SELECT played.*, CASE WHEN day < '2026-01-01' THEN 'aeb-2022' ELSE 'aeb-2026' END AS regulation,
              CASE WHEN online THEN 'online' ELSE 'in_person' END AS venue, id % 50 = 0 AS with_boards
       FROM played WHERE day >= make_date({year} - 1, 1, 1)""",
    """CREATE TEMPORARY TABLE worked
       (regulation text, venue text, strength int, event jsonb, outcome jsonb, points int[])""",
    """INSERT INTO tournaments_tournament
              (id, name, search_text, club_id, event_type, format, venue, start_date, end_date, boards,
               boards_scheduled, ranking, regulation_override, override_reason, source_id,
               created_at, published_id, family, params)
       SELECT id, 'Pool ' || id, 'pool ' || id, 1 + id % {clubs}, 'pool', 'pairs',
              CASE WHEN online THEN 'online' ELSE 'in_person' END, day, day, 24, 24, 'one', '', '', '',
              now(), id, 'aeb', '{{}}'
       FROM played""",
    """INSERT INTO tournaments_revision (id, tournament_id, number, reason, created_at, boards_scored)
       SELECT played.id, played.id, 1, '', now(), CASE WHEN with_boards THEN 'mp' ELSE '' END
       FROM played LEFT JOIN ranked USING (id)""",
    """INSERT INTO tournaments_contestant
              (id, revision_id, position, field, place, label, team_name, percentage, boards_played, adjusted)
       SELECT (id - 1) * {pairs} + place, id, place, '', place, place::text, '', 65 - 2 * place,
              CASE WHEN id % 2 = 0 THEN 24 END, CASE WHEN id % 2 = 0 THEN 64 - 2 * place + random() END
       FROM ranked, generate_series(1, {pairs}) place""",
    """INSERT INTO tournaments_seat (id, revision_id, contestant_id, position, player_id, guest_name)
       SELECT (id - 1) * 2 * {pairs} + seat, id, (id - 1) * {pairs} + (seat + 1) / 2, 1 + (seat + 1) % 2,
              1 + (id * 7919 + seat * 5003) % {players}, ''
       FROM ranked, generate_series(1, 2 * {pairs}) seat""",
    # Seven tables at each board; one pair sits out.
    """INSERT INTO tournaments_boardresult
              (revision_id, board, section, contract, declarer, lead, ns_id, ew_id, score)
       SELECT id, board, '', '', '', '', (id - 1) * {pairs} + 1 + (board + at) % {pairs},
              (id - 1) * {pairs} + 1 + (board + {pairs} - at) % {pairs}, 10 * floor(150 * random() - 75)
       FROM ranked, generate_series(1, 24) board, generate_series(1, 7) at WHERE with_boards""",
    """INSERT INTO ledger_scoringrun
              (id, uid, tournament_id, revision_id, number, regulation, reason, inputs, input_digest,
               engine_version, state, attempts, error, eligible, outcome, created_at, finished_at)
       SELECT played.id, gen_random_uuid(), played.id, played.id, 1, coalesce(regulation, 'aeb-2022'), '',
              CASE WHEN event IS NULL THEN '[]' ELSE jsonb_build_array(jsonb_build_object('field', '',
                  'event', event || jsonb_build_object('date', day::text, 'contestants', (
                      SELECT jsonb_agg(jsonb_build_object('id', place::text, 'place', place, 'players',
                          jsonb_build_array(
                              jsonb_build_object('id', (1 + (played.id * 7919 + (2 * place - 1) * 5003)
                                  % {players})::text, 'category', '2P', 'licensed', true),
                              jsonb_build_object('id', (1 + (played.id * 7919 + 2 * place * 5003)
                                  % {players})::text, 'category', '2P', 'licensed', true))))
                      FROM generate_series(1, {pairs}) place)))) END,
              '', '', 'done', 1, '', true, coalesce(outcome, '{{}}'), now(), now()
       FROM played LEFT JOIN (
           SELECT ranked.id, regulation, event, outcome
           FROM ranked JOIN worked USING (regulation, venue, strength)) inputs USING (id)""",
    # Prime steps give each of a tournament's thirty rows a different player.
    """INSERT INTO ledger_ledgerentry
              (family, kind, player_id, points, played_on, online, tournament_id, run_id, contestant_id,
               title, reason, source_key, posted_at)
       SELECT 'aeb', 'award', 1 + (id * 7919 + seat * 5003) % {players},
              coalesce(points[(seat + 1) / 2], 10 + floor(random() * 1500)::int), day, online, id, id,
              CASE WHEN points IS NOT NULL THEN (id - 1) * {pairs} + (seat + 1) / 2 END, '', '', '', now()
       FROM (SELECT played.id, played.day, played.online, points FROM played
             LEFT JOIN (ranked JOIN worked USING (regulation, venue, strength)) USING (id)) paid,
            generate_series(1, {a_tournament}) seat""",
    "SET session_replication_role = DEFAULT",
    *(
        f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))"
        for table in (
            "players_region", "players_club", "players_player", "tournaments_tournament",
            "tournaments_revision", "ledger_scoringrun", "tournaments_contestant", "tournaments_seat",
            "tournaments_boardresult",
        )
    ),
]  # fmt: skip


def worked() -> Iterator[tuple]:
    """Yield the rows of the temporary table `worked`: what the engine computes for each kind of tournament.

    A row has the regulation, the venue, the strength of the field, the engine's input and its outcome (both
    as JSON), and the points of each place in hundredths. Tournaments of one kind have the first three in
    common.
    """
    from scoring.ledger.snapshots import evaluation_from, outcome_of

    places = [{"id": str(place), "place": place} for place in range(1, PAIRS + 1)]
    for regulation in ("aeb-2022", "aeb-2026"):
        for venue in ("in_person", "online"):
            for strength in range(STRENGTHS):
                event = {
                    "event_type": "pool",
                    "format": "pairs",
                    "boards": 24,
                    "boards_scheduled": 24,
                    "venue": venue,
                    "ties": "mean",
                    "c4": f"1.{strength}",
                }
                evaluation = evaluation_from(
                    regulation, [{"field": "", "event": {**event, "contestants": places}}]
                )
                points = evaluation.points_by_position
                yield (
                    regulation,
                    venue,
                    strength,
                    json.dumps(event),
                    json.dumps(outcome_of(evaluation)),
                    [points[place] for place in range(1, PAIRS + 1)],
                )


def write(cursor, players: int, awards: int, today) -> None:
    """Write the rows of all tables except the standings, by SQL in the server."""
    values = {
        "players": players,
        "clubs": CLUBS,
        "regions": REGIONS,
        "year": today.year,
        "today": today,
        "tournaments": awards // A_TOURNAMENT,
        "a_tournament": A_TOURNAMENT,
        "pairs": PAIRS,
        "strengths": STRENGTHS,
        "days": (today - today.replace(year=today.year - YEARS, day=1)) // timedelta(days=1),
    }
    for statement in STATEMENTS:
        cursor.execute(statement.format(**values))
        if "TABLE worked" in statement:
            cursor.executemany("INSERT INTO worked VALUES (%s, %s, %s, %s, %s, %s)", list(worked()))


def fill(players: int = PLAYERS, awards: int = AWARDS) -> None:
    """Fill the migrated, empty database in DATABASE_URL, and build its standings."""
    import django

    django.setup()
    from django.db import connection

    from scoring.ledger.services import standings

    today = standings.today()
    with connection.cursor() as cursor:
        write(cursor, players, awards, today)
        cursor.execute("VACUUM ANALYZE")
    standings.rebuild(today)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE ledger_standing")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    fill(*map(int, sys.argv[1:]))
