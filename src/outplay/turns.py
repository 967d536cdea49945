"""What `turn(state)` returns where no player acts."""

CHANCE, OVER = -1, -2
