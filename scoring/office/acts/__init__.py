"""The acts of the office's proposals: what a proposal's page shows, and what its approval does."""
