"""One profile for all property tests: no deadlines, since the first call of a kernel compiles."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("knuthle", deadline=None)
settings.load_profile("knuthle")
