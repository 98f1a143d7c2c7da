"""Records the simulated tour of the README as a picture of a terminal: docs/images/tour.svg.

    python tools/record_tour.py [FILE]

It runs the commands that it shows. What differs from run to run (how long something took, what came first of
what is made at the same time) is left out, and what is long gets a mark in its place, so that the same
commands give the same bytes. Needs Terraform and the simulated cloud.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "images" / "tour.svg"
BLUEPRINT = ROOT / "blueprints" / "vm-smallest.yaml"
TOUR = (
    ("validate", "first.yaml"),
    ("up", "--simulate", "sim", "--yes", "first.yaml"),
    ("outputs", "--simulate", "sim", "first.yaml"),
    ("down", "--simulate", "sim", "--yes", "first.yaml"),
)
COLUMNS = 104
MORE = "\N{VERTICAL ELLIPSIS}"
# Steps of Terraform, whose order is never the same; the last of them is kept, as it counts them all.
_STEP = re.compile(r"\[first\] (?:creat|destroy|chang|still )\w* \S+.*")
_LAST = re.compile(r"\[first\] (created|destroyed) .*, (\d+) of \2\)")
# What of a review is shown: paragraphs that begin so.
_KEPT = ("22 to", "Risks", "Capacity", "Cost:", "Done.", "Simulated:", "[first]", "Data", "Protections")
_LONG = re.compile(r"  List prices of machines.*| \(\$[\d.]+ each in .*")

CHARACTER, LINE, MARGIN = 7.8, 18, 14
EVERY = 0.35  # seconds between two lines
STYLE = """\
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d4d4d8; white-space: pre }
.typed { fill: #86efac; font-weight: 600 }
@media (prefers-reduced-motion: no-preference) {
  text { opacity: 0; animation: shown 1ms linear forwards }
  @keyframes shown { to { opacity: 1 } }
}"""


def main(arguments: Sequence[str]) -> int:
    """Record the tour into the picture, or into another file."""
    target = Path(arguments[0]) if arguments else PICTURE
    with tempfile.TemporaryDirectory(prefix="tour-") as folder:
        shutil.copy(BLUEPRINT, Path(folder) / "first.yaml")
        lines = [line for words in TOUR for line in played(Path(folder), words)]
    target.write_text(drawn(lines), "utf-8")
    return 0


def played(folder: Path, words: Sequence[str]) -> Iterator[str]:
    """A command as it is typed, and what of its answer is shown."""
    yield f"$ clusterprint {' '.join(words)}"
    done = subprocess.run(
        [sys.executable, "-m", "clusterprint", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    yield from shown(done.stdout, reviewed=words[0] in ("up", "down"))
    yield ""


def shown(said: str, *, reviewed: bool) -> list[str]:
    """The lines that are shown of what a command said; with a review in it, only some paragraphs."""
    kept: list[str] = []
    paragraph = True
    for line in said.splitlines():
        if last := _LAST.fullmatch(line):
            kept.append(f"[first] {last[1]} {last[2]} of {last[2]}")
            continue
        if _STEP.fullmatch(line):
            continue
        if reviewed and line and not line.startswith(" "):
            paragraph = line.startswith(_KEPT) or "everything is gone" in line
        text = _LONG.sub("", line) if paragraph else MORE
        if text and not (text == MORE and kept and kept[-1] == MORE):
            kept.append(text if len(text) <= COLUMNS else f"{text[: COLUMNS - 1]}\N{HORIZONTAL ELLIPSIS}")
    return kept


def drawn(lines: Sequence[str]) -> str:
    """A terminal with lines that come one after the other; all at once for those who want no motion."""
    wide, high = round(COLUMNS * CHARACTER + 2 * MARGIN), len(lines) * LINE + 2 * MARGIN
    texts = [_line(number, line) for number, line in enumerate(lines) if line]
    commands = ", ".join(" ".join(words[:1]) for words in TOUR)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" role="img">',
            f"<title>A cluster in a simulated cloud: {escape(commands)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect width="{wide}" height="{high}" rx="8" fill="#18181b"/>',
            *texts,
            "</svg>\n",
        ]
    )


def _line(number: int, text: str) -> str:
    typed = ' class="typed"' if text.startswith("$ ") else ""
    after = f"{number * EVERY:.2f}s"
    place = f'x="{MARGIN}" y="{MARGIN + LINE * number + 13}"'
    return f'<text {place}{typed} style="animation-delay: {after}">{escape(text)}</text>'


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
