"""Contracts as screen readers read them."""

import pytest
from django.utils import translation

from ui.cards import contract_html


@pytest.mark.parametrize(
    ("contract", "spanish", "english"),
    [
        ("1C", "1 trébol por Sur", "1 club by South"),
        ("1SX", "1 pica doblado por Sur", "1 spade doubled by South"),
        ("1N", "1 sin triunfo por Sur", "1 no trump by South"),
        ("2C", "2 tréboles por Sur", "2 clubs by South"),
    ],
)
def test_a_contract_of_one_is_read_in_the_singular(contract, spanish, english):
    for language, words in (("es", spanish), ("en", english)):
        with translation.override(language):
            assert f'<span class="visually-hidden">{words}</span>' in contract_html(contract, "S")
