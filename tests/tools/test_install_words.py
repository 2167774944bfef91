"""How to install is said in words that are true: nobody has published a package of this name."""

import re

from tests.support import ROOT


def test_no_page_and_no_message_installs_from_an_index() -> None:
    """Whoever registered the name would run code at our users'."""
    texts = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.ipynb")]
    texts += [*(ROOT / "strategy").rglob("*.py"), *(ROOT / "solver").rglob("*.py")]
    wrong = re.compile(r"""(?:pip|pipx) install\s+['"]?knuthle\b""")
    assert not [str(path) for path in texts if wrong.search(path.read_text(encoding="utf-8"))]
