"""Finding the best move: the kernel, its driver, and the results."""
