"""Boards of a Bridgemate database about which the director decides on the review."""

import pytest
from django.urls import reverse

from scoring.audit.read import check
from scoring.audit.uploaded import origins, with_files
from tests.pages import open_page
from tests.scoring.uploads.makers import codes, csv_of, sent, tick_and_confirm
from tests.scoring.uploads.test_scored_boards import with_people
from tests.scoring.uploads.test_several_files import together
from tests.tournaments.formats.bridgemates import Evening, mitchell
from tournaments.models import ResultUpload
from tournaments.services import board_changes, uploads
from tournaments.services.drafts import draft_of

pytestmark = pytest.mark.django_db
DOUBTS = [
    ({"Remarks": "Arbitral score"}, "bws_arbitral", None),
    ({"Erased": 1}, "bws_erased", None),
    ({"Remarks": "Wrong direction", "NS/EW": "N", "Declarer": 3}, "bws_wrong_direction", "0"),
    ({"Contract": "8 NT"}, "bws_result_unreadable", None),
    ({"Remarks": "A+"}, "bws_remark_unknown", "0"),
]


def evening(pairs, **last) -> Evening:
    """Return an evening of two tables whose last entry has these values."""
    made = with_people(mitchell(2, 12), pairs)
    made.received[-1] |= last
    return made


def entries_of(made: Evening, turn: int, table: int) -> list[dict]:
    """Return what was entered at a table in a round."""
    return [row for row in made.received if (row["Round"], row["Table"]) == (turn, table)]


def send(client, club, made: Evening) -> ResultUpload:
    return sent(client, club, made.data(), "martes.bws")


def press(client, upload: ResultUpload, **data):
    response = client.post(reverse("upload_review", args=[upload.pk]), data)
    upload.refresh_from_db()
    return response


def figures(upload: ResultUpload) -> dict[str, str | None]:
    return {entry.number: entry.percentage for entry in draft_of(upload).entries}


def doubt(upload: ResultUpload) -> dict:
    (only,) = upload.parsed["doubts"]
    return only


@pytest.mark.parametrize(("values", "code", "entry"), DOUBTS)
def test_a_doubtful_board_is_decided_and_the_decision_undone(signed_in, club, pairs, values, code, entry):
    upload = send(signed_in, club, evening(pairs, **values))
    assert code in codes(upload) and doubt(upload)["codes"] == [code]
    before, index = figures(upload), doubt(upload)["index"]
    form = {"kind": "adjusted", "ns": "60", "ew": "40"}
    address = press(signed_in, upload, **{"other-board": index}).url
    assert signed_in.post(address, form).status_code == 302
    upload.refresh_from_db()
    assert code not in codes(upload)
    assert figures(upload) != before and upload.parsed["boards"][index]["score"] == "A6040"
    press(signed_in, upload, board=f"undo-{index}")
    assert code in codes(upload) and figures(upload) == before


def test_the_entries_of_a_board_are_shown_and_one_is_chosen(signed_in, club, pairs):
    made = evening(pairs, Contract="7 NT", Result="=", **{"NS/EW": "N"})
    last = made.received[-1]
    made.received.append({**last, "ID": last["ID"] + 1, "Result": "-13"})
    upload = send(signed_in, club, made)
    before, index = figures(upload), doubt(upload)["index"]
    page = open_page(signed_in, reverse("upload_review", args=[upload.pk]))
    assert all(f"7 sin triunfo por Norte, {tricks} bazas" in page.text for tricks in (0, 13))
    assert made.received[-1]["TimeLog"].strftime("%H:%M") in page.text
    press(signed_in, upload, board=f"use-{index}-1")
    assert upload.parsed["boards"][index]["tricks"] == "13" and "bws_double" not in codes(upload)
    assert figures(upload) != before
    tick_and_confirm(signed_in, upload)
    upload.refresh_from_db()
    assert upload.revision.boards.order_by("pk").last().tricks == 13
    # The audit reads the file again, and finds what was decided.
    (uploaded,) = with_files(origins(upload.revision.tournament_id, None, 0, 1))
    assert list(check(uploaded)) == []


def test_a_wrong_number_of_a_pair_is_decided_and_the_entries_say_their_pairs(signed_in, club, pairs):
    made = evening(pairs)
    right = figures(send(signed_in, club, made))
    made.received[-1]["PairEW"] = 4 if made.rounds[-1]["EWPair"] == 3 else 3
    upload = send(signed_in, club, made)
    assert "bws_other_pairs" in codes(upload) and figures(upload) == right
    text = open_page(signed_in, reverse("upload_review", args=[upload.pk])).text
    assert all(f"parejas 2 y {number}" in text for number in (3, 4))
    press(signed_in, upload, board=f"use-{doubt(upload)['index']}-1")
    assert "bws_other_pairs" not in codes(upload) and figures(upload) != right


