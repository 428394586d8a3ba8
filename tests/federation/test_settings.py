"""Settings that an installation must define before it starts, and how e-mail is sent."""

import json
import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse

from federation.environment import made_once, secret
from tests import servers

KEYS = [
    "MAIL",
    "EMAIL_BACKEND",
    "EMAIL_HOST",
    "EMAIL_PORT",
    "EMAIL_HOST_USER",
    "EMAIL_HOST_PASSWORD",
    "EMAIL_USE_TLS",
    "EMAIL_USE_SSL",
    "DEFAULT_FROM_EMAIL",
    "ALARM_TO",
    "ALLAUTH_TRUSTED_PROXY_COUNT",
    "SECOND_FACTOR_REQUIRED",
    "ASK_PASSWORD_AGAIN",
    "SECRET_KEY_FALLBACKS",
    "SECRET_KEY",
    "DATABASES",
    "CELERY_BROKER_URL",
    "CACHES",
]
MAIL = KEYS[:11]
READ = f"""import json
from federation import settings
values = {{name: getattr(settings, name) for name in {KEYS}}}
cookies = [name for name in dir(settings) if name.endswith(("COOKIE", "COOKIE_NAME"))]
values["COOKIES"] = sorted(getattr(settings, name) for name in cookies)
values["ASK_AGAIN_MINUTES"] = settings.ASK_AGAIN_AFTER.total_seconds() / 60
values["SECOND_FACTOR_ROLES"] = sorted(settings.SECOND_FACTOR_ROLES)
print(json.dumps(values))"""


NEEDED = {
    "BAZA_PRODUCTION": "1",
    "BAZA_HOSTS": "baza.example.org",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "DATABASE_URL": "postgresql://baza@127.0.0.1:1/baza",
    "BAZA_PROXIES": "2",
}


@pytest.fixture
def start(tmp_path):
    def start(**environment: str) -> subprocess.CompletedProcess:
        own = servers.clean_environment(
            **{"BAZA_VAR": str(tmp_path), "BAZA_SECRET_KEY": "k" * 60, **environment}
        )
        return subprocess.run([sys.executable, "-c", READ], env=own, capture_output=True, text=True)

    return start


def test_a_pooler_and_a_replica_need_postgresql(start):
    values = json.loads(
        start(
            **NEEDED,
            BAZA_MAIL="none",
            DATABASE_POOLER="transaction",
            DATABASE_REPLICA_URL="postgresql://baza@127.0.0.1:2/baza?sslmode=require",
        ).stdout
    )["DATABASES"]
    assert {values[name]["ENGINE"] for name in ("default", "replica")} == {"federation.pooled"}
    assert values["replica"]["OPTIONS"]["sslmode"] == "require"
    assert "DATABASE_POOLER" in start(**NEEDED, BAZA_MAIL="none", DATABASE_POOLER="session").stderr
    assert "PostgreSQL" in start(DATABASE_REPLICA_URL="postgresql://baza@127.0.0.1:2/baza").stderr


def test_production_must_name_a_mail_server_or_state_that_it_has_none(start):
    refused = start(**NEEDED)
    assert refused.returncode != 0
    assert "EMAIL_HOST" in refused.stderr and "BAZA_MAIL=none" in refused.stderr
    none = json.loads(start(**NEEDED, BAZA_MAIL="none").stdout)
    assert none["MAIL"] is False
    assert "dummy" in none["EMAIL_BACKEND"]  # not files: e-mails contain links to reset passwords


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL", "BAZA_HOSTS", "BAZA_PROXIES"])
def test_production_refuses_to_start_without_a_needed_setting(start, name):
    """Production refuses to start if a needed setting is missing, rather than use a default.

    With a default database, for example, the data would be in a folder of which nobody makes backups.
    """
    refused = start(**{**NEEDED, name: ""}, BAZA_MAIL="none")
    assert refused.returncode != 0 and f"Set {name}" in refused.stderr


@pytest.mark.parametrize("stated", [None, "", "one", "-1", "1.5", "²"])
def test_production_must_state_the_number_of_reverse_proxies(start, stated):
    """Production refuses to start unless BAZA_PROXIES is the number of reverse proxies in front of the site.

    With a wrong number all clients seem to have the proxy's address, so one wrong password delays everybody.
    """
    needed = {name: value for name, value in NEEDED.items() if name != "BAZA_PROXIES"}
    refused = start(**needed, **({} if stated is None else {"BAZA_PROXIES": stated}), BAZA_MAIL="none")
    assert refused.returncode != 0
    assert "ImproperlyConfigured: Set BAZA_PROXIES to the number" in refused.stderr


