"""The numbers of the ACBL's formulas. Those without a source are missing on purpose."""

from decimal import Decimal
from fractions import Fraction

# R, MPBOOK.041 of November 2003. Later values were not found, so an event may give its own.
RATINGS = {
    "unit": Decimal("8.5"),
    "sectional": Decimal("10"),
    "regional": Decimal("14"),
    "national": Decimal("22.5"),
}
# P by the number of restrictions by gender or age (handbook, section three).
RESTRICTIONS = {"none": Decimal("1"), "one": Decimal("0.8"), "two": Decimal("0.7")}
# S = (s + 1)/2, printed for one to five sessions.
MOST_SESSIONS = 5
# B up to this many tables is a straight line, beyond it a logarithm.
LINE_ENDS = 60

# M (by masterpoint limit), T (by type of contest) and the depth of overall awards were not found: every event
# must give them.
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

# Overall places two to eight get three quarters of the place above; place k gets W/k from the ninth on.
OVERALL_STEP = Fraction(3, 4)
OVERALL_STEPS_END = 8
