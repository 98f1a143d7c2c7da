"""Synthesizes the scratch stack in a process of its own. Usage: program.py OUT_DIR [STEP]...

Steps: `strange` adds resources of two types that the scanned sources do not import; `cut-fails`,
`cut-is-damaged` and `cut-does-not-run` break the cut assembly; `plain` prepares nothing. Prints `synthesized`
and leaves with exit code 5, which no accident gives.
"""

import sys
from pathlib import Path

from clusterprint.bindings import cut, leave, prepare

HERE = Path(__file__).parent
out, steps = sys.argv[1], sys.argv[2:]


def broken_cut(tarball: Path, modules: frozenset[str], name: str) -> bytes:
    if "cut-fails" in steps:
        message = "two\nlines"
        raise RuntimeError(message)
    if "cut-is-damaged" in steps:
        return b"not a tarball"
    return usual_cut(tarball, modules, name)


usual_cut = cut.cut
cut.cut = broken_cut
if "cut-does-not-run" in steps:
    cut._INDEX = "throw new Error('no')"  # noqa: SLF001
if "plain" not in steps:
    prepare(HERE / "stacks")

import cdktf  # noqa: E402

sys.path.insert(0, str(HERE / "stacks"))
from cluster import build  # noqa: E402

app = cdktf.App(outdir=out)
stack = build(app)
if "strange" in steps:
    import cdktf_cdktf_provider_google as google
    from cdktf_cdktf_provider_google.compute_disk import ComputeDisk, ComputeDiskGuestOsFeatures

    disk = ComputeDisk(
        stack,
        "disk",
        name="disk",
        guest_os_features=[ComputeDiskGuestOsFeatures(type="GVNIC")],
        labels={"a": "b"},
    )
    google.compute_snapshot.ComputeSnapshot(stack, "snapshot", name="s", source_disk=disk.id)
app.synth()
print("synthesized")  # noqa: T201 - its output is what the test looks at
leave(5)
