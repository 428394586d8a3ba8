"""Actions that a system test performs in an installation, in a process of their own.

The process is started as `python -m tests.system.acts`, with the installation's environment, database and
queue. It reads lines from stdin, each a JSON list of an action's name and arguments, and writes each result
to stdout as one JSON value.
"""

import json
import os
import sys
from datetime import date, timedelta
from io import StringIO
from random import Random

import django
import psycopg

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402  (models need Django set up)
from django.core.management import CommandError, call_command  # noqa: E402
from django.db import connection, connections, transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from federation import sweeping  # noqa: E402
from players.categories import categories_on  # noqa: E402
from players.models import CategoryAssignment, Player, Role  # noqa: E402
from players.services import privacy, tokens  # noqa: E402
from scoring.ledger.models import LedgerEntry, ScoringRun  # noqa: E402
from scoring.ledger.services import queue, runs, standings  # noqa: E402
from scoring.ledger.tasks import perform  # noqa: E402
from scoring.letters import kinds  # noqa: E402
from scoring.letters.models import Letter  # noqa: E402
from scoring.letters.notifying import notify  # noqa: E402
from scoring.promotions.acts import act_by_verb  # noqa: E402
from scoring.promotions.acts.apply import Schedule  # noqa: E402
from scoring.promotions.acts.approve import Approve  # noqa: E402
from scoring.promotions.acts.open import Open  # noqa: E402
from scoring.promotions.acts.publish import Publish  # noqa: E402
from scoring.promotions.models import PromotionCampaign, SnapshotList  # noqa: E402
from scoring.promotions.pure.states import Verb  # noqa: E402
from scoring.promotions.queries.campaigns import list_digest, notices  # noqa: E402
from scoring.ratings.services import register  # noqa: E402
from scoring.signups import asking as signing_up  # noqa: E402
from scoring.webhooks import services as webhooks  # noqa: E402
from tests import factories as make  # noqa: E402
from tests.scoring.audit.acts import list_openings  # noqa: E402
from tests.scoring.promotions import campaigns as year_end  # noqa: E402
from tests.scoring.ratings import makers  # noqa: E402
from tests.scoring.uploads.makers import csv_of, details  # noqa: E402
from tournaments.services import uploads  # noqa: E402
from tournaments.services.drafts import draft_of  # noqa: E402


def confirm(count: int) -> list[int]:
    """Store tournaments of four pairs and enqueue scoring runs for them, as confirming an upload does.

    Return the runs' ids.
    """
    with transaction.atomic():
        people = list(Player.objects.order_by("pk")[:8]) or make.players(8, category="2C")
        made = []
        for _ in range(count):
            run = runs.create_run(make.revision(*make.pairs(people), of=people[0].club), None)
            queue.enqueue_on_commit(run)
            made.append(run.pk)
    return made


def confirm_shuffled(count: int, seed: int) -> list[int]:
    """Store tournaments of the same sixteen players in random orders, and enqueue them, each by itself."""
    random = Random(seed)
    people = list(Player.objects.order_by("pk")[:16]) or make.players(16, category="2C")
    made = []
    for _ in range(count):
        with transaction.atomic():
            pairs = make.pairs(random.sample(people, 8))
            run = runs.create_run(make.revision(*pairs, of=people[0].club), None)
            queue.enqueue_on_commit(run)
        made.append(run.pk)
    return made


def deliver(run_id: int, times: int) -> None:
    """Send the message to score this run several times."""
    for _ in range(times):
        perform.delay("ledger.scoringrun", run_id)


def sweep() -> bool:
    """Look once for work whose message was lost. Return whether the worker's heartbeat was recorded."""
    return sweeping.sweep_once()


def write() -> str:
    """Queue a letter about the points of a tournament. Return its Message-ID without the host."""
    people = make.players(4)
    run = make.scored(*make.pairs(people), of=people[0].club).runs.get()
    notify(kinds.POINTS, [make.user().pk], str(run.pk), {"run": run.pk})
    return str(Letter.objects.get().uid)


def add_webhook(url: str) -> str:
    """Add a webhook of the office for scored tournaments. Return its secret."""
    return webhooks.add(None, url, ["tournament.scored"], make.user())[1]


def ask_to_sign_up() -> str:
    """Ask for the letter with which a member makes an account, as the page does. Return the number."""
    player = make.player(email="member@example.org", birth_year=1960)
    signing_up.ask(player.number, player.email)
    return player.number


def post() -> None:
    """Store a tournament of today, score it and post its points, as a worker does."""
    people = list(Player.objects.order_by("pk")[:8]) or make.players(8, category="2C")
    ranking = make.revision(*make.pairs(people), of=people[0].club, end_date=standings.today())
    runs.score(runs.create_run(ranking, None).pk)


def hide(player_id: int) -> None:
    """Hide a player's name, as the office does."""
    privacy.set_hidden(player_id, True, make.office())


