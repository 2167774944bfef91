"""Proofs and strategies that say something else in a place or two, with right checksums."""

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgpack

from tests import support
from tests.support.naive_checker import ascending, numbers_of

Body = dict[str, Any]
Dice = random.Random
#: So many bytes stand before a body.
_HEAD = 14
#: What a value of a map may be instead.
OTHERS: tuple[Any, ...] = (
    None, 0, 1, -1, True, 2.0, "x", "", [], {}, b"x", 1 << 20, (1 << 20) + 1, 1 << 32,
)  # fmt: skip
#: What the head of a strategy may say instead.
HEADS = (
    *OTHERS, "wordle", "mastermind:5x9", "allowed", "secrets", "answers", "nyt-2023", "a/b",
    "0" * 64, ["crane"], {"x": 1.5}, 7, 7.0,
)  # fmt: skip
NAMES = ("original", "answers", "allowed", "nobody", "", "a/b", "x\n", "y" * 200, "y" * 201)


def sealed_bytes(packed: bytes) -> bytes:
    """A body in the envelope of a proof."""
    return support.sealed(packed, b"R")


def sealed(body: Body) -> bytes:
    """A proof of a body."""
    return sealed_bytes(msgpack.packb(body))


def unsealed(content: bytes) -> Body:
    """The body of a proof."""
    body: Body = msgpack.unpackb(content[_HEAD:-32])
    return body


# ---- Claims and refutations
@dataclass
class Step:
    """A claim or a refutation: its numbers, its set, and the sets of what it names."""

    numbers: list[int]
    members: list[int]
    named: list[list[int]] = field(default_factory=list)


def _packed(number: int) -> bytes:
    packed = bytearray()
    while number > 127:
        packed.append(number & 127 | 128)
        number >>= 7
    return bytes([*packed, number])


def _set(members: list[int]) -> bytes:
    """Differences; of what does not ascend one is 0."""
    pairs = zip([-1, *members], members, strict=False)
    return b"".join(_packed(max(one - before, 0)) for before, one in pairs)


def steps(body: Body, key: str) -> list[Step]:
    """The ``claims`` or the ``refutations`` of a body."""
    numbers, found = numbers_of(body[key]), []
    is_claim = key == "claims"
    for _ in range(body["count" if is_claim else "refutation_count"]):
        size = next(numbers)
        said = [next(numbers) for _ in range(4 if is_claim else 1)]
        step = Step(said, ascending(numbers, size))
        lists = (2 if "symmetries" in body else 0) if is_claim else 1
        step.named = [ascending(numbers, next(numbers)) for _ in range(lists)]
        found.append(step)
    return found


def put(body: Body, key: str, made: list[Step]) -> None:
    """Write claims or refutations into a body."""
    body["count" if key == "claims" else "refutation_count"] = len(made)
    parts = [
        (_packed(len(it.members)), *map(_packed, it.numbers), _set(it.members),
         *(_packed(len(other)) + _set(other) for other in it.named))
        for it in made
    ]  # fmt: skip
    body[key] = b"".join(b"".join(part) for part in parts)


def _put_used(body: Body, made: list[Step]) -> None:
    """Write claims, and leave out what is shown, or a symmetry, that none of them names."""
    shown = sorted({it.numbers[1] for it in made if it.numbers[1] < len(body["shown"])})
    for it in made:
        it.numbers[1] = shown.index(it.numbers[1]) if it.numbers[1] in shown else len(shown)
    body["shown"] = [body["shown"][number] for number in shown]
    if "symmetries" in body:
        count = len(body["symmetries"])
        named = sorted({one for it in made for other in it.named for one in other if one < count})
        for it in made:
            it.named = [[named.index(one) for one in other if one in named] for other in it.named]
        body["symmetries"] = [body["symmetries"][number] for number in named]
    put(body, "claims", made)


