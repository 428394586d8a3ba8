"""One module, or package, for each file format. See `tournaments.formats.registry`."""
