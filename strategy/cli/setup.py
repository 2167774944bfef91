"""The commands ``compile`` and ``completion``: kernels compiled beforehand, scripts for shells."""

from __future__ import annotations

import argparse

from ..toolbox import machine_code
from . import options, output
from .commands import COMMANDS
from .progress import Compiling

# ---- compile


def configure_compile(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``compile``: commands, or --clear."""
    known = machine_code.commands_with_kernels()
    parser.add_argument(
        "commands", nargs="*", metavar="COMMAND", help=f"for these alone: {', '.join(known)}"
    )
    parser.add_argument("--clear", action="store_true", help="delete all compiled code instead")
    options.add_workers_option(parser)
    options.add_output_options(parser)


def run_compile(args: argparse.Namespace) -> int:
    """Compile beforehand what commands need, on all cores.

    The first run of a command compiles what it needs and keeps it in a folder of
    this user (where NUMBA_CACHE_DIR or XDG_CACHE_HOME says, else
    ~/.cache/knuthle; if none can be written, a temporary one). After this command
    the first run of each command starts at once, too. A wheel for
    Linux on x86-64 or 64-bit ARM may be compiled already; then nothing is left
    to do.

    Examples: knuthle compile
              knuthle compile solve-all suggest
              knuthle compile --clear
    """
    output.check_outputs(args)
    commands = machine_code.wanted_commands(args.commands)
    made = whole = removed = 0
    if args.clear:
        from solver.machine.cache import clear

        removed = clear()
        text = f"removed {removed} compiled kernels"
    else:
        compiling = Compiling(output.say, machine_code.notice)
        report = (lambda *_: None) if args.quiet else compiling.next_of
        try:
            made, whole = machine_code.compile_for(commands, args.workers, report)
        finally:
            compiling.finished()
        text = f"{made} kernels compiled, {whole - made} were there"
    output.emit(args, text, {"n_compiled": made, "n_kernels": whole, "n_removed": removed})
    return 0


# ---- completion

#: A command, or one and its action → its options and arguments.
_Options = dict[str, list[argparse.Action]]


def configure_completion(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``completion``: the shell."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help="your shell")


def run_completion(args: argparse.Namespace) -> int:
    """Print a completion script for a shell: commands, options and their values.

    To load it in every shell, add the line to the file that your shell reads when
    it starts.

    Examples: source <(knuthle completion bash)
              source <(knuthle completion zsh)
              knuthle completion fish | source
    """
    options: _Options = {}
    for command in COMMANDS:
        options |= _options_of(command)
    script = _fish(options) if args.shell == "fish" else _bash(options)
    if args.shell == "zsh":
        script = f"autoload -Uz compinit bashcompinit && compinit && bashcompinit\n{script}"
    print(script)
    return 0


def _options_of(command: str) -> _Options:
    """The options and arguments of a command, and of its actions, as its parser has them."""
    from . import parser_of

    parser = parser_of(command)
    found = {command: parser._actions}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                found[f"{command} {name}"] = inner._actions
    return found


def _values_of(option: argparse.Action) -> list[str]:
    """The values that are known by name: all there are, or beside a file."""
    from solver.words.lists import NAMED_LISTS

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
complete -o default -F _knuthle knuthle solve-all"""


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
    return "\n".join(lines)


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
