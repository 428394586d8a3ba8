"""The expected response to each actor at each URL; docs/access.md describes the same table.

Every named URL of the project must be a key here, or a test fails. The requested objects, such as the
tournament, belong to one club and its region. "director", "club_admin" and "region_admin" have their roles
there. The actors named "far_…" have the same roles in another club or region.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from scoring.letters.unsubscribing import token_of

IN = "in"  # all checks passed: the response is a page, a redirect, or a form with errors
SIGN_IN = "sign in"  # redirected to the sign-in page
Answers = dict[str, str | int]

ACTORS = [
    "nobody",
    "outsider",
    "player",
    "director",
    "club_admin",
    "region_admin",
    "far_director",
    "far_club_admin",
    "far_region_admin",
    "committee",
    "auditor",
    "office",
]
NEAR_READERS = ["director", "club_admin", "region_admin", "auditor", "office"]
ANY_UPLOADER = ["director", "far_director", "office"]


@dataclass(frozen=True)
class Page:
    """The expected responses of one URL. `world` is the test's federation.

    get: the response to each actor
    post: the response to each actor; None if the page accepts no POST: it lets nobody in, writes nothing
    args: function of `world` that returns the URL's arguments
    data: function of `world` that returns the data of the POST
    """

    get: Answers
    post: Answers | None = None
    args: Callable = lambda world: []
    data: Callable = lambda world: {}
    token: bool = True  # False: deliberately accepted without a CSRF token
    query: dict = field(default_factory=dict)


def answers(others: str | int, nobody: str | int = SIGN_IN, **by_actor: str | int) -> Answers:
    """Return {actor: expected response} for every actor.

    others: the response to every actor that is not named
    nobody: the response to a reader who is not signed in
    by_actor: the responses to named actors
    """
    return {**dict.fromkeys(ACTORS, others), "nobody": nobody, **by_actor}


def allowed_for(actors: list[str], others: int, nobody: str | int = SIGN_IN, **by_actor: int) -> Answers:
    """Return {actor: expected response} for a URL that only some actors may open.

    actors: those who may open it; they get IN
    others: the HTTP status that all other actors get
    nobody: the response to a reader who is not signed in
    by_actor: different responses to named actors
    """
    return answers(others, nobody, **{**dict.fromkeys(actors, IN), **by_actor})


EVERYBODY = answers(IN, nobody=IN)
SIGNED_IN = answers(IN)
NO_GET = answers(405)
NOT_ALLOWED = answers(405, nobody=405)
OWN_PLAYER = allowed_for(["player"], 404)
OFFICE = allowed_for(["office"], 403)
OFFICE_READS = allowed_for(["office", "auditor"], 403)
ALL_READ = allowed_for(["office", "committee", "auditor"], 403)
# 404 if the actor may not know that the upload exists; 403 if the actor may read but not change it.
SEE_UPLOAD = allowed_for(NEAR_READERS, 404)
CHANGE_UPLOAD = allowed_for(["director", "office"], 404, club_admin=403, region_admin=403, auditor=403)
SEE_CLUB = allowed_for(["club_admin", "region_admin", "auditor", "office"], 404)
CHANGE_CLUB = allowed_for(["club_admin", "region_admin", "office"], 404, auditor=403)


def world_objects(*names: str) -> Callable:
    """Return a function that reads attributes of the test's federation (`world`).

    The function takes `world` and returns a list of these attributes. It is a value for `Page.args`.
    """
    return lambda world: [getattr(world, name) for name in names]


# The tournament is public, so actors who may not annul it get 403. Directors may annul what they may correct.
ANNUL = allowed_for(["director", "office"], 403)

PUBLIC = {
    "home": Page(EVERYBODY),
    "standings": Page(EVERYBODY),
    "standing": Page(EVERYBODY, args=lambda world: ["2p"]),
    "tournaments": Page(EVERYBODY),
    "corrections": Page(EVERYBODY),
    "tournament": Page(EVERYBODY, args=world_objects("year", "tournament_slug")),
    "ranking_sheet": Page(EVERYBODY, args=world_objects("year", "tournament_slug")),
    "short_link": Page(EVERYBODY, args=world_objects("tournament_id")),
    "strength": Page(EVERYBODY, args=world_objects("year", "tournament_slug")),
    "boards": Page(EVERYBODY, args=world_objects("year", "tournament_slug")),
    "board": Page(EVERYBODY, args=lambda world: [world.year, world.tournament_slug, 1]),
    "card": Page(EVERYBODY, args=lambda world: [world.year, world.tournament_slug, 1]),
    "players": Page(EVERYBODY),
    "player": Page(EVERYBODY, args=world_objects("player_slug")),
    "player_results": Page(EVERYBODY, args=world_objects("player_slug")),
    "award": Page(EVERYBODY, args=world_objects("player_number", "entry_id")),
    "clubs": Page(EVERYBODY),
    "clubs_like": Page(EVERYBODY, query={"q": "club"}),
    "club": Page(EVERYBODY, args=world_objects("club_slug")),
    "calendar": Page(EVERYBODY),
    "announcement": Page(EVERYBODY, args=world_objects("announcement_id")),
    "announcement_feed": Page(EVERYBODY, args=world_objects("announcement_id")),
    "calendar_feed": Page(EVERYBODY),
    "calendar_region_feed": Page(EVERYBODY, args=world_objects("region_slug")),
    "calendar_club_feed": Page(EVERYBODY, args=world_objects("club_slug")),
    "results_feed": Page(EVERYBODY),
    "region_results_feed": Page(EVERYBODY, args=world_objects("region_slug")),
    "club_results_feed": Page(EVERYBODY, args=world_objects("club_slug")),
    "lists_feed": Page(EVERYBODY),
    "promotions": Page(EVERYBODY),
    "promotion": Page(EVERYBODY, args=lambda world: [world.year, "2p"]),
    "regulations": Page(EVERYBODY),
    "regulation": Page(EVERYBODY, args=lambda world: ["aeb-2026"]),
    "calculator": Page(EVERYBODY),
    "search": Page(EVERYBODY, query={"q": "club"}),
    "help": Page(EVERYBODY),
    "programs": Page(EVERYBODY),
    "privacy": Page(EVERYBODY),
    "transparency": Page(EVERYBODY),
    "underived": Page(EVERYBODY),
    "log_receipt": Page(EVERYBODY, args=world_objects("entry_id")),
    "log_checkpoint": Page(EVERYBODY),
    "log_keys": Page(EVERYBODY),
    "log_tile": Page(EVERYBODY, args=lambda world: ["0", f"000.p/{world.log_size}"]),
    "log_bundle": Page(EVERYBODY, args=lambda world: [f"000.p/{world.log_size}"]),
    "log_stamp": Page(EVERYBODY, args=world_objects("stamped_id")),
    "log_past_checkpoint": Page(EVERYBODY, args=world_objects("stamped_id")),
    "log_script": Page(EVERYBODY),
    # Opened by the signature of a log that this installation is a witness of: test_witnesses.py.
    "log_add_checkpoint": Page(NOT_ALLOWED, answers(400, nobody=400), token=False),
    "datasets": Page(EVERYBODY),
    "dataset_file": Page(answers(404, nobody=404), args=lambda world: [1]),  # there is no dump
    "health": Page(EVERYBODY),
    "ready": Page(EVERYBODY),
    # To programs with a token, and to allowed addresses: tests/federation/watching/test_metrics.py.
    "metrics": Page(answers(404, nobody=404)),
    "robots": Page(EVERYBODY),
    "set_language": Page(
        answers(405, nobody=405), EVERYBODY, token=False, data=lambda world: {"language": "en"}
    ),
}

VOID = answers(410, nobody=410)
NO_FACTOR = answers(404)
ACCOUNT = {
    "my_place": Page(SIGNED_IN),
    "account_login": Page(EVERYBODY, EVERYBODY),
    "kept_form": Page(SIGNED_IN),
    "account_logout": Page(EVERYBODY, EVERYBODY),
    "account_inactive": Page(EVERYBODY),
    "account_change_password": Page(SIGNED_IN, SIGNED_IN),
    "account_security": Page(SIGNED_IN),
    # Refused to everybody at first: nobody of the world is signing in, or has a second factor.
    "mfa_authenticate": Page(EVERYBODY, EVERYBODY),
    "mfa_login_webauthn": Page(EVERYBODY, EVERYBODY),
    "account_address": Page(SIGNED_IN, SIGNED_IN),
    "account_address_confirm": Page(VOID, VOID, args=lambda world: ["no-such-key"]),
    "app_add": Page(SIGNED_IN, SIGNED_IN),
    "app_remove": Page(NO_FACTOR, NO_FACTOR),
    "passkey_add": Page(SIGNED_IN, SIGNED_IN),
    "passkey_remove": Page(NO_FACTOR, NO_FACTOR, args=lambda world: [1]),
    "recovery_codes": Page(SIGNED_IN, SIGNED_IN),
    "session_end": Page(NO_GET, SIGNED_IN, args=lambda world: [1]),
    "sessions_end": Page(NO_GET, SIGNED_IN),
    "account_code": Page(EVERYBODY, EVERYBODY),
    "sign_up": Page(EVERYBODY, EVERYBODY),
    "sign_up_sent": Page(EVERYBODY),
    "sign_up_code": Page(EVERYBODY, EVERYBODY),
    "sign_up_finish": Page(EVERYBODY, EVERYBODY, args=world_objects("sign_up_token")),
    "invitation_code": Page(EVERYBODY, EVERYBODY),
    "invitation": Page(EVERYBODY, EVERYBODY, args=world_objects("invitation_code")),
    "account_reset_password": Page(EVERYBODY, EVERYBODY),
    "account_reset_password_done": Page(EVERYBODY),
    "account_reset_password_from_key": Page(EVERYBODY, EVERYBODY, args=lambda world: ["1", "no-such-key"]),
    "account_reset_password_from_key_done": Page(EVERYBODY),
    # Tests do not keep their letters as files.
    "demo_letters": Page(answers(404, nobody=404)),
    "demo_letter": Page(answers(404, nobody=404), args=lambda world: ["20260101-000000-000000-abcdef00"]),
    "demo_letter_html": Page(
        answers(404, nobody=404), args=lambda world: ["20260101-000000-000000-abcdef00"]
    ),
    "notices": Page(SIGNED_IN),
    "notices_seen": Page(NO_GET, SIGNED_IN, data=lambda world: {"until": "1"}),
    "notice_settings": Page(SIGNED_IN, SIGNED_IN),
    # Whoever has the link of a letter may use it, without a session or a token (RFC 8058).
    "unsubscribe": Page(
        EVERYBODY,
        EVERYBODY,
        args=lambda world: [token_of(world.accounts["player"].pk, "once", ["awards"])],
        token=False,
    ),
}

# Names that directors read in files: nobody else may know that the page exists.
CLUB_MEMORY = allowed_for(["director", "club_admin", "office"], 404)
# Actors without any club get 403 before the drafts are queried. For the others it is as with a single draft.
SEVERAL = allowed_for(["director", "office"], 403, far_director=404)
UPLOADS = {
    "uploads": Page(answers(IN, outsider=403, player=403, committee=403)),
    "upload_start": Page(allowed_for(ANY_UPLOADER, 403), allowed_for(ANY_UPLOADER, 403)),
    "upload_typed": Page(allowed_for(ANY_UPLOADER, 403), allowed_for(ANY_UPLOADER, 403)),
    "upload_template": Page(EVERYBODY, args=lambda world: ["csv"]),
    "upload_review": Page(SEE_UPLOAD, CHANGE_UPLOAD, args=world_objects("draft_id")),
    "upload_memory": Page(CLUB_MEMORY, CLUB_MEMORY, args=world_objects("club_slug")),
    "upload_people": Page(
        NO_GET, CHANGE_UPLOAD, args=world_objects("draft_id"), data=lambda world: {"q": "ana"}
    ),
    "upload_columns": Page(CHANGE_UPLOAD, CHANGE_UPLOAD, args=world_objects("draft_id")),
    "upload_board": Page(CHANGE_UPLOAD, CHANGE_UPLOAD, args=lambda world: [world.draft_id, 0]),
    "upload_correct_board": Page(
        allowed_for(["director", "office"], 403),
        allowed_for(["director", "office"], 403),
        args=world_objects("board_id"),
    ),
    "upload_edit": Page(CHANGE_UPLOAD, CHANGE_UPLOAD, args=world_objects("draft_id")),
    "upload_compare": Page(SEE_UPLOAD, CHANGE_UPLOAD, args=world_objects("draft_id", "tournament_id")),
    "upload_confirm": Page(CHANGE_UPLOAD, CHANGE_UPLOAD, args=world_objects("draft_id")),
    "upload_receipt": Page(SEE_UPLOAD, args=world_objects("confirmed_id")),
    "upload_progress": Page(SEE_UPLOAD, args=world_objects("confirmed_id")),
    "upload_discard": Page(NO_GET, CHANGE_UPLOAD, args=world_objects("draft_id")),
    "uploads_several": Page(
        answers(405), SEVERAL, data=lambda world: {"upload": str(world.draft_id), "act": "discard"}
    ),
    "upload_file": Page(OFFICE, args=world_objects("draft_id")),
}
# The account that prepared a proposal may read it, but not decide on it.
SEE_PROPOSAL = allowed_for(["office", "committee", "auditor"], 404)
DECIDE_PROPOSAL = allowed_for(["committee"], 404, office=403, auditor=403)

OFFICE_PAGES = {
    "office_invitations": Page(OFFICE_READS),
    "office_invitations_send": Page(answers(403, auditor=405, office=405), OFFICE),
    "office_invitations_print": Page(answers(403, auditor=405, office=405), OFFICE),
    "office": Page(OFFICE_READS),
    "inbox": Page(SIGNED_IN),
    "office_runs_retry": Page(answers(403, auditor=405, office=405), OFFICE),
    "office_run_retry": Page(answers(403, auditor=405, office=405), OFFICE, args=world_objects("run_uid")),
    "oversight": Page(ALL_READ),
    "oversight_list": Page(ALL_READ, args=world_objects("grants_id")),
    "oversight_looked": Page(answers(405), ALL_READ),
    "run_inputs": Page(ALL_READ, args=world_objects("run_uid")),
    "region_manage": Page(
        allowed_for(["region_admin", "auditor", "office"], 404), args=world_objects("region_slug")
    ),
    "operations": Page(OFFICE_READS),
    "sanity": Page(OFFICE_READS),
    "sanity_run": Page(answers(403, auditor=405, office=405), OFFICE),
    "sanity_check": Page(OFFICE_READS, args=lambda world: ["licence_overlap"]),
    "sanity_finding": Page(OFFICE_READS, OFFICE, args=world_objects("finding_id")),
    "audits": Page(ALL_READ, ALL_READ),
    "audit": Page(ALL_READ, args=world_objects("audit_id")),
    "audit_progress": Page(ALL_READ, args=world_objects("audit_id")),
    "duplicates": Page(OFFICE_READS),
    "duplicates_search": Page(answers(403, auditor=405, office=405), OFFICE),
    "duplicate_separate": Page(
        answers(403, auditor=405, office=405), OFFICE, args=world_objects("duplicate_id")
    ),
    "office_imports": Page(OFFICE_READS, OFFICE),
    "office_import_template": Page(OFFICE_READS, args=lambda world: ["players", "csv"]),
    "office_import_columns": Page(OFFICE, OFFICE, args=world_objects("import_id")),
    "office_import_review": Page(OFFICE_READS, OFFICE, args=world_objects("import_id")),
    "office_import_apply": Page(
        answers(403, auditor=405, office=405), OFFICE, args=world_objects("import_id")
    ),
    "office_import_discard": Page(
        answers(403, auditor=405, office=405), OFFICE, args=world_objects("import_id")
    ),
    "office_import_progress": Page(OFFICE_READS, args=world_objects("import_id")),
    "office_import_stop": Page(
        answers(403, auditor=405, office=405), OFFICE, args=world_objects("import_id")
    ),
    "office_import_undo": Page(OFFICE, OFFICE, args=world_objects("import_id")),
    "changeovers": Page(OFFICE_READS, OFFICE),
    "changeover": Page(OFFICE_READS, args=world_objects("changeover_id")),
    "changeover_progress": Page(OFFICE_READS, args=world_objects("changeover_id")),
    "changeover_apply": Page(
        answers(403, auditor=405, office=405), OFFICE, args=world_objects("changeover_id")
    ),
    "changeover_undo": Page(
        answers(403, auditor=405, office=405), OFFICE, args=world_objects("changeover_id")
    ),
    "changeover_discard": Page(
        answers(403, auditor=405, office=405), OFFICE, args=world_objects("changeover_id")
    ),
    "category_assign": Page(OFFICE_READS, OFFICE),
    "adjustments": Page(OFFICE_READS, OFFICE),
    "adjustment_back": Page(OFFICE_READS, OFFICE, args=world_objects("adjustment_id")),
    "persons": Page(OFFICE_READS, query={"q": "ana"}),
    "person_new": Page(OFFICE, OFFICE),
    "person": Page(OFFICE_READS, args=world_objects("player_number")),
    "person_change": Page(answers(403, auditor=405, office=405), OFFICE, args=world_objects("player_number")),
    "person_licence_add": Page(
        answers(403, auditor=405, office=405), OFFICE, args=world_objects("player_number")
    ),
    "person_licence": Page(OFFICE, OFFICE, args=world_objects("player_number", "licence_id")),
    "office_tournaments": Page(OFFICE_READS),
    "office_regulation": Page(OFFICE_READS),
    "office_licences": Page(OFFICE_READS),
    "licences_renew": Page(OFFICE, OFFICE),
    "licence_renewal": Page(OFFICE_READS, args=world_objects("renewal_id")),
    "licence_renewal_progress": Page(OFFICE_READS, args=world_objects("renewal_id")),
    "licence_renewal_undo": Page(
        answers(403, auditor=405, office=405), OFFICE, args=world_objects("renewal_id")
    ),
    "office_clubs": Page(OFFICE_READS),
    "office_club_new": Page(OFFICE, OFFICE),
    "office_club": Page(OFFICE_READS, OFFICE, args=world_objects("club_id")),
    "office_club_invite": Page(answers(403, auditor=405, office=405), OFFICE, args=world_objects("club_id")),
    "office_club_withdraw": Page(
        answers(403, auditor=405, office=405), OFFICE, args=world_objects("club_id", "admin_invitation_id")
    ),
    "office_regions": Page(OFFICE_READS),
    "office_region_new": Page(OFFICE, OFFICE),
    "office_region": Page(OFFICE_READS, OFFICE, args=world_objects("region_id")),
    "office_roles": Page(OFFICE_READS),
    "merges": Page(OFFICE_READS, OFFICE),
    "merge": Page(OFFICE_READS, OFFICE, args=world_objects("merge_id")),
    "annulment": Page(ANNUL, ANNUL, args=world_objects("year", "tournament_slug")),
    "annulments": Page(OFFICE_READS),
    "office_webhooks": Page(OFFICE_READS),
    "office_webhook_new": Page(OFFICE, OFFICE),
    "office_webhook": Page(OFFICE_READS, args=world_objects("office_webhook_id")),
    "office_webhook_act": Page(OFFICE, OFFICE, args=lambda world: [world.office_webhook_id, "secreto"]),
    "accounts": Page(OFFICE_READS),
    "account_new": Page(OFFICE, OFFICE),
    "account_journal": Page(OFFICE_READS),
    "account": Page(OFFICE_READS, args=world_objects("account_id")),
    "account_change": Page(answers(403, auditor=405, office=405), OFFICE, args=world_objects("account_id")),
    "account_password": Page(answers(403, auditor=405, office=405), OFFICE, args=world_objects("account_id")),
    "proposals": Page(SIGNED_IN),
    "proposal": Page(SEE_PROPOSAL, DECIDE_PROPOSAL, args=world_objects("proposal_id")),
    "proposal_progress": Page(SEE_PROPOSAL, args=world_objects("proposal_id")),
    "office_factors": Page(OFFICE_READS, OFFICE),
    "tournament_regulation": Page(OFFICE_READS, OFFICE, args=world_objects("year", "tournament_slug")),
    "category_revoke": Page(OFFICE_READS, OFFICE, args=world_objects("assignment_id")),
    "rule_sets": Page(ALL_READ),
    "rule_set": Page(ALL_READ, args=world_objects("rule_set_id")),
    "rule_set_edit": Page(OFFICE, OFFICE, args=world_objects("rule_set_id")),
    "rule_set_new": Page(OFFICE, OFFICE),
}

# The pages above that write and do not ask for the second factor again (`federation.asking.ASKED`).
NOT_ASKED = {
    "oversight_looked",
    "office_runs_retry",
    "office_run_retry",
    "audits",
    "sanity_run",
    "sanity_finding",
    "duplicates_search",
    "duplicate_separate",
    "office_imports",
    "office_import_review",
    "office_import_columns",
    "office_import_discard",
    "office_import_stop",
    "changeovers",
    "changeover_discard",
    "category_assign",
    "category_revoke",
    "adjustments",
    "adjustment_back",
    "person_new",
    "person_licence_add",
    "person_licence",
    "annulment",
    "office_club",
    "office_club_new",
    "office_club_withdraw",
    "office_region",
    "office_region_new",
    "office_factors",
    "office_webhook_new",
    "office_webhook_act",
    "tournament_regulation",
    "rule_set_edit",
    "rule_set_new",
}

CLUBS = {
    "clubs_managed": Page(SIGNED_IN),
    "club_manage": Page(SEE_CLUB, args=world_objects("club_slug")),
    "club_members": Page(SEE_CLUB, args=world_objects("club_slug")),
    "club_members_file": Page(SEE_CLUB, args=lambda world: [world.club_slug, "playernames"]),
    "club_requests": Page(SEE_CLUB, args=world_objects("club_slug")),
    "club_request": Page(CHANGE_CLUB, CHANGE_CLUB, args=lambda world: [world.club_slug, "alta"]),
    "club_directors": Page(SEE_CLUB, args=world_objects("club_slug")),
    "club_codes": Page(CHANGE_CLUB, CHANGE_CLUB, args=world_objects("club_slug")),
    "club_tokens": Page(SEE_CLUB, CHANGE_CLUB, args=world_objects("club_slug")),
    "club_token_revoke": Page(CHANGE_CLUB, CHANGE_CLUB, args=world_objects("club_slug", "token_id")),
    "club_webhooks": Page(SEE_CLUB, args=world_objects("club_slug")),
    "club_webhook_new": Page(CHANGE_CLUB, CHANGE_CLUB, args=world_objects("club_slug")),
    "club_webhook": Page(SEE_CLUB, args=world_objects("club_slug", "webhook_id")),
    "club_webhook_act": Page(
        CHANGE_CLUB, CHANGE_CLUB, args=lambda world: [world.club_slug, world.webhook_id, "secreto"]
    ),
    "club_invite": Page(NO_GET, CHANGE_CLUB, args=world_objects("club_slug")),
    "club_invitation_withdraw": Page(NO_GET, CHANGE_CLUB, args=world_objects("club_slug", "invitation_id")),
    "club_director_remove": Page(
        CHANGE_CLUB, CHANGE_CLUB, args=world_objects("club_slug", "director_role_id")
    ),
}

# The announced tournament is public, so actors who may not change it get 403. It is a pool, which the club's
# own people announce, and the office.
ANNOUNCERS = [
    "director",
    "club_admin",
    "region_admin",
    "far_director",
    "far_club_admin",
    "far_region_admin",
    "office",
]
CHANGE_POOL = allowed_for(["director", "club_admin", "office"], 403)
CALENDAR = {
    "announce": Page(allowed_for(ANNOUNCERS, 403), allowed_for(ANNOUNCERS, 403)),
    "announcement_change": Page(CHANGE_POOL, CHANGE_POOL, args=world_objects("announcement_id")),
    "announcement_cancel": Page(CHANGE_POOL, CHANGE_POOL, args=world_objects("announcement_id")),
}

# Only the sender sees a draft; other directors get 404.
SEE_GO = allowed_for(["director", "auditor", "office"], 404)
CHANGE_GO = allowed_for(["director", "office"], 404, auditor=403)
CORRECT_GO = allowed_for(["director", "office"], 403)
GO = {
    "go_ratings": Page(EVERYBODY),
    "go_player": Page(EVERYBODY, args=world_objects("go_player_id")),
    "go_tournaments": Page(EVERYBODY),
    "privacy_choices": Page(SIGNED_IN),
    "privacy_hide": Page(NO_GET, OWN_PLAYER, data=lambda world: {"hidden": "1"}),
    "data_copy": Page(NO_GET, SIGNED_IN),
    "data_copy_progress": Page(answers(404)),
    "data_copy_file": Page(answers(404), args=lambda world: [1]),
    "privacy_correct": Page(NO_GET, OWN_PLAYER),
    "privacy_erase": Page(OWN_PLAYER, OWN_PLAYER),
    "office_erase": Page(OFFICE_READS, OFFICE, args=world_objects("player_number")),
    "my_go": Page(SIGNED_IN, SIGNED_IN),
    "office_go_players": Page(OFFICE_READS),
    "office_go_player": Page(OFFICE_READS, OFFICE, args=world_objects("go_player_id")),
    "go_tournament": Page(EVERYBODY, args=world_objects("go_event_id")),
    "go_annulment": Page(ANNUL, ANNUL, args=world_objects("go_event_id")),
    "go_receipt": Page(EVERYBODY, args=lambda world: [world.go_event_id, 1]),
    "go_upload_review": Page(SEE_GO, CHANGE_GO, args=world_objects("go_draft_id")),
    "go_upload_confirm": Page(CHANGE_GO, CHANGE_GO, args=world_objects("go_draft_id")),
    "go_upload_receipt": Page(SEE_GO, args=world_objects("go_confirmed_id")),
    "go_upload_correct": Page(CORRECT_GO, CORRECT_GO, args=world_objects("go_event_id")),
    "go_upload_discard": Page(NO_GET, CHANGE_GO, args=world_objects("go_draft_id")),
}

# The committee reads what it approves. tests/scoring/promotions tests who may perform each act.
OWN_PLAYER = allowed_for(["player"], 403)
CAMPAIGNS = {
    "campaigns": Page(ALL_READ, OFFICE),
    "campaign_simulation": Page(ALL_READ, ALL_READ),
    "campaign_simulation_progress": Page(ALL_READ, args=world_objects("simulation_id")),
    "campaign": Page(ALL_READ, args=world_objects("campaign_id")),
    "campaign_step": Page(OFFICE, OFFICE, args=lambda world: [world.campaign_id, "withdraw"]),
    "campaign_progress": Page(ALL_READ, args=world_objects("campaign_id")),
    "campaign_review": Page(ALL_READ, args=lambda world: [world.campaign_id, "2p"]),
    "campaign_player": Page(ALL_READ, OFFICE, args=world_objects("campaign_id", "campaign_player_number")),
    "campaign_late": Page(ALL_READ, ALL_READ, args=world_objects("campaign_id")),
    "campaign_versions": Page(ALL_READ, args=world_objects("campaign_id")),
    "campaign_claims": Page(ALL_READ, args=world_objects("campaign_id")),
    "claim_answer": Page(ALL_READ, OFFICE, args=world_objects("campaign_id", "claim_id")),
    "campaign_report": Page(ALL_READ, args=world_objects("campaign_id")),
    "campaign_letters": Page(ALL_READ, args=world_objects("campaign_id")),
    "promotion_letter": Page(OWN_PLAYER, args=world_objects("campaign_year")),
    "corrections_seen": Page(NO_GET, OWN_PLAYER),
    "claim": Page(OWN_PLAYER, OWN_PLAYER, args=world_objects("campaign_year")),
    "player_categories": Page(
        allowed_for(["player", "office", "committee", "auditor"], 403), args=world_objects("player_number")
    ),
    "my_page": Page(SIGNED_IN),
    "my_results": Page(SIGNED_IN),
    "what_if": Page(SIGNED_IN),
    "my_partners": Page(SIGNED_IN),
    "my_partner": Page(SIGNED_IN, args=world_objects("campaign_player_number")),
    "my_review": Page(SIGNED_IN, args=world_objects("year")),
}

# Of a case, its player and those who answer it; region administrators and auditors read it.
WRITE_IN_CASE = allowed_for(
    ["player", "director", "club_admin", "office"], 404, region_admin=403, auditor=403
)
CASES = {
    "where_points": Page(SIGNED_IN),
    "cases": Page(SIGNED_IN),
    "case_open": Page(SIGNED_IN, SIGNED_IN),
    "case": Page(allowed_for([*NEAR_READERS, "player"], 404), WRITE_IN_CASE, args=world_objects("case_id")),
    "club_cases": Page(allowed_for(NEAR_READERS, 404), args=world_objects("club_slug")),
    "office_cases": Page(OFFICE_READS),
}

# For programs, which send a token: no session opens these, so every actor of a browser is nobody. Requests
# with tokens are below.
NO_TOKEN = answers(401, nobody=401)
NOTHING = answers(404, nobody=404)
# What programs read without a token.
READING = {
    name: Page(EVERYBODY, args=args, token=False)
    for name, args in {
        "api:clubs": world_objects(),
        "api:player": world_objects("player_number"),
        "api:player_awards": world_objects("player_number"),
        "api:player_standing": world_objects("player_number"),
        "api:promotion": lambda world: [world.campaign_year, "2P"],
        "api:ratings": world_objects(),
        "api:regulation": lambda world: ["aeb-2026"],
        "api:regulations": world_objects(),
        "api:standing": lambda world: ["2P"],
        "api:tournament": world_objects("tournament_id"),
        "api:tournaments": world_objects(),
    }.items()
}
API = {
    **READING,
    "upload_script": Page(EVERYBODY, token=False),
    "api:openapi-json": Page(EVERYBODY, token=False),
    "api:api-root": Page(NOTHING, NOTHING, token=False),
    # Open to all, but no form.
    "api:score": Page(NOT_ALLOWED, answers(415, nobody=415), token=False),
    "api:upload_send": Page(NOT_ALLOWED, NO_TOKEN, args=world_objects("club_code"), token=False),
    "api:upload_show": Page(NO_TOKEN, NOT_ALLOWED, args=world_objects("club_code", "sent_id"), token=False),
    "api:upload_settle": Page(NOT_ALLOWED, NO_TOKEN, args=world_objects("club_code", "sent_id"), token=False),
}

# The statuses of requests of programs, by token (`world.tokens`), for an upload that the club's program sent.
# 422 and 409 come after all checks: the form has no file, and the upload has errors.
TOKENS: dict[str, dict[str, int]] = {
    "api:upload_send": {"own": 422, "confirming": 422, "far": 404, "revoked": 401, "retired": 401},
    "api:upload_show": {"own": 200, "confirming": 200, "far": 404, "revoked": 401, "retired": 401},
    "api:upload_settle": {"own": 403, "confirming": 409, "far": 404, "revoked": 401, "retired": 401},
}

MATRIX: dict[str, Page] = {
    **PUBLIC,
    **ACCOUNT,
    **UPLOADS,
    **OFFICE_PAGES,
    **CLUBS,
    **CALENDAR,
    **GO,
    **CAMPAIGNS,
    **CASES,
    **API,
}

# No actor is staff, so the admin site refuses all of them. Its sign-in and sign-out redirect to ours.
ADMIN_DOORS = {"admin:login", "admin:logout"}
