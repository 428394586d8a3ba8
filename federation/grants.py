"""What the application's and the reader's role may do with each table on PostgreSQL.

A third role, the owner, migrates and owns the tables. `manage.py grant_roles` writes the rights into the
database (docs/production.md).

The application's rights follow from the guards: it may do all that no guard refuses in every case. Only the
frozen columns of runs and the tables of migrations are declared here. What the reader sees is declared here
for each table, so that a new table shows nobody a secret.
"""

from collections.abc import Iterator

from django.apps import apps
from django.db.migrations.recorder import MigrationRecorder

from players import triggers

# Written by migrations alone.
OF_MIGRATIONS = {MigrationRecorder.Migration._meta.db_table, "auth_permission", "django_content_type"}
# Columns in which the application stores a value once, with the row.
FROZEN = {
    "ledger_scoringrun": {
        "id",
        "created_at",
        "uid",
        "tournament_id",
        "revision_id",
        "number",
        "purpose",
        "regulation",
        "reason",
        "inputs",
        "input_digest",
        "engine_version",
        "created_by_id",
    },
}
# Tables that the reader does not see: sessions, keys, second factors, attempts, copies of personal data.
SECRET = {
    "account_emailconfirmation",
    "django_session",
    "mfa_authenticator",
    "players_signupkey",
    "players_tally",
    "privacy_datacopy",
    "privacy_erasure",
    "usersessions_usersession",
}
# Columns that the reader does not see of tables that it may read.
SECRET_COLUMNS = {
    "auth_user": {"password"},
    "players_clubtoken": {"digest"},
    "players_invitation": {"digest"},
    "webhooks_webhook": {"secret", "former_secret"},
}
READABLE = {
    "account_emailaddress",
    "annulments_annulment",
    "audit_auditrun",
    "auth_group",
    "auth_group_permissions",
    "auth_permission",
    "auth_user",
    "auth_user_groups",
    "auth_user_user_permissions",
    "cases_case",
    "cases_casemessage",
    "changeover_changeover",
    "changeover_changeoveraward",
    "changeover_changeoverbalance",
    "changeover_changeoverfile",
    "dataset_dump",
    "django_admin_log",
    "django_content_type",
    "django_migrations",
    "federation_backup",
    "ledger_ledgerentry",
    "ledger_purge",
    "ledger_scoringfactor",
    "ledger_scoringrun",
    "ledger_seencorrections",
    "ledger_standing",
    "ledger_standingsstate",
    "ledger_yeartotal",
    "letters_broadcast",
    "letters_choice",
    "letters_letter",
    "letters_notice",
    "letters_reader",
    "office_countablerun",
    "office_countablesearch",
    "office_duplicatepair",
    "office_duplicatesearch",
    "office_licencerenewal",
    "office_listlayout",
    "office_listpart",
    "office_listrow",
    "office_listtask",
    "office_look",
    "office_officeimport",
    "office_renewedlicence",
    "players_accountevent",
    "players_category",
    "players_categoryassignment",
    "players_club",
    "players_clubpair",
    "players_clubtoken",
    "players_consent",
    "players_invitation",
    "players_licence",
    "players_namepair",
    "players_organisationchange",
    "players_player",
    "players_playerchange",
    "players_playermerge",
    "players_proposal",
    "players_proposal_clubs",
    "players_region",
    "players_role",
    "promotions_campaignact",
    "promotions_campaignchange",
    "promotions_campaignclaim",
    "promotions_campaigndecision",
    "promotions_campaignsnapshot",
    "promotions_campaigntask",
    "promotions_claimanswer",
    "promotions_promotioncampaign",
    "promotions_promotionrule",
    "promotions_promotionruleset",
    "promotions_rulesetchange",
    "promotions_simulation",
    "promotions_snapshotlist",
    "ratings_goupload",
    "ratings_ratedplayer",
    "ratings_ratedplayerchange",
    "ratings_rating",
    "ratings_ratingchange",
    "ratings_ratingentrant",
    "ratings_ratinggame",
    "ratings_ratingreplay",
    "ratings_ratingstate",
    "ratings_ratingtournament",
    "sanity_finding",
    "sanity_sanityrun",
    "signups_signupletter",
    "transparency_checkpoint",
    "transparency_cosignature",
    "transparency_leaf",
    "transparency_logstate",
    "transparency_node",
    "transparency_pseudonym",
    "transparency_stamp",
    "transparency_witnessedlog",
    "transparency_witnessround",
    "tournaments_announcement",
    "tournaments_announcementpair",
    "tournaments_boardresult",
    "tournaments_columnlayout",
    "tournaments_contestant",
    "tournaments_deal",
    "tournaments_furtherfile",
    "tournaments_rememberedname",
    "tournaments_resultupload",
    "tournaments_revision",
    "tournaments_seat",
    "tournaments_sentkey",
    "tournaments_separateevent",
    "tournaments_storedfile",
    "tournaments_tournament",
    "tournaments_tournamentpair",
    "tournaments_uploadissue",
    "webhooks_delivery",
    "webhooks_webhook",
}


