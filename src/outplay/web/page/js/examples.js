// Trees to begin with: those of the package `outplay.trees.examples`, without their comments.

export const examples = [
  {
    name: "every-technique",
    title: "Every technique saves",
    text: `max(
  left -> chance(
    heads -> min(
      3,
      max(min(1, 1), min(7, 6))
    ),
    tails -> min(
      6,
      max(min(1, 1), min(7, 6))
    )
  ),
  right -> chance(
    heads -> min(
      4,
      3,
      max(min(8, 4, 1), min(7, 6))
    ),
    tails -> min(
      3,
      max(8, min(2, 8))
    )
  )
)`,
  },
  {
    name: "textbook",
    title: "The textbook’s",
    text: `max(
  min(3, 12, 8),
  min(2, 4, 6),
  min(14, 5, 2)
)`,
  },
  {
    name: "four-moves-deep",
    title: "Four moves deep",
    text: `max
  left -> min
    max
      min 3 5
      min 6 9
    max
      min 5 4
      min 7 5
  right -> min
    max
      min 1 8
      min 4 2
    max
      min 9 7
      min 6 3`,
  },
  {
    name: "star1",
    title: "Star1’s",
    text: `max(
  safe -> chance(
    heads -> min(7, 8),
    tails -> min(5, 6)
  ),
  bold -> chance(
    heads -> min(2, 7),
    tails -> min(8, 0)
  )
)`,
  },
  {
    name: "loaded-die",
    title: "A loaded die",
    text: `max(
  keep -> 1,
  roll -> chance(1/2: 0, 3/10: 2, 20%: 2.5),
  bet -> min(
    even -> (chance 0.5 0.5 (-1, 2)),
    odd -> chance(25% 5, 75% -0.75)
  )
)`,
  },
  {
    name: "seed-001",
    title: "Coin tic-tac-toe",
    text: `max(
  "top left" -> chance(
    tails -> chance(
      tails -> 0,
      heads -> max("bottom left" -> 1, "bottom right" -> chance(tails -> 0, heads -> -1))
    ),
    heads -> min(
      "bottom left" -> chance(tails -> 1, heads -> chance(tails -> -1, heads -> 0)),
      "bottom right" -> chance(tails -> 1, heads -> 1)
    )
  ),
  "bottom left" -> chance(
    tails -> chance(
      tails -> 0,
      heads -> max("top left" -> 1, "bottom right" -> 1)
    ),
    heads -> min(
      "top left" -> chance(tails -> 1, heads -> 1),
      "bottom right" -> chance(tails -> 1, heads -> 1)
    )
  ),
  "bottom right" -> chance(
    tails -> chance(
      tails -> 0,
      heads -> max("top left" -> chance(tails -> 0, heads -> -1), "bottom left" -> 1)
    ),
    heads -> min(
      "top left" -> chance(tails -> 1, heads -> 1),
      "bottom left" -> chance(tails -> 1, heads -> chance(tails -> -1, heads -> 0))
    )
  )
)`,
  },
];
