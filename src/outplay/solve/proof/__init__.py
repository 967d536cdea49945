"""Proof: the exact value of one position, without a table of them all."""
