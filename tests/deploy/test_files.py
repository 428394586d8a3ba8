"""The files in `deploy/` agree with each other, with the code and with the documents."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests import servers
from tests.deploy import image
from tests.deploy.units import EXAMPLE, UNITS, assignments, settings_of
from tests.folders import ROOT

COMPOSE = ROOT / "deploy" / "compose.yaml"
# Files that the operator makes; docs/production.md says how.
MADE = re.compile(r"compose/(secrets/|tls$|baza\.env$)")
# Variables of other programs.
FOREIGN = {"POSTGRES_PASSWORD_FILE", "PGOPTIONS", "PATH", "PYTHONUNBUFFERED"}
NAMES = [path.name for path in sorted(UNITS.glob("baza-*.*")) if path.is_file()]


@pytest.fixture(scope="module")
def compose() -> dict:
    return yaml.safe_load(COMPOSE.read_text())


def documented() -> set[str]:
    """Return the variables in the table of docs/production.md, those for files of secrets included."""
    rows = [line for line in (ROOT / "docs/production.md").read_text().splitlines() if line.startswith("| `")]
    names = {
        (name, " *" in row.split("|")[1])
        for row in rows
        for name in re.findall(r"`([A-Z_]+)", row.split("|")[1])
    }
    return {name for name, _secret in names} | {f"{name}_FILE" for name, secret in names if secret}


def exec_starts(unit: str) -> list[list[str]]:
    """Return the words of a service's commands, without the folder of the programs and without `env`."""
    lines = [value for key, value in settings_of(UNITS / unit) if key == "ExecStart"]
    words = [[re.sub(r".*\.venv/bin/", "", word) for word in shlex.split(line)] for line in lines]
    return [command[2:] if command[0] == "/usr/bin/env" else command for command in words]


# --- Docker ---------------------------------------------------------------------------------------------
def test_the_image_runs_the_pages_as_the_service_does_and_not_as_root():
    last = image.stages()[-1]
    (command,) = [arguments for name, arguments in last if name == "CMD"]
    assert json.loads(command) == exec_starts("baza-web.service")[0]
    users = [arguments for name, arguments in last if name == "USER"]
    assert users == ["baza"]
    assert [name for name, _arguments in last if name in ("RUN", "COPY")] == ["RUN", "COPY"]
    assert last.index(("USER", "baza")) > max(
        i for i, (name, _) in enumerate(last) if name in ("RUN", "COPY")
    )


def test_files_and_variables_in_the_dockerfile_exist():
    copied = [line.split()[:-1] for line in image.instructions("COPY") if not line.startswith("--from")]
    assert all((ROOT / name).exists() for names in copied for name in names)
    (check,) = image.instructions("HEALTHCHECK")
    assert (ROOT / json.loads(check.partition("CMD ")[2])[1]).is_file()
    (install,) = [line for line in image.instructions("RUN") if "pip" in line]
    assert "--require-hashes" in install and (ROOT / install.split("-r ")[1]).is_file()
    set_in = "\n".join(image.instructions("ENV")[1:] + image.instructions("RUN"))
    assert set(re.findall(r"\b([A-Z_]{4,})=", set_in)) <= documented() | FOREIGN


def test_compose_runs_the_commands_of_the_services(compose):
    services = compose["services"]
    worker, unit = services["worker"]["command"], exec_starts("baza-worker@.service")[0]
    named = unit.index("-n")
    assert worker == unit[:named] + unit[named + 2 :]  # each container has a host name of its own
    shell, option, line = services["migrate"]["command"]
    assert (shell, option) == ("sh", "-c")
    assert [shlex.split(part) for part in line.split("&&")] == exec_starts("baza-migrate.service")
    assert (
        services["migrate"]["environment"]["PGOPTIONS"]
        in dict(settings_of(UNITS / "baza-migrate.service"))["Environment"]
    )


