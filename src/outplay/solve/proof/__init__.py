"""Proof: the exact value of one position, without a table of all states."""
