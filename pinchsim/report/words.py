"""What the report says at its end: what is not measured, how sure its numbers are, and what its words mean."""

NOT_MEASURED = (
    "A run of games played by one kind of players does not tell how much is luck of the cards and how much is skill, whether "
    "somebody finds a way of playing that upsets the balance, or whether the game is fun.",
    "pinchsim skill",
    "pinchsim exploit",
)

NOT_ASKED = "Whether the length is right is told if somebody says what is wished: "
ASKING = "pinchsim report . --minutes 15-30"

SURE = (
    "Every number is an estimate from games that programs played. The interval beside it, after ± or as a range, allows for "
    "the luck of the cards: if everything was repeated with other decks, 95 of 100 such intervals would hold the true value. "
    "One in 20 misses, so of many numbers some do.",
    "Games of one deck resemble each other. Each deck counts as one piece of evidence, and intervals come from the averages of "
    "decks, never from single games.",
    "Verdicts have three values. Yes and no are said only if the whole interval is on one side of the limit; anything else is "
    "undecided, and the number of games that would decide is a rough guess. Not shown to be unfair is not the same as fair.",
    "The limit of a fair start was set before the run. The limits of the other two questions are conventions: nine of ten "
    "games as long as was wished; and a lead half-way that is worth between a tenth and two thirds of the way from a fair "
    "share of the wins to all of them.",
    "The intervals do not allow for people who play otherwise than these programs, nor for a way of playing that nobody has "
    "found yet. Look at several strategies, at a ladder of them, and at what exploits them.",
)

GLOSSARY = (
    ("advantage", "Win share of the start player less a fair share. 0 is fair."),
    ("base", "The variant that the others are compared with."),
    ("deck", "One shuffle: the complete order of the cards. It is played once with everybody starting."),
    ("fair share", "One win in as many games as there are players: 25 % with four."),
    ("interval", "The range that holds the true value in 95 of 100 cases. ± gives half of its length."),
    ("level, ladder", "A ladder is a row of strategies from weak to strong. At each level everyone plays the same one."),
    ("line-up", "Which strategies sit at the table."),
    ("margin", "The largest advantage that still counts as fair."),
    ("n", "How many games, and how many decks, a number comes from."),
    ("pp", "Percentage points: from 25 % to 27 % is 2 pp."),
    ("position", "Place in turn order; position 1 starts."),
    ("win share", "1 for a win, a half for each of two who share it, 0 for the others; the mean over games."),
)
