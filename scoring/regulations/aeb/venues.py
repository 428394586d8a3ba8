"""C5 by venue, the same in section 2 of both documents."""

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
