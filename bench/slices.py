"""Costs of the slice provisioner: requests for each JobSet, memory, time until it requests a pool.

Both APIs are the stand-ins of its tests: what is measured is the provisioner, without the way to the clouds.
"""

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, cast

from measuring import ROOT

sys.path.insert(0, str(ROOT / "provisioner" / "tests"))

from lab import Lab


def requests(jobsets: int) -> dict[str, float]:
    """Requests for each of many JobSets, from waiting to gone, without those of watches and the Lease."""
    lab = Lab({"CONCURRENCY": "50"})
    for number in range(jobsets):
        lab.jobset(f"train-{number:04}", selector=_selector(number), pods=1)
    lab.run(61.0 * (jobsets / 50 + 3), step=61.0)
    for number in range(jobsets):
        lab.end(f"train-{number:04}")
    lab.run(61.0 * (jobsets / 50 + 3), step=61.0)
    if lab.pools():
        sys.exit(f"these pools are left: {', '.join(lab.pools())}")
    cluster = Counter("cluster" for method, _ in lab.api.calls if method != "WATCH")
    cloud = Counter("cloud, changes" if each[0] != "GET" else "cloud, lists" for each in lab.cloud.calls)
    return {name: count / jobsets for name, count in (cluster + cloud).items()}


def latency(jobsets: int) -> float:
    """Milliseconds of the round in which the pool for one more JobSet is asked for, beside many that run."""
    lab = Lab({"CONCURRENCY": str(jobsets + 1)})
    for number in range(jobsets):
        lab.jobset(f"train-{number:04}", selector=_selector(number), pods=1)
    lab.run(305.0, step=61.0)
    before = len(lab.cloud.created)
    lab.jobset("last", selector=_selector(jobsets), pods=1)
    started = time.perf_counter()
    lab.round()
    took = time.perf_counter() - started
    if len(lab.cloud.created) != before + 1:
        sys.exit("no pool was asked for")
    return took * 1000


def memory(pods: int) -> float:
    """Megabytes of a process of its own that holds so many pods, as it would hold them."""
    code = f"import slices; slices.hold({pods})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT / "bench", capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def hold(pods: int) -> None:
    """Print how much memory a program with so many pods takes; each pod comes as the API server sends it."""
    import msgspec

    from clusterprint_provisioner import __main__, transports  # noqa: F401 - all that the program loads
    from clusterprint_provisioner.kube import PODS, Kubernetes
    from clusterprint_provisioner.watching import Copy

    class Pages:
        """Pods in pages of 500, each 4 kB, made when they are asked for."""

        def request(self, _method: str, _path: str, query: dict[str, str], *_: object) -> tuple[int, bytes]:
            start = int(query.get("continue", "0"))
            items = [_pod(number) for number in range(start, min(start + 500, pods))]
            rest = {"continue": str(start + 500)} if start + 500 < pods else {}
            return 200, msgspec.json.encode({"metadata": {"resourceVersion": "1", **rest}, "items": items})

    import google.auth.transport.requests  # noqa: F401
    import kubernetes.client  # noqa: F401

    copy = Copy(Kubernetes(cast(Any, Pages()), "home"), PODS, lambda: None)
    copy.refresh()
    if len(copy.items()) != pods:
        sys.exit("pods are missing")
    print(_most_used())


def _most_used() -> float:
    """Megabytes that this program has used at most; getrusage counts the one that started it, too."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    (high,) = (line for line in lines if line.startswith("VmHWM:"))
    return int(high.split()[1]) / 1024


def _pod(number: int) -> dict[str, object]:
    name = f"train-{number // 64}-slice-0-{number % 64}"
    padding = {"managedFields": [{"manager": "kube-controller-manager", "fieldsV1": "x" * 3000}]}
    owner = {"kind": "Job", "name": name, "uid": f"uid-{number // 64}", "controller": True}
    return {
        "metadata": {
            "name": name,
            "namespace": "default",
            "uid": f"{number}",
            "ownerReferences": [owner],
            **padding,
        },
        "spec": {
            "nodeName": f"gke-node-{number}",
            "nodeSelector": _selector(number),
            "containers": [{"name": "c", "image": "i", "resources": {"requests": {"google.com/tpu": "4"}}}],
        },
        "status": {"phase": "Running", "conditions": [{"type": "PodScheduled", "status": "True"}]},
    }


def _selector(number: int) -> dict[str, str]:
    return {
        "cloud.google.com/gke-tpu-accelerator": "tpu-v5p-slice",
        "cloud.google.com/gke-tpu-topology": "2x2x1",
        "job-key": str(number),
    }
