"""Agents as processes of their own, and what keeps an untrusted one from doing harm."""
