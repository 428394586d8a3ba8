"""Read real files: those listed here give the expected figures, and no other file raises an exception."""

from pathlib import PurePath

from tests import samples
from tests.tournaments.formats.sample_rows import DOCUMENT, row_of
from tournaments.formats import read_go, read_results
from tournaments.ranking import rank

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


def known(folder: str, names) -> list[str]:
    """Return the paths of the files with these names, in the folder of one format."""
    return [f"{folder}/{name}" for name in names]


def base(name: str) -> str:
    return PurePath(name).name


@samples.parametrize("**/*")
def test_every_file_is_read_or_refused_with_a_reason(name, sample):
    data = sample(name)
    for result in (read_results(name, data), read_go(name, data)):
        assert result.has_errors or getattr(result, "entries", ()) or getattr(result, "players", ())
        assert type(result).from_json(result.to_json()) == result


@samples.parametrize("*/*")
def test_the_document_says_what_happens_to_every_file(name, sample):
    assert row_of(name, base(name), sample(name)) in DOCUMENT.read_text(encoding="utf-8").splitlines()


@samples.parametrize(*known("usebio", ["abf_notsupported.xml"]))
def test_a_usebio_file_of_an_unknown_event_type_is_refused(name, sample):
    assert [issue.code for issue in read_results(name, sample(name)).issues] == ["unknown_event_type"]


@samples.parametrize(*known("usebio", EXPECTED))
def test_real_usebio_files_give_the_expected_figures(name, sample):
    result = read_results(name, sample(name))
    assert not result.has_errors, result.issues
    event = result.event
    results = (
        event.kind,
        len(result.entries),
        event.boards,
        event.boards_scheduled,
        event.winner_type,
        event.date,
    )
    assert results == EXPECTED[base(name)]
    ranking = rank(result.entries, "one", event.winner_type)
    assert not [issue for issue in ranking.issues if issue.severity != "info"]
    assert len(ranking.rows) == len(result.entries)
    if event.winner_type == 2:
        assert len(rank(result.entries, "two", 2).rows) == len(result.entries)


@samples.parametrize(*known("bws", ["12tables1section.bws"]))
def test_a_real_bridgemate_database_is_read(name, sample):
    result = read_results(name, sample(name))
    assert {issue.code for issue in result.issues} == {"bws_adjusted"}
    assert (len(result.entries), len(result.boards), result.event.date) == (24, 288, "2005-05-09")
    assert {entry.boards for entry in result.entries} == {24}


@samples.parametrize(*known("bws", ["Default.bws"]))
def test_a_real_bridgemate_database_without_results_is_refused(name, sample):
    assert [issue.code for issue in read_results(name, sample(name)).issues] == ["bws_no_results"]


@samples.parametrize("bws/*.pdf", "go_h9/*", "macmahon39/*")
def test_real_files_of_other_formats_are_refused_by_name(name, sample):
    expected = "wrong_type" if name.endswith(".pdf") else "go_file"
    assert [issue.code for issue in read_results(name, sample(name)).issues] == [expected]


PBN = {
    "fifthfriday_FFT_9901_v20.pbn": ("match_points", 356, 0),
    "jfr_pary_wb120802.pbn": "pbn_no_ranking",
    "magic_contest_ffb_open2dn1_s1.pbn": ("match_points", 44, 660),
    "okbridge_OKB_v20.pbn": ("imps", 172, 2187),
    "papi_mp_2_7.pbn": "pbn_frequencies",
}


@samples.parametrize(*known("pbn", PBN))
def test_real_pbn_files_give_the_expected_figures(name, sample):
    result, expected = read_results(name, sample(name)), PBN[base(name)]
    if isinstance(expected, str):
        assert [issue.code for issue in result.issues] == [expected]
        return
    assert not result.has_errors, result.issues
    assert (result.event.scoring, len(result.entries), len(result.boards)) == expected
    ranking = rank(result.entries, "one", None)
    assert len(ranking.rows) == len(result.entries)


# Files with errors of their own: rows that contradict each other, and missing names.
GO_REFUSED = {"mpj2012u12.txt": "go_not_reciprocal", "TournoiChinois.h9": "go_listed_twice"}


@samples.parametrize("egd_results/*.txt", "go_h9/*.h9", "macmahon39/*.xml", "opengotha/*.xml")
def test_real_go_files_are_read_or_refused_as_expected(name, sample):
    result, refused = read_go(name, sample(name)), GO_REFUSED.get(base(name))
    errors = {issue.code for issue in result.issues if issue.severity == "error"}
    assert errors == ({refused} if refused else set())
    assert refused or (result.players and result.games)
    assert refused or result.start or result.format_name == "macmahon"


@samples.parametrize(*known("opengotha", ["rgf_egc2013.xml"]))
def test_each_game_of_a_real_go_file_is_counted_once_and_forfeits_are_not_rated(name, sample):
    """Compare the European Congress of 2013 with a separate count of the games in its file."""
    data = sample(name)
    result, text = read_go(name, data), data.decode()
    assert len(result.games) == text.count("<Game ")
    rated = sum(text.count(f'result="RESULT_{item}"') for item in ("WHITEWINS", "BLACKWINS", "EQUAL"))
    assert sum(not game.reason for game in result.games) == rated
