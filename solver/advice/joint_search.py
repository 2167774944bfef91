"""Kernels: all that several boards may hide, looked through to the end of the game.

``boards`` says what a world is, and why the answer is exact. Worlds that the same replies have left
are a row of their numbers; the boards that are still open are bits. The search has a frame for each
guess on the way, since kernels do not call themselves.
"""

from __future__ import annotations

import numpy as np

from ..machine.arrays import Ids
from ..machine.jit import noalloc
from .joint_worlds import TRIED, JointMemory, JointSearch, sum_of

#: Expectations that differ by less are equal.
EQUAL = 1e-9
#: What stands for no limit.
_ENDLESS = np.inf
#: What a frame has: where its worlds begin and how many they are, the boards that are open, the
#: list of guesses to be tried, where the parts of the one that is tried begin, and the next part.
_BEGIN, _SIZE, _STILL, _LIST, _LISTED, _NEXT, _PHASE, _OUT, _PARTS, _AT = range(10)
#: The value from which on a state need not be known, the least so far, that of the guess.
_LIMIT, _LEAST, _TOTAL, _UP_TO = range(4)
#: Guesses that may solve a board are tried first, then the others; or there is only one.
_SOLVING, _OTHERS, _CERTAIN = range(3)


# ---- The search


@noalloc
def least_joint(search: JointSearch, ties: Ids) -> tuple[float, int]:
    """The least expected number of guesses, and how many kinds have it, which are written.

    Where the secret of a board is certain, these are those that solve such a board. If the search
    takes too long, there is none.
    """
    memory = search.memory
    least, number = _ENDLESS, 0
    _begin(search)
    frame = memory.frames[0]
    certain = _certain(search, 0)
    if certain >= 0:
        for secret in range(len(search.kinds.solving)):
            if search.memory.hits[secret] > 0.0:
                ties[number] = search.kinds.solving[secret]
                number += 1
        least = joint_value(search, certain, _ENDLESS)
        return least, number if least >= 0.0 else 0
    for phase in (_SOLVING, _OTHERS):
        if not _list(search, 0, phase):
            return -1.0, 0
        for at in range(int(frame[_LISTED])):
            if memory.bounds[at] > least + EQUAL:
                return least, number
            kind = int(memory.kinds[at])
            found = joint_value(search, kind, least + 2 * EQUAL)
            if found < 0.0:
                return -1.0, 0
            if found < least - EQUAL:
                least, number = found, 0
            if found <= least + EQUAL:
                ties[number] = kind
                number += 1
    return least, number


@noalloc
def mean_joint(search: JointSearch, kind: int) -> float:
    """The expected number of guesses that begin with one of a kind; -1: it takes too long."""
    _begin(search)
    return joint_value(search, kind, _ENDLESS)


@noalloc(inner=True)
def _begin(search: JointSearch) -> None:
    """The first frame: all worlds, all boards open."""
    frame = search.memory.frames[0]
    frame[_BEGIN], frame[_SIZE], frame[_OUT] = 0, search.n_worlds, search.n_worlds
    frame[_STILL], frame[_LIST], frame[_LISTED] = (1 << (len(search.boards.starts) - 1)) - 1, 0, 0
    for world in range(search.n_worlds):
        search.memory.worlds[world] = world


@noalloc(inner=True)
def joint_value(search: JointSearch, kind: int, limit: float) -> float:
    """The value of a kind in the first frame, or a bound from the limit on; -1: too long."""
    memory, level = search.memory, 0
    going_on = _split(search, 0, kind, limit)
    while going_on:
        if _next_part(search, level):
            level += 1
            step = _begin_state(search, level)
        elif level == 0:
            return float(memory.numbers[0, _TOTAL])
        else:
            step = _note_guess(search, level)
        if step == 0:
            level -= 1
            _add_part(search, level, float(memory.numbers[level + 1, _LEAST]))
        going_on = step >= 0
    return -1.0


