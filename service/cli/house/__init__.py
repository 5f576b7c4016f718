"""`turnlog up`: the processes of a house, and whether its store is fit for it."""
