"""A later version as the database sees it: the project's migrations, and two more of the ledger."""
