"""A real browser without a window, spoken to through the DevTools protocol over a pipe.

Nothing but Chromium itself is needed: no driver, no socket, no package.
"""

import base64
import json
import os
import shutil
import struct
import subprocess
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
_OPTIONS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",  # as root in a container there is no other way; the pages are our own
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
)


def find() -> str | None:
    """The browser on the PATH, if there is one."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """A running browser."""

    def __init__(self, program: str, profile: Path) -> None:
        read, self._write = os.pipe()
        self._read, write = os.pipe()
        command = ["bash", "-c", f'exec "$@" 3<&{read} 4>&{write}', "bash", program, *_OPTIONS]
        self._process = subprocess.Popen(
            [*command, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(read, write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(profile), "LANG": "C.UTF-8"},
        )
        os.close(read)
        os.close(write)
        self._unread = b""
        self._number = 0

    def close(self) -> None:
        """Stop it."""
        os.close(self._write)
        self._process.terminate()
        self._process.wait(timeout=20)
        os.close(self._read)

    def ask(self, method: str, session: str | None = None, **parameters: Any) -> tuple[Any, list[Any]]:
        """Send a command; its result, and the events that came meanwhile."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        os.write(
            self._write, json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0"
        )
        events: list[Any] = []
        while True:
            answer = self.next()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"], events
            events.append(answer)

    def next(self) -> Any:
        """The next message of the browser."""
        while b"\0" not in self._unread:
            more = os.read(self._read, 1 << 20)
            assert more, "the browser has ended"
            self._unread += more
        message, _, self._unread = self._unread.partition(b"\0")
        return json.loads(message)


class Page:
    """A page that was opened, with what happened meanwhile."""

    def __init__(self, browser: Browser, page: Path | str, width: int, height: int, *, dark: bool) -> None:
        self._browser = browser
        self.target = browser.ask("Target.createTarget", url="about:blank")[0]["targetId"]
        attached = browser.ask("Target.attachToTarget", targetId=self.target, flatten=True)[0]
        self._session = attached["sessionId"]
        self.events: list[Any] = []
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self.ask("Page.navigate", url=page if isinstance(page, str) else page.as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(browser.next())

    def ask(self, method: str, **parameters: Any) -> Any:
        """Send a command to the page."""
        result, events = self._browser.ask(method, self._session, **parameters)
        self.events += events
        return result

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression."""
        result = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        codes = {"Tab": 9, "Enter": 13}
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.ask(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=codes[key],
                **text,
            )

    def picture(self, *, whole: bool = False) -> bytes:
        """A screenshot, as PNG."""
        options = {"captureBeyondViewport": True} if whole else {}
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png", **options)["data"])

    def requests(self) -> list[str]:
        """The requests to the network or the disk."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event.get("method") == "Network.requestWillBeSent"
        ]

    def complaints(self) -> list[Any]:
        """The messages of the browser: errors, warnings, refused content, dialogs."""
        said = (
            "Runtime.consoleAPICalled",
            "Runtime.exceptionThrown",
            "Log.entryAdded",
            "Page.javascriptDialogOpening",
        )
        return [event for event in self.events if event.get("method") in said]

    def close(self) -> None:
        """Close it."""
        self._browser.ask("Target.closeTarget", targetId=self.target)


@contextmanager
def opened(
    browser: Browser, page: Path | str, width: int = 1280, height: int = 900, *, dark: bool = False
) -> Iterator[Page]:
    """A page, by its file or its address, for a while."""
    made = Page(browser, page, width, height, dark=dark)
    try:
        yield made
    finally:
        made.close()


def colors(png: bytes) -> Counter[bytes]:
    """How often each colour occurs in a picture of 8 bits per channel."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    place, data, width, channels = 8, b"", 0, 0
    while place < len(png):
        (length,), kind = struct.unpack(">I", png[place : place + 4]), png[place + 4 : place + 8]
        content = png[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            width, _, depth, sort = struct.unpack(">IIBB", content[:10])
            assert depth == 8
            channels = {2: 3, 6: 4}[sort]
        elif kind == b"IDAT":
            data += content
        place += 12 + length
    rows = _unfiltered(zlib.decompress(data), width * channels, channels)
    return Counter(bytes(row[at : at + 3]) for row in rows for at in range(0, len(row), channels))


def _unfiltered(data: bytes, length: int, step: int) -> Iterator[bytearray]:
    before = bytearray(length)
    for start in range(0, len(data), length + 1):
        kind, row = data[start], bytearray(data[start + 1 : start + 1 + length])
        for at in range(length):
            left = row[at - step] if at >= step else 0
            corner = before[at - step] if at >= step else 0
            row[at] = (row[at] + _guess(kind, left, before[at], corner)) & 255
        yield row
        before = row


def _guess(kind: int, left: int, up: int, corner: int) -> int:
    if kind == 4:
        guess = left + up - corner
        return min((left, up, corner), key=lambda each: abs(guess - each))
    return (0, left, up, (left + up) // 2)[kind]
