"""Pictures drawn by matplotlib: histograms of strategies, a strategy as an icicle, first words.

The same work gives the same bytes: nobody's settings count, no time is written down, and names
within a file follow from what is drawn.
"""

from __future__ import annotations

import contextlib
import io
import logging
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from solver.errors import imported

from ..errors import OutputError
from ..files.text import capitals, counted, printable
from ..tree import Strategy

#: What a picture may be, by the ending of its name.
FORMS = ("svg", "png", "pdf")
#: Colours that people tell apart whatever they see of colours (Okabe and Ito).
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000")
#: A box of an icicle has an edge, a word that stands upright, a word that is level: from which
#: share of the width on.
_EDGED, _UPRIGHT, _LEVEL = 1 / 400, 1 / 110, 1 / 28
#: More dots than so many are drawn as pixels: as shapes they would make a file of megabytes.
_MANY = 2000
_BLUES = ((0.0, 0.27, 0.45), (0.34, 0.65, 0.85))
_REDS = ((0.99, 0.80, 0.35), (0.75, 0.20, 0.0))
#: So much of a name is shown.
_NAME = 60
_SETTINGS: Any = {
    "text.parse_math": False,
    "svg.hashsalt": "knuthle",
    "svg.fonttype": "path",
    "font.family": ["DejaVu Sans"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": f"cycler(color={[*_COLOURS]})",
    "axes.titlesize": 11,
    "legend.frameon": False,
    "legend.fontsize": 9,
}


class Named(NamedTuple):
    """A strategy, and what it is called in a picture."""

    name: str
    strategy: Strategy


class Dot(NamedTuple):
    """A word in a plane: its place by two measures."""

    word: str
    x: float
    y: float


def form_of(path: str | Path) -> str:
    """The form of a picture by the ending of its name; what cannot be drawn here is refused."""
    form = Path(path).suffix.lower().removeprefix(".")
    if form not in FORMS:
        raise OutputError(f"{path}: the name of a picture must end in .svg, .png or .pdf")
    require_matplotlib()
    return form


def require_matplotlib() -> Any:
    """matplotlib, or a refusal to draw without it; where it keeps its fonts is its own affair."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    return imported("matplotlib", "pictures need matplotlib", OutputError)


def distributions(strategies: Sequence[Named], form: str) -> bytes:
    """A picture of how many secrets take 1, 2, … guesses, strategies beside each other.

    Strategies for different numbers of secrets are compared by shares.
    """
    with _empty_figure(8, 4.5) as (figure, axes):
        sizes = {len(each.strategy.secrets) for each in strategies}
        worst = max(each.strategy.worst for each in strategies)
        width = 0.8 / len(strategies)
        for at, (name, strategy) in enumerate(strategies):
            scale = 1 if len(sizes) == 1 else 100 / len(strategy.secrets)
            heights = [count * scale for count in strategy.histogram]
            places = [n + 1 + (at - (len(strategies) - 1) / 2) * width for n in range(len(heights))]
            label = f"mean {strategy.mean:.4f}, worst {strategy.worst}: {printable(name, _NAME)}"
            bars = axes.bar(places, heights, width * 0.94, label=label)
            if len(strategies) <= 2:
                counts = [f"{count:,}" if count else "" for count in strategy.histogram]
                axes.bar_label(bars, counts, fontsize=8, padding=2)
        says = "secrets" if len(sizes) == 1 else "secrets, %"
        axes.set(xticks=range(1, worst + 1), xlabel="guesses", ylabel=says)
        axes.legend(loc="upper left")
        axes.set_ylim(0, axes.get_ylim()[1] * (1.08 + 0.06 * len(strategies)))
        if len(sizes) == 1:
            axes.set_title(f"{counted(sizes.pop(), 'secret')} by guesses")
        return _drawn(figure, form)


def regrets_by_guess(players: Mapping[str, Sequence[float]], form: str) -> bytes:
    """A picture of what the first, second, … guess of some players costs on average."""
    with _empty_figure(8, 4.5) as (figure, axes):
        for name, regrets in players.items():
            axes.plot(range(1, len(regrets) + 1), regrets, "o-", label=printable(name, _NAME))
        axes.set(xlabel="guess", ylabel="regret, guesses", ylim=(0, None))
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.legend()
        return _drawn(figure, form)


def icicle(named: Named, form: str) -> bytes:
    """A picture of a whole strategy: a row a guess, a box a state, as wide as it has secrets.

    The states below one stand in the order of their sizes; where a box ends before the one above
    it, the secret has been found.
    """
    name, strategy = named
    with _empty_figure(12, 1.2 + 0.62 * strategy.worst) as (figure, axes):
        secrets = len(strategy.secrets)
        boxes = _boxes(strategy)
        wide = [box for box in boxes if box.width >= secrets * _EDGED]
        for some, edge in ((_runs(boxes), 0.0), (wide, 0.6)):
            axes.add_collection(_drawn_boxes(some, strategy.worst, edge))
        for left, width, row, word in wide:
            if width >= secrets * _UPRIGHT:
                size, rotation = (8, 0) if width >= secrets * _LEVEL else (6, 90)
                colour = "white" if row < strategy.worst / 2 else "black"
                style = {"fontsize": size, "rotation": rotation, "color": colour}
                place = left + width / 2, row + 0.5
                axes.text(*place, capitals(word), ha="center", va="center", **style)
        axes.set(xlim=(0, secrets), ylim=(strategy.worst, 0), xlabel="secrets", ylabel="guess")
        axes.set_yticks([row + 0.5 for row in range(strategy.worst)], range(1, strategy.worst + 1))
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0)
        about = f"{printable(name, _NAME)}: mean {strategy.mean:.4f}, worst {strategy.worst}"
        axes.set_title(about)
        return _drawn(figure, form)


def plane(
    dots: Sequence[Dot],
    x_says: str,
    y_says: str,
    title: str,
    form: str,
    named: Sequence[str] | None = None,
) -> bytes:
    """A picture of words by two measures, each with its name; of thousands those that are named."""
    with _empty_figure(8, 6) as (figure, axes):
        many = len(dots) > _MANY
        axes.scatter(
            [dot.x for dot in dots],
            [dot.y for dot in dots],
            s=3 if many else 14,
            alpha=0.35 if many else 1,
            linewidths=0,
            color=_COLOURS[0],
            rasterized=many,
        )
        some = dots if named is None else [dot for dot in dots if dot.word in set(named)]
        if named is not None:
            axes.scatter([dot.x for dot in some], [dot.y for dot in some], s=14, color=_COLOURS[5])
        for (word, x, y), place in zip(some, _places(some), strict=True):
            axes.annotate(capitals(word), (x, y), place, textcoords="offset points", fontsize=7)
        axes.set(xlabel=x_says, ylabel=y_says, title=title)
        axes.margins(0.1 if named is None else 0.05)
        return _drawn(figure, form)


@contextlib.contextmanager
def _empty_figure(width: float, height: float) -> Iterator[Any]:
    """An empty figure and its axes, to be drawn meanwhile with none of a user's settings."""
    matplotlib = require_matplotlib()
    from matplotlib.figure import Figure

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a letter that the font does not have
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure, figure.subplots()


def _drawn(figure: Any, form: str) -> bytes:
    """A figure in that form, without the time."""
    nameless: dict[str, dict[str, None]] = {
        "svg": {"Date": None, "Creator": None},
        "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
        "png": {"Software": None},
    }
    out = io.BytesIO()
    figure.savefig(out, format=form, dpi=150, metadata=nameless[form])
    content = out.getvalue()
    return content[content.index(b"<svg ") :] if form == "svg" else content


class _Box(NamedTuple):
    """A state in an icicle, or several without names."""

    left: int
    width: int
    row: int
    word: str


def _boxes(strategy: Strategy) -> list[_Box]:
    """All states; the secret that a state's guess may be has no box below it, at the right."""
    below, children = list(strategy.hit), strategy.children()
    for node in range(strategy.nodes - 1, 0, -1):
        below[strategy.parent[node]] += below[node]
    boxes, waiting = [], [(0, 0)]
    while waiting:
        node, left = waiting.pop()
        word = strategy.words[strategy.guess[node]]
        boxes.append(_Box(left, below[node], strategy.depth[node] - 1, word))
        for child in sorted(children[node], key=lambda child: (-below[child], child)):
            waiting.append((child, left))
            left += below[child]
    return boxes


def _runs(boxes: Sequence[_Box]) -> list[_Box]:
    """What boxes cover, row by row: neighbours are one."""
    runs: list[_Box] = []
    for left, width, row, _ in sorted(boxes, key=lambda box: (box.row, box.left)):
        if runs and runs[-1].row == row and runs[-1].left + runs[-1].width == left:
            runs[-1] = runs[-1]._replace(width=runs[-1].width + width)
        else:
            runs.append(_Box(left, width, row, ""))
    return runs


def _drawn_boxes(boxes: Sequence[_Box], rows: int, edge: float) -> Any:
    """Boxes as one thing to draw; what is narrower than a pixel is paler, not away."""
    from matplotlib.collections import PolyCollection

    corners = [
        [(left, row), (left + width, row), (left + width, row + 1), (left, row + 1)]
        for left, width, row, _ in boxes
    ]
    colours = [_shade(box.row, rows) for box in boxes]
    return PolyCollection(
        corners, facecolors=colours, edgecolors="white", linewidths=edge, snap=False
    )


def _shade(row: int, rows: int) -> tuple[float, float, float]:
    """From a dark blue to a light one, then to red: what lies deep is narrow and must be seen."""
    share = 2 * row / max(1, rows - 1)
    ends, along = (_BLUES, share) if share <= 1 else (_REDS, share - 1)
    red, green, blue = (a + (b - a) * along for a, b in zip(*ends, strict=True))
    return red, green, blue


def _places(dots: Sequence[Dot]) -> list[tuple[float, float]]:
    """Where each dot's name begins, as far from it as so many points; none on another if it can."""
    across, up = (_spread([dot.x for dot in dots], 500), _spread([dot.y for dot in dots], 360))
    taken = [(x - 2, y - 2, 4.0, 4.0) for x, y in zip(across, up, strict=True)]
    found: list[tuple[float, float]] = []
    for dot, x, y in zip(dots, across, up, strict=True):
        width = 5.4 * len(dot.word)
        left, middle = -4 - width, -width / 2
        ways = [(4, 4), (4, -10), (left, 4), (left, -10), (middle, 8), (middle, -14)]
        ways += [(4, 12), (4, -18), (left, 12), (left, -18)]
        free = [way for way in ways if not _meets((x + way[0], y + way[1], width, 7), taken)]
        right, above = (free or ways)[0]
        taken.append((x + right, y + above, width, 7))
        found.append((right, above))
    return found


def _spread(values: Sequence[float], room: float) -> list[float]:
    """Values as places in so much room."""
    least = min(values, default=0.0)
    reach = max(values, default=0.0) - least or 1.0
    return [(value - least) / reach * room for value in values]


def _meets(
    box: tuple[float, float, float, float], others: Sequence[tuple[float, float, float, float]]
) -> bool:
    """Whether a box (left, bottom, width, height) has something in common with another."""
    left, low, width, height = box
    return any(
        left < x + w and x < left + width and low < y + h and y < low + height
        for x, y, w, h in others
    )