@noalloc(inner=True)
def _next_part(search: JointSearch, level: int) -> bool:
    """Add up the parts of a guess; whether there is one that has to be searched first."""
    memory = search.memory
    frame, numbers = memory.frames[level], memory.numbers[level]
    out, limit = int(frame[_OUT]), float(numbers[_UP_TO])
    while frame[_AT] < frame[_PARTS]:
        if numbers[_TOTAL] >= limit - EQUAL:
            if limit < _ENDLESS:
                numbers[_TOTAL] = limit
            return False
        part = out + int(frame[_AT])
        still = int(memory.still[part])
        if still == 0:
            frame[_AT] += 1
            continue
        begin, size = int(memory.parts[part, 0]), int(memory.parts[part, 1])
        if size == 1:
            _add_part(search, level, _last_guesses(search, int(memory.worlds[begin]), still))
            continue
        known = _recalled(search, begin, size, still)
        if known >= 0.0:
            _add_part(search, level, known)
            continue
        below = memory.frames[level + 1]
        below[_BEGIN], below[_SIZE], below[_STILL] = begin, size, still
        below[_OUT] = out + frame[_SIZE]
        below[_LIST] = frame[_LIST] + frame[_LISTED]
        room = _ENDLESS
        if limit < _ENDLESS:
            room = _floor(search, still) + (limit - numbers[_TOTAL]) / memory.shares[part]
        memory.numbers[level + 1, _LIMIT] = room
        memory.numbers[level + 1, _LEAST] = room
        return True
    return False


@noalloc(inner=True)
def _add_part(search: JointSearch, level: int, value: float) -> None:
    """Add the value of the part of a guess that was the next one."""
    memory = search.memory
    part = int(memory.frames[level, _OUT] + memory.frames[level, _AT])
    floor = _floor(search, int(memory.still[part]))
    memory.numbers[level, _TOTAL] += memory.shares[part] * (value - floor)
    memory.frames[level, _AT] += 1


@noalloc(inner=True)
def _begin_state(search: JointSearch, level: int) -> int:
    """Try the first guess of a state: 1; 0: its value is known; -1: it takes too long."""
    frame, limit = search.memory.frames[level], float(search.memory.numbers[level, _LIMIT])
    certain = _certain(search, level)
    if certain >= 0:
        frame[_PHASE], frame[_LISTED] = _CERTAIN, 0
        return 1 if _split(search, level, certain, limit) else -1
    frame[_PHASE] = _SOLVING
    return _next_guess(search, level) if _list(search, level, _SOLVING) else -1


@noalloc(inner=True)
def _note_guess(search: JointSearch, level: int) -> int:
    """A guess of a state has its value: try the next one, as in ``_begin_state``."""
    numbers = search.memory.numbers[level]
    if search.memory.frames[level, _PHASE] == _CERTAIN:
        numbers[_LEAST] = numbers[_TOTAL]
        return 0
    numbers[_LEAST] = min(numbers[_LEAST], numbers[_TOTAL])
    return _next_guess(search, level)


@noalloc(inner=True)
def _next_guess(search: JointSearch, level: int) -> int:
    """Try the next guess of a state's list that may be better, as in ``_begin_state``."""
    memory = search.memory
    frame, least = memory.frames[level], float(memory.numbers[level, _LEAST])
    while True:
        at = int(frame[_LIST] + frame[_NEXT])
        if frame[_NEXT] < frame[_LISTED]:
            if memory.bounds[at] >= least - EQUAL:
                break
            frame[_NEXT] += 1
            return 1 if _split(search, level, int(memory.kinds[at]), least) else -1
        if frame[_PHASE] == _OTHERS:
            break
        frame[_PHASE] = _OTHERS
        if not _list(search, level, _OTHERS):
            return -1
    if least < memory.numbers[level, _LIMIT]:
        _remember(search, level, least)
    return 0


@noalloc(inner=True)
def _floor(search: JointSearch, still: int) -> float:
    """So many guesses it takes at least while these boards are open."""
    if not search.apart:
        return 1.0 if still else 0.0
    count = 0
    while still:
        count += still & 1
        still >>= 1
    return float(count)


@noalloc(inner=True)
def _last_guesses(search: JointSearch, world: int, still: int) -> float:
    """The guesses that it takes in a world that is known: its secrets, each of them once."""
    secrets, count = search.worlds.secrets[world], 0
    for board in range(len(secrets)):
        if still >> board & 1:
            is_new = True
            for other in range(board):
                is_new &= not (still >> other & 1 and secrets[other] == secrets[board])
            count += int(is_new)
    return float(count)


