"""Code shared by the rating systems of the European Go Federation: games, resets, receipts and replay."""
