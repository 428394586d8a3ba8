"""Atom feeds (RFC 4287) of results and of the federation's lists."""