def tell(run_id: int) -> None:
    """Send the workers a message about a scoring run."""
    queue.enqueue(ScoringRun, run_id)


def account() -> int:
    """Create an account that can sign in, and return its id."""
    return make.user("lola").pk


def club_token(count: int) -> dict:
    """Create a club, a token of its computer, and `count` files of results of its members.

    Return {"club": its code, "token": the secret, "files": the texts of the files}.
    """
    club = make.club()
    administrator = make.director(club)
    make.role(administrator, Role.Kind.CLUB_ADMIN, club=club)
    secret = tokens.make(club, "Bar", administrator)[1]
    pairs = make.pairs(make.players(8, club=club, category="2P"))
    files = [csv_of(pairs, less=number).decode() for number in range(count)]
    return {"club": club.code, "token": secret, "files": files}


def drafts(count: int, files: int) -> dict:
    """Store drafts of a club's tournaments that can be confirmed, and make files of further tournaments.

    The tournaments share their players. Return {"club": id, "drafts": their ids, "files": {name: [last day,
    text]}}. The account `lola` directs the club's tournaments.
    """
    club, random = make.club(), Random(count)
    people = make.players(16, club=club, category="2C")
    director = make.user("lola")
    make.role(director, Role.Kind.DIRECTOR, club=club)
    ids, texts = [], {}
    for number in range(count + files):
        name, day = f"Pool {number:03}", standings.today() - timedelta(days=number % 300 + 1)
        text = csv_of(make.pairs(random.sample(people, 8)), less=number % 15)
        if number >= count:
            texts[name] = [str(day), text.decode()]
            continue
        stated = details(name=name, end_date=day, start_date=day, boards=24)
        upload = uploads.receive(director, club, f"{name}.csv", text, stated)
        wrong = [issue for issue in draft_of(upload).issues if issue.severity != "info"]
        assert not wrong, wrong
        ids.append(str(upload.pk))
    return {"club": club.pk, "drafts": ids, "files": texts}


def cut(method: str, path: str, before: int | str) -> list[int]:
    """Make a request as `lola`, and terminate its database connection once.

    Return the status of the response and the number of statements.

    before: the number of the statement before which it ends, from 1; "COMMIT"; or "OK", the response to the
        first COMMIT, so that everything is stored
    """
    client, executed = Client(raise_request_exception=False, SERVER_NAME="localhost"), []
    client.force_login(get_user_model().objects.get(username="lola"))

    def terminate() -> None:
        pid = connection.connection.info.backend_pid
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])

    def watch(execute, sql, params, many, context):
        executed.append(sql)
        if len(executed) == before:
            terminate()
        return execute(sql, params, many, context)

    def commit() -> None:
        del connection._commit
        if before == "OK":
            connection.connection.commit()
        terminate()
        connection.connection.execute("SELECT 1") if before == "OK" else connection.connection.commit()

    with connection.execute_wrapper(watch):
        if before in ("COMMIT", "OK"):
            connection._commit = commit
        try:
            response = getattr(client, method)(path)
        finally:
            vars(connection).pop("_commit", None)
    return [response.status_code, len(executed)]


def confirming_token(count: int) -> dict:
    """Create a club, a token that may confirm, and files of `count` pools of its members on different days.

    Return {"club": its code, "token": the secret, "files": [{"text": …, "fields": fields of the request}]}.
    """
    club, random = make.club(), Random(count)
    director = make.director(club)
    make.role(director, Role.Kind.CLUB_ADMIN, club=club)
    people = make.players(16, club=club, category="2C")
    files = []
    for number in range(count):
        text = csv_of(make.pairs(random.sample(people, 8)), less=number % 15).decode()
        day = str(standings.today() - timedelta(days=number % 300 + 1))
        stated = {"name": f"Pool {number:03}", "event_type": "pool", "end_date": day, "boards": "24"}
        files.append({"text": text, "fields": stated})
    return {
        "club": club.code,
        "token": tokens.make(club, "Bar", director, may_confirm=True)[1],
        "files": files,
    }


def claim_an_hour_ahead(run_id: int) -> None:
    """Claim a scoring run as a worker on a host whose clock is an hour ahead."""
    real = timezone.now
    timezone.now = lambda: real() + timedelta(hours=1)
    try:
        runs.claim(run_id)
    finally:
        timezone.now = real


def retry_all() -> int:
    """Retry all parked work, like the office's button. Return the number of retried rows."""
    return queue.retry_parked()


