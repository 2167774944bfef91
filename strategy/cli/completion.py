"""Print a completion script for a shell.

bash:  source <(knuthle completion bash)
zsh:   source <(knuthle completion zsh)
fish:  knuthle completion fish | source
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping

HELP = "print a completion script for bash, zsh or fish"


def configure(parser: argparse.ArgumentParser) -> None:
    """The shell."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    from . import COMMANDS, parser_of

    options = {}
    for command in COMMANDS:
        actions = parser_of(command)._actions
        options[command] = [text for action in actions for text in action.option_strings]
    print({"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell](options))
    return 0


def _bash(options: Mapping[str, list[str]]) -> str:
    cases = "\n".join(
        f'    {name}) words="{" ".join(found)}" ;;' for name, found in options.items()
    )
    return f"""_knuthle() {{
  local command words=
  local current=${{COMP_WORDS[COMP_CWORD]}}
  if [ "${{COMP_WORDS[0]##*/}}" = solve-all ]; then command=solve-all
  elif [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "{" ".join(options)}" -- "$current")); return
  else command=${{COMP_WORDS[1]}}
  fi
  case $command in
{cases}
  esac
  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}}
complete -o default -F _knuthle knuthle solve-all"""


def _zsh(options: Mapping[str, list[str]]) -> str:
    return f"autoload -Uz compinit bashcompinit && compinit && bashcompinit\n{_bash(options)}"


def _fish(options: Mapping[str, list[str]]) -> str:
    from . import COMMANDS, module_of

    lines = ["complete -c knuthle -f -n __fish_use_subcommand -a help -d 'explain a command'"]
    for command, found in options.items():
        about = module_of(command).HELP.replace("'", "\\'") if command in COMMANDS else ""
        lines.append(f"complete -c knuthle -f -n __fish_use_subcommand -a {command} -d '{about}'")
        for text in found:
            flag = f"-l {text[2:]}" if text.startswith("--") else f"-s {text[1:]}"
            lines.append(f"complete -c knuthle -n '__fish_seen_subcommand_from {command}' {flag}")
            if command == "solve-all":
                lines.append(f"complete -c solve-all {flag}")
    return "\n".join(lines)
