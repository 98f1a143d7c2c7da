"""`clusterprint results` with the real kubectl, which asks an API server that plays along."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fake_kubectl import pod
from kubernetes_api import KubernetesApi, served
from nodes.conftest import need
from support import Run
from test_results_command import BLUEPRINT

pytestmark = pytest.mark.slow

CONTEXT = "gke_my-project_us-east4_bench"
LOG = "WR11C2R4 20000 192 2 3 176.0\npassed, 3 * 2 slots\n"


@pytest.fixture
def place(tmp_path: Path, clusterprint: Run) -> tuple[Path, str, dict[str, str]]:
    """A folder with a blueprint, the name of its run, and the labels by which its launcher is found."""
    need("kubectl")
    (tmp_path / "bench.yaml").write_text(BLUEPRINT)
    printed = clusterprint("results", "bench.yaml", "--print", cwd=tmp_path).stdout
    name = re.search(r"hpl-[0-9a-f]+", printed)
    selector = re.search(r"--selector=(\S+)", printed)
    assert name
    assert selector
    return tmp_path, name[0], dict(each.split("=") for each in selector[1].split(","))


def mpi_job(name: str, condition: str) -> dict[str, Any]:
    return {
        "apiVersion": "kubeflow.org/v2beta1",
        "kind": "MPIJob",
        "metadata": {"name": name, "namespace": "default"},
        "status": {
            "startTime": "2026-11-21T10:00:00Z",
            "conditions": [{"type": condition, "status": "True", "message": ""}],
        },
    }


def launcher(name: str, labels: dict[str, str], exit_code: int) -> dict[str, Any]:
    made = pod(f"{name}-launcher-x", "2026-11-21T10:00:01Z", exit_code)
    made["metadata"] |= {"namespace": "default", "labels": labels}
    # kubectl looks whether the pod has the container before it asks for what that printed.
    spec = {"containers": [{"name": "sidecar"}, {"name": "mpi"}]}
    return made | {"apiVersion": "v1", "kind": "Pod", "spec": spec}


@pytest.mark.parametrize(("condition", "exit_code"), [("Succeeded", 0), ("Failed", 3)])
def test_the_log_of_a_run_is_kept_with_its_end(
    place: tuple[Path, str, dict[str, str]], clusterprint: Run, condition: str, exit_code: int
) -> None:
    folder, name, labels = place
    ended, other = launcher(name, labels, exit_code), launcher("other", {}, 0)
    api = KubernetesApi(
        mpi_job(name, condition), ended, other, logs={(ended["metadata"]["name"], "mpi"): LOG}
    )
    with served(api, CONTEXT, folder) as kubeconfig:
        done = clusterprint(
            "results", "bench.yaml", "--timeout", "20s", cwd=folder, env={"KUBECONFIG": str(kubeconfig)}
        )
    assert done.returncode == bool(exit_code), done.stderr
    kept = (folder / "results" / f"{name}.txt").read_text("utf-8")
    assert kept.endswith(f"\n\n{LOG}")
    assert f"# exit code: {exit_code}" in kept
    job = f"/apis/kubeflow.org/v2beta1/namespaces/default/mpijobs/{name}"
    assert [each for each in api.asked if "/namespaces/" in each][:2] == [
        job,
        "/api/v1/namespaces/default/pods",
    ]


def test_a_run_that_is_not_there_yet_is_waited_for(
    place: tuple[Path, str, dict[str, str]], clusterprint: Run
) -> None:
    folder, name, labels = place
    api = KubernetesApi(mpi_job("hpl-of-before", "Succeeded"), launcher(name, labels, 0), logs={})
    with served(api, CONTEXT, folder) as kubeconfig:
        done = clusterprint(
            "results", "bench.yaml", "--timeout", "1s", cwd=folder, env={"KUBECONFIG": str(kubeconfig)}
        )
    assert done.returncode == 3
    assert not (folder / "results").exists()


def test_a_cluster_that_kubectl_does_not_know_is_said(
    place: tuple[Path, str, dict[str, str]], clusterprint: Run
) -> None:
    folder, *_ = place
    config = {"apiVersion": "v1", "kind": "Config", "contexts": []}
    (folder / "kubeconfig").write_text(json.dumps(config))
    done = clusterprint("results", "bench.yaml", cwd=folder, env={"KUBECONFIG": str(folder / "kubeconfig")})
    assert done.returncode == 3
    assert "gcloud container clusters get-credentials bench" in done.stderr
    assert "Traceback" not in done.stderr
