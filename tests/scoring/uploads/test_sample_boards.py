"""Results computed from the boards of real files equal the results that these files contain."""

from decimal import Decimal
from fractions import Fraction

from scoring.strength.figures import StoredResult, adjust_session
from scoring.uploads.scored_boards import score_boards
from tests import samples
from tournaments.boards import IMPS, locate_results, scoring_of
from tournaments.formats import read_results
from tournaments.services.scorings import MATCHPOINTS

# File: (number of board results, number of contestants whose stated percentage the boards do not give).
REAL = {
    "pbn/magic_contest_ffb_open2dn1_s1.pbn": (660, 0),
    "usebio/abf_mp_pairs_mitchell.xml": (512, 0),
    "usebio/abf_mp_pairs_mitchell_03.xml": (126, 0),
    "usebio/abf_mp_pairs_mitchell_adjusted_02.xml": (567, 3),
    "usebio/ukbridgeclub_mp-pairs.xml": (242, 0),
    "usebio/ukbridgeclub_public_multi-section-pairs.xml": (335, 0),
    "usebio/ukbridgeclub_usebio-and-pbn.xml": (144, 11),
}
OKBRIDGE = "pbn/okbridge_OKB_v20.pbn"


def real(name, data):
    result = read_results(name, data)
    rows = [
        StoredResult(
            row.section, row.board, row.ns, row.ew, row.score, *(row.adjusted or (None, None)), *row.stated
        )
        for row in locate_results(result.boards, result.entries)
    ]
    percentages = {
        position: Decimal(item.percentage)
        for position, item in enumerate(result.entries, start=1)
        if item.percentage
    }
    return result, rows, adjust_session(scoring_of(result.event), rows, percentages)


@samples.parametrize(*REAL)
def test_percentages_of_real_files_follow_from_their_boards(name, sample):
    result, rows, results = real(name, sample(name))
    assert (len(rows), len(results.gaps)) == REAL[name]
    assert len(results.figures) == len(result.entries)


@samples.parametrize("bws/12tables1section.bws")
def test_the_ranking_of_a_real_bridgemate_database_is_computed(name, sample):
    scored = score_boards(read_results(name, sample(name)), MATCHPOINTS)
    percentages = sorted((Decimal(entry.percentage) for entry in scored.entries), reverse=True)
    assert round(percentages[0], 2) == Decimal("62.52")
    assert round(sum(percentages) / 24, 2) == Decimal("50.03")  # with one board of 60-60


@samples.parametrize(OKBRIDGE)
def test_the_imp_results_of_a_real_file_with_172_pairs_are_recomputed(name, sample):
    result, rows, results = real(name, sample(name))
    assert (results.scored, len(result.boards), len(results.figures)) == (IMPS, 2187, 172)
    for position, item in enumerate(result.entries, start=1):
        mean = Fraction(results.figures[position].official)
        # The board results are rounded to two decimals, and so is the stated mean of the unrounded results.
        assert abs(mean - Fraction(item.score)) <= Fraction("0.01")
    own, met = {who: [] for who in results.figures}, {who: [] for who in results.figures}
    for row in rows:
        if row.ns_id and row.ew_id:
            for me, other, sign in ((row.ns_id, row.ew_id, 1), (row.ew_id, row.ns_id, -1)):
                own[me].append(sign * float(row.ns_points))
                met[me].append(other)
    mean = {who: sum(values) / len(values) for who, values in own.items()}
    value = dict(mean)
    for _round in range(2000):
        value = {
            me: (value[me] + mean[me] + sum(value[o] for o in met[me]) / len(met[me])) / 2 for me in mean
        }
    for who, figure in results.figures.items():
        assert abs(figure.adjusted.value - value[who]) < 1e-6
