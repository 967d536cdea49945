"""From rules to machine code. The only room that knows Numba, and it imports Numba only when something is compiled."""
