"""C5, the same list in section 2 of both documents."""

from decimal import Decimal

from .shapes import Row, Table, gettext_noop

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
