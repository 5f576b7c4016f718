"""Several servers and several processes: are they fit, and who does what."""
