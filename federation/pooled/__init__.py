"""Django's database backend for PostgreSQL behind a pooler in transaction mode, such as PgBouncer."""