# ---- What is said otherwise
def _other_set(members: list[int], count: int, dice: Dice) -> list[int]:
    kind, at = dice.randrange(8), dice.randrange(len(members))
    if kind < 2 and len(members) > 1:
        return members[:at] + members[at + 1 :]
    if kind < 4:
        return sorted({*members, dice.randrange(count)})
    if kind < 6:
        return sorted({*members[:at], *members[at + 1 :], dice.randrange(count)})
    if kind == 6:
        return [*members[:at], dice.randrange(count), *members[at + 1 :]]
    return [*members, count]


def forge_claim(body: Body, dice: Dice) -> None:
    made = steps(body, "claims")
    if not made:
        return forge_statement(body, dice)
    it, kind = dice.choice(made), dice.randrange(8)
    if kind < 4:
        place = dice.choice((0, 1, 2, 3, 3))
        it.numbers[place] = max(it.numbers[place] + dice.choice((-1, 1, 1, 2)), 0)
    elif kind == 4:
        it.members = _other_set(it.members, body["statement"]["secrets"], dice)
    elif kind == 5:
        made.remove(it)
    elif kind == 6:
        dice.shuffle(made)
    else:
        made.insert(dice.randrange(len(made) + 1), copy.deepcopy(it))
    return _put_used(body, made) if dice.random() < 0.6 else put(body, "claims", made)


def forge_refutation(body: Body, dice: Dice) -> None:
    made = steps(body, "refutations")
    if not made:
        return forge_claim(body, dice)
    it, kind = dice.choice(made), dice.randrange(6)
    if kind == 0:
        it.numbers[0] = max(it.numbers[0] + dice.choice((-1, 1)), 0)
    elif kind == 1:
        it.members = _other_set(it.members, body["statement"]["secrets"], dice)
    elif kind == 2 and it.named[0]:
        it.named[0].pop(dice.randrange(len(it.named[0])))
    elif kind < 4:
        it.named[0] = sorted({*it.named[0], dice.randrange(len(made) + 1)})
    elif kind == 4:
        made.remove(it)
    else:
        dice.shuffle(made)
    return put(body, "refutations", made)


def forge_symmetry(body: Body, dice: Dice) -> None:
    known: list[bytes] = body.get("symmetries", [])
    if not known:
        return forge_claim(body, dice)
    kind, at = dice.randrange(5), dice.randrange(len(known))
    if kind < 2:
        changed = bytearray(known[at])
        one, other = dice.sample(range(len(changed)), 2)
        if kind == 0:
            changed[one] = dice.choice((changed[other], 9))
        else:
            changed[one], changed[other] = changed[other], changed[one]
        body["symmetries"] = sorted({*known[:at], bytes(changed), *known[at + 1 :]})
        return None
    made = steps(body, "claims")
    named = dice.choice(made).named
    if kind == 2:
        named.reverse()
    elif kind == 3 and named[0]:
        named[0].pop(dice.randrange(len(named[0])))
    else:
        place = dice.randrange(2)
        named[place] = sorted({*named[place], dice.randrange(len(known) + dice.randrange(2))})
    return _put_used(body, made) if dice.random() < 0.8 else put(body, "claims", made)


def forge_statement(body: Body, dice: Dice) -> None:
    said = body["statement"]
    kind = dice.randrange(9)
    if kind < 4:
        key = ("limit", "total", "losses", "total")[kind]
        said[key] = max(0, said[key] + dice.choice((-1, 1, 1, -said[key])))
    elif kind == 4:
        said["start"] = dice.choice(["", "zzzz", "a/b", said["start"], *_words(body)])
    elif kind == 5:
        said["hard" if dice.random() < 0.5 else "objective"] = dice.choice(
            (not said["hard"], "total", "losses", "worst")
        )
    elif kind == 6:
        said.pop("guess_from", None)
        said["guess_from"] = dice.choice(("secrets", "candidates", "allowed"))
    elif kind == 7:
        said[dice.choice(("list_name", "secrets_name"))] = dice.choice(NAMES)
    else:
        said[dice.choice(list(said))] = dice.choice(OTHERS)


def _words(body: Body) -> list[str]:
    strategy = body["strategy"] or {"words": "", "length": 1}
    words, length = strategy["words"], strategy["length"]
    return [words[at : at + length] for at in range(0, len(words), length)]


