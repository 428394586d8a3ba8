"""What the roles of the database may do is declared for every table.

`tests/deploy/test_installation.py` and `test_fitness.py` try the rights themselves on PostgreSQL.
"""

import re

from federation import grants

LIKE_SECRETS = re.compile(r"password|secret|token|session_key|digest")
# Digests of public contents, such as inputs and published lists.
NO_SECRETS = {
    "changeover_changeover.digest",
    "ledger_scoringrun.input_digest",
    "office_listlayout.digest",
    "office_listtask.digest",
    "promotions_campaignsnapshot.digest",
    "promotions_promotioncampaign.approved_digest",
    "ratings_ratingtournament.digest",
    "tournaments_columnlayout.digest",
}


def test_every_table_is_declared_for_the_reader():
    """If this fails for a new table, decide in `federation/grants.py` whether the reader may see it."""
    assert grants.undecided() == []


def test_a_new_table_and_a_misspelt_column_are_reported(monkeypatch):
    monkeypatch.setattr(grants, "READABLE", grants.READABLE - {"players_club"} | {"players_clubb"})
    monkeypatch.setattr(grants, "FROZEN", {"ledger_scoringrun": {"input"}})
    assert grants.undecided() == [
        "players_club is neither in READABLE nor in SECRET",
        "players_clubb is declared, but no table",
        "ledger_scoringrun has no column input",
    ]


def test_columns_named_like_secrets_are_hidden_from_the_reader():
    shown = {
        f"{table}.{field.column}"
        for table, model in grants.models_by_table().items()
        if table in grants.READABLE
        for field in model._meta.local_concrete_fields
        if field.column not in grants.SECRET_COLUMNS.get(table, ()) and not field.is_relation
    }
    assert {name for name in shown if LIKE_SECRETS.search(name.partition(".")[2])} == NO_SECRETS
