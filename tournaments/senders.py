"""Name who sent an upload."""

from django.utils.translation import gettext


def sender_name(account: str, token: str | None) -> str:
    """Return the name of an upload's sender: the account, or the computer of the club that has the token.

    account: the account's user name
    token: the name of the token with which a program sent the file; None if a person uploaded it
    """
    if token is None:
        return account
    return gettext("“%(name)s” (the club's computer)") % {"name": token}
