"""Acts for a second person, one module a kind: what their page shows, and what approving them does."""
