"""Takes the picture of the page that the README shows, in Chromium without a window.

.venv/bin/python -m tools.web.picture    after a change of what the helper looks like
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image
from selenium.webdriver.support.wait import WebDriverWait

from strategy.web import folder
from strategy.web.server import LocalServer
from tests.support.browsers import open_browser
from tests.support.commands import serving

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "page.png"
POSITION = "#helper/crane.bybbb"
_SIZE = {"width": 1000, "height": 700, "deviceScaleFactor": 1, "mobile": False}
_THERE = "return document.querySelectorAll('.advice:not([aria-busy]) .take').length > 0"
_COLOURS = 48


def picture() -> bytes:
    """The helper in the middle of a game."""
    local = LocalServer(folder.find, folder.policy())
    with open_browser() as browser, serving(local) as server:
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", _SIZE)
        browser.open(server.address, POSITION)
        WebDriverWait(browser.driver, 60).until(lambda _: browser.run(_THERE))
        shot = Image.open(io.BytesIO(browser.driver.get_screenshot_as_png())).convert("RGB")
    small = io.BytesIO()
    shot.quantize(_COLOURS, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()


if __name__ == "__main__":
    PICTURE.write_bytes(picture())
