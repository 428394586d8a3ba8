"""A setting with an unknown value is reported when the application starts."""

import pytest

from scoring.ledger.checks import check_rulings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TIES", "median"),
        ("PLACE_RULE", "evenly"),
        ("MINIMUM_SHARE", 101),
        ("BRONZE_DECIMALS", -1),
        ("CORRECTION_DAYS", {"poool": 14}),
        ("CORRECTION_DAYS", {"national": 14}),  # its corrections always wait
        ("CORRECTION_DAYS", {"pool": -1}),
        ("CORRECTION_DAYS", {"pool": "14"}),
    ],
)
def test_a_setting_with_an_unknown_value_is_reported(settings, name, value):
    setattr(settings, name, value)
    (error,) = check_rulings()
    assert (error.id, error.msg) == ("ledger.E001", f"{name} is {value!r}.")


def test_settings_that_a_regulation_knows_are_accepted(settings):
    assert check_rulings() == []
    settings.TIES, settings.PLACE_RULE, settings.MINIMUM_SHARE, settings.BRONZE_DECIMALS = (
        "best",
        "even",
        50,
        0,
    )
    assert check_rulings() == []
