"""Keys in the settings that cannot be read are named by the system check, without showing them."""

import pytest

from scoring.transparency import keys
from scoring.transparency.notes import COSIGNATURE, Signer


def test_keys_that_can_be_read_are_no_problem(settings):
    signer = Signer.generate("federation.test/log")
    settings.LOG_KEY, settings.LOG_OLD_KEYS = str(signer), [str(Signer.generate(signer.name).verifier())]
    settings.LOG_WITNESSES = [f"{signer.verifier(COSIGNATURE)}@https://witness.test/transparencia"]
    settings.WITNESSED_LOGS = [str(signer.verifier())]
    assert keys.check_keys(None) == []
    assert [one.url for one in keys.witnesses()] == ["https://witness.test/transparencia"]


@pytest.mark.parametrize(
    ("setting", "value", "named"),
    [
        ("LOG_KEY", "PRIVATE+KEY+a+00000000+secret!", "BAZA_LOG_KEY"),
        ("LOG_OLD_KEYS", ["nonsense"], "BAZA_LOG_OLD_KEYS"),
        ("LOG_WITNESSES", ["nonsense@https://witness.test"], "BAZA_LOG_WITNESSES"),
        ("WITNESSED_LOGS", ["a+00000000+AAAA"], "BAZA_WITNESSED_LOGS"),
    ],
)
def test_a_key_that_cannot_be_read_is_an_error_that_names_the_setting(settings, setting, value, named):
    setattr(settings, setting, value)
    errors = keys.check_keys(None)
    assert named in [error.msg.partition(":")[0] for error in errors]
    assert not any("secret!" in error.msg for error in errors)
