"""The rules for new passwords: known ones, words of the federation, a file of stolen ones."""

import hashlib
import random

import pytest
from django.contrib.auth.password_validation import CommonPasswordValidator, validate_password
from django.core.checks import Tags, run_checks
from django.core.exceptions import ValidationError
from django.test import override_settings

from federation import password_rules
from federation.password_rules import DIGEST_BYTES, KNOWN, has_line


def codes_of(password: str) -> set[str]:
    """Return the codes of the rules that refuse the password."""
    try:
        validate_password(password)
    except ValidationError as error:
        return {single.code for single in error.error_list}
    return set()


@pytest.mark.parametrize(
    "password",
    [
        "Basketball",
        "qwertyuiop",
        "basketball2026!",
        "12sunshine34",
        "Password123456",
        "dragondragon",
        "DragonDragonDragon",
    ],
)
def test_common_passwords_are_refused_also_repeated_and_with_digits_around(password):
    assert "password_known" in codes_of(password)


@pytest.mark.parametrize(
    "password",
    [
        "bridge-2026",
        "TorneoDeBridge1",
        "BazaBazaBaza",
        "clubdebridge",
        "campeonato2025",
        "Br1dge-Club26",
        "picascorazones",
        "Contraseña2026",
        "federación-1987",
        "asociacionespanola",
    ],
)
def test_words_of_bridge_and_the_federation_with_a_year_are_refused(password):
    assert "password_federation_words" in codes_of(password)


@pytest.mark.parametrize(
    "password",
    [
        "grapadora-lunes-río-kilo",
        "mi abuela juega al bridge los martes",
        "bridge-con-mermelada",
        "xK4!pq9-Zw2#",
        "ñandú café ¡olé!",
        "a" * 3 + "correcthorsebatterystaple" * 4,
    ],
)
def test_other_passwords_of_any_characters_and_length_are_accepted(password):
    assert codes_of(password) == set()


def test_more_than_three_thousand_common_passwords_that_are_long_enough_are_refused():
    """Those of the lists as they are, and the shorter ones with the year behind them."""
    common = CommonPasswordValidator().passwords
    tried = sorted(
        word if len(word) >= 10 else f"{word}{2026:0{10 - len(word)}}"
        for word in common
        if len(word) >= 4 and word.isalpha()
    )
    assert len(tried) > 3_000
    rng = random.Random(12)
    assert [word for word in rng.sample(tried, 300) if not codes_of(word)] == []
    assert KNOWN.stat().st_size > 30_000 * DIGEST_BYTES


def test_the_digests_are_sorted_and_none_is_there_twice():
    data = KNOWN.read_bytes()
    digests = [data[at : at + DIGEST_BYTES] for at in range(0, len(data), DIGEST_BYTES)]
    assert digests == sorted(set(digests))


def test_an_empty_list_knows_nothing(monkeypatch):
    monkeypatch.setattr(password_rules, "_known_digests", lambda: b"")
    assert not password_rules.is_known("usuckballz1")


def digest(password: str) -> str:
    return hashlib.sha1(password.encode()).hexdigest().upper()


@pytest.fixture
def breached(tmp_path):
    """A file like a download of Pwned Passwords, with 500 passwords."""
    path = tmp_path / "pwned.txt"
    lines = sorted(f"{digest(f'stolen words {number}')}:{number % 7 * 1234}\r\n" for number in range(500))
    path.write_text("".join(lines), newline="")
    with override_settings(BREACHED_PASSWORDS=str(path)):
        yield path


def test_a_stolen_password_of_the_file_is_refused_and_no_other(breached):
    stolen = {number for number in range(600) if "password_breached" in codes_of(f"stolen words {number}")}
    assert stolen == set(range(500))


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_the_search_in_the_file_finds_first_and_last_lines(count, tmp_path):
    path = tmp_path / "few.txt"
    digests = sorted(digest(str(number)) for number in range(count))
    path.write_text("\n".join(digests))
    assert [has_line(str(path), line.encode()) for line in digests] == [True] * count
    assert not has_line(str(path), digest("another").encode())


def test_without_the_file_passwords_are_accepted_and_the_operator_reads_it_in_the_log(tmp_path, caplog):
    with override_settings(BREACHED_PASSWORDS=str(tmp_path / "missing.txt")):
        assert codes_of("stolen words 1") == set()
    assert "BAZA_BREACHED_PASSWORDS" in caplog.text


def test_a_wrong_file_is_reported_before_the_start(breached, tmp_path):
    assert [error.id for error in run_checks(tags=[Tags.security])] == []
    breached.write_text("password\n")
    assert [error.id for error in run_checks(tags=[Tags.security])] == ["federation.E001"]
    breached.unlink()
    assert [error.id for error in run_checks(tags=[Tags.security])] == ["federation.E001"]
