"""Hands, contracts and cards as scoring programs write them."""

import json

import pytest

from tournaments.formats import cards
from tournaments.formats.readers.pbn.reader import parse_pbn
from tournaments.formats.readers.usebio import parse_usebio
from tournaments.formats.types import ParsedResult

from .makers import Event, Pair, participants, players

DEAL = "N:KQT6.AJT.T984.65 A2.K9876.72.9742 J543.43.AQ5.AKJ3 987.Q52.KJ63.QT8"
HANDS = tuple(DEAL[2:].split())


@pytest.mark.parametrize(
    ("text", "contract"),
    [
        ("4S", "4S"), ("3NT", "3N"), ("1N", "1N"), ("3Hx", "3HX"), ("5Cxx", "5CXX"), ("4 S X", "4SX"),
        ("4♥", "4H"), ("3SA", "3N"), ("3ST", "3N"), ("2S*", "2SX"), ("Pass", "PASS"), ("8S", None),
        ("42", None),
        ("", None), ("4SXXX", None), ("S4", None), ("4S" * 300, None),
    ],
)  # fmt: skip
def test_a_contract_has_one_form(text, contract):
    assert cards.contract_text(text) == contract


@pytest.mark.parametrize(
    ("text", "card"),
    [("D10", "DT"), ("10D", "DT"), ("KD", "DK"), ("TD", "DT"), ("♥2", "H2"), ("hk", "HK"), ("D1", None),
     ("", None), ("ZZ", None)],
)  # fmt: skip
def test_a_card_has_one_form(text, card):
    assert cards.card_text(text) == card


@pytest.mark.parametrize(
    ("text", "tricks"), [("0", 0), ("13", 13), ("14", None), ("+1", None), ("²", None), ("", None)]
)
def test_tricks_are_from_0_to_13(text, tricks):
    assert cards.tricks_number(text) == tricks


def test_dealer_and_vulnerability_follow_the_board_number():
    assert [cards.standard_dealer(board) for board in (1, 2, 3, 4, 5, 17)] == ["N", "E", "S", "W", "N", "N"]
    # Law 2 of duplicate bridge.
    law = {
        "none": (1, 8, 11, 14), "NS": (2, 5, 12, 15), "EW": (3, 6, 9, 16), "both": (4, 7, 10, 13),
    }  # fmt: skip
    for sides, boards in law.items():
        for board in boards:
            assert cards.standard_vulnerable(board) == cards.standard_vulnerable(board + 16) == sides


def test_a_deal_begins_with_the_seat_that_its_text_names():
    deal = cards.make_deal(7, cards.pbn_hands("E:" + " ".join([*HANDS[1:], HANDS[0]])))
    assert deal.hands == HANDS
    assert (deal.dealer, deal.vulnerable) == ("S", "both")


def test_a_fourth_hand_has_the_cards_that_are_left():
    hands = cards.pbn_hands(f"N:{HANDS[0]} {HANDS[1]} - {HANDS[3]}")
    assert cards.make_deal(1, hands).hands == HANDS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "N:" + " ".join([HANDS[0]] * 4),
        "N:" + " ".join([*HANDS[:3], "-.-.-.-"]).replace("987", "98"),
        f"N:{HANDS[0]} {HANDS[1]} - -",
        "N:KQT6.AJT.T984.65 A2.K9876.72.9742 J543.43.AQ5.AKJ3 987.Q52.KJ63.QTZ",
        "N:KQT6.AJT.T984 A2.K9876.72.9742 J543.43.AQ5.AKJ3 987.Q52.KJ63.QT8",
        # East has 14 cards and North 12.
        "N:KQT.AJT.T984.65 A62.K9876.72.9742 J543.43.AQ5.AKJ3 987.Q52.KJ63.QT8",
    ],
)
def test_hands_that_are_not_52_cards_are_no_deal(text):
    assert cards.make_deal(1, cards.pbn_hands(text)) is None


