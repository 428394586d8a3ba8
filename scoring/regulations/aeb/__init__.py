"""What the AEB's point regulations of all years share; each year has its own folder with its numbers."""
