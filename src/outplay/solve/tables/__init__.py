"""Tables: made, looked up, written to a file, resumed."""
