"""Limits of uploaded files. Every reader stops at them, so that a hostile file uses few resources.

They allow the largest real files. One is a simultaneous tournament of 2,000 pairs with its travellers, of
less than 5 MB. Another is the office's register, a single table of 15,000 players.
"""

UPLOAD_BYTES = 5 * 1024 * 1024
UNZIPPED_BYTES = 50 * 1024 * 1024
ZIP_RATIO = 100
ZIP_MEMBERS = 1_000

XML_ELEMENTS = 200_000
XML_DEPTH = 40

TABLE_ROWS = 20_000
TABLE_COLUMNS = 50
CELL_LENGTH = 500
SHEETS = 20
SHEET_WIDTH = 1_000
SHEET_CELLS = 2 * TABLE_ROWS * TABLE_COLUMNS

# The maximum number of rows of a result table, and of contestants of any result file.
RESULT_ENTRIES = 5_000

# The maximum number of issues of one code that are listed. Further ones are only counted.
ISSUES_PER_CODE = 100
# The maximum number of characters of a file's text that an issue quotes.
ISSUE_VALUE_LENGTH = 80

READ_SECONDS = 15
READ_MEMORY_BYTES = 512 * 1024 * 1024

# Reading an Access database with mdbtools: seconds in all, memory of each program, and text of each table.
DATABASE_SECONDS = 8
DATABASE_MEMORY_BYTES = 256 * 1024 * 1024
DATABASE_BYTES = 50 * 1024 * 1024
# The maximum number of board results that are kept of one file: 2,000 pairs with 32 boards each, and double
# entries.
BOARD_RESULTS = 50_000
