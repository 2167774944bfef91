"""Text that others wrote: which names a file may hold, and how foreign text is shown.

Standard library only; the trusted checker reads through this module as well.
"""

from __future__ import annotations

import re

#: Not in names: what ends a line, moves the cursor, turns the text round or cannot be seen, and
#: what parts a path. By number, so that every Python has the same rule.
_NAME = re.compile(
    r"[^\x00-\x1f\x7f-\x9f/\\\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]{1,200}"
)
#: So much of a foreign text is shown in a message.
_SHOWN = 200


def is_name(text: str) -> bool:
    """Whether a list, a rule or a word may be called so in a file: one line, all of it visible."""
    return _NAME.fullmatch(text) is not None


def shown(text: object, most: int = 0) -> str:
    """Foreign text as it may reach a terminal: whatever is not plainly visible is escaped.

    ``most`` cuts what is longer, with three dots at its end.
    """
    whole = str(text)
    if most and len(whole) > most:
        whole = whole[: most - 1] + "…"
    if whole.isprintable():
        return whole
    return "".join(x if x.isprintable() else x.encode("unicode_escape").decode() for x in whole)


def quoted(text: object) -> str:
    """Foreign text within a message: shown, cut and in quotes."""
    return f"'{shown(text, _SHOWN)}'"
