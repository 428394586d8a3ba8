"""nginx with the configuration of `deploy/nginx/`, on free ports and with a certificate of its own."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests import servers
from tests.folders import ROOT

CONFIGURATION = ROOT / "deploy" / "nginx"
# What nginx.conf of Debian has around the files in conf.d/.
MAIN = """
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/conf.d/*.conf;
}}
"""


@dataclass
class Proxy:
    """A running nginx. `https` and `http` are its ports."""

    folder: Path
    https: int
    http: int


def write_certificate(folder: Path) -> None:
    """Write a key and a certificate for 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(pem))
    private = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "privkey.pem").write_bytes(key.private_bytes(pem, *private))


def configuration(folder: Path, upstream: int, replaced: dict[str, str]) -> Proxy:
    """Write the configuration for a folder: other ports, addresses and folders, everything else as it is.

    upstream: port of the pages
    replaced: further texts to replace
    """
    proxy = Proxy(folder, servers.free_port(), servers.free_port())
    for name in ("conf.d", "tls"):
        (folder / name).mkdir(parents=True)
    write_certificate(folder / "tls")
    changes = {
        "listen [::]:": "# listen [::]:",  # the machine may have no IPv6
        "listen 80;": f"listen 127.0.0.1:{proxy.http};",
        "listen 443 ": f"listen 127.0.0.1:{proxy.https} ",
        "baza.example.org": "127.0.0.1",
        "/etc/baza/tls": str(folder / "tls"),
        "127.0.0.1:8000": f"127.0.0.1:{upstream}",
        **replaced,
    }
    for path in CONFIGURATION.glob("*.conf"):
        text = path.read_text()
        for old, new in changes.items():
            text = text.replace(old, new)
        (folder / "conf.d" / path.name).write_text(text)
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder))
    return proxy


@contextmanager
def nginx(proxy: Proxy) -> Iterator[Proxy]:
    """Check the configuration with `nginx -t`, and run nginx."""
    command = [servers.program("nginx"), "-c", proxy.folder / "nginx.conf", "-e", proxy.folder / "error.log"]
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    process = subprocess.Popen(command)
    try:
        servers.wait_until(lambda: _listens(proxy.https), "nginx to answer")
        yield proxy
    finally:
        servers.stop(process)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
