"""Split the rights in the PostgreSQL database between its owner, the application and a reader."""

from django.core.management import BaseCommand, CommandError
from django.db import connection, transaction

from federation import grants

# A superuser, or a member of the owner's role, could do anything whatever is granted.
TOO_MIGHTY = """
    SELECT rolname FROM pg_roles WHERE rolname = ANY(%s)
    AND (rolsuper OR pg_has_role(oid, current_user, 'MEMBER') OR has_schema_privilege(oid, %s, 'CREATE'))
"""
MISSING = "SELECT name FROM unnest(%s::text[]) name WHERE name NOT IN (SELECT rolname FROM pg_roles)"


class Command(BaseCommand):
    help = "Gives the roles of the application and of a reader their rights. For the owner, after `migrate`."
    requires_system_checks = []

    def add_arguments(self, parser) -> None:
        parser.add_argument("--application", default="baza_app", help="role of pages and workers")
        parser.add_argument("--reader", default="baza_reader", help="role that reads all but secrets")
        parser.add_argument("--print", action="store_true", help="print the SQL and change nothing")

    def handle(self, *args, application: str, reader: str, **options) -> None:
        if connection.vendor != "postgresql":
            raise CommandError("SQLite has no roles: set DATABASE_URL to the PostgreSQL database")
        if lines := grants.undecided():
            raise CommandError("federation/grants.py: " + "; ".join(lines))
        with transaction.atomic(), connection.cursor() as cursor:
            places = "SELECT current_schema() UNION ALL SELECT current_database()"
            schema, database = self._first(cursor, places, [])
            names = [connection.ops.quote_name(name) for name in (application, reader, schema, database)]
            statements = list(grants.statements(*names))
            if options["print"]:
                self.stdout.write(";\n".join([*statements, ""]))
                return
            roles = [application, reader]
            self._refuse(cursor, MISSING, [roles], "create these roles first (docs/production.md)")
            for statement in statements:
                cursor.execute(statement)
            self._refuse(cursor, TOO_MIGHTY, [roles, schema], "these roles still have an owner's rights")
        self.stdout.write(
            f"{application} and {reader} have their rights in {len(grants.models_by_table())} tables"
        )

    def _refuse(self, cursor, query: str, values: list, reason: str) -> None:
        """Raise CommandError if the query finds any roles."""
        if wrong := self._first(cursor, query, values):
            raise CommandError(f"{reason}: {', '.join(wrong)}")

    def _first(self, cursor, query: str, values: list) -> list[str]:
        cursor.execute(query, values)
        return [name for (name,) in cursor]