@noalloc(inner=True)
def _certain(search: JointSearch, level: int) -> int:
    """The first kind that is certain to solve an open board, or -1; ``hits`` mark all of them."""
    memory, worlds, kinds = search.memory, search.worlds, search.kinds
    frame = memory.frames[level]
    begin, size, still = int(frame[_BEGIN]), int(frame[_SIZE]), int(frame[_STILL])
    memory.hits[:] = 0.0
    best = -1
    for board in range(len(search.boards.starts) - 1):
        if not still >> board & 1:
            continue
        secret, same = int(worlds.secrets[memory.worlds[begin], board]), True
        for at in range(begin + 1, begin + size):
            if worlds.secrets[memory.worlds[at], board] != secret:
                same = False
                break
        if same and kinds.solving[secret] >= 0:
            memory.hits[secret] = 1.0
            if best < 0 or kinds.order[secret] < kinds.order[best]:
                best = secret
    return int(kinds.solving[best]) if best >= 0 else -1


# ---- Which guesses are tried, in which order


@noalloc(inner=True)
def _list(search: JointSearch, level: int, phase: int) -> bool:
    """List kinds with what they cost at least, the cheapest first, more parts first.

    What neither separates worlds nor may solve a board is left out. Whether effort was left for
    all kinds of the phase: one unit for each of them in each world.
    """
    memory, kinds = search.memory, search.kinds
    frame = memory.frames[level]
    frame[_NEXT], frame[_LISTED] = 0, 0
    _count_hits(search, level)  # other states may have been searched since
    n_solving = 0
    for secret in range(len(kinds.solving)):
        n_solving += int(kinds.solving[secret] >= 0 and memory.hits[secret] > 0.0)
    count = n_solving if phase == _SOLVING else search.n_kinds - n_solving
    if not _spend(memory, count * int(frame[_SIZE])):
        return False
    if phase == _SOLVING:
        _list_solving(search, level)
    else:
        _list_others(search, level)
    return True


@noalloc(inner=True)
def _spend(memory: JointMemory, cells: int) -> bool:
    """Note some work; whether there was not too much."""
    memory.counts[0] -= cells
    return bool(memory.counts[0] >= 0)


@noalloc(inner=True)
def _count_hits(search: JointSearch, level: int) -> None:
    """How likely each candidate is the secret of an open board, summed over these."""
    memory, worlds = search.memory, search.worlds
    frame = memory.frames[level]
    begin, size, still = int(frame[_BEGIN]), int(frame[_SIZE]), int(frame[_STILL])
    whole = _chance(search, begin, size)
    memory.hits[:] = 0.0
    for board in range(len(search.boards.starts) - 1):
        if still >> board & 1:
            for at in range(begin, begin + size):
                world = memory.worlds[at]
                memory.hits[worlds.secrets[world, board]] += worlds.chances[world] / whole


@noalloc(inner=True)
def _bound(search: JointSearch, level: int, hits: float) -> float:
    """What a guess costs at least that is expected to solve so many boards."""
    if not search.apart:
        return 1.0
    return 1.0 + _floor(search, int(search.memory.frames[level, _STILL])) - hits


@noalloc(inner=True)
def _list_solving(search: JointSearch, level: int) -> None:
    """The kinds that may solve a board, sorted by insertion: there are few."""
    memory, kinds = search.memory, search.kinds
    frame = memory.frames[level]
    first, listed = int(frame[_LIST]), 0
    for secret in range(len(kinds.solving)):
        kind = int(kinds.solving[secret])
        if kind < 0 or not memory.hits[secret] > 0.0:
            continue
        memory.number_of_parts[kind] = _count_parts(search, level, kind)
        bound = _bound(search, level, float(memory.hits[secret]))
        place = first + listed
        while place > first and _is_before(memory, kind, bound, place - 1):
            memory.kinds[place] = memory.kinds[place - 1]
            memory.bounds[place] = memory.bounds[place - 1]
            place -= 1
        memory.kinds[place], memory.bounds[place] = kind, bound
        listed += 1
    frame[_LISTED] = listed


@noalloc(inner=True)
def _is_before(memory: JointMemory, kind: int, bound: float, place: int) -> bool:
    """Whether a kind stands before that of a place."""
    other = int(memory.kinds[place])
    if bound != memory.bounds[place]:
        return bool(bound < memory.bounds[place])
    if memory.number_of_parts[kind] != memory.number_of_parts[other]:
        return bool(memory.number_of_parts[kind] > memory.number_of_parts[other])
    return kind < other


