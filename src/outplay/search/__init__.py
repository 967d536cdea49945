"""Finding the best move: the kernel, what drives it, and what it returns."""
