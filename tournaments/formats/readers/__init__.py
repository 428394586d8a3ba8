"""One module for each file format. See `tournaments.formats.registry`."""
