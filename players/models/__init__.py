"""Who plays: regions, clubs, players, licences, categories; and who may do what."""

from .access import Role
from .categories import Category, CategoryAssignment
from .people import Club, Licence, Player, Region

__all__ = ["Category", "CategoryAssignment", "Club", "Licence", "Player", "Region", "Role"]
