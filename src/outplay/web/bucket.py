"""How often something may be done."""

import time


class Bucket:
    """Tells whether something is done more often than it may be: so many times a second, and so many at once."""

    def __init__(self, per_second: float, burst: int) -> None:
        self.per_second, self.burst = per_second, float(burst)
        self.left, self.last = self.burst, time.monotonic()

    def take(self) -> bool:
        """Take one share; False if there is none left."""
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.last) * self.per_second)
        self.last = now
        self.left -= 1
        return self.left >= 0
