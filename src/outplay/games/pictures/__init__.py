"""The pictures of the games that come with Outplay: one file each, with the function `painter` that makes a game's `draw`."""
