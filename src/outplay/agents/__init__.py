"""Agents: things that choose moves."""
