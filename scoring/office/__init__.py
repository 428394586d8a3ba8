"""The office's tools: imported lists, merges, adjustments, categories, accounts, factors, proposals."""
