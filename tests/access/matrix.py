"""Who gets what answer at which address: the table that docs/access.md tells in words.

Every named address of the project is a key here; one that is missing fails the test. The objects belong to
the club, and its region, of the near actors; the far ones have the same roles elsewhere.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

IN = "in"  # past every check: a page, a redirect, or a form with errors
SIGN_IN = "sign in"  # sent to the sign-in page
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
    """`get` and `post` by actor; `post` None: the page takes no POST, and one writes nothing.

    args: the address's arguments, from the world of the test; data: what the POST sends
    """

    get: Answers
    post: Answers | None = None
    args: Callable = lambda world: []
    data: Callable = lambda world: {}
    token: bool = True  # False: deliberately accepted without a CSRF token
    query: dict = field(default_factory=dict)


def answers(others: str | int, nobody: str | int = SIGN_IN, **by_actor: str | int) -> Answers:
    """The same answer for all but those named."""
    return {**dict.fromkeys(ACTORS, others), "nobody": nobody, **by_actor}


def only(actors: list[str], others: int, nobody: str | int = SIGN_IN, **by_actor: int) -> Answers:
    """These get in."""
    return answers(others, nobody, **{**dict.fromkeys(actors, IN), **by_actor})


EVERYBODY = answers(IN, nobody=IN)
SIGNED_IN = answers(IN)
NO_GET = answers(405)
OFFICE = only(["office"], 403)
OFFICE_READS = only(["office", "auditor"], 403)
ALL_READ = only(["office", "committee", "auditor"], 403)
# Who may not even know of an upload finds nothing; who may only look is refused.
SEE_UPLOAD = only(NEAR_READERS, 404)
CHANGE_UPLOAD = only(["director", "office"], 404, club_admin=403, region_admin=403, auditor=403)
SEE_CLUB = only(["club_admin", "region_admin", "auditor", "office"], 404)
CHANGE_CLUB = only(["club_admin", "region_admin", "office"], 404, auditor=403)


def at(*names: str) -> Callable:
    """Arguments taken from the world by name."""
    return lambda world: [getattr(world, name) for name in names]


# The tournament is public: who may not annul it is refused. A director annuls what is theirs to correct.
ANNUL = only(["director", "office"], 403)

PUBLIC = {
    "home": Page(EVERYBODY),
    "standings": Page(EVERYBODY),
    "standing": Page(EVERYBODY, args=lambda world: ["2p"]),
    "tournaments": Page(EVERYBODY),
    "tournament": Page(EVERYBODY, args=at("year", "tournament_slug")),
    "strength": Page(EVERYBODY, args=at("year", "tournament_slug")),
    "players": Page(EVERYBODY),
    "player": Page(EVERYBODY, args=at("player_slug")),
    "award": Page(EVERYBODY, args=at("player_number", "entry_id")),
    "clubs": Page(EVERYBODY),
    "club": Page(EVERYBODY, args=at("club_slug")),
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
    "account_reset_password": Page(EVERYBODY, EVERYBODY),
    "account_reset_password_done": Page(EVERYBODY),
    "account_reset_password_from_key": Page(EVERYBODY, EVERYBODY, args=lambda world: ["1", "no-such-key"]),
    "account_reset_password_from_key_done": Page(EVERYBODY),
}

# Who uploads for no club is refused before the drafts are looked for; others are as with one draft.
SEVERAL = only(["director", "office"], 403, far_director=404)
UPLOADS = {
    "uploads": Page(answers(IN, outsider=403, player=403, committee=403)),
    "upload_start": Page(only(ANY_UPLOADER, 403), only(ANY_UPLOADER, 403)),
    "upload_typed": Page(only(ANY_UPLOADER, 403), only(ANY_UPLOADER, 403)),
    "upload_template": Page(EVERYBODY, args=lambda world: ["csv"]),
    "upload_review": Page(SEE_UPLOAD, CHANGE_UPLOAD, args=at("draft_id")),
    "upload_edit": Page(CHANGE_UPLOAD, CHANGE_UPLOAD, args=at("draft_id")),
    "upload_compare": Page(SEE_UPLOAD, CHANGE_UPLOAD, args=at("draft_id", "tournament_id")),
    "upload_confirm": Page(CHANGE_UPLOAD, CHANGE_UPLOAD, args=at("draft_id")),
    "upload_receipt": Page(SEE_UPLOAD, args=at("confirmed_id")),
    "upload_progress": Page(SEE_UPLOAD, args=at("confirmed_id")),
    "upload_discard": Page(NO_GET, CHANGE_UPLOAD, args=at("draft_id")),
    "uploads_several": Page(
        answers(405), SEVERAL, data=lambda world: {"upload": str(world.draft_id), "act": "discard"}
    ),
    "upload_file": Page(OFFICE, args=at("draft_id")),
}
# Who prepared it may look, and decides nothing.
SEE_PROPOSAL = only(["office", "committee", "auditor"], 404)
DECIDE_PROPOSAL = only(["committee"], 404, office=403, auditor=403)

OFFICE_PAGES = {
    "office": Page(OFFICE_READS),
    "office_runs_retry": Page(answers(403, auditor=405, office=405), OFFICE),
    "office_run_retry": Page(answers(403, auditor=405, office=405), OFFICE, args=at("run_uid")),
    "office_imports": Page(OFFICE_READS, OFFICE),
    "office_import_template": Page(OFFICE_READS, args=lambda world: ["players", "csv"]),
    "office_import_review": Page(OFFICE_READS, args=at("import_id")),
    "office_import_apply": Page(answers(403, auditor=405, office=405), OFFICE, args=at("import_id")),
    "office_import_discard": Page(answers(403, auditor=405, office=405), OFFICE, args=at("import_id")),
    "office_import_undo": Page(OFFICE, OFFICE, args=at("import_id")),
    "category_assign": Page(OFFICE_READS, OFFICE),
    "adjustments": Page(OFFICE_READS, OFFICE),
    "adjustment_back": Page(OFFICE_READS, OFFICE, args=at("adjustment_id")),
    "merges": Page(OFFICE_READS, OFFICE),
    "merge": Page(OFFICE_READS, OFFICE, args=at("merge_id")),
    "annulment": Page(ANNUL, ANNUL, args=at("year", "tournament_slug")),
    "annulments": Page(OFFICE_READS),
    "accounts": Page(OFFICE_READS),
    "account_new": Page(OFFICE, OFFICE),
    "account_journal": Page(OFFICE_READS),
    "account": Page(OFFICE_READS, args=at("account_id")),
    "account_change": Page(answers(403, auditor=405, office=405), OFFICE, args=at("account_id")),
    "account_password": Page(answers(403, auditor=405, office=405), OFFICE, args=at("account_id")),
    "proposals": Page(SIGNED_IN),
    "proposal": Page(SEE_PROPOSAL, DECIDE_PROPOSAL, args=at("proposal_id")),
    "office_factors": Page(OFFICE_READS, OFFICE),
    "tournament_regulation": Page(OFFICE_READS, OFFICE, args=at("year", "tournament_slug")),
    "category_revoke": Page(OFFICE_READS, OFFICE, args=at("assignment_id")),
    "rule_sets": Page(ALL_READ),
    "rule_set": Page(ALL_READ, args=at("rule_set_id")),
    "rule_set_edit": Page(OFFICE, OFFICE, args=at("rule_set_id")),
    "rule_set_new": Page(OFFICE, OFFICE),
}

CLUBS = {
    "clubs_managed": Page(SIGNED_IN),
    "club_manage": Page(SEE_CLUB, args=at("club_slug")),
    "club_director_add": Page(NO_GET, CHANGE_CLUB, args=at("club_slug")),
    "club_director_remove": Page(NO_GET, CHANGE_CLUB, args=at("club_slug", "director_role_id")),
}

# A draft is its sender's: other directors do not know of it.
SEE_GO = only(["director", "auditor", "office"], 404)
CHANGE_GO = only(["director", "office"], 404, auditor=403)
GO = {
    "go_ratings": Page(EVERYBODY),
    "go_player": Page(EVERYBODY, args=at("go_player_id")),
    "go_tournaments": Page(EVERYBODY),
    "go_tournament": Page(EVERYBODY, args=at("go_event_id")),
    "go_annulment": Page(ANNUL, ANNUL, args=at("go_event_id")),
    "go_receipt": Page(EVERYBODY, args=lambda world: [world.go_event_id, 1]),
    "go_upload_start": Page(only(ANY_UPLOADER, 403), only(ANY_UPLOADER, 403)),
    "go_upload_review": Page(SEE_GO, CHANGE_GO, args=at("go_draft_id")),
    "go_upload_progress": Page(SEE_GO, args=at("go_confirmed_id")),
    "go_upload_discard": Page(NO_GET, CHANGE_GO, args=at("go_draft_id")),
}

# The committee reads what it approves; the steps of one campaign are told apart in tests/scoring/promotions.
OWN_PLAYER = only(["player"], 403)
CAMPAIGNS = {
    "campaigns": Page(ALL_READ, OFFICE),
    "campaign_simulation": Page(ALL_READ),
    "campaign": Page(ALL_READ, args=at("campaign_id")),
    "campaign_step": Page(OFFICE, OFFICE, args=lambda world: [world.campaign_id, "withdraw"]),
    "campaign_progress": Page(ALL_READ, args=at("campaign_id")),
    "campaign_review": Page(ALL_READ, args=lambda world: [world.campaign_id, "2p"]),
    "campaign_player": Page(ALL_READ, OFFICE, args=at("campaign_id", "campaign_player_number")),
    "campaign_late": Page(ALL_READ, args=at("campaign_id")),
    "campaign_versions": Page(ALL_READ, args=at("campaign_id")),
    "campaign_claims": Page(ALL_READ, args=at("campaign_id")),
    "claim_answer": Page(ALL_READ, OFFICE, args=at("campaign_id", "claim_id")),
    "campaign_report": Page(ALL_READ, args=at("campaign_id")),
    "campaign_letters": Page(ALL_READ, args=at("campaign_id")),
    "promotion_letter": Page(OWN_PLAYER, args=at("campaign_year")),
    "claim": Page(OWN_PLAYER, OWN_PLAYER, args=at("campaign_year")),
}

MATRIX: dict[str, Page] = {**PUBLIC, **ACCOUNT, **UPLOADS, **OFFICE_PAGES, **CLUBS, **GO, **CAMPAIGNS}

# The administration site: all of it is closed to all of these actors, for none of them is staff. Its own two
# doors lead to ours.
ADMIN_DOORS = {"admin:login", "admin:logout"}
