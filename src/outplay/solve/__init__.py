"""Exact values: proofs, tables of every state, cycles."""
