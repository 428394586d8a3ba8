"""The numbers of the ACBL's formulas. Factors for which no source was found are left out on purpose."""

from decimal import Decimal
from fractions import Fraction

# The factor for the rating (R), from MPBOOK.041 of November 2003. An event may give its own R, because later
# values were not found.
RATINGS = {
    "unit": Decimal("8.5"),
    "sectional": Decimal("10"),
    "regional": Decimal("14"),
    "national": Decimal("22.5"),
}
# The factor for who may play (P), by the number of restrictions of gender or age (handbook, section three).
RESTRICTIONS = {"none": Decimal("1"), "one": Decimal("0.8"), "two": Decimal("0.7")}
# The factor for sessions is S = (s + 1)/2. The document prints it for one to five sessions.
MOST_SESSIONS = 5
# The factor for the size of the field (B) is linear up to this many tables and logarithmic beyond.
LINE_ENDS = 60

# No source was found for the factors of the masterpoint limit (M) and of the type of contest (T), and for the
# share of contestants with an overall award (depth). Every event must give them.
FACTORS = ("B", "R", "S", "M", "P", "T")
UNSOURCED = ("M", "T", "depth")
# The factors that the office enters.
OVERALL_ENTERED = (*UNSOURCED, "R")
CLUB_ENTERED = ("depth",)

# Club awards, handbook, "calculating the awards".
CLUB_PER_CONTESTANT = Fraction(1, 10)
CLUB_MOST = Fraction(3, 2)
CLUB_STEPS = (Fraction(1), Fraction(7, 10), Fraction(1, 2), Fraction(7, 20))
CLUB_DEPTH = Decimal("0.4")

# In overall awards, places 2 to 8 get three quarters of the award of the place above. From place 9 on,
# place k gets one k-th of the winner's award.
OVERALL_STEP = Fraction(3, 4)
OVERALL_STEPS_END = 8
