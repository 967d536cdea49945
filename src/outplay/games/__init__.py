"""The games that come with Outplay: one file each, its name the CLI's; it holds a function of that name."""
