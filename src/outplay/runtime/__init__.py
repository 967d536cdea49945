"""What every kernel runs in: the meter, limits, stopping, threads, shared tables, faults. It knows no search."""
