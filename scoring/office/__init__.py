"""Lists that the office brings in: one module a kind, all read, previewed and applied the same way."""
