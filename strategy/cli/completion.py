"""Print a completion script for a shell: commands, options, and the values that options take.

A line in the file that the shell reads when it starts has it always at hand.

Examples: source <(knuthle completion bash)
          source <(knuthle completion zsh)
          knuthle completion fish | source
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass

from .commands import COMMANDS


@dataclass(frozen=True)
class _Option:
    """What may be typed after a command."""

    #: All its spellings; none for an argument without a name.
    names: tuple[str, ...]
    #: The values that are known by name.
    values: tuple[str, ...]
    #: Whether any value must follow.
    takes_value: bool
    #: Whether the known values are all there are; else a file may be meant.
    closed: bool


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``completion``: the shell."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])


def run(args: argparse.Namespace) -> int:
    """Run ``completion``: print the script for a shell."""
    options: dict[str, list[_Option]] = {}
    for command in COMMANDS:
        options |= _options_of(command)
    print({"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell](options))
    return 0


def _options_of(command: str) -> dict[str, list[_Option]]:
    """The options and arguments of a command, and of its actions, as its parser has them."""
    from . import parser_of

    parser = parser_of(command)
    found = {command: _options_in(parser)}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                found[f"{command} {name}"] = _options_in(inner)
    return found


def _options_in(parser: argparse.ArgumentParser) -> list[_Option]:
    """The options and arguments of one parser."""
    from solver.game.words import NAMED_LISTS

    named = {
        "list_name": NAMED_LISTS,
        "secrets": ("allowed", "answers"),
        "openers": ("all", "answers"),
    }
    found = []
    for action in parser._actions:
        known = named.get(action.dest, ()) if "|" in str(action.metavar) else ()
        values = tuple(map(str, action.choices or known))
        names = tuple(action.option_strings)
        found.append(_Option(names, values, action.nargs != 0, action.choices is not None))
    return found


def _bash(options: Mapping[str, list[_Option]]) -> str:
    cases, values = [], []
    for command, found in options.items():
        flags = " ".join(name for option in found for name in option.names)
        cases.append(f'    "{command}") flags="{flags}" ;;')
        for option in found:
            if option.values:
                names = "|".join(f'"{command} {name}"' for name in option.names or ("",))
                how = "" if option.closed else "-f "
                values.append(f'    {names}) files="{how}" values="{" ".join(option.values)}" ;;')
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
complete -o default -F _knuthle knuthle solve-all"""


def _zsh(options: Mapping[str, list[_Option]]) -> str:
    return f"autoload -Uz compinit bashcompinit && compinit && bashcompinit\n{_bash(options)}"


def _fish(options: Mapping[str, list[_Option]]) -> str:
    lines = ["complete -c knuthle -f -n __fish_use_subcommand -a help -d 'explain a command'"]
    for command in COMMANDS:
        about = COMMANDS[command].about.replace("'", "\\'")
        lines.append(f"complete -c knuthle -f -n __fish_use_subcommand -a {command} -d '{about}'")
    for command, found in options.items():
        words = (f"__fish_seen_subcommand_from {word}" for word in command.split())
        seen = "; and ".join(words)
        for option in found:
            for flag in _fish_flags(option):
                lines.append(f"complete -c knuthle -n '{seen}' {flag}")
                if command == "solve-all":
                    lines.append(f"complete -c solve-all {flag}")
    return "\n".join(lines)


def _fish_flags(option: _Option) -> list[str]:
    """What fish is told of an option, one spelling after the other."""
    values = f" -a '{' '.join(option.values)}'" if option.values else ""
    if not option.names:
        return [f"-f{values}"] if values else []
    how = "" if not option.takes_value else " -x" if option.closed else " -r"
    spelled = [
        f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
    ]
    return [f"{name}{how}{values}" for name in spelled]
