"""`turnlog bench scale`: what each role costs, and what houses of up to ten million matches need."""
