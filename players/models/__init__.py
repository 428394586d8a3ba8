"""Regions, clubs, players, licences and categories; roles, proposals, tokens and the journal."""

from .access import Role
from .categories import Category, CategoryAssignment
from .invitations import Invitation
from .journal import AccountEvent
from .limits import Tally
from .merges import PlayerMerge
from .names import NamePair
from .people import Club, Licence, LicenceState, Player, Region
from .proposals import Proposal
from .tokens import ClubToken

__all__ = [
    "AccountEvent",
    "Category",
    "CategoryAssignment",
    "Club",
    "ClubToken",
    "Invitation",
    "Licence",
    "LicenceState",
    "NamePair",
    "Player",
    "PlayerMerge",
    "Proposal",
    "Region",
    "Role",
    "Tally",
]
