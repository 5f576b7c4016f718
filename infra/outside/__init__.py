"""Machines that are not ours: mail, requests to users' addresses, Web Push, signatures of servers."""
