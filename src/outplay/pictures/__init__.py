"""How a state looks: pictures, boards and notebooks. Knows a game only by its functions."""
