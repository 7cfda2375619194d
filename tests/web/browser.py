"""A browser for the tests: the one that is there, or one that Playwright or the system can install."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# A whole browser keeps two pages for every window, for what its address line may have to show: half of what a window
# costs, and nobody sees it here. Only the last list of what is off counts: what Playwright turns off is in it too.
OFF = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
ARGUMENTS = ["--no-sandbox", f"--disable-features={','.join(OFF)}"]


def found() -> str | None:
    """The path of a browser, or an empty one if Playwright has its own; None if there is none."""
    for name in (os.environ.get("CHROMIUM", ""), *NAMES):
        if name and (path := shutil.which(name)):
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return "" if os.path.exists(playwright.chromium.executable_path) else None


def install() -> None:
    """Playwright's own, or else Debian's."""
    commands = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        commands += [["apt-get", "update", "-q"], ["apt-get", "install", "-y", "-q", "chromium"]]
    for command in commands:
        if found() is None:
            with suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=180, check=False)


if __name__ == "__main__":
    if found() is None:
        print("Installing a browser for the tests ...", flush=True)
        install()
    if found() is None:
        print("No browser is to be had here: the browser's tests are left out.", file=sys.stderr)
