"""Where a player's points are, and cases: what players report as missing or wrong, and the answers."""
