"""A time-stamping authority stamps one checkpoint a day, and OpenSSL verifies the stamp."""

import subprocess

import pytest
from django.utils import timezone

from scoring.transparency import queries, services, stamping
from scoring.transparency.models import Stamp
from tests import factories as make
from tests.scoring.transparency.test_witnesses import server

pytestmark = [pytest.mark.django_db, pytest.mark.needs("openssl")]
CONFIGURATION = """
[tsa]
default_tsa = one
[one]
serial = {folder}/serial
signer_cert = {folder}/tsa.pem
signer_key = {folder}/tsa.key
certs = {folder}/tsa.pem
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
ess_cert_id_chain = no
"""


def openssl(*arguments: str) -> bytes:
    done = subprocess.run(["openssl", *arguments], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """Return the folder of an authority, and a function that answers its requests."""
    folder = tmp_path_factory.mktemp("tsa")
    (folder / "serial").write_text("01")
    (folder / "tsa.cnf").write_text(CONFIGURATION.format(folder=folder))
    openssl(
        *("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Test authority"),
        *("-addext", "extendedKeyUsage=critical,timeStamping"),
        *("-keyout", f"{folder}/tsa.key", "-out", f"{folder}/tsa.pem"),
    )

    def answer(body: bytes) -> tuple[int, bytes]:
        query, reply = folder / "query.tsq", folder / "reply.tsr"
        query.write_bytes(body)
        configuration = f"{folder}/tsa.cnf"
        openssl(
            "ts",
            "-reply",
            "-config",
            configuration,
            "-section",
            "one",
            "-queryfile",
            f"{query}",
            "-out",
            f"{reply}",
        )
        return 200, reply.read_bytes()

    return folder, answer


def test_the_stamp_of_a_checkpoint_is_verified_by_openssl(client, log, authority, settings, tmp_path):
    folder, answer = authority
    checkpoint = queries.latest_checkpoint()
    with server(answer) as url:
        settings.TIMESTAMP_URL = f"{url}/tsr"
        assert stamping.stamp_if_due(checkpoint)
        assert stamping.stamp_if_due(checkpoint) is None
        make.scored(*log.pairs)
        services.append()
        assert stamping.stamp_if_due(queries.latest_checkpoint()) is None  # not before tomorrow
    for ending in ("txt", "tsr"):
        (tmp_path / ending).write_bytes(client.get(f"/transparencia/sellos/{checkpoint.pk}.{ending}").content)
    text, stamp, trusted = tmp_path / "txt", tmp_path / "tsr", folder / "tsa.pem"
    openssl("ts", "-verify", "-data", f"{text}", "-in", f"{stamp}", "-CAfile", f"{trusted}")
    assert text.read_text() == checkpoint.note
    assert f"sellos/{checkpoint.pk}.tsr" in client.get("/transparencia/").content.decode()


def test_the_request_is_one_that_openssl_reads(tmp_path):
    query = tmp_path / "query"
    query.write_bytes(stamping.request_of(bytes(range(32)), bytes(range(1, 9))))
    text = openssl("ts", "-query", "-in", f"{query}", "-text").decode()
    assert "Hash Algorithm: sha256" in text and "Certificate required: yes" in text
    assert "Nonce: 0x0102030405060708" in text


@pytest.mark.parametrize(
    "answer",
    [(500, b""), (200, b""), (200, b"<html>"), (200, bytes.fromhex("30053003020102")), (302, b"")],
)
def test_an_answer_that_is_no_stamp_is_not_stored(log, settings, answer):
    with server(lambda body: answer) as url:
        settings.TIMESTAMP_URL = url
        with pytest.raises(stamping.NotStamped):
            stamping.stamp_if_due(queries.latest_checkpoint())
    assert not Stamp.objects.exists()


def test_a_stamp_of_something_else_is_not_stored(log, authority, settings):
    folder, answer = authority
    other = answer(stamping.request_of(bytes(32), bytes(range(1, 9))))
    with server(lambda body: other) as url:
        settings.TIMESTAMP_URL = url
        with pytest.raises(stamping.NotStamped, match="no stamp of this checkpoint"):
            stamping.stamp_if_due(queries.latest_checkpoint())


def test_without_an_authority_nothing_is_due(log, settings):
    settings.TIMESTAMP_URL = ""
    assert not stamping.is_due(queries.latest_checkpoint())


def test_the_next_day_another_checkpoint_is_due(log, settings):
    settings.TIMESTAMP_URL = "http://tsa.example.org/"
    first = queries.latest_checkpoint()
    Stamp.objects.create(
        checkpoint=first, service="x", content=b"x", created_at=timezone.now() - stamping.EVERY * 2
    )
    assert not stamping.is_due(first)
    make.scored(*log.pairs)
    services.append()
    assert stamping.is_due(queries.latest_checkpoint())