def test_zero_proxies_are_allowed_and_are_the_default_outside_production(start):
    stated = start(**{**NEEDED, "BAZA_PROXIES": "0"}, BAZA_MAIL="none")
    for started in (stated, start()):
        assert json.loads(started.stdout)["ALLAUTH_TRUSTED_PROXY_COUNT"] == 0


def test_mail_settings_come_from_environment_variables(start):
    environment = {
        "EMAIL_HOST": "mail.example.org", "EMAIL_PORT": "2525", "EMAIL_HOST_USER": "baza",
        "EMAIL_HOST_PASSWORD": "secret", "EMAIL_USE_TLS": "0", "EMAIL_USE_SSL": "1",
        "BAZA_EMAIL_FROM": "baza@example.org", "BAZA_ALARM_TO": "ana@example.org, luis@example.org",
    }  # fmt: skip
    values = json.loads(start(**NEEDED, **environment).stdout)
    assert {name: values[name] for name in MAIL} == {
        "MAIL": True, "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": "mail.example.org", "EMAIL_PORT": 2525, "EMAIL_HOST_USER": "baza",
        "EMAIL_HOST_PASSWORD": "secret", "EMAIL_USE_TLS": False, "EMAIL_USE_SSL": True,
        "DEFAULT_FROM_EMAIL": "baza@example.org", "ALARM_TO": ["ana@example.org", "luis@example.org"],
        "ALLAUTH_TRUSTED_PROXY_COUNT": 2,
    }  # fmt: skip
    plain = json.loads(start(**NEEDED, EMAIL_HOST="mail.example.org").stdout)
    assert (plain["EMAIL_PORT"], plain["EMAIL_USE_TLS"], plain["EMAIL_USE_SSL"]) == (587, True, False)


@pytest.mark.parametrize("host", ["", " ", "\t"])
def test_a_blank_mail_server_counts_as_missing(start, host):
    refused = start(**NEEDED, EMAIL_HOST=host)
    assert refused.returncode != 0
    assert "ImproperlyConfigured: Set EMAIL_HOST, the mail server" in refused.stderr
    assert "mailbox" in json.loads(start(EMAIL_HOST=host).stdout)["EMAIL_BACKEND"]


def test_spaces_around_the_mail_server_are_ignored(start):
    stated = json.loads(start(**NEEDED, EMAIL_HOST=" mail.example.org ").stdout)
    assert stated["EMAIL_HOST"] == "mail.example.org"


def test_tls_and_ssl_for_mail_cannot_be_combined(start):
    """Production refuses to start with both TLS and SSL; Django alone would fail only at the first e-mail."""
    both = {"EMAIL_USE_TLS": "1", "EMAIL_USE_SSL": "1"}
    refused = start(**NEEDED, EMAIL_HOST="mail.example.org", **both)
    assert refused.returncode != 0
    assert "ImproperlyConfigured: Set only one of EMAIL_USE_TLS and EMAIL_USE_SSL" in refused.stderr


def test_emails_are_kept_as_files_outside_production(start):
    assert "mailbox" in json.loads(start().stdout)["EMAIL_BACKEND"]


def test_second_factors_are_required_in_production_and_asked_for_again(start):
    names = ("SECOND_FACTOR_REQUIRED", "ASK_PASSWORD_AGAIN", "SECOND_FACTOR_ROLES", "ASK_AGAIN_MINUTES")
    roles = ["auditor", "committee", "office"]
    demo, usual = json.loads(start().stdout), json.loads(start(**NEEDED, BAZA_MAIL="none").stdout)
    assert [demo[name] for name in names] == [False, False, roles, 15]
    assert [usual[name] for name in names] == [True, True, roles, 15]
    chosen = {
        "BAZA_DIRECTORS_SECOND_FACTOR": "1", "BAZA_ASK_AGAIN_MINUTES": "5", "BAZA_OLD_SECRET_KEYS": "a,b"
    }  # fmt: skip
    values = json.loads(start(**NEEDED, **chosen, BAZA_MAIL="none").stdout)
    assert [values[name] for name in names] == [True, True, ["auditor", "committee", "director", "office"], 5]
    assert values["SECRET_KEY_FALLBACKS"] == ["a", "b"]


