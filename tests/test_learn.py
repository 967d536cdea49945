"""Learned estimates: what a learner sees, what it learns, and that it says the same interpreted and compiled."""
