# Sourced by run, test, docs and bench: makes .venv once, says what is missing, and is silent after that.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
venv="$root/.venv"
export PIP_USER=0 # a user's own settings may ask for it, and an environment has no such place
quietly=(--quiet --no-input --disable-pip-version-check)
pinned=(--require-hashes --only-binary=:all:) # what is built on the way would bring things unpinned
as_it_is=(--no-index --no-deps --no-build-isolation) # the project itself: nothing else is fetched

say() { printf '%s\n' "$*" >&2; }

find_python() {
    local python known='import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 16))'
    for python in "${PYTHON:-}" python3 python3.15 python3.14 python3.13 python3.12 python3.11 python; do
        if [ -n "$python" ] && command -v "$python" >/dev/null 2>&1 &&
            "$python" -c "$known" 2>/dev/null; then
            command -v "$python"
            return
        fi
    done
    say "knuthle needs Python 3.11 to 3.15, and none was found (PYTHON=/path/to/python helps)."
    return 3
}

check_python() {
    if ! "$1" -c 'import venv, ensurepip' 2>/dev/null; then
        say "$1 cannot make virtual environments: its modules venv and ensurepip are missing."
        say "Install them first: 'apt-get install python3-venv' on Debian and Ubuntu."
        return 3
    fi
}

# What an installation is made of: its place, its interpreter, the pins and the project file.
stamp() {
    printf '%s\n' "$root" "$1"
    cat "$root/tools/requirements.txt" "$root/pyproject.toml"
    if [ "$1" != run ]; then cat "$root/tools/requirements-test.txt"; fi
    if [ "$1" = docs ]; then cat "$root/tools/requirements-docs.txt"; fi
}

# One set-up at a time; a lock left behind by a killed one is taken over.
lock() {
    local place="$root/.venv.lock" tries=0 nowhere=0 unsigned=0 why holder
    until why=$(mkdir "$place" 2>&1); do
        holder=$(cat "$place/pid" 2>/dev/null || true)
        if [ -d "$place" ]; then nowhere=0; else nowhere=$((nowhere + 1)); fi
        if [ -n "$holder" ]; then unsigned=0; else unsigned=$((unsigned + 1)); fi
        if [ $nowhere = 5 ]; then
            say "$root cannot be written, so no .venv can be made there ($why)."
            return 3
        elif is_left_behind "$holder" $unsigned; then
            rm -rf "$place"
        fi
        tries=$((tries + 1))
        if [ $tries = 15 ]; then say "knuthle: waiting for the set-up by process $holder …"; fi
        sleep 0.2
    done
    echo $$ >"$place/pid"
    trap 'rm -rf "$root/.venv.lock"' EXIT
    trap 'give_up 130' INT
    trap 'give_up 143' TERM
    trap 'give_up 129' HUP
}

# Interrupted: end what is being done, which is a process group of its own. pip and venv hear
# nothing of Ctrl-C, so they say nothing of it; what they leave is made anew the next time.
working=
give_up() {
    trap '' INT TERM HUP
    if [ -n "$working" ]; then
        kill -TERM -- "-$working" 2>/dev/null || true
        { wait "$working"; } 2>/dev/null || true
    fi
    clear_bar
    say "knuthle: the set-up was interrupted."
    exit "$1"
}

# Run a command apart from the terminal's process group, and wait for it.
apart() {
    local code=0
    set -m
    "$@" </dev/null &
    working=$!
    set +m
    wait "$working" || code=$?
    working=
    return $code
}

# A bar on a terminal: of so many packages, and two steps more, what pip names as it comes to it.
draw_bar() {
    local whole=$(($1 + 2)) done=1 bar='##############################' line
    while IFS= read -r line; do
        case $line in Collecting* | Processing* | Installing*) done=$((done < whole ? done + 1 : done)) ;; esac
        printf 'setting up: %3d%%|%-30s| %d/%d\r' \
            $((100 * done / whole)) "${bar:0:30*done/whole}" $done $whole >&2
    done
    clear_bar
}
clear_bar() { if [ -t 2 ]; then printf '\r%60s\r' '' >&2; fi; }

# Whoever takes the lock signs it at once: one that stays without a name belongs to a killed one.
is_left_behind() {
    if [ -n "$1" ]; then ! kill -0 "$1" 2>/dev/null; else [ "$2" = 10 ]; fi
}

# ensure run|test|docs: an environment with the pinned versions and the project itself in it.
ensure() {
    local kind=$1 python
    if is_ready "$kind"; then return; fi
    python=$(find_python) || return
    check_python "$python" || return
    lock || return
    if ! is_ready "$kind"; then
        say "knuthle: setting up $venv, once …"
        install "$kind" "$python" || { say "knuthle: the set-up failed; see above."; return 3; }
    fi
    rm -rf "$root/.venv.lock"
    trap - EXIT INT TERM HUP
}

# An environment for the tests can do everything that one for running can, and one for the
# documentation all that one for the tests can.
is_ready() {
    local kind enough="run test docs"
    [ -x "$venv/bin/python" ] || return 1
    for kind in "$1" ${enough#*"$1"}; do
        if [ -f "$venv/stamp-$kind" ] && [ "$(cat "$venv/stamp-$kind")" = "$(stamp "$kind")" ]; then
            return 0
        fi
    done
    return 1
}

install() {
    local kind=$1 python=$2 unfinished="$venv/stamp-unfinished" drawing code=0
    local -a pins=(-r "$root/tools/requirements.txt")
    if [ "$kind" != run ]; then pins+=(-r "$root/tools/requirements-test.txt"); fi
    if [ "$kind" = docs ]; then pins+=(-r "$root/tools/requirements-docs.txt"); fi
    if [ -e "$unfinished" ] || ! "$venv/bin/python" -c "" 2>/dev/null; then
        rm -rf "$venv"
    fi
    mkdir -p "$venv" && touch "$unfinished" || return
    rm -f "$venv/stamp-run" "$venv/stamp-test" "$venv/stamp-docs"
    apart "$python" -m venv "$venv" || return
    if [ -t 2 ]; then
        exec 9> >(draw_bar "$(cat "${pins[@]/#-r//dev/null}" | grep -c '^[a-z].*==')")
        drawing=$!
        apart "$venv/bin/python" -m pip install "${quietly[@]:1}" --progress-bar off "${pinned[@]}" \
            "${pins[@]}" >&9 || code=$?
        exec 9>&-
        wait "$drawing" 2>/dev/null || true # what is said next stands below the bar
    else
        apart "$venv/bin/python" -m pip install "${quietly[@]}" "${pinned[@]}" "${pins[@]}" || code=$?
    fi
    [ "$code" = 0 ] || return "$code"
    apart "$venv/bin/python" -m pip install "${quietly[@]}" "${as_it_is[@]}" \
        --editable "$root" || return
    (cd "$root" && apart "$venv/bin/python" -m tools.pages.share "$venv/share") || return
    stamp "$kind" >"$venv/stamp-$kind"
    rm -f "$unfinished"
}
