"""Regions, clubs, players, licences and categories; accounts' roles, proposals and the journal."""

from .access import Role
from .categories import Category, CategoryAssignment
from .journal import AccountEvent
from .limits import Tally
from .merges import PlayerMerge
from .people import Club, Licence, Player, Region
from .proposals import Proposal

__all__ = [
    "AccountEvent",
    "Category",
    "CategoryAssignment",
    "Club",
    "Licence",
    "Player",
    "PlayerMerge",
    "Proposal",
    "Region",
    "Role",
    "Tally",
]
