"""The benchmarks behind `turnlog bench`."""
