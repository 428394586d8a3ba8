"""The addresses of receivers: which ones are allowed, and to which server they lead.

People enter these addresses. So a request must not reach the servers of our own network, whatever a name
resolves to: the name is resolved once, every address is checked, and the connection goes to one of these.
"""

import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from queue import Empty, SimpleQueue
from threading import Thread
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from scoring.webhooks.models import Delivery
from ui.text import printable

Problem = Delivery.Problem
PORTS = {"https": 443, "http": 80}
NAT64 = IPv6Network("64:ff9b::/96")  # addresses that end with an IPv4 address (RFC 6052)
UNICAST6 = IPv6Network("2000::/3")  # all that IANA has given out for the public internet
# Ranges of IANA's registries of special-purpose addresses that `ipaddress` takes for public ones, at least in
# some versions of Python.
SPECIAL = tuple(
    map(
        ip_network,
        (
            "192.0.0.0/24",  # protocols of the IETF
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # multicast tunnels
            "192.88.99.0/24",  # relays of 6to4
            "192.175.48.0/24",  # AS112
            "2001::/23",  # protocols of the IETF, Teredo among them
            "2002::/16",  # 6to4: leads to the IPv4 address inside
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # for documents
        ),
    )
)
MOST_DETAIL = 500  # characters


class Undelivered(Exception):
    """A message was not delivered, or cannot be.

    problem: a `Delivery.Problem`
    detail: what went wrong, also in words of the server: as text, they can be stored
    status, answer: those of the server, if it answered
    """

    def __init__(
        self, problem: str, detail: object = "", status: int | None = None, answer: str = ""
    ) -> None:
        words = printable(str(detail))[:MOST_DETAIL]
        super().__init__(f"{problem}: {words}" if words else problem)
        self.problem, self.status, self.answer = problem, status, answer


@dataclass(frozen=True, slots=True)
class Target:
    """A server to which a message may be sent.

    name: the name, or the IP address, as it stands in the address; in Punycode if it has letters beyond ASCII
    host: the value of the header Host: the name, with the port if the address has one
    path: path and query
    ips: the IP addresses of the name, all of them allowed
    """

    encrypted: bool
    name: str
    host: str
    port: int
    path: str
    ips: tuple[str, ...]


def target_of(url: str, seconds: float) -> Target:
    """Resolve an address and check where it leads. Raises Undelivered.

    seconds: how long resolving the name may take
    """
    parts = _parts(url)
    name, port = _ascii_name(parts.hostname or ""), parts.port or PORTS[parts.scheme]
    ips = resolve(name, port, seconds)
    if not ips:
        raise Undelivered(Problem.UNKNOWN, name)
    if not all(_is_allowed(ip, parts.scheme) for ip in ips):
        raise Undelivered(Problem.PRIVATE, name)
    path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    return Target(parts.scheme == "https", name, _host(parts, name), port, path, tuple(ips))


def _parts(url: str) -> SplitResult:
    """Split an address. Raises Undelivered if it is not complete, or has what it may not have."""
    try:
        parts = urlsplit(url)
        complete = bool(parts.hostname) and parts.port != 0
    except ValueError as error:  # a bad port, or half an IPv6 address
        raise Undelivered(Problem.ADDRESS, error) from error
    scheme = parts.scheme == "https" or (parts.scheme == "http" and settings.WEBHOOKS_TO_LOOPBACK)
    if not scheme:
        raise Undelivered(Problem.SCHEME)
    if not complete:
        raise Undelivered(Problem.ADDRESS)
    if "@" in parts.netloc:
        raise Undelivered(Problem.USER)
    if parts.fragment:
        raise Undelivered(Problem.FRAGMENT)
    ascii_path = (parts.path + parts.query).isascii()
    if not (ascii_path and url.isprintable()) or " " in url or "\\" in url:
        raise Undelivered(Problem.CHARACTERS)
    return parts


def _ascii_name(name: str) -> str:
    """Return the name of a server as the domain name system knows it: `señal.es` is `xn--seal-hqa.es`."""
    if name.isascii():
        return name
    try:
        return name.encode("idna").decode()
    except UnicodeError as error:
        raise Undelivered(Problem.UNKNOWN, error) from error


def _host(parts: SplitResult, name: str) -> str:
    if parts.netloc.isascii():
        return parts.netloc
    return f"{name}:{parts.port}" if parts.port else name


def resolve(name: str, port: int, seconds: float) -> list[str]:
    """Return the IP addresses of a name; [] if it has none, or if that takes longer than `seconds`.

    A thread asks, because nothing else limits how long the system's resolver waits for the servers of a name.
    """
    results: SimpleQueue[list[str]] = SimpleQueue()
    Thread(target=lambda: results.put(_look_up(name, port)), daemon=True).start()
    try:
        return results.get(timeout=seconds)
    except Empty:
        return []


def _look_up(name: str, port: int) -> list[str]:
    try:
        rows = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):  # a label of the name is too long
        return []
    return list(dict.fromkeys(str(address[0]) for *_rest, address in rows))


def _is_allowed(ip: str, scheme: str) -> bool:
    address = ip_address(ip)
    if settings.WEBHOOKS_TO_LOOPBACK and _meant(address).is_loopback:
        return True
    return scheme == "https" and is_public(address)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an IP address is one of the public internet, for one receiver."""
    meant = _meant(address)
    special = meant.is_multicast or meant.is_reserved or meant.is_link_local or meant.is_unspecified
    if special or any(meant in network for network in SPECIAL):
        return False
    return meant.is_global and (isinstance(meant, IPv4Address) or meant in UNICAST6)


def _meant(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address inside an IPv6 address that leads to it; any other address as it is."""
    if isinstance(address, IPv4Address):
        return address
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address