@noalloc(inner=True)
def _list_others(search: JointSearch, level: int) -> None:
    """The other kinds, which cost equally much at least: sorted by counting."""
    memory, kinds = search.memory, search.kinds
    frame = memory.frames[level]
    first, size = int(frame[_LIST]), int(frame[_SIZE])
    tally = memory.tally
    tally[: size + 2] = 0
    for kind in range(search.n_kinds):
        secret = kinds.solves[kind]
        count = 0
        if secret < 0 or not memory.hits[secret] > 0.0:
            count = _count_parts(search, level, kind)
        memory.number_of_parts[kind] = count
        if count > 1:
            tally[size - count] += 1
    listed = 0
    for at in range(size):
        listed, tally[at] = listed + int(tally[at]), listed
    bound = _bound(search, level, 0.0)
    for kind in range(search.n_kinds):
        count = int(memory.number_of_parts[kind])
        if count > 1:
            place = first + int(tally[size - count])
            tally[size - count] += 1
            memory.kinds[place], memory.bounds[place] = kind, bound
    frame[_LISTED] = listed


@noalloc(inner=True)
def _key(search: JointSearch, kind: int, world: int, still: int) -> int:
    """A number below MOST_WORLDS that says the scores on all open boards."""
    key, starts = 0, search.boards.starts
    for board in range(len(starts) - 1):
        if still >> board & 1:
            begin = int(starts[board])
            label = search.kinds.labels[kind, begin + search.worlds.places[world, board]]
            key = key * (int(starts[board + 1]) - begin) + int(label)
    return key


@noalloc(inner=True)
def _count_parts(search: JointSearch, level: int, kind: int) -> int:
    """Into how many parts a guess splits the worlds of a frame."""
    memory = search.memory
    frame = memory.frames[level]
    begin, size, still = int(frame[_BEGIN]), int(frame[_SIZE]), int(frame[_STILL])
    memory.counts[2] += 1
    stamp, count = int(memory.counts[2]), 0
    for at in range(begin, begin + size):
        key = _key(search, kind, int(memory.worlds[at]), still)
        count += int(memory.keys[key] != stamp)
        memory.keys[key] = stamp
    return count


# ---- The parts of a guess


@noalloc(inner=True)
def _split(search: JointSearch, level: int, kind: int, limit: float) -> bool:
    """Split the worlds of a frame by a guess, the small parts first; whether effort was left."""
    memory = search.memory
    frame = memory.frames[level]
    begin, size, out = int(frame[_BEGIN]), int(frame[_SIZE]), int(frame[_OUT])
    n_parts = _group(search, level, kind)
    if not _spend(memory, TRIED * n_parts):
        return False
    whole, floors = _chance(search, begin, size), 0.0
    for part in range(out, out + n_parts):
        first, count = int(memory.parts[part, 0]), int(memory.parts[part, 1])
        memory.shares[part] = _chance(search, first, count) / whole
        still = _still_open(search, kind, int(memory.worlds[first]), int(frame[_STILL]))
        memory.still[part] = still
        floors += memory.shares[part] * _floor(search, still)
    _sort_parts(memory, out, n_parts, size)
    frame[_PARTS], frame[_AT] = n_parts, 0
    memory.numbers[level, _TOTAL] = 1.0 + floors
    memory.numbers[level, _UP_TO] = limit
    return True


@noalloc(inner=True)
def _group(search: JointSearch, level: int, kind: int) -> int:
    """Write the worlds of a frame part after part, by ascending keys; how many parts there are."""
    memory = search.memory
    frame = memory.frames[level]
    begin, size, still = int(frame[_BEGIN]), int(frame[_SIZE]), int(frame[_STILL])
    out, tally = int(frame[_OUT]), memory.tally
    tally[:] = 0
    for at in range(begin, begin + size):
        tally[_key(search, kind, int(memory.worlds[at]), still)] += 1
    n_parts, place = 0, out
    for key in range(len(tally)):
        count = int(tally[key])
        if count:
            memory.parts[out + n_parts, 0], memory.parts[out + n_parts, 1] = place, count
            n_parts += 1
            tally[key] = place
            place += count
    for at in range(begin, begin + size):
        world = memory.worlds[at]
        key = _key(search, kind, int(world), still)
        memory.worlds[tally[key]] = world
        tally[key] += 1
    return n_parts


