"""Rankings computed from the boards of files without one, and the choice of scoring on the review page."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from django.urls import reverse
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.engine.board_changes import mean_of
from scoring.engine.boards import TravellerLine, percentages
from scoring.ledger.services import runs
from scoring.pages.queries.boards import session_of
from scoring.uploads.scored_boards import score_boards
from scoring.uploads.services.review import review_of
from tests import factories
from tests.pages import open_page
from tests.scoring.uploads.makers import codes, sent, tick_and_confirm
from tests.tournaments.formats.bridgemates import Evening, mitchell
from tournaments.formats import mdb, read_results
from tournaments.formats.start_list import StartRow
from tournaments.formats.types import Person
from tournaments.formats.values import thousandths
from tournaments.models import BoardResult, ResultUpload
from tournaments.services import files, scorings, uploads
from tournaments.services.drafts import draft_of
from tournaments.services.pipeline import may_read_again, read_again
from ui.formatting import format_fixed, format_percent


def read(evening):
    return read_results("martes.bws", evening.data())


def figures(parsed) -> dict[str, str | None]:
    return {entry.number: entry.percentage or entry.score for entry in parsed.entries}


def four_scores() -> Evening:
    """Return one board at four tables: North-South make 3 NT with 1 and 0 tricks over, pass out, and fail."""
    evening = Evening()
    for table, values in enumerate(
        ({"Result": "+1"}, {}, {"Contract": "PASS", "Result": None}, {"Result": "-1"}), start=1
    ):
        evening.enter(**{"Table": table, "PairNS": table, "PairEW": table + 4, **values})
    return evening


def test_matchpoints_are_percentages_of_the_field():
    parsed = score_boards(read(four_scores()), scorings.MATCHPOINTS)
    assert figures(parsed) == {
        **{"1": "100", "2": "66.666", "3": "33.333", "4": "0"},
        **{"5": "0", "6": "33.333", "7": "66.666", "8": "100"},
    }
    assert parsed.event.scoring == "match_points"


def test_percentages_are_rounded_once():
    """A pair with 32 of 66 matchpoints has 48.4848… %, which is shown as 48.48."""
    parsed = score_boards(read(mitchell(12, 3)), scorings.MATCHPOINTS)
    lines = [TravellerLine(item.board, int(item.score)) for item in parsed.boards]
    sides = [((item.ns[0],), (item.ew[0],)) for item in parsed.boards]
    exact = mean_of(percentages(lines), sides)
    assert {number: format_percent(Decimal(text), "en") for number, text in figures(parsed).items()} == {
        number: f"{math.floor(share * 100 + Fraction(1, 2)) / 100:.2f}%" for number, share in exact.items()
    }


@given(st.fractions(0, 100, max_denominator=100_000))
@example(Fraction(1600, 33))
def test_what_is_shown_of_a_result_is_the_exact_number_rounded_once(exact):
    hundredths = math.floor(exact * 100 + Fraction(1, 2))
    assert format_fixed(thousandths(exact), "en", 2) == f"{hundredths // 100}.{hundredths % 100:02}"


def test_boards_with_fewer_results_are_scored_with_neuberg():
    evening = four_scores()
    for table in (1, 2):
        values = {"Board": 2, "Table": table, "PairNS": table, "PairEW": table + 4}
        evening.enter(**values, Result="+1" if table == 1 else "=")
    parsed = score_boards(read(evening), scorings.MATCHPOINTS)
    second = (Fraction(3) * 4 / 2 - 1) * 100 / 6  # one result of two is better: 83.33 %
    assert figures(parsed)["1"] == "91.666" and (100 + second) / 2 == Fraction(275, 3)


def test_imps_are_means_per_board():
    cross = score_boards(read(four_scores()), scorings.CROSS_IMPS)
    # Scores 430, 400, 0 and -50: against the others 1, 10 and 10 IMPs.
    assert figures(cross)["1"] == "7"
    assert figures(cross)["5"] == "-7"
    butler = score_boards(read(four_scores()), scorings.BUTLER)
    assert figures(butler) == {  # datum 200
        **{"1": "6", "2": "5", "3": "-5", "4": "-6"},
        **{"5": "-6", "6": "-5", "7": "5", "8": "6"},
    }
    assert [board.ns_points for board in butler.boards] == ["6", "5", "-5", "-6"]


def test_the_percentages_of_an_evening_have_the_mean_of_fifty():
    parsed = score_boards(read(mitchell(5, 3)), scorings.MATCHPOINTS)
    total = sum(Decimal(entry.percentage) for entry in parsed.entries)
    assert abs(total / 10 - 50) < Decimal("0.001")


def teams() -> Evening:
    """Return a match of two teams with one board, played at two tables.

    At table 1, North-South of team 1 make 4 spades and score 420. At table 2, North-South of team 2 go one
    down in 4 spades, so that East-West of team 1 score 50.
    """
    evening = Evening()
    evening.enter(Contract="4 S", PairNS=1, PairEW=2)
    evening.enter(Contract="4 S", Result="-1", PairNS=2, PairEW=1, Table=2)
    return evening


def test_teams_are_joined_by_their_number_and_parted_again():
    pairs = score_boards(read(teams()), scorings.MATCHPOINTS)
    parsed = score_boards(pairs, scorings.TEAMS)
    assert [(entry.number, entry.score, len(entry.people)) for entry in parsed.entries] == [
        ("1", "10", 4),
        ("2", "-10", 4),
    ]
    assert (parsed.event.kind, parsed.event.boards) == ("teams", 1)
    again = score_boards(parsed, scorings.MATCHPOINTS)
    assert sorted(again.entries, key=repr) == sorted(pairs.entries, key=repr)
    assert again.event == pairs.event


def with_people(evening, pairs) -> Evening:
    """Seat these pairs of players at the tables of the first round."""
    for table in range(1, len(pairs) // 2 + 1):
        sides = (("NS", pairs[table - 1]), ("EW", pairs[table - 1 + len(pairs) // 2]))
        for seats, pair in sides:
            for seat, player in zip(seats, pair, strict=True):
                number = {"Direction": seat, "Number": player.number}
                evening.numbers.append({"Section": 1, "Table": table, **number})
    return evening


@pytest.fixture
def upload(signed_in, club, pairs):
    return sent(signed_in, club, with_people(mitchell(2, 12), pairs).data(), "martes.bws")


def test_an_evening_is_confirmed_with_its_boards(signed_in, upload, pairs):
    assert upload.file_format == "bws"
    assert review_of(upload).ready, review_of(upload).issues
    tick_and_confirm(signed_in, upload)
    upload.refresh_from_db()
    assert upload.revision.boards_scored == "mp"
    assert BoardResult.objects.filter(revision=upload.revision).count() == 48
    best = upload.revision.contestants.order_by("position").first()
    assert (best.place, best.boards) == (1, 24)


def test_a_correction_asks_for_no_tick_that_was_given_and_begins_with_the_difference(
    signed_in, club, pairs, upload
):
    tick_and_confirm(signed_in, upload)
    second = sent(signed_in, club, with_people(mitchell(2, 6), pairs).data(), "segunda.bws")
    assert "same_people" in codes(second)
    tick_and_confirm(signed_in, second)
    second.refresh_from_db()
    runs.score(second.revision.runs.get().pk)
    address = reverse("upload_correct_board", args=[second.revision.boards.latest("pk").pk])
    form = {"kind": "score", "score": "-1400", "reason": "Mal anotada"}
    response = signed_in.post(address, form)
    correction = ResultUpload.objects.get(corrects=second.revision.tournament)
    assert "same_people" in codes(correction)
    assert response.url == reverse("upload_confirm", args=[correction.pk])
    text = open_page(signed_in, reverse("upload_review", args=[correction.pk])).main.text
    assert text.index("Puntos antiguos y nuevos") < text.index("Casi las mismas personas")


def test_the_director_chooses_the_scoring_on_the_review_page(signed_in, upload):
    page = signed_in.get(upload.get_absolute_url()).content.decode()
    assert 'name="scoring"' in page
    before = {entry.number: entry.people for entry in uploads.draft_of(upload).entries}
    uploads.save(upload, uploads.Answers(details={"scoring": scorings.BUTLER}))
    upload.refresh_from_db()
    draft = uploads.draft_of(upload)
    assert upload.parsed["event"]["scoring"] == "butler"
    assert all(row.score is not None and row.percentage is None for row in draft.rows)
    assert {entry.number: entry.people for entry in draft.entries} == before


def test_scoring_as_teams_makes_it_a_tournament_of_teams_and_back(signed_in, club, pairs):
    evening = with_people(mitchell(2, 12, doubled=True), pairs)
    upload = sent(signed_in, club, evening.data(), "martes.bws")
    for scoring, kind, sizes in ((scorings.TEAMS, "teams", {4}), (scorings.MATCHPOINTS, "pairs", {2})):
        form = signed_in.get(upload.get_absolute_url()).context["form"]
        values = {name: text for name, text in form.shown() if name != "scoring"}
        values |= {"scoring": scoring, "action": "details"}
        signed_in.post(upload.get_absolute_url(), values)
        upload.refresh_from_db()
        draft = uploads.draft_of(upload)
        assert draft.known.format == kind
        assert {len(row.seats) for row in draft.rows} == sizes
        assert not {"format_differs", "pair_size"} & {item.code for item in draft.issues}


def test_an_evening_of_pairs_scored_as_teams_says_once_that_no_board_is_common(signed_in, club, pairs):
    upload = sent(signed_in, club, with_people(mitchell(2, 12), pairs).data(), "martes.bws")
    uploads.save(upload, uploads.Answers(details={"scoring": scorings.TEAMS}))
    upload.refresh_from_db()
    errors = [item.code for item in uploads.draft_of(upload).issues if item.severity == "error"]
    assert errors.count("no_common_board") == 1 and "place_missing" not in errors


def test_teams_without_names_show_their_numbers(signed_in, club, pairs):
    upload = sent(signed_in, club, with_people(mitchell(2, 12, doubled=True), pairs).data(), "martes.bws")
    uploads.save(upload, uploads.Answers(details={"scoring": scorings.TEAMS}))
    text = open_page(signed_in, upload.get_absolute_url()).main.text
    assert all(f"n.º {number}" in text for number in (1, 2))


def test_decisions_about_people_survive_another_scoring(signed_in, club, pairs, upload):
    uploads.save(upload, uploads.Answers(seats={(0, 1): uploads.Decision.GUEST}))
    upload.refresh_from_db()
    uploads.save(upload, uploads.Answers(details={"scoring": scorings.CROSS_IMPS}))
    upload.refresh_from_db()
    draft = uploads.draft_of(upload)
    assert draft.choices[0, 1].guest
    assert draft.entries[0].people[1].number is None


def test_a_ranking_edited_by_hand_keeps_its_scores(signed_in, upload):
    entries = uploads.draft_of(upload).entries
    uploads.replace_entries(upload, entries)
    upload.refresh_from_db()
    uploads.save(upload, uploads.Answers(details={"scoring": scorings.BUTLER}))
    upload.refresh_from_db()
    assert uploads.draft_of(upload).entries == tuple(entries)
    assert 'name="scoring"' not in signed_in.get(upload.get_absolute_url()).content.decode()


def test_where_mdbtools_is_missing_the_upload_page_names_the_command(signed_in, club, monkeypatch):
    command = "<code>apt-get install mdbtools</code>"
    assert command not in signed_in.get(reverse("upload_start")).content.decode()
    monkeypatch.setattr(mdb, "_FOLDERS", "/nonexistent")
    assert command in signed_in.get(reverse("upload_start")).content.decode()


def test_a_database_refused_without_mdbtools_can_be_read_again(signed_in, club, monkeypatch):
    data = mitchell(2, 6).data()
    with monkeypatch.context() as patch:
        patch.setattr(mdb, "_FOLDERS", "/nonexistent")
        patch.setattr(files, "read_results_safely", read_results)  # in this process, which lacks mdbtools
        upload = sent(signed_in, club, data, "martes.bws")
    assert (upload.state, may_read_again(upload)) == (upload.State.REFUSED, True)
    page = signed_in.get(upload.get_absolute_url()).content.decode()
    assert "apt-get install mdbtools" in page
    again = read_again(upload)
    assert (again.state, len(again.parsed["boards"])) == (upload.State.REVIEW, 24)


def test_an_evening_without_names_asks_for_them(signed_in, club):
    upload = sent(signed_in, club, mitchell(2, 6).data(), "martes.bws")
    assert upload.state == upload.State.REVIEW
    errors = [item.code for item in review_of(upload).issues if item.severity == "error"]
    assert errors == ["nobody_named"]
    assert "number_0-0" not in signed_in.get(upload.get_absolute_url()).content.decode()


def two_sections(differ: bool) -> Evening:
    """Return an evening of two sections of two tables. In the second one North-South do much worse.

    differ: whether the sections have hand records of different deals
    """
    both, other = mitchell(2), mitchell(2, section=2)
    both.sections += other.sections
    both.received += [row | {"Contract": "7 NT", "NS/EW": "N", "Result": "-9"} for row in other.received]
    both.rounds += other.rounds
    suits = ("Spades", "Hearts", "Diamonds", "Clubs")
    for section, turn in ((1, 0), (2, 1)) if differ else ():
        ranks = {
            f"{seat}{suit}": "AKQJT98765432" if (place + turn) % 4 == index else None
            for place, seat in enumerate(("North", "East", "South", "West"))
            for index, suit in enumerate(suits)
        }
        both.hands.append({"Section": section, "Board": 1, **ranks})
    return both


def test_sections_with_other_deals_are_scored_apart():
    parsed = read(two_sections(differ=True))
    assert scorings.proposed(parsed) == "match_points_apart"
    assert scorings.proposed(read(two_sections(differ=False))) == scorings.MATCHPOINTS
    apart = score_boards(parsed, "match_points_apart")
    lone = score_boards(read(mitchell(2)), scorings.MATCHPOINTS)
    first = [entry.percentage for entry in apart.entries if entry.section == "A"]
    assert first == [entry.percentage for entry in lone.entries]
    # All results of the second section are equal.
    assert {entry.percentage for entry in apart.entries if entry.section == "B"} == {"50"}
    together = score_boards(parsed, scorings.MATCHPOINTS)
    assert first != [entry.percentage for entry in together.entries if entry.section == "A"]
    imps = score_boards(parsed, "cross_imps_apart")
    assert {entry.score for entry in imps.entries if entry.section == "B"} == {"0"}


@pytest.mark.parametrize("method", ["match_points_apart", "cross_imps_apart"])
def test_sections_scored_apart_are_stored_shown_and_corrected_so(signed_in, club, method):
    pairs = factories.pairs(factories.players(16, club=club, category="2P"))
    upload = sent(signed_in, club, two_sections(differ=True).data(), "martes.bws")
    rows = [
        StartRow(k, str(k % 4 + 1), None, "AB"[k // 4], tuple(Person(player.number, "") for player in pair))
        for k, pair in enumerate(pairs)
    ]
    uploads.add_names(upload, rows)
    upload.refresh_from_db()
    assert "bws_sections" not in codes(upload)
    uploads.save(upload, uploads.Answers(details={"scoring": method}))
    tick_and_confirm(signed_in, upload)
    upload.refresh_from_db()
    runs.score(upload.revision.runs.get().pk)
    column = "percentage" if "match" in method else "score"
    session = session_of(upload.revision_id)
    values = dict(upload.revision.contestants.values_list("pk", column))
    assert session.figures.keys() == values.keys()
    assert all(
        abs(figure - Fraction(values[pk])) < Fraction(1, 1000) for pk, figure in session.figures.items()
    )
    last = upload.revision.boards.filter(section="B").latest("pk")
    form = {"kind": "contract", "level": "7", "strain": "N", "doubled": "", "declarer": "N", "tricks": "13"}
    address = reverse("upload_correct_board", args=[last.pk])
    assert signed_in.post(address, {**form, "reason": "Mal anotada"}).status_code == 302
    draft = draft_of(ResultUpload.objects.exclude(pk=upload.pk).get())
    before = dict(upload.revision.seats.values_list("player", f"contestant__{column}"))
    after = {seat.player_id: getattr(row, column) for row in draft.rows for seat in row.seats}
    changed = {player for player in after if after[player] != before[player]}
    # The two pairs of section B who played the board, and those who played it at the other table.
    assert changed and changed <= {player.pk for pair in pairs[4:] for player in pair}
