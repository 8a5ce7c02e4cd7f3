"""The command line: the same answers as every other door."""
