"""What may be known of a match, and by whom. Nothing of a match leaves except through sight."""
