"""Classify database errors: whether a later retry can help, and whether a time limit was exceeded.

Errors of other services say themselves that a retry can help, with an attribute `transient`.

The functions use the error code of the database driver, because Django's exception classes are too coarse.
For example, a full disk and a missing table are both an OperationalError.
"""

from django.db import Error, InterfaceError, OperationalError

# SQLSTATE classes: connection lost; rolled back because of another transaction (deadlock, serialization);
# out of disk, memory or connections; lock not available; interrupted or shut down; input/output error.
TRANSIENT_CLASSES = ("08", "40", "53", "55", "57", "58")
# Read-only; transaction ended by the idle or the transaction timeout.
TRANSIENT_STATES = {"25006", "25P03", "25P04"}
TIMED_OUT_STATES = {"57014", "25P04"}
READ_ONLY_STATE = "25006"
# The server closed the connection: its administrator or a restart ended it, or it broke.
LOST_STATES = ("08", "57P01", "57P02")
FULL_STATE, FULL_SQLITE = "53100", "SQLITE_FULL"
TRANSIENT_SQLITE = (
    "SQLITE_BUSY",
    "SQLITE_LOCKED",
    "SQLITE_FULL",
    "SQLITE_READONLY",
    "SQLITE_IOERR",
    "SQLITE_NOMEM",
    "SQLITE_CANTOPEN",
    "SQLITE_PROTOCOL",
    "SQLITE_INTERRUPT",
)


def is_transient(error: BaseException) -> bool:
    """Whether the cause of an error is the database server or its machine, not the SQL statement.

    After such an error, a retry may succeed. The same holds for errors of other services that say so.
    """
    if not isinstance(error, Error):
        return getattr(error, "transient", False)
    driver = error.__cause__ or error
    if state := getattr(driver, "sqlstate", None):
        return state.startswith(TRANSIENT_CLASSES) or state in TRANSIENT_STATES
    if name := getattr(driver, "sqlite_errorname", None):
        return name.startswith(TRANSIENT_SQLITE)
    # No error code: the statement never reached the server, or the connection broke.
    return isinstance(error, OperationalError | InterfaceError)


def is_connection_lost(error: BaseException) -> bool:
    """Whether an error means that the connection to PostgreSQL broke, so that a new one may work."""
    driver = error.__cause__ or error
    if state := getattr(driver, "sqlstate", None):
        return state.startswith(LOST_STATES)
    is_sqlite = hasattr(driver, "sqlite_errorname")
    return isinstance(error, OperationalError | InterfaceError) and not is_sqlite


def is_disk_full(error: BaseException) -> bool:
    """Whether an error means that the disk of the database is full."""
    driver = error.__cause__ or error
    name = getattr(driver, "sqlite_errorname", None) or ""
    return getattr(driver, "sqlstate", None) == FULL_STATE or name.startswith(FULL_SQLITE)


def is_read_only(error: BaseException) -> bool:
    """Whether an error means that the database accepts no writes, as a standby or a read-only file."""
    driver = error.__cause__ or error
    name = getattr(driver, "sqlite_errorname", None) or ""
    return getattr(driver, "sqlstate", None) == READ_ONLY_STATE or name.startswith("SQLITE_READONLY")


def is_timeout(error: BaseException) -> bool:
    """Whether an error means that a statement or a transaction took longer than the database allows."""
    return getattr(error.__cause__ or error, "sqlstate", None) in TIMED_OUT_STATES
