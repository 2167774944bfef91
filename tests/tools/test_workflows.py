"""The workflows of .github: read for faults by programs that know them."""

import re
import sys
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.support.commands import ran

FOLDER = ROOT / ".github"
WORKFLOWS = sorted((FOLDER / "workflows").glob("*.yml"))


def test_nothing_is_found_in_the_workflows() -> None:
    program = Path(sys.executable).with_name("zizmor")
    if not program.exists():
        pytest.skip("zizmor is not installed")
    done = ran([program, "--offline", "--no-progress", FOLDER])
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_what_a_workflow_calls_is_there(workflow: Path) -> None:
    text = workflow.read_text(encoding="utf-8")
    programs = re.findall(r"(?:run: |\[|, )((?:\./tools|\.ci)/\w+)", text)
    assert programs or "tools" not in text
    named = programs + re.findall(r"\btests/[\w/.]+", text)
    assert [name for name in named if not (ROOT / name).exists()] == []
    used = re.findall(r"uses: (\S+)", text)
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name) for name in used)
