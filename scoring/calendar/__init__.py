"""The calendar of announced tournaments: pages, feeds for calendar programs, and announcing."""
