"""The expected response to each actor at each URL; docs/access.md describes the same table.

Every named URL of the project must be a key here, or a test fails. The requested objects, such as the
tournament, belong to one club and its region. "director", "club_admin" and "region_admin" have their roles
there. The actors named "far_…" have the same roles in another club or region.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

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
    "award": Page(EVERYBODY, args=world_objects("player_number", "entry_id")),
    "clubs": Page(EVERYBODY),
    "club": Page(EVERYBODY, args=world_objects("club_slug")),
    "calendar": Page(EVERYBODY),
    "announcement": Page(EVERYBODY, args=world_objects("announcement_id")),
    "announcement_feed": Page(EVERYBODY, args=world_objects("announcement_id")),
    "calendar_feed": Page(EVERYBODY),
    "calendar_region_feed": Page(EVERYBODY, args=world_objects("region_slug")),
    "calendar_club_feed": Page(EVERYBODY, args=world_objects("club_slug")),
    "promotions": Page(EVERYBODY),
    "promotion": Page(EVERYBODY, args=lambda world: [world.year, "2p"]),
    "regulations": Page(EVERYBODY),
    "regulation": Page(EVERYBODY, args=lambda world: ["aeb-2026"]),
    "calculator": Page(EVERYBODY),
    "search": Page(EVERYBODY, query={"q": "club"}),
    "help": Page(EVERYBODY),
    "privacy": Page(EVERYBODY),
    "health": Page(EVERYBODY),
    "set_language": Page(EVERYBODY, EVERYBODY, token=False, data=lambda world: {"language": "en"}),
}

ACCOUNT = {
    "account_login": Page(EVERYBODY, EVERYBODY),
    "account_logout": Page(EVERYBODY, EVERYBODY),
    "account_inactive": Page(EVERYBODY),
    "account_change_password": Page(SIGNED_IN, SIGNED_IN),
    "account_code": Page(EVERYBODY, EVERYBODY),
    "invitation_code": Page(EVERYBODY, EVERYBODY),
    "invitation": Page(EVERYBODY, EVERYBODY, args=world_objects("invitation_code")),
    "account_reset_password": Page(EVERYBODY, EVERYBODY),
    "account_reset_password_done": Page(EVERYBODY),
    "account_reset_password_from_key": Page(EVERYBODY, EVERYBODY, args=lambda world: ["1", "no-such-key"]),
    "account_reset_password_from_key_done": Page(EVERYBODY),
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
    "office": Page(OFFICE_READS),
    "office_runs_retry": Page(answers(403, auditor=405, office=405), OFFICE),
    "office_run_retry": Page(answers(403, auditor=405, office=405), OFFICE, args=world_objects("run_uid")),
    "office_imports": Page(OFFICE_READS, OFFICE),
    "office_import_template": Page(OFFICE_READS, args=lambda world: ["players", "csv"]),
    "office_import_review": Page(OFFICE_READS, OFFICE, args=world_objects("import_id")),
    "office_import_apply": Page(
        answers(403, auditor=405, office=405), OFFICE, args=world_objects("import_id")
    ),
    "office_import_discard": Page(
        answers(403, auditor=405, office=405), OFFICE, args=world_objects("import_id")
    ),
    "office_import_undo": Page(OFFICE, OFFICE, args=world_objects("import_id")),
    "category_assign": Page(OFFICE_READS, OFFICE),
    "adjustments": Page(OFFICE_READS, OFFICE),
    "adjustment_back": Page(OFFICE_READS, OFFICE, args=world_objects("adjustment_id")),
    "merges": Page(OFFICE_READS, OFFICE),
    "merge": Page(OFFICE_READS, OFFICE, args=world_objects("merge_id")),
    "annulment": Page(ANNUL, ANNUL, args=world_objects("year", "tournament_slug")),
    "annulments": Page(OFFICE_READS),
    "accounts": Page(OFFICE_READS),
    "account_new": Page(OFFICE, OFFICE),
    "account_journal": Page(OFFICE_READS),
    "account": Page(OFFICE_READS, args=world_objects("account_id")),
    "account_change": Page(answers(403, auditor=405, office=405), OFFICE, args=world_objects("account_id")),
    "account_password": Page(answers(403, auditor=405, office=405), OFFICE, args=world_objects("account_id")),
    "proposals": Page(SIGNED_IN),
    "proposal": Page(SEE_PROPOSAL, DECIDE_PROPOSAL, args=world_objects("proposal_id")),
    "office_factors": Page(OFFICE_READS, OFFICE),
    "tournament_regulation": Page(OFFICE_READS, OFFICE, args=world_objects("year", "tournament_slug")),
    "category_revoke": Page(OFFICE_READS, OFFICE, args=world_objects("assignment_id")),
    "rule_sets": Page(ALL_READ),
    "rule_set": Page(ALL_READ, args=world_objects("rule_set_id")),
    "rule_set_edit": Page(OFFICE, OFFICE, args=world_objects("rule_set_id")),
    "rule_set_new": Page(OFFICE, OFFICE),
}

CLUBS = {
    "clubs_managed": Page(SIGNED_IN),
    "club_manage": Page(SEE_CLUB, args=world_objects("club_slug")),
    "club_members": Page(SEE_CLUB, args=world_objects("club_slug")),
    "club_members_file": Page(SEE_CLUB, args=lambda world: [world.club_slug, "playernames"]),
    "club_requests": Page(SEE_CLUB, args=world_objects("club_slug")),
    "club_request": Page(CHANGE_CLUB, CHANGE_CLUB, args=lambda world: [world.club_slug, "alta"]),
    "club_directors": Page(SEE_CLUB, args=world_objects("club_slug")),
    "club_tokens": Page(SEE_CLUB, CHANGE_CLUB, args=world_objects("club_slug")),
    "club_token_revoke": Page(CHANGE_CLUB, CHANGE_CLUB, args=world_objects("club_slug", "token_id")),
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
    "campaign_simulation": Page(ALL_READ),
    "campaign": Page(ALL_READ, args=world_objects("campaign_id")),
    "campaign_step": Page(OFFICE, OFFICE, args=lambda world: [world.campaign_id, "withdraw"]),
    "campaign_progress": Page(ALL_READ, args=world_objects("campaign_id")),
    "campaign_review": Page(ALL_READ, args=lambda world: [world.campaign_id, "2p"]),
    "campaign_player": Page(ALL_READ, OFFICE, args=world_objects("campaign_id", "campaign_player_number")),
    "campaign_late": Page(ALL_READ, args=world_objects("campaign_id")),
    "campaign_versions": Page(ALL_READ, args=world_objects("campaign_id")),
    "campaign_claims": Page(ALL_READ, args=world_objects("campaign_id")),
    "claim_answer": Page(ALL_READ, OFFICE, args=world_objects("campaign_id", "claim_id")),
    "campaign_report": Page(ALL_READ, args=world_objects("campaign_id")),
    "campaign_letters": Page(ALL_READ, args=world_objects("campaign_id")),
    "promotion_letter": Page(OWN_PLAYER, args=world_objects("campaign_year")),
    "corrections_seen": Page(NO_GET, OWN_PLAYER),
    "claim": Page(OWN_PLAYER, OWN_PLAYER, args=world_objects("campaign_year")),
}

# For programs, which send a token: no session opens these, so every actor of a browser is nobody. Requests
# with tokens: tests/scoring/api.
NO_TOKEN = answers(401, nobody=401)
NOT_ALLOWED = answers(405, nobody=405)
NOTHING = answers(404, nobody=404)
API = {
    "upload_script": Page(EVERYBODY),
    "api:openapi-json": Page(EVERYBODY),
    "api:api-root": Page(NOTHING, NOTHING),
    "api:upload_send": Page(NOT_ALLOWED, NO_TOKEN, args=world_objects("club_code"), token=False),
    "api:upload_show": Page(NO_TOKEN, NOT_ALLOWED, args=world_objects("club_code", "draft_id"), token=False),
    "api:upload_settle": Page(
        NOT_ALLOWED, NO_TOKEN, args=world_objects("club_code", "draft_id"), token=False
    ),
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
    **API,
}

# No actor is staff, so the admin site refuses all of them. Its sign-in and sign-out redirect to ours.
ADMIN_DOORS = {"admin:login", "admin:logout"}
