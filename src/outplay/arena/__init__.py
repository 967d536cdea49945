"""Agents against each other."""
