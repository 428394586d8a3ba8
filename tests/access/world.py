"""A small federation for the access tests: an account of every role, and the objects that URLs need."""

from datetime import date
from types import SimpleNamespace

from django.utils import timezone

from players.models import Role
from players.services import accounts as account_service
from players.services import invitations, signups, tokens
from players.services.role_changes import GiveRole
from scoring.audit.models import AuditRun
from scoring.cases import services as cases
from scoring.changeover import services as changeovers
from scoring.changeover import working
from scoring.changeover.models import Changeover
from scoring.ledger.conditional import standings_state
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import posting, runs
from scoring.office.lists import imports, rows, writing
from scoring.office.models import DuplicatePair, LicenceRenewal, OfficeImport
from scoring.office.services import merges
from scoring.promotions.acts.approve import Approve
from scoring.promotions.acts.claims import Claim
from scoring.promotions.acts.freeze import Freeze
from scoring.promotions.acts.open import Open
from scoring.promotions.acts.publish import Publish
from scoring.promotions.models import PromotionRuleSet
from scoring.promotions.queries.campaigns import list_digest
from scoring.promotions.queries.candidates import rule_set_of
from scoring.promotions.services import simulations
from scoring.promotions.services import work as campaign_tasks
from scoring.sanity.models import Finding
from scoring.transparency import services as log
from scoring.transparency.models import Checkpoint, Stamp
from scoring.webhooks import services as webhooks
from tests import factories
from tests.scoring.ratings import makers as go
from tournaments.boards import MATCHPOINTS, BoardRow, store_boards
from tournaments.formats.types import TableResult, TableRow
from tournaments.models import ResultUpload, SentKey, StoredFile
from ui.clock import today

Kind = Role.Kind
WEBHOOK = "https://hooks.example.org/baza"


def account_with(kind: str, **scope):
    """Create an account with one role."""
    account = factories.user()
    factories.role(account, kind, **scope)
    return account


def build() -> SimpleNamespace:
    """Create the federation, and return an object with what the tests need.

    `accounts` has one account for each actor of the matrix; that of "nobody" is None. The other attributes
    are arguments of URLs, such as ids and slugs.
    """
    club, far = factories.club(), factories.club()
    members = factories.players(8, club=club, category="2P")
    office = factories.office()
    director = factories.director(club)
    accounts = {
        "nobody": None,
        "outsider": factories.user(),
        "player": factories.user(),
        "director": director,
        "club_admin": account_with(Kind.CLUB_ADMIN, club=club),
        "region_admin": account_with(Kind.REGION_ADMIN, region=club.region),
        "far_director": factories.director(far),
        "far_club_admin": account_with(Kind.CLUB_ADMIN, club=far),
        "far_region_admin": account_with(Kind.REGION_ADMIN, region=far.region),
        "committee": account_with(Kind.COMMITTEE),
        "auditor": account_with(Kind.AUDITOR),
        "office": office,
    }
    member = members[0]
    member.user = accounts["player"]
    member.save()
    tournament = factories.scored(*factories.pairs(members), of=club, by=director)
    met = [BoardRow(board, "", board, 5 - board, 10 * board) for board in (1, 2)]
    store_boards(tournament.published, MATCHPOINTS, met)
    other = factories.revision(*factories.pairs(factories.players(8, category="2P")), of=club)
    log_size = log.append()
    failed = runs.create_run(other, director)
    type(failed).objects.filter(pk=failed.pk).update(state="failed", error="EngineError: example")
    wanted = GiveRole(accounts["outsider"], Kind.AUDITOR)
    proposal = account_service.change(wanted, office, "Example")
    invitation, code = invitations.invite(club, "invited@example.org", accounts["club_admin"], by_mail=True)
    newcomer = members[-1]
    newcomer.email = "newcomer@example.org"
    newcomer.save()
    to_administer, _code = invitations.invite(
        club, "administrator@example.org", office, by_mail=True, role=Kind.CLUB_ADMIN
    )
    return SimpleNamespace(
        accounts=accounts,
        club_id=club.pk,
        webhook_id=webhooks.add(club, WEBHOOK, ["tournament.scored"], office)[0].pk,
        office_webhook_id=webhooks.add(None, WEBHOOK, ["list.published"], office)[0].pk,
        renewal_id=LicenceRenewal.objects.create(
            season=2020,
            first="2020-01-01",
            last="2020-12-31",
            reason="Example",
            created_by=office,
            state="done",
        ).pk,
        region_id=club.region_id,
        admin_invitation_id=to_administer.pk,
        sign_up_token=signups.token_of(signups.make_link(newcomer)),
        invitation_id=invitation.pk,
        invitation_code=code,
        club_slug=club.slug,
        year=tournament.end_date.year,
        tournament_id=tournament.pk,
        board_id=tournament.published.boards.earliest("pk").pk,
        tournament_slug=tournament.get_absolute_url().rstrip("/").rsplit("/", 1)[1],
        player_slug=member.get_absolute_url().rstrip("/").rsplit("/", 1)[1],
        player_number=member.number,
        licence_id=member.licences.get().pk,
        log_size=log_size,
        stamped_id=Stamp.objects.create(
            checkpoint=Checkpoint.objects.latest("pk"), service="https://tsa.example.org", content=b"stamp"
        ).checkpoint_id,
        entry_id=member.entries.get(kind="award").pk,
        draft_id=draft_upload(club, director).pk,
        confirmed_id=confirmed_upload(tournament, director).pk,
        run_uid=failed.uid,
        import_id=office_import(office).pk,
        grants_id=OfficeImport.objects.create(
            kind="categories",
            state="applied",
            created_by=office,
            applied_by=office,
            applied_at=timezone.now(),
            counts={"added": 0, "changed": 0, "same": 0},
            written={"created": []},
        ).pk,
        changeover_id=changeover(office).pk,
        merge_id=merges.merge(factories.player(), factories.player(), "Registered twice", office).pk,
        audit_id=AuditRun.objects.create(created_by=office, state="done").pk,
        finding_id=Finding.objects.create(code="licence_overlap", key="1").pk,
        duplicate_id=DuplicatePair.objects.create(
            first=factories.player(), second=factories.player(), weight=4, evidence=["same_name"]
        ).pk,
        adjustment_id=LedgerEntry.objects.create(
            kind="adjustment",
            player=member,
            points=1,
            played_on=factories.today(),
            online=False,
            title="Slip",
        ).pk,
        announcement_id=factories.announcement(club, by=director).pk,
        region_slug=club.region.slug,
        rule_set_id=PromotionRuleSet.objects.latest("valid_from").pk,
        proposal_id=proposal.pk,
        account_id=accounts["outsider"].pk,
        **go_objects(director),
        **campaign_objects(office, accounts["committee"], member),
        assignment_id=member.assignments.get().pk,
        director_role_id=director.roles.get().pk,
        **program_objects(club, far, accounts),
        case_id=cases.open_case(member, member.user, "place", "I was second.", tournament=tournament).pk,
    )


