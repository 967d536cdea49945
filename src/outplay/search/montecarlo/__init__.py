"""Monte Carlo: playouts, and the tree search that is built on them."""
