"""Plans of the real providers -> simcloud/tests/data/real-plans.json.xz, to hold the simulated ones against.

    python tools/pack_real_plans.py FOLDER COMMIT    packs the plans in FOLDER, made of the stacks at COMMIT
    python tools/pack_real_plans.py --show STACK     prints what is packed of a stack, or the names of all

FOLDER has one folder for each version of provider google, `google-<version>`, with one `<stack>.json` for
each stack: by address the `after` and `after_unknown` of what `terraform show -json` says of a first plan
with the real providers (empty state, no refresh, any credentials, remote state and project data put in
place as literals).

Kept are the stacks, too: a simulated plan can only be held against a real one of the same stack, and those
in tests/goldens move on. What no plan depends on is cut short, in both alike.
"""

import json
import lzma
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKED = ROOT / "simcloud" / "tests" / "data" / "real-plans.json.xz"
# Longer texts without references are files and scripts.
LONGEST = 200
PROJECT_NUMBER = "123456789012"
# In place of what is read from the state of the cluster's stack.
CONNECTION = {"host": "https://10.0.0.2", "token": "none"}


def pack(folder: Path, commit: str) -> dict[str, Any]:
    """Read stacks and plans."""
    stacks = dict(_stacks(commit))
    plans = {
        version.name.removeprefix("google-"): {
            file.stem: _short(json.loads(file.read_text("utf-8")), stacks[file.stem])
            for file in sorted(version.glob("*.json"))
        }
        for version in sorted(folder.glob("google-*"))
    }
    source = (
        "terraform plan with the providers azurerm 4.55.0, kubernetes 2.38.0, helm 3.1.1 and google as named"
    )
    return {"source": source, "commit": commit, "stacks": stacks, "plans": plans}


def _stacks(commit: str) -> Any:
    files = _git("ls-tree", "-r", "--name-only", commit, "tests/goldens/").split()
    for file in [one for one in files if one.endswith(".tf.json")]:
        document = json.loads(_git("show", f"{commit}:{file}"))
        for stack in [document] if "terraform" in document else document.values():
            name = stack["terraform"]["backend"]["gcs"]["prefix"].rpartition("/")[2]
            yield name, _alone(stack)


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def _alone(stack: dict[str, Any]) -> dict[str, Any]:
    """The stack without what lies outside of it: its state, other stacks, project data."""
    providers = {
        name: [CONNECTION]
        if name == "kubernetes"
        else [{"kubernetes": CONNECTION}]
        if name == "helm"
        else config
        for name, config in stack["provider"].items()
    }
    text = re.sub(r"\$\{data\.google_project\.\w+\.number\}", PROJECT_NUMBER, json.dumps(stack["resource"]))
    required = stack["terraform"]["required_providers"]
    return {
        "terraform": {"required_providers": required},
        "provider": providers,
        "resource": _short(json.loads(text)),
    }


def _short(value: Any, stack: dict[str, Any] | None = None) -> Any:
    """The value with long texts cut short; custom data, which stacks in goldens lack, is left out."""
    if isinstance(value, dict):
        return {
            key: _short(one, stack) for key, one in value.items() if stack is None or key != "custom_data"
        }
    if isinstance(value, list):
        return [_short(one, stack) for one in value]
    if isinstance(value, str) and len(value) > LONGEST and "${" not in value:
        return f"(a text of {len(value)} characters)"
    return value


def main(arguments: list[str]) -> None:
    """Pack, or show."""
    if arguments[0] == "--show":
        packed = json.loads(lzma.decompress(PACKED.read_bytes()))
        plans = (
            {version: plans.get(arguments[1]) for version, plans in packed["plans"].items()}
            if arguments[1:]
            else {}
        )
        shown = (
            {"stack": packed["stacks"][arguments[1]], "plans": plans} if plans else sorted(packed["stacks"])
        )
        print(json.dumps(shown, indent=1))
        return
    packed = pack(Path(arguments[0]), arguments[1])
    PACKED.write_bytes(
        lzma.compress(json.dumps(packed, sort_keys=True).encode(), preset=9 | lzma.PRESET_EXTREME)
    )
    print(f"{PACKED.relative_to(ROOT)}: {PACKED.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
