"""Makes a copy of the page to explore whose style and script are files, for a strict policy."""

from __future__ import annotations

import re

from strategy.pictures.page import page_parts

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_SCRIPTS = '<script src="explore/load.js"></script>\n<script src="explore/explorer.js"></script>'
_BACK = '    <a class="back" href="index.html#strategies">Back to the table</a>\n'
_BACK_STYLE = ".back { align-self: center; text-decoration: underline; padding: 0.6rem 0; }\n"


def explorer() -> dict[str, bytes]:
    """The generated files, by their paths in the folder."""
    parts = page_parts()
    text = parts["page"]
    text = re.sub(r'<script id="strategy".*?</script>', '<div id="strategy" hidden></div>', text)
    text = text.replace("<script>{{script}}</script>", _SCRIPTS)
    text = text.replace(
        "<style>{{style}}</style>", '<link rel="stylesheet" href="explore/explorer.css">'
    )
    text = re.sub(r'<link rel="icon"[^>]*>', '<link rel="icon" href="icons/icon.svg">', text)
    text = text.replace("{{policy}}", _POLICY).replace("{{title}}", "knuthle")
    text = text.replace('  <div class="tools">\n', f'  <div class="tools">\n{_BACK}', 1)
    assert "{{" not in text
    return {
        "explore.html": text.encode(),
        "explore/explorer.css": (parts["style"] + _BACK_STYLE).encode(),
        "explore/explorer.js": parts["script"].encode(),
    }
