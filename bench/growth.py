"""How the time of `validate` grows with what it is given, also where it is large or wrong on purpose."""

from collections.abc import Callable, Iterator
from pathlib import Path

from measuring import clusterprint, wall

_VM = """\
clusterprint: v1
kind: vm
name: {name}
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {{gcs: {{bucket: my-terraform-state}}}}
nodes: {{machine_type: a2-highgpu-1g}}
"""
# Names that a missing file is compared with.
_OTHERS = 1990

Make = Callable[[Path, int], None]


def overlapping(folder: Path, count: int) -> None:
    """Blueprints of one project, all with the default range."""
    for number in range(count):
        (folder / f"c{number:04}.yaml").write_text(_VM.format(name=f"c{number:04}"))


def missing_files(folder: Path, count: int) -> None:
    """A blueprint with files that do not exist, beside many others with names like theirs."""
    (folder / "files").mkdir()
    for number in range(_OTHERS):
        (folder / f"files/input-of-the-job-{number:04}.txt").write_text("x")
    copies = "".join(f"  - {{source: ./files/input-of-a-job-{number:04}.txt}}\n" for number in range(count))
    (folder / "a.yaml").write_text(f"{_VM.format(name='a')}files:\n{copies}")


def ignore_comments(folder: Path, count: int) -> None:
    """A blueprint with comments that ignore nothing."""
    comments = "".join(f"# clusterprint: ignore[VM{number:05}] x\n" for number in range(count))
    (folder / "a.yaml").write_text(_VM.format(name="a") + comments)


#: What is measured: how to make it, two sizes, and the exit code of `validate`.
CASES: dict[str, tuple[Make, int, int, int]] = {
    "blueprints with one range": (overlapping, 300, 1500, 0),
    "missing files": (missing_files, 80, 400, 1),
    "ignore comments": (ignore_comments, 5_000, 25_000, 0),
}


def curves(scratch: Path, rounds: int) -> Iterator[tuple[str, int, int, float, float]]:
    """Each case with its two sizes, and the seconds of both: the best of some rounds."""
    for name, (make, fewer, more, ends) in CASES.items():
        seconds = []
        for count in (fewer, more):
            folder = scratch / f"{make.__name__}-{count}"
            folder.mkdir()
            make(folder, count)
            seconds.append(min(wall(clusterprint("validate", folder), ends) for _ in range(rounds)))
        small, large = seconds
        yield name, fewer, more, small, large
