"""What a game is. Imports nothing of ours but the errors and how a state looks, and nothing of Numba."""
