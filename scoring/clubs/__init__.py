"""The desk of a club's administrator: members, requests to the office, directors, tournaments and files."""
