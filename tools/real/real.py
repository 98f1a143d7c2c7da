"""The real providers, and a real cluster if there is one, on everything that we make: `make real`.

    python tools/real/real.py               plans every stack, and applies with KUBECONFIG
    python tools/real/real.py --apply       applies Google's stacks to its simulated APIs, too
    python tools/real/real.py gke ray-h200  only blueprints with such words in their names

Every stack of blueprints/ and tests/goldens is initialized, validated and planned with the providers that
Terraform's own CLI configuration leads to, by default the registry; nothing of a cloud is asked. With
--apply, a stack of which all is Google's is also applied, planned again, changed and destroyed, against
Google's APIs on this machine (real_applies.py): a table at the end lists each difference, those of
differences.json with their reasons, and each stack that was not applied with the reason. With KUBECONFIG,
what runs inside clusters is applied there, beside fake nodes (kwok) like those of the pools, planned again,
which must change nothing, and destroyed. A cluster without kwok, which may be one that people use, is
refused before anything is tried. A command of Terraform that takes half an hour has failed. Exit code 1 if
something fails, 2 if the cluster is refused, 3 if no provider can be had.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import real_applies  # noqa: E402 - the checkout first, then the import
import real_nodes  # noqa: E402
import real_stacks  # noqa: E402
from real_terraform import Failed, Terraform, Unreachable, nobody  # noqa: E402

FAILED, REFUSED, UNREACHABLE = 1, 2, 3
#: What a cluster has once kwok, which plays the fake nodes, is installed: no cluster that people use does.
KWOK = "stages.kwok.x-k8s.io"
#: `terraform plan -detailed-exitcode`, for a plan that changes something.
CHANGES = 2


def main(words: Sequence[str]) -> int:
    """Do it for the blueprints with one of the words in their names; the exit code."""
    apply = "--apply" in words
    words = [word for word in words if word != "--apply"]
    files = sorted([*(ROOT / "blueprints").glob("*.yaml"), *(ROOT / "tests" / "goldens").glob("*.yaml")])
    wanted = [each for each in files if not words or any(word in each.stem for word in words)]
    if not wanted:
        sys.exit(f"there is no blueprint with {' or '.join(words)} in its name")
    if os.environ.get("KUBECONFIG") and (why := _no_place_for_this()):
        print(why, file=sys.stderr)
        return REFUSED
    with tempfile.TemporaryDirectory(prefix="real-") as scratch, nobody() as credentials:
        cache = Path(scratch, "providers")
        cache.mkdir()
        # One copy of each provider, and none of it where other runs would find it.
        plugins = {
            "TF_PLUGIN_CACHE_DIR": str(cache),
            "TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE": "true",
        }
        try:
            failed = _all(wanted, Path(scratch), {**credentials, **plugins}, apply=apply)
        except Unreachable as unreachable:
            print(f"nothing was tried: no providers can be had\n{unreachable}", file=sys.stderr)
            return UNREACHABLE
    print(f"{len(wanted)} blueprints: {f'{failed} stacks failed' if failed else 'all stacks are well'}")
    return FAILED if failed else 0


def _all(files: Sequence[Path], scratch: Path, environment: dict[str, str], *, apply: bool) -> int:
    """Everything for all blueprints; how many stacks failed."""
    terraform = Terraform(environment)
    kubeconfig = os.environ.get("KUBECONFIG", "")
    cluster = Terraform({**environment, "KUBE_CONFIG_PATH": kubeconfig}) if kubeconfig else None
    if cluster is None:
        print("KUBECONFIG is not set: nothing is applied")
    failed = 0
    table: list[real_applies.Difference] = []
    skipped: list[str] = []
    for file, folders in _synthesized(files, scratch / "out"):
        stacks = {folder: json.loads((folder / "cdk.tf.json").read_text("utf-8")) for folder in folders}
        for folder, stack in stacks.items():
            failed += _tried(
                f"plan {file.stem}: {folder.name}", _plan, terraform, stack, folder, scratch / "plan"
            )
            if apply and (why := real_applies.why_not_applied(stack)):
                skipped.append(f"{file.stem}: {folder.name} | not applied | {why}")
            elif apply:
                again = scratch / "google" / file.stem / folder.name
                found = list(real_applies.differences(stack, folder, again, environment))
                failed += _told(f"apply to the APIs {file.stem}: {folder.name}", found)
                table += found
        if cluster:
            nodes = real_nodes.fake_nodes(next(iter(stacks.values())))
            for folder, stack in stacks.items():
                if real_stacks.is_inside(stack):
                    what = f"apply {file.stem}: {folder.name}"
                    failed += _tried(what, _apply, cluster, stack, folder, scratch / "apply", nodes)
    for one in table:
        print(f"{one.stack} | {one.step} | {one.text} | {one.reason or 'NOT LISTED'}")
    print("".join(f"{line}\n" for line in skipped), end="")
    return failed


def _no_place_for_this() -> str:
    """Why nothing may be applied to the cluster of KUBECONFIG, empty if it may.

    Charts, roles and nodes are forced onto it and destroyed again: it has to be one made for this.
    """
    try:
        _kubectl("get", KWOK)
    except Failed as failed:
        return (
            f"nothing was tried: the cluster of KUBECONFIG shows no sign of kwok ({KWOK}). "
            "Everything here would be applied to it and destroyed, so it has to be a cluster for this, "
            "like the one that .github/workflows/real.yaml makes; without KUBECONFIG there are plans only\n"
            f"{failed}"
        )
    return ""


def _synthesized(files: Sequence[Path], out: Path) -> Iterator[tuple[Path, list[Path]]]:
    """Each blueprint with the folders of its stacks."""
    for number, file in enumerate(files):
        made = out / str(number)
        command = [sys.executable, "-m", "clusterprint", "synth", str(file), "--out", str(made)]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        manifest = json.loads((made / "manifest.json").read_text("utf-8"))
        yield file, [made / each["workingDirectory"] for each in manifest["stacks"].values()]


def _tried(what: str, work: Any, *arguments: Any) -> bool:
    """Do it and say how it went; whether it failed."""
    try:
        work(*arguments)
    except Failed as failed:
        print(f"FAILED {what}\n{failed}", flush=True)
        return True
    print(f"ok     {what}", flush=True)
    return False


def _told(what: str, found: Sequence[real_applies.Difference]) -> bool:
    """Say how a stack went; whether anything differs that is not listed."""
    unlisted = [one for one in found if not one.reason]
    print(f"{'FAILED' if unlisted else 'ok    '} {what}", flush=True)
    return bool(unlisted)


def _plan(terraform: Terraform, stack: Any, source: Path, scratch: Path) -> None:
    folder = scratch / source.parent.parent.name / source.name
    real_stacks.write(real_stacks.alone(stack), source, folder)
    terraform.init(folder)
    terraform.run(folder, "validate")
    terraform.run(folder, "plan", "-refresh=false")


def _apply(terraform: Terraform, stack: Any, source: Path, scratch: Path, nodes: dict[str, Any]) -> None:
    folder = scratch / source.parent.parent.name / source.name
    real_stacks.write(real_stacks.inside(stack), source, folder)
    terraform.init(folder)
    listed = folder / "nodes.json"
    listed.write_text(json.dumps(nodes), "utf-8")
    _kubectl("apply", "--server-side", "--force-conflicts", "-f", str(listed))
    try:
        terraform.run(folder, "apply", "-auto-approve")
        if terraform.run(folder, "plan", "-detailed-exitcode", fine=(0, CHANGES)) == CHANGES:
            raise Failed("a second plan would change something")
    finally:
        # What cannot be destroyed is worse than what could not be applied: it is said in its place.
        try:
            terraform.run(folder, "destroy", "-auto-approve")
        finally:
            _kubectl("delete", "--ignore-not-found", "-f", str(listed))


def _kubectl(*arguments: str) -> None:
    """Run kubectl on the cluster of KUBECONFIG. Raises Failed."""
    try:
        done = subprocess.run(["kubectl", *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        raise Failed(f"kubectl cannot be run: {error}") from error
    if done.returncode:
        raise Failed(f"kubectl {' '.join(arguments)}: {done.stderr.strip()[:2000]}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