def test_names_in_the_compose_file_exist(compose):
    services = compose["services"]
    for name, service in services.items():
        assert set(service.get("depends_on", ())) <= services.keys(), name
        assert set(service["networks"]) <= compose["networks"].keys(), name
        secrets = set(service.get("secrets", ()))
        assert secrets <= compose["secrets"].keys(), name
        variables = service.get("environment", {})
        assert set(variables) <= documented() | FOREIGN, name
        files = {Path(value).name for key, value in variables.items() if key.endswith("_FILE")}
        assert files <= secrets, name
        assert [path for path in _paths(service) if not (ROOT / "deploy" / path).exists()] == [], name
    assert {Path(item["file"]).name for item in compose["secrets"].values()} == compose["secrets"].keys()


def _paths(service: dict) -> list[str]:
    """Return the paths that a service names, but for those that the operator makes."""
    mounted = [volume.split(":")[0] for volume in service.get("volumes", ()) if volume.startswith(".")]
    named = [*mounted, *([service["env_file"]] if "env_file" in service else [])]
    return [path for path in (name.removeprefix("./") for name in named) if not MADE.match(path)]


def test_only_the_proxy_can_be_reached_and_only_the_migration_has_the_owners_password(compose):
    services = compose["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    owners = {
        name for name, service in services.items() if "owner_database_url" in service.get("secrets", ())
    }
    assert owners == {"migrate"}
    assert compose["networks"]["inside"]["internal"] is True
    subnet = compose["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert services["web"]["environment"]["FORWARDED_ALLOW_IPS"].endswith(subnet)


def test_secrets_of_an_installation_are_never_committed_or_copied_into_an_image():
    ignored = [
        "deploy/compose/secrets/secret_key",
        "deploy/compose/tls/privkey.pem",
        "deploy/compose/baza.env",
    ]
    done = subprocess.run(["git", "check-ignore", *ignored], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split() == ignored
    excluded = (ROOT / "deploy/Dockerfile.dockerignore").read_text().splitlines()
    assert {"deploy/compose/secrets", "deploy/compose/tls", "deploy/compose/baza.env"} <= set(excluded)


# --- systemd --------------------------------------------------------------------------------------------
def test_variables_of_services_and_of_the_example_are_documented():
    values = assignments(EXAMPLE.read_text())
    assert values.keys() <= documented()
    named = {
        word.partition("=")[0]
        for path in UNITS.rglob("baza-*.service")
        if path.is_file()
        for key, value in settings_of(path)
        if key in ("Environment", "ExecStart")
        for word in shlex.split(value)
        if re.match(r"[A-Z_]+=", word)
    }
    assert named == {"DATABASE_URL_FILE", "PGOPTIONS"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root folder with the units, and with programs where they look for them."""
    shutil.copytree(UNITS, tmp_path / "etc/systemd/system")
    programs = [f"srv/baza/current/.venv/bin/{name}" for name in ("gunicorn", "celery")]
    for name in [*programs, "usr/bin/env"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    return tmp_path


def analyzed(root: Path, verb: str, *options: str) -> tuple[int, str]:
    """Run systemd-analyze on all units, and return its exit code and output."""
    units = [name.replace("@.", "@1.") for name in NAMES]
    if verb == "security":
        units = [name for name in units if name.endswith(".service")]
    command = [servers.program("systemd-analyze"), verb, f"--root={root}", *options, *units]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.needs("systemd-analyze")
def test_systemd_understands_the_units(root: Path):
    assert analyzed(root, "verify", "--man=no", "--recursive-errors=no") == (0, "")
    with open(root / "etc/systemd/system/baza-web.service", "a") as file:
        file.write("[Service]\nTimeoutStopSecs=3\n")
    assert "Unknown key 'TimeoutStopSecs'" in analyzed(root, "verify", "--man=no")[1]


@pytest.mark.needs("systemd-analyze")
def test_services_have_few_rights(root: Path):
    """The exposure that systemd computes is at most 2.0 of 10; without what all services share, over 9."""
    assert analyzed(root, "security", "--offline=true", "--threshold=20")[0] == 0
    shutil.rmtree(root / "etc/systemd/system/baza-.service.d")
    assert analyzed(root, "security", "--offline=true", "--threshold=90")[0] != 0
