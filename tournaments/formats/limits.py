"""Limits of uploaded files. Every reader stops at them, so that a hostile file uses few resources.

They allow the largest real files with a quarter to spare. One is a national simultaneous tournament of 2,000
pairs with its travellers. The office's lists may have more rows: those of a federation of 180,000 members.
`federation.settings` and docs/production.md follow from these limits.
"""

MIB = 1024 * 1024

# A simultaneous tournament: EBUScore's USEBIO files have 588 bytes for each result of a board, and other
# programs' files have up to 19 XML elements.
_PAIRS, _BOARDS = 2_000, 28
_RESULTS = _PAIRS * _BOARDS // 2
_BYTES_PER_RESULT, _ELEMENTS_PER_RESULT = 588, 19

UPLOAD_BYTES = -(-_RESULTS * _BYTES_PER_RESULT * 5 // 4 // MIB) * MIB  # 20 MB
UNZIPPED_BYTES = 50 * MIB
ZIP_RATIO = 100
ZIP_MEMBERS = 1_000

XML_ELEMENTS = _RESULTS * _ELEMENTS_PER_RESULT * 5 // 4  # 665,000
XML_DEPTH = 40

TABLE_ROWS = 200_000
TABLE_COLUMNS = 50
CELL_LENGTH = 500
SHEETS = 20
SHEET_WIDTH = 1_000
SHEET_CELLS = 2_000_000

# The maximum number of rows of a result table, and of contestants of any result file.
RESULT_ENTRIES = 5_000
# The maximum number of people of a contestant, and of all contestants of a result file: two for each pair.
ENTRY_PEOPLE = 30
RESULT_PEOPLE = 2 * RESULT_ENTRIES

# The maximum number of issues of one code that are listed. Further ones are only counted.
ISSUES_PER_CODE = 100
# The maximum number of characters of a file's text that an issue quotes.
ISSUE_VALUE_LENGTH = 80

READ_SECONDS = 15
LIST_READ_SECONDS = 40  # for a list of the office, which a worker reads
READ_MEMORY_BYTES = 512 * MIB
# What was read of a file, as JSON text in ASCII, where a letter takes up to twelve bytes.
ANSWER_BYTES = 6 * UPLOAD_BYTES

# Reading an Access database with mdbtools: seconds in all, memory of each program, and text of each table.
DATABASE_SECONDS = 8
DATABASE_MEMORY_BYTES = 256 * MIB
DATABASE_BYTES = 50 * MIB
# A database of an evening is smaller. If it reaches those limits, its pages refer to each other in circles.
SMALL_DATABASE_BYTES = 2 * MIB
# The maximum number of board results that are kept of one database, double entries included.
BOARD_RESULTS = 50_000
# The maximum number of rows in all tables of a PBN file: its ranking and the results of its boards.
PBN_ROWS = RESULT_ENTRIES + BOARD_RESULTS
