"""Remakes the pictures of the review page in docs/images/, with a real browser.

    python tools/screenshots.py

The page is that of a real review, of two versions of blueprints in a repository made for it. Needs Chromium
on the PATH. Fonts differ between machines and so do the pictures; nothing compares them.
"""

import base64
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import browser  # noqa: E402 - the checkout first, then the import
from pull_request import Repository  # noqa: E402

IMAGES = ROOT / "docs" / "images"
TRAINING = (ROOT / "blueprints" / "vm-a3-ultra-flex.yaml").read_text("utf-8")
DEVELOPMENT = (ROOT / "blueprints" / "vm-l4-dev.yaml").read_text("utf-8")
CHANGE = {
    "count: 4": "count: 6",
    "    - {name: checkpoints, kind: bucket, mount: /mnt/checkpoints, profile: checkpoints}\n": "",
    "team: pretraining": "team: posttraining",
}
POLICY = "policy: v1\nforbid: [data_loss]\n"
DRAWING = "figure.diagram"


def main() -> int:
    """Make the pictures; exit code 1 without a browser."""
    program = browser.find()
    if program is None:
        print("no browser on the PATH: apt-get install chromium", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        page = review(Path(folder))
        running = browser.Browser(program, Path(folder) / "profile")
        try:
            take(running, page, "review-light", width=1100, height=880)
            take(running, page, "review-drawing-dark", width=1100, of=DRAWING, dark=True)
            take(running, page, "review-phone", width=375, height=760)
            take(running, page, "review-phone-drawing-dark", width=375, height=760, of=DRAWING, dark=True)
        finally:
            running.close()
    return 0


def review(folder: Path) -> Path:
    """A review of a change to one cluster that brings another one."""
    after = TRAINING
    for old, new in CHANGE.items():
        if old not in after:
            sys.exit(f"the blueprint has changed: it does not say {old!r}")
        after = after.replace(old, new)
    repository = Repository(folder / "clusters")
    repository.commit({"blueprints/h200-train.yaml": TRAINING, "clusterprint.policy.yaml": POLICY})
    script = (ROOT / "blueprints/scripts/gpu-report.sh").read_text("utf-8")
    brought = {"blueprints/l4-dev.yaml": DEVELOPMENT, "blueprints/scripts/gpu-report.sh": script}
    repository.propose({"blueprints/h200-train.yaml": after, **brought})
    page = folder / "review.html"
    command = [sys.executable, "-P", "-m", "clusterprint", "review", "--base", "main", "--head", "change"]
    done = subprocess.run(
        [*command, "--out", page],
        cwd=repository.folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin"},
        check=False,
    )
    if not page.exists():
        sys.exit(f"the review ended with exit code {done.returncode}")
    return page


def take(  # noqa: PLR0913 - what a picture is of
    running: browser.Browser,
    page: Path,
    name: str,
    *,
    width: int,
    height: int = 0,
    of: str = "",
    dark: bool = False,
) -> None:
    """One picture: the top of the page or of a part of it, and as high as the part if no height is given."""
    with browser.opened(running, page, width, height or 900, dark=dark) as shown:
        area = shown.run(f"document.querySelector({of or 'html'!r}).getBoundingClientRect().toJSON()")
        margin = 12 if of and not height else 0
        clip = {
            "x": max(area["x"] - margin, 0) if not height else 0,
            "y": area["y"] - margin,
            "width": area["width"] + 2 * margin if not height else width,
            "height": height or area["height"] + 2 * margin,
            "scale": 1,
        }
        taken = shown.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        IMAGES.mkdir(parents=True, exist_ok=True)
        (IMAGES / f"{name}.png").write_bytes(base64.b64decode(taken["data"]))


if __name__ == "__main__":
    sys.exit(main())
