"""Addresses, in Spanish as the readers speak it."""