def audit() -> list[str]:
    """Check everything that is stored, and return the errors as texts.

    Every scoring run must be done, and its points in the ledger must equal those computed from the ranking
    again. The stored standings must agree with the ledger.
    """
    wrong = []
    for run in ScoringRun.objects.order_by("pk"):
        if run.state != ScoringRun.State.DONE:
            wrong.append(f"run {run.pk} is {run.state}: {run.error}")
            continue
        points = runs.evaluation_of(run).points_by_position
        expected = sorted(
            (seat.player_id, points[seat.contestant.position])
            for seat in run.revision.seats.select_related("contestant")
        )
        posted = sorted(LedgerEntry.objects.filter(run=run).values_list("player_id", "points"))
        if posted != expected:
            wrong.append(f"run {run.pk} posted {posted}, not {expected}")
    return wrong + unequal()


def unequal() -> list[str]:
    """Return the differences that `manage.py verify` reports, as texts, and then their number.

    If it reports none, rebuild the standings, and return how the new ones differ from those stored before.
    """
    differences = StringIO()
    try:
        call_command("verify", stdout=differences)
    except CommandError as error:
        return [*differences.getvalue().splitlines(), str(error)]
    return [str(item) for item in standings.rebuild(standings.today())]


# --- The year-end category change -----------------------------------------------------------------------
def campaign(state: str) -> int:
    """Create a small federation, and last year's campaign in the state "draft" or "published".

    Return the campaign's id.
    """
    year = standings.today().year - 1
    people, end = year_end.create_people(year), date(year, 12, 31)
    list_openings(LedgerEntry.objects.values_list("pk", flat=True), people.office)
    made = Open().perform(
        year,
        people.office,
        rule_set=year_end.confirmed_rules(year),
        intake_until=end,
        effective_on=end + timedelta(days=1),
    )
    if state == "published":
        year_end.carry_out(made, Verb.FREEZE, people.office)
        publish(made.pk)
    return made.pk


def publish(campaign_id: int) -> None:
    """Approve and publish a frozen campaign, and end its claims period."""
    frozen = PromotionCampaign.objects.get(pk=campaign_id)
    member = Role.objects.get(kind=Role.Kind.COMMITTEE).user
    Approve().perform(frozen.pk, member, list_digest(frozen))
    Publish().perform(frozen.pk, frozen.opened_by)
    yesterday = standings.today() - timedelta(days=1)
    PromotionCampaign.objects.filter(pk=frozen.pk).update(claims_until=yesterday)


def ask(campaign_id: int, verb: str, due_in: int | None = None) -> int:
    """Request a long act of a campaign, now or scheduled for `due_in` days ahead. Return the task's id."""
    asked = PromotionCampaign.objects.get(pk=campaign_id)
    if due_in is None:
        return act_by_verb(verb).perform(asked.pk, asked.opened_by, "as a test").pk
    assert verb == Verb.APPLY
    due_on = standings.today() + timedelta(days=due_in)
    return Schedule().perform(asked.pk, asked.opened_by, due_on, "as a test").pk


def outcome(campaign_id: int) -> dict:
    """Return everything that a campaign's acts have stored, and the differences that `unequal` finds."""
    response = PromotionCampaign.objects.get(pk=campaign_id)
    assignments = CategoryAssignment.objects.filter(origin=CategoryAssignment.Origin.CAMPAIGN)
    held = categories_on(standings.today(), Player.objects.values_list("pk", flat=True))
    return {
        "state": response.state,
        "snapshots": response.snapshots.count(),
        "lists": SnapshotList.objects.filter(snapshot__campaign=response).count(),
        "changes": response.changes.count(),
        "undone": response.changes.exclude(undone="").count(),
        "given": assignments.count(),
        "revoked": assignments.exclude(revoked_at=None).count(),
        "categories": {str(player): category.code for player, category in sorted(held.items())},
        "log": [[act.verb, act.by and act.by.email] for act in response.acts.order_by("pk")],
        "notices": [notice.code for notice in notices()],
        "unequal": unequal(),
    }


# --- Go -------------------------------------------------------------------------------------------------
def go(count: int) -> list[int]:
    """Register Go tournaments of the same four players. Return the ids of the rating replays."""
    events = [makers.event(f"Copa {day}", date(2026, 1, day)) for day in range(1, count + 1)]
    return [register.register(event, None)[1].pk for event in events]


VERBS = {
    item.__name__: item
    for item in (
        account,
        claim_an_hour_ahead,
        club_token,
        cut,
        drafts,
        confirming_token,
        retry_all,
        confirm,
        confirm_shuffled,
        deliver,
        sweep,
        tell,
        write,
        add_webhook,
        audit,
        unequal,
        campaign,
        publish,
        ask,
        ask_to_sign_up,
        outcome,
        go,
        hide,
        post,
    )
}

if __name__ == "__main__":
    answers, sys.stdout = sys.stdout, sys.stderr  # only responses may be written to stdout
    for line in sys.stdin:
        verb, *arguments = json.loads(line)
        answer = VERBS[verb](*arguments)
        connections.close_all()  # the database server may have been restarted before the next line
        print(json.dumps(answer), file=answers, flush=True)
