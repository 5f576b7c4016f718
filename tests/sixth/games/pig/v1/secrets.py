"""Nothing is anybody's secret in Pig."""

exchange = None
