"""The limits of the interface that need no settings."""

PAGE_ROWS = 100  # of a list, in one document
CURSOR_LENGTH = 500
# Of a request to score events. One event of a large Go tournament has 200 KB.
SCORE_BYTES = 256 * 1024
SCORE_EVENTS = 1_000
SCORE_ITERATIONS = 20  # of a session whose results are adjusted for the strength of the opponents
