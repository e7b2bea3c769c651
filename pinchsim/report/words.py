"""What the report says at its end: what is not measured, how sure its numbers are, and what its words mean."""

LUCK = "how much is luck of the cards"
SKILL = "how much skill the game rewards"
UPSET = "whether somebody finds a way of playing that upsets the balance"
FUN = "whether the game is fun"

TOGETHER = (
    "The same question is asked {} times here. The intervals of the first three questions are so much wider than those below "
    "that all answers to a question hold at once."
)

NOT_ASKED = "Whether the length is right is told if somebody says what is wished: "

SURE = (
    "Every number is an estimate from games that programs played. The interval beside it, after ± or as a range, allows for "
    "the luck of the cards: if everything was repeated with other decks, 95 of 100 such intervals would hold the true value. "
    "One in 20 misses, so of the many numbers in the sections some do.",
    "Games of one deck resemble each other. Each deck counts as one piece of evidence, and intervals come from the averages of "
    "decks, never from single games.",
    "Verdicts have three values. Yes and no are said only if the whole interval is on one side of the limit; anything else is "
    "undecided, and the number of games that would decide is a rough guess. Not shown to be unfair is not the same as fair.",
    "The limit of a fair start was set before the run. The limits of the other two questions are conventions: nine of ten "
    "games as long as was wished; and a lead half-way that is worth between a tenth and two thirds of the way from a fair "
    "share of the wins to all of them.",
    "On the first screen the same question may be asked of many variants, numbers of players and line-ups, and by chance one "
    "answer in 20 would be wrong. So there the intervals of the first three questions are wider: all answers to a question "
    "hold at once in 95 of 100 cases (Bonferroni). What is said of strategies and rules is corrected likewise within each "
    "tournament, search and audit. The sections show plain intervals.",
    "A rule counts as dead if it was never seen and surely comes into play in fewer than 2 games of 100, a sentence as "
    "dangerous if another reading of it surely changes the start, the length, the end or the score by more than players would "
    "overlook. A strategy counts as the best one if it is surely the best answer to whatever the others of the tournament "
    "play.",
    "The intervals do not allow for people who play otherwise than these programs, nor for a way of playing that nobody has "
    "found yet. Look at several strategies, at a ladder of them, and at what exploits them.",
)

GLOSSARY = (
    ("advantage", "Win share of the start player less a fair share. 0 is fair."),
    ("alpha-rank", "How often a group of players who copy what wins would play a strategy in the long run."),
    ("base", "The variant that the others are compared with."),
    ("deck", "One shuffle: the complete order of the cards. It is played once with everybody starting."),
    ("edge", "What somebody wins above a fair share."),
    ("Elo points", "A measure of strength: 400 more are odds of 10 to 1 that one of two wins."),
    ("fair share", "One win in as many games as there are players: 25 % with four."),
    ("interval", "The range that holds the true value in 95 of 100 cases. ± gives half of its length."),
    ("level, ladder", "A ladder is a row of strategies from weak to strong. At each level everyone plays the same one."),
    ("line-up", "Which strategies sit at the table."),
    ("margin", "The largest advantage that still counts as fair."),
    ("mix", "A field of strategies that nobody gains by leaving."),
    ("n", "How many games, and how many decks, a number comes from."),
    ("pp", "Percentage points: from 25 % to 27 % is 2 pp."),
    ("position", "Place in turn order; position 1 starts."),
    ("reading", "One way to understand a sentence of the rules; the ruling is the one that was played."),
    ("win share", "1 for a win, a half for each of two who share it, 0 for the others; the mean over games."),
)
