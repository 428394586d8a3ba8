"""Letters with which members make an account for their federation number."""
