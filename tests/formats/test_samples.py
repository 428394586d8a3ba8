"""Files of real programs, from the folder that BAZA_SAMPLES names; none are part of the project."""

import os
from pathlib import Path

import pytest

from tournaments.formats import read_results
from tournaments.formats.go import read_go
from tournaments.ranking import rank

FOLDER = Path(os.environ["BAZA_SAMPLES"])
USEBIO = sorted((FOLDER / "usebio").glob("*.xml"))
OTHERS = [path for kind in ("bws", "go_h9", "macmahon39") for path in sorted((FOLDER / kind).iterdir())]

# name: (kind, contestants, boards of the winner, boards scheduled, winners, date)
EXPECTED = {
    "abf_butler_howell.xml": ("pairs", 8, 35, 35, 1, "2026-03-09"),
    "abf_cross_imp_howell.xml": ("pairs", 9, 24, 24, 1, "2026-02-02"),
    "abf_mp_pairs_mitchell.xml": ("pairs", 38, 27, 27, 2, "2022-07-11"),
    "abf_mp_pairs_mitchell_03.xml": ("pairs", 13, 18, 21, 2, "2022-07-21"),
    "abf_mp_pairs_mitchell_adjusted_02.xml": ("pairs", 42, 27, 27, 2, "2022-07-28"),
    "ukbridgeclub_cross-imp-pairs.xml": ("pairs", 17, 16, 24, 1, "2016-12-01"),
    "ukbridgeclub_individual.xml": ("individual", 12, 22, 22, None, "2009-05-13"),
    "ukbridgeclub_mp-pairs.xml": ("pairs", 22, 22, 22, 2, "2015-10-22"),
    "ukbridgeclub_multiple-teams.xml": ("teams", 10, 24, 24, None, "2015-10-22"),
    "ukbridgeclub_public_multi-section-pairs.xml": ("pairs", 32, 21, 21, 2, "2015-12-14"),
    "ukbridgeclub_usebio-and-pbn.xml": ("pairs", 13, 21, 24, 1, "2025-04-09"),
}


@pytest.mark.parametrize("path", USEBIO, ids=lambda path: path.name)
def test_usebio(path):
    result = read_results(path.name, path.read_bytes())
    if path.name == "abf_notsupported.xml":
        assert [found.code for found in result.issues] == ["unknown_event_type"]
        return
    assert not result.has_errors, result.issues
    event = result.event
    found = (
        event.kind,
        len(result.entries),
        event.boards,
        event.boards_scheduled,
        event.winner_type,
        event.date,
    )
    assert found == EXPECTED[path.name]
    ranking = rank(result.entries, "one", event.winner_type)
    assert not [issue for issue in ranking.issues if issue.severity != "info"]
    assert len(ranking.rows) == len(result.entries)
    if event.winner_type == 2:
        assert len(rank(result.entries, "two", 2).rows) == len(result.entries)


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.name)
def test_other_formats_are_refused_politely(path):
    result = read_results(path.name, path.read_bytes())
    if path.suffix == ".h9":
        assert [found.code for found in result.issues] == ["go_file"]
        return
    assert [found.code for found in result.issues] == [
        "wrong_type" if path.suffix == ".pdf" else "not_yet_supported"
    ]


PBN = {
    "fifthfriday_FFT_9901_v20.pbn": ("match_points", 356, 0),
    "jfr_pary_wb120802.pbn": "pbn_no_ranking",
    "magic_contest_ffb_open2dn1_s1.pbn": ("match_points", 44, 660),
    "okbridge_OKB_v20.pbn": ("imps", 172, 2187),
    "papi_mp_2_7.pbn": "pbn_frequencies",
}


@pytest.mark.parametrize("name", PBN)
def test_pbn(name):
    result = read_results(name, (FOLDER / "pbn" / name).read_bytes())
    if isinstance(PBN[name], str):
        assert [found.code for found in result.issues] == [PBN[name]]
        return
    assert not result.has_errors, result.issues
    assert (result.event.scoring, len(result.entries), len(result.boards)) == PBN[name]
    ranking = rank(result.entries, "one", None)
    assert len(ranking.rows) == len(result.entries)


# Files that have a mistake of their own: two rows that contradict each other, names that were lost.
GO_REFUSED = {"mpj2012u12.txt": "go_not_reciprocal", "TournoiChinois.h9": "go_listed_twice"}
GO = [
    path
    for kind, pattern in (("egd_results", "*.txt"), ("go_h9", "*.h9"), ("opengotha", "*.xml"))
    for path in sorted((FOLDER / kind).glob(pattern))
]


@pytest.mark.parametrize("path", GO, ids=lambda path: path.name)
def test_go(path):
    result = read_go(path.name, path.read_bytes())
    errors = {found.code for found in result.issues if found.severity == "error"}
    assert errors == ({GO_REFUSED[path.name]} if path.name in GO_REFUSED else set())
    assert path.name in GO_REFUSED or (result.players and result.games and result.start)


def test_go_results_are_counted_once_and_forfeits_apart():
    """The European Congress of 2013, against a plain count of its file."""
    path = FOLDER / "opengotha" / "rgf_egc2013.xml"
    result = read_go(path.name, path.read_bytes())
    text = path.read_text(encoding="utf-8")
    assert len(result.games) == text.count("<Game ")
    rated = sum(text.count(f'result="RESULT_{each}"') for each in ("WHITEWINS", "BLACKWINS", "EQUAL"))
    assert sum(not game.reason for game in result.games) == rated
