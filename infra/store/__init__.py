"""The event log and everything else about matches that lies in Redis or Valkey."""
