"""Acts that need a second person: what the proposal's page shows and what its approval does."""
