"""Who was waited for when, clock policies, waking hours: pure arithmetic on a match's log."""
