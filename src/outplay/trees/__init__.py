"""Game trees typed in as text, solved node by node with exact fractions (docs/trees.md)."""
