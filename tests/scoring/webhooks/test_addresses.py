"""Addresses that people enter lead to servers of the public internet alone."""

from ipaddress import ip_address
from threading import Event

import pytest

from scoring.webhooks import addresses
from scoring.webhooks.addresses import Problem, Undelivered, is_public, target_of

PUBLIC, PUBLIC6 = "93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"
NOT_PUBLIC = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",  # shared by customers of a provider
    "169.254.169.254",  # where clouds tell machines their keys
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
    "2001::1",
    "192.0.0.8",
    "192.0.0.9",
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.1",
    "192.175.48.1",
    "fec0::1",  # of a site
    "3fff::1",
    "5f00::1",
    "64:ff9b:1::1",
    "64:ff9b::c058:6301",
    "100::1",
    "100:0:0:1::1",
    "2001:1::1",
    "2002:5db8:d70e::1",
    "2620:4f:8000::1",
]


@pytest.fixture
def names(monkeypatch) -> dict[str, list[str]]:
    """A resolver that knows these names: {name: IP addresses}."""
    known: dict[str, list[str]] = {}
    monkeypatch.setattr(addresses, "resolve", lambda name, port, seconds: known.get(name, []))
    return known


def problem_of(url: str) -> str:
    with pytest.raises(Undelivered) as raised:
        target_of(url, 1)
    return raised.value.problem


@pytest.mark.parametrize("ip", NOT_PUBLIC)
def test_addresses_that_are_not_public_are_refused(names, ip):
    assert not is_public(ip_address(ip))
    names["hooks.example"] = [ip]
    assert problem_of("https://hooks.example/") == Problem.PRIVATE


@pytest.mark.parametrize("ip", [PUBLIC, PUBLIC6, "::ffff:93.184.215.14", "64:ff9b::5db8:d70e"])
def test_public_addresses_are_accepted(names, ip):
    assert is_public(ip_address(ip))
    names["hooks.example"] = [ip]
    assert target_of("https://hooks.example/", 1).ips == (ip,)


def test_one_private_address_among_public_ones_is_enough_to_refuse(names):
    names["hooks.example"] = [PUBLIC, "10.0.0.1"]
    assert problem_of("https://hooks.example/") == Problem.PRIVATE


def test_a_target_has_the_parts_of_the_address(names):
    names["hooks.example"] = [PUBLIC]
    target = target_of("https://hooks.example:8443/a/b?c=d", 1)
    assert (target.encrypted, target.name, target.host) == (True, "hooks.example", "hooks.example:8443")
    assert (target.port, target.path) == (8443, "/a/b?c=d")
    assert target_of("https://hooks.example", 1).path == "/"
    assert target_of("https://hooks.example", 1).port == 443


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("https://user:password@hooks.example/", Problem.USER),
        ("https://hooks.example@10.0.0.1/", Problem.USER),
        ("https://hooks.example\\@10.0.0.1/", Problem.USER),
        ("https://hooks.example/#part", Problem.FRAGMENT),
        ("https://hooks.example/ a", Problem.CHARACTERS),
        ("https://hooks.example/\r\nX-Header: 1", Problem.CHARACTERS),
        ("https://hooks.example\\.example/", Problem.CHARACTERS),
        ("https://hooks.example/señal", Problem.CHARACTERS),
        ("https://hooks.example/?a=ñ", Problem.CHARACTERS),
        ("https://señal..example/", Problem.UNKNOWN),
        (f"https://{'ñ' * 70}.example/", Problem.UNKNOWN),
    ],
)
def test_what_an_address_may_not_have_is_named(names, url, problem):
    names["hooks.example"] = [PUBLIC]
    assert problem_of(url) == problem


def test_a_name_with_letters_beyond_ascii_is_resolved_and_sent_in_punycode(names):
    names["xn--seal-hqa.example"] = [PUBLIC]
    for url, host in (("https://señal.example/", ""), ("https://SEÑAL.example:8443/", ":8443")):
        target = target_of(url, 1)
        assert (target.name, target.host) == ("xn--seal-hqa.example", f"xn--seal-hqa.example{host}")


def test_a_number_in_other_digits_is_the_address_that_it_means(names):
    names["10.0.0.1"] = ["10.0.0.1"]
    assert problem_of("https://\uff11\uff10.0.0.1/") == Problem.PRIVATE


@pytest.mark.parametrize(
    "url",
    [
        "https://",
        "https:///path",
        "https://hooks.example:0/",
        "https://hooks.example:99999/",
        "https://hooks.example:https/",
        "https://[::1/",
    ],
)
def test_incomplete_and_tricky_addresses_are_refused(names, url):
    names["hooks.example"] = [PUBLIC]
    assert problem_of(url) == Problem.ADDRESS


@pytest.mark.parametrize(
    "url", ["", "hooks.example", "http://hooks.example/", "ftp://hooks.example/", "file:///etc/passwd"]
)
def test_only_encrypted_addresses_are_allowed(names, url):
    names["hooks.example"] = [PUBLIC]
    assert problem_of(url) == Problem.SCHEME


def test_names_without_an_address_are_refused(names):
    assert problem_of("https://nowhere.example/") == Problem.UNKNOWN


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "[::1]"]
)
def test_this_machine_is_refused_in_every_spelling(host):
    """With the real resolver, which understands some of these and finds no address for the others."""
    assert problem_of(f"https://{host}/") in (Problem.PRIVATE, Problem.UNKNOWN)


def test_the_setting_for_tests_allows_this_machine_alone(names, loopback):
    names.update({"here": ["127.0.0.1"], "lan": ["10.0.0.1"], "away": [PUBLIC]})
    assert target_of("http://here:8000/", 1).encrypted is False
    assert target_of("https://here/", 1).encrypted is True
    assert problem_of("http://lan/") == problem_of("https://lan/") == Problem.PRIVATE
    assert problem_of("http://away/") == Problem.PRIVATE


def test_a_resolver_that_hangs_is_not_waited_for(monkeypatch):
    over = Event()
    monkeypatch.setattr(addresses, "_look_up", lambda name, port: over.wait(5) and [])
    assert addresses.resolve("slow.example", 443, 0.05) == []
    over.set()


def test_a_name_with_too_long_a_label_has_no_address():
    assert addresses.resolve("a" * 70 + ".example", 443, 5) == []
