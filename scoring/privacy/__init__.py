"""A person's rights about their data: hide the name, get a copy of everything, have it erased."""
