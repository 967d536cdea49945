"""What Outplay's speed is, each figure beside its target and, where there is one, a peer measured in the same run."""
