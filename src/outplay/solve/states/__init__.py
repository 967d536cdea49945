"""Every state that can be reached: packed into keys, enumerated layer by layer."""
