"""The acts of the office's proposals: what the proposal's page shows, and what its approval does."""
