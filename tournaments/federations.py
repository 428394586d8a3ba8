"""The federations to which guests may belong, named by their countries."""

from functools import cache

from babel import Locale
from django.utils.translation import get_language, gettext

from ui.text import sort_key

# Members of the World Bridge Federation that Spanish clubs meet, by ISO 3166 code.
CODES = (
    "AD", "AR", "AT", "AU", "BE", "BG", "BO", "BR", "CA", "CH", "CL", "CN", "CO", "CR", "CU", "CY", "CZ",
    "DE", "DK", "DO", "EC", "EE", "EG", "ES", "FI", "FO", "FR", "GB", "GR", "GT", "HR", "HU", "IE", "IL",
    "IN", "IS", "IT", "JP", "LB", "LT", "LU", "LV", "MA", "MC", "MT", "MX", "NL", "NO", "NZ", "PA", "PE",
    "PK", "PL", "PT", "PY", "RO", "RS", "RU", "SE", "SI", "SK", "SM", "TN", "TR", "UA", "US", "UY", "VE",
    "ZA",
)  # fmt: skip


def federations(lang: str = "es") -> dict[str, str]:
    """Return {ISO 3166 code: name of the country} in the order of the names."""
    return _federations(lang[:2])


def guest_label(name: str, country: str) -> str:
    """Return a guest's name, with the country of the guest's federation if it is known.

    country: ISO 3166 code, or ""
    """
    if not country:
        return name
    values = {"name": name, "country": federations(get_language() or "")[country]}
    return gettext("%(name)s (guest, %(country)s)") % values


@cache
def _federations(lang: str) -> dict[str, str]:
    names = Locale.parse(lang).territories
    return dict(sorted(((code, names[code]) for code in CODES), key=lambda item: sort_key(item[1])))
