"""All kinds of requests that a club sends to the office."""

from scoring.clubs.acts.base import ClubRequest
from scoring.clubs.acts.licences import Licences
from scoring.clubs.acts.membership import Leave, Transfer
from scoring.clubs.acts.people import NewPlayer, Rename

TRANSFER, NEW_PLAYER, LICENCES, RENAME, LEAVE = Transfer(), NewPlayer(), Licences(), Rename(), Leave()
# slug -> request, in the order in which the desk offers them
REQUESTS: dict[str, ClubRequest] = {act.slug: act for act in (TRANSFER, NEW_PLAYER, LICENCES, RENAME, LEAVE)}
