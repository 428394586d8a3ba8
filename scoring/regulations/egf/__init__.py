"""Code shared by the rating systems of the European Go Federation: games, receipts, recomputed histories."""
