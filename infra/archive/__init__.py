"""Logs of matches that are long over: out of memory, into segments on a disk or an S3-compatible store."""
