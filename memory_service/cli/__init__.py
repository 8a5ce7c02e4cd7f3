"""The command-line interface. It gives the same answers as the HTTP and Python interfaces."""
