"""The package that programs import: all that ``strategy`` offers by name, and ``__version__``.

``from knuthle import suggest`` loads only what ``suggest`` needs; ``help("strategy")`` lists the
names. The packages behind it are called ``solver`` and ``strategy``.
"""

import strategy

TYPE_CHECKING = False  # as type checkers read it
if TYPE_CHECKING:
    from typing import Any

    from strategy import *  # noqa: F403

    __version__: str

__all__ = ["__version__"]
__all__ += strategy.__all__


def __getattr__(name: str) -> "Any":
    if name == "__version__":  # looked for only then: that takes a while
        from importlib import metadata

        try:
            return metadata.version("knuthle")
        except metadata.PackageNotFoundError:
            return "not installed"
    if name not in strategy.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(strategy, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
