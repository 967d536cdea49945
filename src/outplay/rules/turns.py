"""Who acts where no player does."""

CHANCE, OVER = -1, -2
