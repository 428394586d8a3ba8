"""Start everything on one machine: database, demo federation, web server and Celery worker."""

import os
import socket

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connections

from players.models import Player
from scoring.demo import accounts


class Command(BaseCommand):
    help = "Migrate, fill an empty database with the demo federation, then serve the pages and the worker."
    requires_system_checks = []  # `migrate` runs the database's checks, `make test` all of them

    def add_arguments(self, parser) -> None:
        parser.add_argument("--host", default=os.environ.get("HOST") or "127.0.0.1")
        parser.add_argument("--port", type=port_number, default=os.environ.get("PORT") or "8000")
        parser.add_argument("--no-demo", action="store_true", help="Leave an empty database empty.")

    def handle(self, *args, host: str, port: int, no_demo: bool, **options) -> None:
        require_free(host, port)
        call_command("migrate", verbosity=0, interactive=False)
        new = not no_demo and not Player.objects.exists()
        if new:
            self.stdout.write("An empty database: making the demo federation ...")
            self.stdout.flush()
            call_command("demo", stdout=self.stdout)
        lines = self.welcome(
            host, port, [] if new else accounts.summary()
        )  # `demo` prints the summary itself
        connections.close_all()  # the server forks, and the child opens its own connections
        # Imported late: gunicorn and Celery load slowly, and a port in use should fail first.
        from federation.embedded import EmbeddedServer

        EmbeddedServer(host, port, lambda: print("\n".join(lines), flush=True)).run()

    def welcome(self, host: str, port: int, about: list[str]) -> list[str]:
        """Return the lines to print once the server answers requests.

        about: further lines, about the demo's accounts
        """
        name = "localhost" if host in {"127.0.0.1", "0.0.0.0", "::", "::1"} else host  # noqa: S104
        lines = ["", f"  {settings.FEDERATION_NAME}", "", f"  http://{name}:{port}/", ""]
        lines += [f"  {line}" for line in about]
        return [*lines, "", "  Ctrl-C stops the pages and the worker.", ""]


def port_number(text: str) -> int:
    """Convert the option to a TCP port. Raises ValueError if it is out of range."""
    port = int(text)
    if not 0 < port < 65536:
        raise ValueError(text)
    return port


def require_free(host: str, port: int) -> None:
    """Raise CommandError, before anything else is done, if the server cannot listen on this address."""
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise CommandError(
            f"{host}:{port} cannot be used ({error.strerror}). "
            "Stop what runs there, or choose another: make run PORT=8001"
        ) from error
