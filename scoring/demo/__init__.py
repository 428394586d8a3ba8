"""A demo federation to try the application with. All its people and clubs are fictitious."""
