"""A frozen list is always serialized to the same text, and is read back without loss."""

import hashlib
import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.promotions.pure import documents
from scoring.promotions.pure.documents import ListDocument
from scoring.promotions.pure.selection import select
from tests.scoring.promotions.lists import ENTRANTS, RULES, entrant, rule
from tests.scoring.promotions.sessions import years


def document(players, by) -> ListDocument:
    return ListDocument("2P", "1D", None, by, select(players, by))


@given(ENTRANTS, RULES)
def test_a_frozen_list_is_read_back_unchanged(players, by):
    result = document(players, by)
    text = documents.to_text(result)
    assert documents.from_text(text) == result
    assert json.dumps(json.loads(text), sort_keys=True, separators=(",", ":")) == text


@given(ENTRANTS, RULES, st.randoms(use_true_random=False))
def test_the_same_list_is_always_serialized_to_the_same_text(players, by, chance):
    shuffled = players[:]
    chance.shuffle(shuffled)
    assert documents.to_text(document(players, by)) == documents.to_text(document(shuffled, by))


@given(years(), st.data())
def test_session_lines_are_read_back_unchanged(year, data):
    many = len(year.categories)
    ids = data.draw(st.lists(st.integers(1, 10**9), min_size=many, max_size=many, unique=True))
    lines = [documents.lines_text([text]) for text in documents.lines_texts(year.sessions())]
    texts = dict(zip(ids, lines, strict=True))
    text = documents.sessions_text(texts)
    assert [list(documents.sessions_of(text, player)) for player in ids] == year.slow()
    assert documents.sessions_of(text, 10**9 + 1) == ()
    assert documents.sessions_text(dict(reversed(texts.items()))) == text
    assert json.dumps(json.loads(text), sort_keys=True, separators=(",", ":")) == text


def test_the_text_of_a_list_names_its_columns():
    """The text contains the names of its columns, so that other programs can find the figures."""
    value = json.loads(documents.to_text(document([entrant(7, 1234, average=Decimal("51.2500"))], rule())))
    assert (value["category"], value["target"], value["demotion"]) == ("2P", "1D", None)
    assert value["rule"]["share"] == "1/10"
    row = dict(zip(value["columns"], value["players"][0], strict=True))
    assert (row["player_id"], row["points"], row["average"]) == (7, 1234, "51.2500")
    assert (row["state"], row["rank"], row["margin"]) == ("moves", 1, 0)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format":0}'])
def test_text_that_is_not_a_frozen_list_is_refused(text):
    for read in (documents.from_text, lambda text: documents.sessions_of(text, 1)):
        with pytest.raises(ValueError):
            read(text)


def test_any_change_of_the_lists_or_their_order_changes_the_digest():
    texts = [["ab", "c"], ["a", "bc"], ["abc"], ["c", "ab"], ["ab", "c", ""], ["ab", "ç"], []]
    assert len({documents.digest(parts) for parts in texts}) == len(texts)
    assert documents.digest(["ab", "ç"]) == hashlib.sha256("2:ab2:ç".encode()).hexdigest()