def test_one_decision_counts_for_a_whole_round_of_a_table(signed_in, club, pairs):
    made = evening(pairs)
    right = send(signed_in, club, made)
    for row in entries_of(made, 2, 1):
        row |= {"PairNS": row["PairEW"], "PairEW": row["PairNS"]}
    upload = send(signed_in, club, made)
    assert "bws_other_round" in codes(upload) and seated(upload) != seated(right)
    index = upload.parsed["doubts"][3]["index"]
    text = open_page(signed_in, reverse("upload_review", args=[upload.pk])).text
    assert "Ronda 2, mesa 1" in text and "parejas 1 y 4" in text
    press(signed_in, upload, board=f"use-{index}-1")
    assert "bws_other_round" not in codes(upload) and seated(upload) == seated(right)
    press(signed_in, upload, board=f"undo-{index}")
    assert "bws_other_round" in codes(upload)


def test_one_decision_counts_for_all_boards_that_a_round_has_shifted(signed_in, club, pairs):
    made = with_people(mitchell(4, 3), [*pairs, *pairs])
    right = send(signed_in, club, made)
    for row in entries_of(made, 2, 1):
        row["Board"] += 30
    upload = send(signed_in, club, made)
    assert "bws_other_boards" in codes(upload) and seated(upload) != seated(right)
    index = upload.parsed["doubts"][1]["index"]
    text = open_page(signed_in, reverse("upload_review", args=[upload.pk])).text
    assert "Vale esta (mano 34, como mano 4)" in text and "Vale esta (mano 34)" in text
    press(signed_in, upload, board=f"use-{index}-1")
    assert "bws_other_boards" not in codes(upload) and seated(upload) == seated(right)
    press(signed_in, upload, board=f"undo-{index}")
    assert "bws_other_boards" in codes(upload)


def test_one_decision_counts_for_a_wrong_pair_of_a_whole_round(signed_in, club, pairs):
    made = evening(pairs)
    entries = entries_of(made, 2, 1)
    for row in entries:
        row["PairEW"] = 30
    made.received.append({**entries[0], "ID": 900, "Result": "-3"})
    upload = send(signed_in, club, made)
    doubts = upload.parsed["doubts"]
    twice = {item["index"] for item in doubts if "bws_double" in item["codes"]}
    assert len(doubts) == 12 and len(twice) == 1
    index = next(item["index"] for item in doubts if item["index"] not in twice)
    press(signed_in, upload, board=f"use-{index}-0")
    # The board that was also entered twice has a question of its own.
    assert {item["index"] for item in doubts} - board_changes.changes_of(upload).keys() == twice
    press(signed_in, upload, board=f"use-{twice.pop()}-0")
    assert not {"bws_other_pairs", "bws_double"} & set(codes(upload))


def test_a_round_is_decided_beside_a_list_of_names_too(signed_in, club, pairs):
    made = mitchell(2, 12)
    for row in entries_of(made, 2, 1):
        row |= {"PairNS": row["PairEW"], "PairEW": row["PairNS"]}
    names = "\n".join(f"{number};{pair[0].number};{pair[1].number}" for number, pair in enumerate(pairs, 1))
    upload = together(signed_in, club, ("martes.bws", made.data()), ("lista.csv", names.encode()))
    assert "bws_other_round" in codes(upload) and len(upload.parsed["doubts"]) == 12
    press(signed_in, upload, board=f"use-{upload.parsed['doubts'][0]['index']}-1")
    assert "bws_other_round" not in codes(upload)


def seated(upload: ResultUpload) -> list[tuple]:
    """Return the pairs of all board results, with their scores."""
    boards = upload.parsed["boards"]
    return sorted((board["board"], *board["ns"], *board["ew"], board["score"]) for board in boards)


def test_the_entries_of_a_board_under_a_wrong_number_say_their_board(signed_in, club, pairs):
    made = evening(pairs)
    right = figures(send(signed_in, club, made))
    made.received[-1]["Board"] = 50
    upload = send(signed_in, club, made)
    assert "bws_other_board" in codes(upload) and figures(upload) == right
    text = open_page(signed_in, reverse("upload_review", args=[upload.pk])).text
    assert all(f"mano {number}" in text for number in (24, 50))
    press(signed_in, upload, board=f"use-{doubt(upload)['index']}-1")
    assert "bws_other_board" not in codes(upload) and figures(upload) != right


