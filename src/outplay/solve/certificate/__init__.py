"""The certificate: a saved table checked against the rules alone."""
