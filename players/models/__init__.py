"""Regions, clubs, players, licences and categories; roles, proposals, tokens and the journal."""

from .access import Role
from .categories import Category, CategoryAssignment
from .changes import OrganisationChange, PlayerChange
from .consents import Consent
from .invitations import Invitation
from .journal import AccountEvent
from .limits import Tally
from .merges import PlayerMerge
from .names import ClubPair, NamePair
from .people import Club, Licence, LicenceState, Player, Region, has_name_or_number
from .proposals import Proposal
from .signups import SignUpKey
from .tokens import ClubToken

__all__ = [
    "AccountEvent",
    "Category",
    "CategoryAssignment",
    "Club",
    "ClubPair",
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
    "has_name_or_number",
]
