"""Regions and clubs as choices of filters."""

from players.models import Club, Region
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
