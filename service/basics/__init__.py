"""What every room uses: errors, the way times are written, damage to a log."""
