"""Two installations on one machine are the witnesses of each other's logs."""

import sys
from pathlib import Path
from urllib.request import urlopen

from scoring.transparency.notes import COSIGNATURE, Checkpoint, Signer
from tests import servers
from tests.system.conftest import Installation

POST = """
from tests import factories
from scoring.ledger.services.posting import OpeningRow, post_opening
player = factories.player()
post_opening([OpeningRow(player.pk, factories.today(), "Old points", False, 100)], None)
"""


def checkpoint(port: int) -> Checkpoint | None:
    """Return the published checkpoint; None while the site does not answer, or has none."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/transparencia/checkpoint", timeout=10) as answer:  # noqa: S310
            return Checkpoint.parse(answer.read().decode())
    except OSError:
        return None


def test_two_installations_witness_each_other(tmp_path: Path):
    keys = [Signer.generate(f"federation-{number}.test/log") for number in (1, 2)]
    ports = [servers.free_port(), servers.free_port()]
    sites = []
    try:
        for number, (own, other) in enumerate(((0, 1), (1, 0))):
            folder = tmp_path / str(number)
            folder.mkdir()
            environment = servers.clean_environment(
                BAZA_VAR=str(folder / "var"),
                BAZA_LOG_KEY=str(keys[own]),
                BAZA_WITNESSED_LOGS=str(keys[other].verifier()),
                BAZA_LOG_WITNESSES=(
                    f"{keys[other].verifier(COSIGNATURE)}@http://127.0.0.1:{ports[other]}/transparencia"
                ),
            )
            sites.append(Installation(environment, folder))
        for site, port in zip(sites, ports, strict=True):
            site.migrate()
            site.start(sys.executable, "manage.py", "up", "--no-demo", PORT=str(port))
        for port in ports:
            servers.wait_until(lambda port=port: checkpoint(port), "a checkpoint of the empty log", 120)
        for site in sites:
            site.manage("shell", "-c", POST)
        for port, own, other in ((ports[0], *keys), (ports[1], *reversed(keys))):
            signers = [own.verifier(), other.verifier(COSIGNATURE)]

            def cosigned(port: int = port, signers: list = signers) -> bool:
                note = checkpoint(port)
                return note is not None and note.size == 1 and note.signed_by(signers) == signers

            servers.wait_until(cosigned, "the cosignature of the witness", 120)
    finally:
        for site in sites:
            site.stop()
