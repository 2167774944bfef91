"""What an installation has under ``share/``: man pages, and completion for three shells."""

import contextlib
import io

from strategy import cli

from .man_pages import man_pages


def shared_files(version: str) -> dict[str, str]:
    """Path below ``share/`` → text."""
    files = {f"man/man1/{name}": page for name, page in man_pages(version).items()}
    bash = _completion("bash")
    files["bash-completion/completions/knuthle"] = bash
    files["bash-completion/completions/solve-all"] = bash
    files["zsh/site-functions/_knuthle"] = (
        "#compdef knuthle solve-all\n"
        "autoload -Uz bashcompinit && bashcompinit\n"
        f"{bash}"
        "_bash_complete -o default -F _knuthle\n"
    )
    fish = _completion("fish")
    files["fish/vendor_completions.d/knuthle.fish"] = fish
    files["fish/vendor_completions.d/solve-all.fish"] = "".join(
        line for line in fish.splitlines(keepends=True) if "-c solve-all " in line
    )
    return files


def _completion(shell: str) -> str:
    """What ``knuthle completion SHELL`` prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = cli.main(["completion", shell])
    if code:
        raise RuntimeError(f"knuthle completion {shell} ended with {code}")
    return out.getvalue()
