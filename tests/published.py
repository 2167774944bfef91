"""Published figures, each recomputed with a plain-Python grader unless marked as stated.

They come from public write-ups on these games; tests quote them by name.
"""

LISTS = {
    ("original", "answers"): (
        2315,
        "5209b35f823f8b80f0404f863bd80df06d6a966c6eb1016d69f38badc6eed5d0",
    ),
    ("original", "allowed"): (
        12972,
        "498f38211e3bafbfd6cc824ed10537a974d502377aa92459d06ff6a5b6110bb8",
    ),
    ("nyt-2022", "answers"): (
        2309,
        "b8f8854e42a0dd46dfa13f42453620e17abc1114b9c0eef5cab8d6b2b2ad04be",
    ),
    ("nyt-2022", "allowed"): (
        12947,
        "e4a7befed83e650b46d669dfa6e7c4ce08f50720af7931121377c3f5bd06deaf",
    ),
    ("nyt-2023", "answers"): (
        3158,
        "761b933d6047bfcc0d529baf8c0be03df788d69b4acfdd78ed020f65aa47d3fc",
    ),
    ("nyt-2023", "allowed"): (
        14855,
        "a7898cd20f36686d4c5b43ece226c36eb41a701df36da35bd18e21af41cfead4",
    ),
}

#: Knuth's minimax over 12,972 secrets: the rule's own first guess and its largest bucket.
MINIMAX_FIRST = ("serai", 697)
#: From SERAI: secrets solved in 1, 2, … guesses, and the mean.
SERAI = ([1, 66, 1740, 6412, 4059, 652, 38, 4], 4.27890842)
#: From LARES: the worst case (stated) and how many secrets need it.
LARES = (7, 35)
#: States in which the LARES strategy makes a guess, single candidates included.
LARES_NODES = 14_517
