"""The interface for programs, below `/api/v1/` (docs/api.md)."""
