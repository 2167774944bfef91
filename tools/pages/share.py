"""What an installation has under ``share/``: man pages, and completion for three shells.

.venv/bin/python -m tools.pages.share FOLDER     writes it below a folder
"""

import argparse
import sys
from pathlib import Path

from solver.words.lists import NAMED_LISTS
from strategy.cli import parser_of
from strategy.cli.commands import COMMANDS

from .man_pages import man_pages

#: A command, or one and its action → its options and arguments.
_Options = dict[str, list[argparse.Action]]


def shared_files(version: str) -> dict[str, str]:
    """Path below ``share/`` → text."""
    files = {f"man/man1/{name}": page for name, page in man_pages(version).items()}
    options: _Options = {}
    for command in COMMANDS:
        options |= _options_of(command)
    bash, fish = _bash(options), _fish(options)
    files["bash-completion/completions/knuthle"] = bash
    files["bash-completion/completions/solve-all"] = bash
    files["zsh/site-functions/_knuthle"] = (
        "#compdef knuthle solve-all\n"
        "autoload -Uz bashcompinit && bashcompinit\n"
        f"{bash}"
        "_bash_complete -o default -F _knuthle\n"
    )
    files["fish/vendor_completions.d/knuthle.fish"] = fish
    files["fish/vendor_completions.d/solve-all.fish"] = "".join(
        line for line in fish.splitlines(keepends=True) if "-c solve-all " in line
    )
    return files


def write_shared_files(folder: Path, version: str) -> list[str]:
    """Write these files below a folder; their names."""
    made = shared_files(version)
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return list(made)


# ---- Completion


def _options_of(command: str) -> _Options:
    """The options and arguments of a command, and of its actions, as its parser has them."""
    parser = parser_of(command)
    found = {command: parser._actions}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                found[f"{command} {name}"] = inner._actions
    return found


def _values_of(option: argparse.Action) -> list[str]:
    """The values that are known by name: all there are, or beside a file."""
    named = {
        "list_name": NAMED_LISTS,
        "secrets": ("allowed", "answers"),
        "openers": ("all", "answers"),
    }
    known = named.get(option.dest, ()) if "|" in str(option.metavar) else ()
    return [*map(str, option.choices or known)]


def _bash(options: _Options) -> str:
    cases, values = [], []
    for command, found in options.items():
        flags = " ".join(name for option in found for name in option.option_strings)
        cases.append(f'    "{command}") flags="{flags}" ;;')
        for option in found:
            if known := _values_of(option):
                names = "|".join(f'"{command} {name}"' for name in option.option_strings or ("",))
                how = "" if option.choices is not None else "-f "
                values.append(f'    {names}) files="{how}" values="{" ".join(known)}" ;;')
    actions = [f'    "{command}") command="{command}" ;;' for command in options if " " in command]
    actions_text = "\n".join(actions)
    cases_text, values_text = "\n".join(cases), "\n".join(values)
    return f"""_knuthle() {{
  local command option flags= values= files=
  local current=${{COMP_WORDS[COMP_CWORD]}}
  local previous=${{COMP_WORDS[COMP_CWORD-1]}}
  if [ "$current" = "=" ]; then current=
  elif [ "$previous" = "=" ]; then previous=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  if [ "${{COMP_WORDS[0]##*/}}" = solve-all ]; then command=solve-all
  elif [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "{" ".join(COMMANDS)}" -- "$current")); return
  else command=${{COMP_WORDS[1]}}
  fi
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "$command ${{COMP_WORDS[2]}}" in
{actions_text}
    esac
  fi
  case $previous in
    -*) option=$previous ;;
    *) option= ;;
  esac
  case $command in
{cases_text}
  esac
  case "$command $option" in
{values_text}
  esac
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
    if [ -n "$files" ]; then COMPREPLY+=($(compgen -f -- "$current"))
    fi
  elif [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$current"))
  fi
}}
complete -o default -F _knuthle knuthle solve-all
"""


def _fish(options: _Options) -> str:
    lines = ["complete -c knuthle -f -n __fish_use_subcommand -a help -d 'explain a command'"]
    for command in COMMANDS:
        about = COMMANDS[command].about.replace("'", "\\'")
        lines.append(f"complete -c knuthle -f -n __fish_use_subcommand -a {command} -d '{about}'")
    for command, found in options.items():
        seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in command.split())
        for option in found:
            for flag in _fish_flags(option):
                lines.append(f"complete -c knuthle -n '{seen}' {flag}")
                if command == "solve-all":
                    lines.append(f"complete -c solve-all {flag}")
    return "\n".join(lines) + "\n"


def _fish_flags(option: argparse.Action) -> list[str]:
    """The flags of an option for fish, one spelling after the other."""
    known = _values_of(option)
    values = f" -a '{' '.join(known)}'" if known else ""
    if not option.option_strings:
        return [f"-f{values}"] if values else []
    how = "" if option.nargs == 0 else " -x" if option.choices is not None else " -r"
    spelled = [
        f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
        for name in option.option_strings
    ]
    return [f"{name}{how}{values}" for name in spelled]


if __name__ == "__main__":
    from importlib.metadata import version

    write_shared_files(Path(sys.argv[1]), version("knuthle"))
