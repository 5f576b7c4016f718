"""Tools that several games share: functions, no base classes."""
