"""The requests that clubs send to the office, one class each."""