@noalloc(inner=True)
def _sort_parts(memory: JointMemory, out: int, count: int, size: int) -> None:
    """Sort parts by their sizes, by counting; equal ones stay in order.

    There is room behind them, that of the frame below, which holds nothing yet.
    """
    tally = memory.tally
    tally[: size + 1] = 0
    for part in range(out, out + count):
        tally[memory.parts[part, 1]] += 1
    begin = out + size
    for held in range(size + 1):  # how many parts have a size, then where these begin
        begin, tally[held] = begin + int(tally[held]), begin
    for part in range(out, out + count):
        place = int(tally[memory.parts[part, 1]])
        tally[memory.parts[part, 1]] += 1
        _copy_part(memory, part, place)
    for part in range(out, out + count):
        _copy_part(memory, part + size, part)


@noalloc(inner=True)
def _copy_part(memory: JointMemory, part: int, place: int) -> None:
    memory.parts[place, 0] = memory.parts[part, 0]
    memory.parts[place, 1] = memory.parts[part, 1]
    memory.still[place], memory.shares[place] = memory.still[part], memory.shares[part]


@noalloc(inner=True)
def _still_open(search: JointSearch, kind: int, world: int, still: int) -> int:
    """The boards that are open after a guess that a world answers."""
    solved = search.kinds.solves[kind]
    if solved >= 0:
        for board in range(len(search.boards.starts) - 1):
            if still >> board & 1 and search.worlds.secrets[world, board] == solved:
                still &= ~(1 << board)
    return still


@noalloc(inner=True)
def _chance(search: JointSearch, begin: int, size: int) -> float:
    """The chance of a row of worlds."""
    memory = search.memory
    for at in range(size):
        memory.row[at] = search.worlds.chances[memory.worlds[begin + at]]
    return sum_of(memory.row, size, memory.sums, memory.sizes)


# ---- Values that were found before


@noalloc(inner=True)
def _write_bits(search: JointSearch, begin: int, size: int) -> None:
    """Write a row of worlds as bits behind those that are remembered."""
    memory = search.memory
    bits = memory.bits[memory.counts[1]]
    bits[:] = 0
    for at in range(begin, begin + size):
        world = int(memory.worlds[at])
        bits[world >> 6] |= np.uint64(1) << np.uint64(world & 63)


@noalloc(inner=True)
def _slot(search: JointSearch, still: int) -> int:
    """The slot of the worlds that stand last, or the one where they belong."""
    memory = search.memory
    last = int(memory.counts[1])
    mixed = still & 0xFFFFFFFFFF
    for at in range(memory.bits.shape[1]):
        word = memory.bits[last, at]
        for part in (word & np.uint64(0xFFFFFFFF), word >> np.uint64(32)):
            mixed = (mixed ^ int(np.int64(part))) * 0x5851F5 & 0xFFFFFFFFFF
            mixed ^= mixed >> 19
    slot = mixed % len(memory.slots)
    while memory.slots[slot] >= 0:
        entry = int(memory.slots[slot])
        same = memory.open[entry] == still
        for at in range(memory.bits.shape[1]):
            same &= memory.bits[entry, at] == memory.bits[last, at]
        if same:
            break
        slot = (slot + 1) % len(memory.slots)
    return slot


@noalloc(inner=True)
def _recalled(search: JointSearch, begin: int, size: int, still: int) -> float:
    """The value of a state that was found before, or -1."""
    _write_bits(search, begin, size)
    entry = int(search.memory.slots[_slot(search, still)])
    return float(search.memory.values[entry]) if entry >= 0 else -1.0


@noalloc(inner=True)
def _remember(search: JointSearch, level: int, value: float) -> None:
    """Remember the value of a state."""
    memory = search.memory
    frame = memory.frames[level]
    still, entry = int(frame[_STILL]), int(memory.counts[1])
    _write_bits(search, int(frame[_BEGIN]), int(frame[_SIZE]))
    slot = _slot(search, still)
    if entry + 1 < len(memory.values):
        memory.slots[slot] = entry
        memory.open[entry], memory.values[entry] = still, value
        memory.counts[1] += 1
