"""Compare a person's age with a limit, when only the year of birth is known.

The register holds no day of birth. In the year of a birthday the person may be on either side of the limit,
so these functions assume the younger age until that year is over. For an unknown year they return False.
"""

from datetime import date

OF_AGE = 18
OWN_ACCOUNT = 14  # the age from which a person consents alone (article 7 of Spain's LOPDGDD)


def is_minor(birth_year: int | None, day: date) -> bool:
    """Return whether a person born in `birth_year` may be under 18 on `day`."""
    return _may_be_under(OF_AGE, birth_year, day)


def is_under_14(birth_year: int | None, day: date) -> bool:
    """Return whether a person born in `birth_year` may be under 14 on `day`."""
    return _may_be_under(OWN_ACCOUNT, birth_year, day)


def _may_be_under(age: int, birth_year: int | None, day: date) -> bool:
    return birth_year is not None and day.year - birth_year <= age
