"""Whom to tell what and when, in which words, through which channel."""