def test_boards_with_different_deals_in_one_file_have_none():
    first = cards.make_deal(1, cards.pbn_hands(DEAL))
    other = cards.make_deal(1, cards.pbn_hands("E:" + DEAL[2:]))
    second = cards.make_deal(2, cards.pbn_hands(DEAL))
    assert cards.unambiguous([first, second, first]) == (first, second)
    assert cards.unambiguous([first, second, other]) == (second,)


def usebio_file(handset: str) -> bytes:
    line = (
        "<TRAVELLER_LINE><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>2</EW_PAIR_NUMBER>"
        "<CONTRACT>4Sx</CONTRACT><PLAYED_BY>N</PLAYED_BY><LEAD>10D</LEAD><TRICKS>10</TRICKS>"
        "<SCORE>590</SCORE></TRAVELLER_LINE>"
    )
    people = players(4)
    pairs = [Pair("1", "1", people[:2], "60"), Pair("2", "2", people[2:], "40")]
    body = participants(*(pair.xml() for pair in pairs))
    body += f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{line}</BOARD>"
    return Event(body=body, tail=handset).data()


def handset(hands=HANDS, number: str = "1") -> str:
    names = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
    text = "".join(
        f"<HAND><DIRECTION>{seat}</DIRECTION>"
        + "".join(f"<{name}>{suit}</{name}>" for name, suit in zip(names, hand.split("."), strict=True))
        + "</HAND>"
        for seat, hand in zip(("North", "East", "South", "West"), hands, strict=True)
    )
    return f"<HANDSET><BOARD><BOARD_NUMBER>{number}</BOARD_NUMBER>{text}</BOARD></HANDSET>"


def test_usebio_gives_leads_and_hands():
    result = parse_usebio("a.xml", usebio_file(handset()))
    assert [deal.hands for deal in result.deals] == [HANDS]
    assert [(line.contract, line.lead) for line in result.boards] == [("4Sx", "10D")]
    assert ParsedResult.from_json(json.loads(json.dumps(result.to_json()))) == result


@pytest.mark.parametrize(
    "text", [handset(number="A"), handset((HANDS[0],) * 4), handset().replace("North", "Up<b/>")]
)
def test_hands_of_usebio_that_cannot_be_read_are_counted(text):
    result = parse_usebio("a.xml", usebio_file(text))
    if "Up" in text:  # three hands give the fourth
        assert [deal.hands for deal in result.deals] == [HANDS]
    else:
        assert not result.deals
        assert [issue.params for issue in result.issues if issue.code == "deals_unreadable"] == [{"count": 1}]


def test_a_draft_stored_before_hands_were_read_is_still_readable():
    result = parse_usebio("a.xml", usebio_file(handset()))
    stored = result.to_json()
    del stored["deals"]
    for line in stored["boards"]:
        del line["lead"]
    old = ParsedResult.from_json(stored)
    assert old.deals == ()
    assert [line.lead for line in old.boards] == [None]


PBN = """[Event "Torneo"]
[Date "2026.03.14"]
[Board "1"]
[Dealer "E"]
[Vulnerable "All"]
[Deal "{deal}"]
[TotalScoreTable "Rank;PairId;TotalPercentage;Names;NrBoards"]
1 1 60.00 "Ana Gil - Eva Mora" 1
2 2 40.00 "Luis Rey - Juan Sol" 1

[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result;Lead;Score_NS"]
1 2 4S N 10 D10 420

"""


def test_pbn_gives_leads_and_hands():
    result = parse_pbn("a.pbn", PBN.format(deal=DEAL).encode())
    assert [(deal.board, deal.dealer, deal.vulnerable, deal.hands) for deal in result.deals] == [
        (1, "E", "both", HANDS)
    ]
    assert [(line.lead, line.tricks) for line in result.boards] == [("D10", "10")]


def test_a_deal_of_pbn_that_cannot_be_read_is_counted():
    result = parse_pbn("a.pbn", PBN.format(deal="N:AKQ").encode())
    assert not result.deals
    assert "deals_unreadable" in [issue.code for issue in result.issues]
