"""Database connections that are terminated while a request is answered."""

import pytest

from tests.system.conftest import Installation

STORED = "SELECT count(*) FROM tournaments_tournament"
DISCARDED = "SELECT count(*) FROM tournaments_resultupload WHERE state = 'discarded'"


@pytest.fixture
def drafts(site: Installation) -> list[str]:
    """The ids of drafts that the account `lola` can confirm."""
    return site.act("drafts", 3, 0)["drafts"]


def test_readers_notice_nothing_of_a_terminated_connection(site: Installation, drafts: list[str]):
    for path in ("/clasificaciones/", "/resultados/"):
        statements, before = 1, 0
        while before < statements:
            before += 1
            status, statements = site.act("cut", "get", path, before)
            assert (path, before, status) == (path, before, 200)


def test_a_confirmation_is_repeated_if_its_connection_is_terminated_before_commit(
    site: Installation, drafts: list[str]
):
    for number, before in enumerate((3, 30), start=1):
        status, _statements = site.act("cut", "post", f"/resultados/{drafts[number]}/confirmar/", before)
        assert (before, status) == (before, 302)
        assert site.query(STORED) == [(number,)]


@pytest.mark.parametrize("before", ["COMMIT", "OK"])
def test_a_confirmation_is_repeated_whether_or_not_it_was_committed(
    site: Installation, drafts: list[str], before: str
):
    status, _statements = site.act("cut", "post", f"/resultados/{drafts[0]}/confirmar/", before)
    assert (status, site.query(STORED)) == (302, [(1,)])


def test_other_requests_are_not_repeated_if_nobody_knows_what_was_committed(
    site: Installation, drafts: list[str]
):
    status, _statements = site.act("cut", "post", f"/resultados/{drafts[0]}/descartar/", "COMMIT")
    assert (status, site.query(DISCARDED)) == (503, [(0,)])
