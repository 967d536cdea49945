"""The experiments of the five student projects, run anew: what each claims, what Outplay finds, and a verdict."""