@pytest.mark.django_db
def test_a_site_without_mail_offers_no_page_that_sends_email(client, settings):
    forgotten = reverse("account_reset_password")
    assert forgotten in client.get(reverse("account_login")).content.decode()
    settings.MAIL = False
    page = client.get(reverse("account_login")).content.decode()
    assert forgotten not in page and "oficina" in page
    for name in ("account_reset_password", "account_reset_password_done"):
        assert client.get(reverse(name)).status_code == 404


def test_every_cookie_of_production_belongs_to_this_host_alone(start):
    names = json.loads(start(**NEEDED, BAZA_MAIL="none").stdout)["COOKIES"]
    assert names == ["__Host-browser", "__Host-csrf", "__Host-inside", "__Host-messages", "__Host-session"]


@pytest.mark.parametrize(
    "content, reason",
    [
        (None, "which cannot be read: No such file or directory."),
        (b"\xff\xfe", "which cannot be read: it is not text in UTF-8."),
        (b" \n", "which is empty."),
    ],
)
def test_a_file_without_a_secret_stops_the_start(tmp_path, monkeypatch, content, reason):
    path = tmp_path / "password"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setenv("EMAIL_HOST_PASSWORD_FILE", str(path))
    with pytest.raises(ImproperlyConfigured) as refused:
        secret("EMAIL_HOST_PASSWORD")
    assert str(refused.value) == f"EMAIL_HOST_PASSWORD_FILE names {path}, {reason}"


def test_a_secret_has_one_source(tmp_path, monkeypatch):
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    monkeypatch.setenv("REDIS_URL_FILE", str(tmp_path / "redis_url"))
    with pytest.raises(ImproperlyConfigured, match="Set only one of REDIS_URL and REDIS_URL_FILE."):
        secret("REDIS_URL")


def test_every_secret_can_be_in_a_file(start, tmp_path):
    """Production starts with files instead of variables, and no secret is among the variables."""
    secrets = {
        "BAZA_SECRET_KEY": "k" * 60,
        "BAZA_OLD_SECRET_KEYS": "first, second",
        "DATABASE_URL": "postgresql://baza:p%26w@127.0.0.1:1/baza",
        "REDIS_URL": "redis://:secret@127.0.0.1:1/0",
        "CACHE_URL": "redis://:secret@127.0.0.1:1/1",
        "EMAIL_HOST_PASSWORD": "mail's password",
    }
    files = {}
    for name, value in secrets.items():
        (tmp_path / name).write_text(f"{value}\n")
        files |= {name: "", f"{name}_FILE": str(tmp_path / name)}
    started = start(**NEEDED | files, EMAIL_HOST="mail.example.org")
    values = json.loads(started.stdout)
    assert values["SECRET_KEY"] == "k" * 60
    assert values["SECRET_KEY_FALLBACKS"] == ["first", "second"]
    assert values["EMAIL_HOST_PASSWORD"] == "mail's password"
    assert values["DATABASES"]["default"]["PASSWORD"] == "p&w"
    assert values["CELERY_BROKER_URL"] == "redis://:secret@127.0.0.1:1/0"
    assert values["CACHES"]["default"]["LOCATION"] == "redis://:secret@127.0.0.1:1/1"


def no_links(*_arguments: object) -> None:
    raise PermissionError(1, "this file system has no hard links")


def test_two_processes_that_make_a_secret_at_once_get_the_same(tmp_path, monkeypatch):
    """The second process starts while the first has not written its secret yet."""
    path, second = tmp_path / "secret", []

    def make() -> str:
        second.append(made_once(path, lambda: "of the second"))
        return "of the first"

    assert [made_once(path, make), *second] == ["of the second", "of the second"]
    assert made_once(path, lambda: "of a third") == "of the second"
    assert [file.name for file in tmp_path.iterdir()] == ["secret"]
    assert path.stat().st_mode & 0o777 == 0o600
    path.unlink()
    monkeypatch.setattr(os, "link", no_links)
    assert made_once(path, lambda: "without links") == made_once(path, lambda: "again") == "without links"
    assert [file.name for file in tmp_path.iterdir()] == ["secret"]
    path.write_text("")
    with pytest.raises(ImproperlyConfigured, match="is empty: delete it"):
        made_once(path, lambda: "of a fourth")
