"""A step of building the wheel: man pages and completions, from the parsers of this very version.

They are made anew each time and stand in no repository. Equal sources give equal bytes. If
KNUTHLE_MACHINE_CODE names a folder that ``tools.wheel`` has made, named as its platform, it is the
wheel of this platform, with that code.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: Where ``solver.machine.cache`` looks.
CODE_FOLDER = "solver/_data/machine_code"


class SharedFiles(BuildHookInterface):  # type: ignore[type-arg]
    """Adds what goes under ``share/`` to the wheel, and machine code if there is any."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files, and say where each belongs; an editable installation has none."""
        if version == "editable":
            return
        if code := os.environ.get("KNUTHLE_MACHINE_CODE"):
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{Path(code).name}"
            build_data["force_include"][code] = CODE_FOLDER
        sys.path.insert(0, self.root)
        try:
            from tools.pages.share import write_shared_files

            self._folder = TemporaryDirectory()  # goes with this object, when the wheel is written
            for name in write_shared_files(Path(self._folder.name), self.metadata.version):
                build_data["shared_data"][str(Path(self._folder.name, name))] = f"share/{name}"
        finally:
            sys.path.remove(self.root)
