"""Regions and clubs as choices of filters."""

from django.urls import reverse

from players.choosing import clubs_meant
from players.models import Club, Region
from ui.choices import MOST_CHOICES, Asked, Choice, Choices, option_tags
from ui.memo import per_version


@per_version(4)
def regions(version: int) -> tuple[tuple[int, str, str], ...]:
    """Return (id, slug, name) of all regions, by name.

    version: version of the standings; the result is cached until the version changes
    """
    return tuple(Region.objects.order_by("sort_key", "pk").values_list("pk", "slug", "name"))


@per_version(64)
def clubs(version: int, region_id: int | None = None) -> tuple[tuple[int, str, str], ...]:
    """Return (id, slug, name) of the active clubs of a region, by name.

    version: version of the standings; the result is cached until the version changes
    region_id: None for the clubs of all regions
    """
    rows = Club.objects.filter(active=True).order_by("sort_key", "pk")
    if region_id:
        rows = rows.filter(region_id=region_id)
    return tuple(rows.values_list("pk", "slug", "name"))


def meant_by(text: str, among: Choices) -> list[tuple[str, str]]:
    """Return (slug, label) of the clubs, among these, that a typed text means (`players.choosing`)."""
    clubs = Club.objects.filter(pk__in=[pk for pk, _slug, _name in among])
    return [(club.slug, club.label) for club in clubs_meant(text, clubs)]


def club_choice(asked: Asked, clubs: Choices, slug: str, everywhere: str) -> Choice:
    """Return the field of a filter in which one chooses a club.

    clubs: the clubs to choose from
    slug: that of the club chosen, or ""
    everywhere: the label of the choice of all clubs
    """
    if len(clubs) <= MOST_CHOICES:
        return Choice("club", everywhere, option_tags(clubs, slug, everywhere))
    chosen = Club.objects.filter(slug=slug).first() if slug else None
    text = chosen.label if chosen else asked.text("club")
    return Choice("club", everywhere, text=text, lookup=reverse("clubs_like"))


def chosen_club(asked: Asked, clubs: Choices) -> str:
    """Return the slug of the club chosen, or "" if it is none of these clubs or is not clear."""
    if len(clubs) > MOST_CHOICES:
        return asked.club(clubs, lambda: clubs, meant_by)
    return next((slug for _pk, slug, _name in clubs if slug == asked.text("club")), "")
