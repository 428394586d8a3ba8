"""The office's tools: list imports, merges, adjustments, categories, accounts, factors, proposals."""
