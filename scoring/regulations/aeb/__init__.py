"""Code shared by the AEB's point regulations; the numbers of each year are in a folder of their own."""
