"""Routes of notices: channels, and the pages that links in letters lead to."""
