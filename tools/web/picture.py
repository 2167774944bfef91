"""Takes the picture of the page that the README shows, in Chromium without a window.

.venv/bin/python -m tools.web.picture    after a change of what the helper looks like
"""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from threading import Thread

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

from strategy.web import folder
from strategy.web.server import LocalServer

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "page.png"
POSITION = "#helper/crane.bybbb"
_SIZE = {"width": 1000, "height": 700, "deviceScaleFactor": 1, "mobile": False}
_THERE = "return document.querySelectorAll('.advice:not([aria-busy]) .take').length > 0"
_ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars")
_COLOURS = 48


def picture() -> bytes:
    """The helper in the middle of a game."""
    options, programs = Options(), [shutil.which(name) for name in ("chromium", "chromedriver")]
    options.binary_location, driver_program = map(str, programs)
    for argument in _ARGUMENTS:
        options.add_argument(argument)
    driver = webdriver.Chrome(options, Service(driver_program))
    try:
        with LocalServer(folder.find, folder.policy()) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", _SIZE)
            driver.get(server.address + POSITION)
            WebDriverWait(driver, 60).until(lambda it: it.execute_script(_THERE))
            shot = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
            server.shutdown()
    finally:
        driver.quit()
    small = io.BytesIO()
    shot.quantize(_COLOURS, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()


if __name__ == "__main__":
    PICTURE.write_bytes(picture())
