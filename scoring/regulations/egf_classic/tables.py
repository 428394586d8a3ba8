"""The numbers of the classic Go rating: the printed table of con, and the constants of the expected score."""

# con at the ratings 100, 200, … 2700. It is interpolated linearly between them and constant outside.
CON = (
    *(116, 110, 105, 100, 95, 90, 85, 80, 75, 70, 65, 60, 55, 51),
    *(47, 43, 39, 35, 31, 27, 24, 21, 18, 15, 13, 11, 10),
)
FIRST, STEP = 100, 100
LAST = FIRST + STEP * (len(CON) - 1)

# The scale of rating differences is a = 200 − (R − 100)/20, limited to A_LEAST … A_MOST; R is the rating.
A_MOST, A_LEAST, A_DIVISOR = 200, 70, 20

EPSILON = "0.016"
FLOOR = 100