def forge_strategy(body: Body, dice: Dice) -> None:
    strategy = body["strategy"]
    if strategy is None:
        body["strategy"] = {}
        return
    kind = dice.randrange(9)
    if kind < 4:
        name = dice.choice(("guess", "parent", "score", "hit"))
        width, column = strategy[name]
        changed = bytearray(column)
        at, other = dice.randrange(len(changed)), dice.randrange(len(changed))
        if kind == 3 and width == 1:
            changed[at], changed[other] = changed[other], changed[at]
        else:
            changed[at] = dice.choice(
                (0, 1, changed[at] ^ 1, changed[at] + 1 & 255, changed[other])
            )
        strategy[name] = [width, bytes(changed)]
    elif kind == 4:
        words, at = strategy["words"], dice.randrange(len(strategy["words"]))
        strategy["words"] = words[:at] + dice.choice("abz9É! ") + words[at + 1 :]
    elif kind == 5:
        head = strategy["origin"]
        head[dice.choice([*head, "claim"])] = dice.choice(HEADS)
    elif kind == 6:
        objective = dice.choice(("worst", "most-within:3", "fewest-of:4", "fewest-of:x"))
        then = {"objective": objective, "value": dice.randrange(2, 7), "proved": True}
        strategy["origin"]["claim"] = dice.choice(({}, {"then": then}))
    elif kind == 7:
        strategy[dice.choice([*strategy, "more"])] = dice.choice((*OTHERS, 3, [1], b"12"))
    else:
        del strategy[dice.choice(list(strategy))]


def forge_key(body: Body, dice: Dice) -> None:
    key, kind = dice.choice(list(body)), dice.randrange(4)
    if kind == 0:
        del body[key]
    elif kind == 1:
        body["more"] = 1
    elif kind == 2:
        body[key] = dice.choice(OTHERS)
    else:
        longer = [f"{it}a" for it in body["shown"]]
        greens = [it.replace(".", "a", 1) for it in body["shown"]]
        body["shown"] = dice.choice(([], ["", "a"], ["x", ""], [1], longer, greens))


def forge_bytes(body: Body, dice: Dice) -> None:
    key = "refutations" if body["refutations"] else "claims"
    if not body[key]:
        return forge_statement(body, dice)
    changed = bytearray(body[key])
    at, kind = dice.randrange(len(changed)), dice.randrange(4)
    if kind < 2:
        changed[at] ^= 1 << dice.randrange(8)
    elif kind == 2:
        del changed[at]
    else:
        changed.insert(at, dice.randrange(256))
    body[key] = bytes(changed)
    return None


Forgery = Callable[[Body, Dice], None]
FORGERIES: list[Forgery] = [
    forge_claim, forge_claim, forge_claim, forge_refutation, forge_refutation, forge_symmetry,
    forge_statement, forge_statement, forge_strategy, forge_key, forge_bytes,
]  # fmt: skip


#: What was changed before leaves no place for a change.
_NO_PLACE = (LookupError, TypeError, AttributeError, ArithmeticError, ValueError, StopIteration)


def changed(body: Body, dice: Dice, forgeries: Sequence[Forgery]) -> Body:
    """A body that says something else in one place, or in two."""
    for _ in range(dice.choice((1, 1, 1, 2))):
        before = copy.deepcopy(body)
        try:
            dice.choice(forgeries)(body, dice)
            sealed(body)
        except _NO_PLACE:
            body = before
    return body


def forged(content: bytes, count: int, seed: str) -> Iterator[bytes]:
    """So many proofs that differ from one in a place or two."""
    dice = Dice(seed)
    for _ in range(count):
        if dice.random() < 0.1:
            packed = bytearray(content[_HEAD:-32])
            packed[dice.randrange(len(packed))] ^= 1 << dice.randrange(8)
            yield sealed_bytes(bytes(packed))
        else:
            yield sealed(changed(unsealed(content), dice, FORGERIES))
