"""Things that choose moves."""
