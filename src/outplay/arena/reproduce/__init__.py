"""The experiments of the five seed documents, run anew: what each claims, what Outplay finds, and a verdict."""
