"""What a game is. Imports nothing of ours but the errors, and nothing of Numba."""
