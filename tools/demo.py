"""`make demo`: validates a blueprint, synthesizes it, and shows what it made and where.

It runs the very commands that it prints, so what it shows is what a user gets.
"""

import json
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLUEPRINT = Path("blueprints/vm-sample.yaml")
OUT = Path(".cache/demo")
LISTED_OUTPUTS = ("connect", "addresses", "state")


def main() -> int:
    """Run the demonstration; the exit code of the first command that fails."""
    print(f"The blueprint, {BLUEPRINT}:\n")
    print((ROOT / BLUEPRINT).read_text("utf-8"))
    for command in (["validate", str(BLUEPRINT)], ["synth", str(BLUEPRINT), "--out", str(OUT)]):
        print(f"$ clusterprint {shlex.join(command)}", flush=True)
        code = subprocess.run(
            [sys.executable, "-m", "clusterprint", *command], cwd=ROOT, check=False
        ).returncode
        if code:
            return code
        print()
    for file in sorted((ROOT / OUT / "stacks").glob("*/cdk.tf.json")):
        show(file)
    print("Next: change the blueprint and run it again, or read README.md.")
    return 0


def show(file: Path) -> None:
    """The parts of one stack."""
    stack = json.loads(file.read_text("utf-8"))
    print(f"{file.relative_to(ROOT)} holds:\n")
    resources = Counter({kind: len(named) for kind, named in stack["resource"].items()})
    for kind, count in sorted(resources.items()):
        print(f"  {count:3}  {kind}")
    print("\nand tells you, once it is deployed:\n")
    for name in LISTED_OUTPUTS:
        print(f"  {name}: {json.dumps(stack['output'][name]['value'], indent=2)}".replace("\n", "\n  "))
    print()


if __name__ == "__main__":
    sys.exit(main())
