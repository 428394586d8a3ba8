"""Regions, clubs, players, licences and categories; roles, proposals, tokens and the journal."""

from .access import Role
from .categories import Category, CategoryAssignment
from .changes import OrganisationChange, PlayerChange
from .consents import Consent
from .invitations import Invitation
from .journal import AccountEvent
from .limits import Tally
from .merges import PlayerMerge
from .names import NamePair
from .people import Club, Licence, LicenceState, Player, Region
from .proposals import Proposal
from .signups import SignUpKey
from .tokens import ClubToken

__all__ = [
    "AccountEvent",
    "Category",
    "CategoryAssignment",
    "Club",
    "ClubToken",
    "Consent",
    "Invitation",
    "Licence",
    "LicenceState",
    "NamePair",
    "OrganisationChange",
    "Player",
    "PlayerChange",
    "PlayerMerge",
    "Proposal",
    "Region",
    "Role",
    "SignUpKey",
    "Tally",
]
