"""What the ratings of the European Go Federation share over the years: games, resets, receipts and replay."""