def program_objects(club, far, accounts: dict) -> dict:
    """Create tokens of both clubs, and an upload that the first of them sent.

    "retired" is a token whose maker administers the club no longer.
    """
    own, secret = tokens.make(club, "Bar", accounts["club_admin"])
    revoked, revoked_secret = tokens.make(club, "Old", accounts["club_admin"])
    tokens.revoke(revoked, accounts["club_admin"])
    former = account_with(Kind.CLUB_ADMIN, club=club)
    secrets = {
        "own": secret,
        "confirming": tokens.make(club, "Both", accounts["office"], may_confirm=True)[1],
        "far": tokens.make(far, "Bar", accounts["far_club_admin"])[1],
        "revoked": revoked_secret,
        "retired": tokens.make(club, "Former", former)[1],
    }
    former.roles.all().delete()
    sent = draft_upload(club, accounts["director"])
    ResultUpload.objects.filter(pk=sent.pk).update(token=own)
    SentKey.objects.create(club=club, upload=sent, key="once")
    return {"token_id": own.pk, "tokens": secrets, "sent_id": sent.pk, "club_code": club.code}


def draft_upload(club, director) -> ResultUpload:
    """Create a ranking under review, with its file."""
    return ResultUpload.objects.create(
        club=club,
        created_by=director,
        file_name="pool.csv",
        file_format="csv",
        size=3,
        file=StoredFile.objects.create(content=b"a;b"),
        parsed={
            "format_name": "csv",
            "file_name": "pool.csv",
            "encoding": "utf-8",
            "event": {},
            "entries": [],
            "boards": [],
            "issues": [],
        },
    )


def confirmed_upload(tournament, director) -> ResultUpload:
    """Create the confirmed upload of a scored tournament."""
    return ResultUpload.objects.create(
        club=tournament.club,
        created_by=director,
        file_name="pool.csv",
        file_format="csv",
        state="confirmed",
        revision=tournament.published,
        confirmed_at=tournament.created_at,
    )


def go_objects(director) -> dict:
    """Create a rated Go tournament and a draft of another one, both by the director."""
    event = go.registered(go.event(), director)
    done = go.upload(director)
    go.confirmed(done, director, {"go_no_pin"})
    return {
        "go_event_id": event.pk,
        "go_player_id": event.entrants.get(position=1).player_id,
        "go_draft_id": go.upload(director).pk,
        "go_confirmed_id": done.pk,
    }


def campaign_objects(office, committee, member) -> dict:
    """Create the published campaign of last year. Its lists have one player, who has made a claim."""
    year = today().year - 1
    listed = factories.player(category="2P")
    row = posting.OpeningRow(listed.pk, date(year, 6, 1), "Open", False, 1000)
    posting.post_opening([row], None)
    rules = rule_set_of(year)
    type(rules).objects.filter(pk=rules.pk).update(confirmed=True)
    rules.rules.update(confirmed=True)
    days = {"intake_until": date(year, 12, 31), "effective_on": date(year + 2, 1, 1)}
    campaign = Open().perform(year, office, rule_set=rules, **days)
    campaign_tasks.perform(Freeze().perform(campaign.pk, office).pk)
    campaign.refresh_from_db()
    Approve().perform(campaign.pk, committee, list_digest(campaign))
    Publish().perform(campaign.pk, office)
    claim = Claim().perform(campaign.pk, member, "Example", member.user)
    simulation = simulations.ask(standings_state().as_of, rule_set_of(today().year))
    simulations.perform(simulation.pk)
    return {
        "simulation_id": simulation.pk,
        "campaign_id": campaign.pk,
        "campaign_year": year,
        "campaign_player_number": listed.number,
        "claim_id": claim.pk,
    }


def changeover(office) -> Changeover:
    """Create a changeover of a file without awards, under review."""
    file = changeovers.File("2025.csv", "Número;Fecha final;Torneo;Lugar;Puntos".encode())
    made = changeovers.receive([file], office)
    working.perform(made.pk)
    return made


def office_import(office) -> OfficeImport:
    """Create an imported list of one player, under review."""
    row = TableRow(2, {"number": "987654", "given_name": "Ana", "surname": "Prado", "club": ""})
    batch = OfficeImport.objects.create(
        kind="players",
        file_name="lista.csv",
        file_format="csv",
        parsed=TableResult("csv", "lista.csv").to_json(),
        created_by=office,
    )
    rows.store(batch, [row])
    imports.compare_again(batch.pk, office)
    writing.perform(batch.tasks.get().pk)
    return batch