def models_by_table() -> dict[str, type]:
    """Return table -> model of all tables of the project, those that only link two others included."""
    models = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    return {**models, MigrationRecorder.Migration._meta.db_table: MigrationRecorder.Migration}


def undecided() -> list[str]:
    """Return a line for each table for which nothing, or something contradictory, is declared here."""
    tables, declared = set(models_by_table()), READABLE | SECRET
    lines = [f"{table} is neither in READABLE nor in SECRET" for table in sorted(tables - declared)]
    lines += [f"{table} is declared, but no table" for table in sorted(declared - tables)]
    lines += [f"{table} is both in READABLE and in SECRET" for table in sorted(READABLE & SECRET)]
    for columns in (FROZEN, SECRET_COLUMNS):
        for table, names in sorted(columns.items()):
            unknown = names - set(_columns(table))
            lines += [f"{table} has no column {name}" for name in sorted(unknown)]
    return lines


def statements(application: str, reader: str, schema: str, database: str) -> Iterator[str]:
    """Yield the SQL statements that give both roles their rights in the schema, and take all others away.

    The arguments are quoted names.
    """
    # A temporary table would stand in front of one of the same name.
    yield f"REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC, {application}, {reader}"
    yield f"REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, {application}, {reader}"
    yield f"GRANT USAGE ON SCHEMA {schema} TO {application}, {reader}"
    for objects in ("TABLES", "SEQUENCES"):
        yield f"REVOKE ALL ON ALL {objects} IN SCHEMA {schema} FROM PUBLIC, {application}, {reader}"
    # The sanity checks compare the next ids with those that are taken.
    yield f"GRANT SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {application}"
    for table in sorted(models_by_table()):
        yield f"GRANT {', '.join(_of_application(table))} ON {schema}.{table} TO {application}"
        if table in READABLE:
            hidden = SECRET_COLUMNS.get(table)
            select = f"SELECT ({', '.join(_others(table, hidden))})" if hidden else "SELECT"
            yield f"GRANT {select} ON {schema}.{table} TO {reader}"


def of_application() -> list[tuple[str, str]]:
    """Return (table, privilege) of all that the application may do, without the columns."""
    return [(table, privilege) for table in sorted(models_by_table()) for privilege in _privileges(table)]


def _of_application(table: str) -> list[str]:
    rights = _privileges(table)
    if frozen := FROZEN.get(table):
        rights[rights.index("UPDATE")] = f"UPDATE ({', '.join(_others(table, frozen))})"
    return rights


def _privileges(table: str) -> list[str]:
    if table in OF_MIGRATIONS:
        return ["SELECT"]
    refused = {
        operation
        for guard in triggers.declared("postgresql")
        if guard.table == table and not guard.condition
        for operation in guard.operations
    }
    return [name for name in ("SELECT", "INSERT", "UPDATE", "DELETE") if name not in refused]


def _columns(table: str) -> list[str]:
    return [field.column for field in models_by_table()[table]._meta.local_concrete_fields]


def _others(table: str, names: set[str]) -> list[str]:
    return [column for column in _columns(table) if column not in names]
