"""The coefficient by venue (C5), which is the same in the regulations of 2022 and 2026 (section 2)."""

from decimal import Decimal

from scoring.regulations.labels import gettext_noop

from .shapes import Row, Table

VENUES = Table(
    name="",
    article="2",
    rows=(
        Row("in_person", Decimal("1"), gettext_noop("In person")),
        Row(
            "online_supervised",
            Decimal("0.5"),
            gettext_noop("Online with director and cameras, no spectators"),
        ),
        Row("online", Decimal("0.25"), gettext_noop("Any other online")),
    ),
)
