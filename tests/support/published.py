"""Published figures, each recomputed with a plain-Python grader unless marked as stated.

They come from public write-ups on these games; tests quote them by name.
"""

LISTS = {
    ("original", "answers"): (
        2315, "5209b35f823f8b80f0404f863bd80df06d6a966c6eb1016d69f38badc6eed5d0"),
    ("original", "allowed"): (
        12972, "498f38211e3bafbfd6cc824ed10537a974d502377aa92459d06ff6a5b6110bb8"),
    ("nyt-2022", "answers"): (
        2309, "b8f8854e42a0dd46dfa13f42453620e17abc1114b9c0eef5cab8d6b2b2ad04be"),
    ("nyt-2022", "allowed"): (
        12947, "e4a7befed83e650b46d669dfa6e7c4ce08f50720af7931121377c3f5bd06deaf"),
    ("nyt-2026", "answers"): (
        3160, "110b5c9fa3194b43bb7b559cd777057e5dbf7111e2c3d7b941b1c88b7cfe10c4"),
    ("nyt-2026", "allowed"): (
        14855, "a7898cd20f36686d4c5b43ece226c36eb41a701df36da35bd18e21af41cfead4"),
    ("nyt-2023", "answers"): (
        3158, "761b933d6047bfcc0d529baf8c0be03df788d69b4acfdd78ed020f65aa47d3fc"),
    ("nyt-2023", "allowed"): (
        14855, "a7898cd20f36686d4c5b43ece226c36eb41a701df36da35bd18e21af41cfead4"),
}  # fmt: skip

#: From SERAI: secrets solved in 1, 2, … guesses, and the mean.
SERAI = ([1, 66, 1740, 6412, 4059, 652, 38, 4], 4.27890842)

#: Openers against the original answers: entropy in bits. The last digits hang on summing order.
ENTROPIES = {
    "soare": 5.885960110378853, "roate": 5.882779324291968, "raise": 5.877909690821479,
    "raile": 5.865709709951878, "reast": 5.865457142861989,
}  # fmt: skip
#: ARISE against the original answers: score and how many give it.
ARISE = {"bbbbb": 168, "bbbby": 121, "bbbbg": 61}
#: The best pairs, original: joint entropy in bits.
PAIRS = {
    ("soare", "clint"): 9.632905965015306,
    ("roast", "cline"): 9.614523773473017,
    ("riant", "socle"): 9.613840808046314,
}
#: nyt-2022: information still missing after SOARE, after SOARE CLINT (single precision), and the
#: rank of TRACE LIONS with what it leaves.
REMAINING = {"soare": 5.29, "soare clint": 1.5440189}
TRACE_LIONS = (197, 1.687)
#: After SOARE, by letters hit: second word, joint entropy, answers.
BY_HITS = {"3": ("clipt", 7.295997807476919, 438), "4": ("punch", 4.918780730435343, 37)}
#: After SOARE, by (yellow, green).
BY_COLOURS = {"1,2": ("mulct", 5.613291828937477, 98), "3,0": ("rater", 5.374420407275314, 140)}
#: The share of answers for which CLINT is the best word after SOARE, by colours, in percent.
CLINT_SHARE = 79.44
#: QAJAQ: by a published grader that errs on repeated letters, and by the rule.
QAJAQ = (1.7693, 1.8918)
#: The five largest letter frequencies by place, 12,972 words; the word spelled; its neighbour.
LETTERS = ({"s1": 0.12, "a2": 0.17, "a3": 0.10, "e4": 0.18, "s5": 0.31}, "cares", "lares")
#: Expected share eliminated, answers both as guesses and secrets: (state, left, best next words).
ELIMINATED = (
    ("sigma xxxxx", 458, {"tenor": 0.9772697, "cruel": 0.9759063, "route": 0.9747907}),
    ("sigma xxxxx tenor xpppx", 11, {"coven": 0.9338843}),
)
WOVEN = ("sigma xxxxx tenor xpppx coven xoooo", ("woven",))

#: What can be done within a limit, as other exact solvers found: (secrets of ``original``, opener,
#: limit, whether some strategy meets it). For all openers: see the tests of the least worst case.
POSSIBLE = [
    ("answers", "salet", 5, True), ("allowed", "lares", 6, False), ("allowed", "lants", 6, True),
]  # fmt: skip