@pytest.mark.parametrize(("values", "counts"), [(DOUBTS[1][0], False), (DOUBTS[2][0], True)])
def test_the_review_says_whether_a_result_counts(signed_in, club, pairs, values, counts):
    upload = send(signed_in, club, evening(pairs, **values))
    text = open_page(signed_in, reverse("upload_review", args=[upload.pk])).text
    assert ("Ahora cuenta:" in text, "Ahora no cuenta ningún resultado." in text) == (counts, not counts)


def test_choosing_the_proposed_entry_settles_the_warning(signed_in, club, pairs):
    upload = send(signed_in, club, evening(pairs, **DOUBTS[2][0]))
    before = figures(upload)
    press(signed_in, upload, board=f"use-{doubt(upload)['index']}-{DOUBTS[2][2]}")
    assert "bws_wrong_direction" not in codes(upload) and figures(upload) == before


def test_another_way_of_scoring_keeps_the_decisions(signed_in, club, pairs):
    upload = send(signed_in, club, evening(pairs, **DOUBTS[0][0]))
    index = doubt(upload)["index"]
    signed_in.post(reverse("upload_board", args=[upload.pk, index]), {"kind": "score", "score": "620"})
    upload.refresh_from_db()
    upload.details["scoring"] = "cross_imps"
    upload.save()
    press(signed_in, upload, action="save")
    upload.refresh_from_db()
    assert upload.parsed["event"]["scoring"] == "cross_imps"
    assert upload.parsed["boards"][index]["score"] == "620" and "bws_arbitral" not in codes(upload)


@pytest.mark.parametrize("value", ["use-0-0", "use-999999-0", "use-0-999", "undo-999999", "use--1-0", "?"])
def test_a_button_that_no_page_has_changes_nothing(signed_in, club, pairs, value):
    upload = send(signed_in, club, evening(pairs, **DOUBTS[0][0]))
    boards = upload.parsed["boards"]
    assert press(signed_in, upload, board=value).status_code in (200, 302)
    assert upload.parsed["boards"] == boards and not upload.parsed.get("changes")


# --- Two doubtful results of the same board and pairs -----------------------------------------------------
def two_sessions(pairs) -> list[Evening]:
    first, second = evening(pairs, Erased=1), evening(pairs, Erased=1)
    second.received = [{**row, "Contract": "2 H", "Result": "+1"} for row in second.received]
    return [first, second]


def two_sections(pairs) -> list[Evening]:
    """Return an evening of two sections with the same numbers of pairs, each with an erased last result."""
    first, second = mitchell(2, 12, section=1), mitchell(2, 12, section=2)
    first.received[-1]["Erased"] = second.received[-1]["Erased"] = 1
    first.sections += second.sections
    first.rounds += second.rounds
    last = max(row["ID"] for row in first.received)
    first.received += [{**row, "ID": row["ID"] + last} for row in second.received]
    return [first]


@pytest.mark.parametrize("made", [two_sessions, two_sections])
def test_deciding_one_of_two_equal_doubts_leaves_the_other_open(signed_in, club, pairs, made):
    files = [(f"{number}.bws", item.data()) for number, item in enumerate(made(pairs))]
    upload = together(signed_in, club, *files)

    def erased() -> list:
        return [item for item in draft_of(upload).issues if item.code == "bws_erased"]

    doubts = upload.parsed["doubts"]
    assert len(doubts) == 2 == len(erased())
    assert len({(doubt["board"], doubt["ns"], doubt["ew"]) for doubt in doubts}) == 1
    before = erased()
    for done, doubt in enumerate(doubts, start=1):
        press(signed_in, upload, board=f"use-{doubt['index']}-0")
        assert erased() == before[done:]


def test_a_board_is_decided_beside_a_ranking_once_the_boards_count(signed_in, club, pairs):
    files = [("orden.csv", csv_of(pairs)), ("martes.bws", evening(pairs, Erased=1).data())]
    upload = together(signed_in, club, *files)
    index = doubt(upload)["index"]
    assert not board_changes.is_changeable(upload)
    uploads.save(upload, uploads.Answers(details={"scoring": "match_points"}))
    upload.refresh_from_db()
    before = figures(upload)
    press(signed_in, upload, board=f"use-{index}-0")
    assert figures(upload) != before and "bws_erased" not in codes(upload)
