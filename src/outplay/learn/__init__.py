"""Estimates learned by self-play."""
