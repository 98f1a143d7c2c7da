"""Runs in the simulated cloud: their states by its clock, their pods and logs, by the simulated programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clusterprint_simcloud import gcloud
from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, Cloud, Record, key
from clusterprint_simcloud.work import clock, kubectl, runs, shells

HOME = "projects/p/locations/us-east4/clusters/c"
CONTEXT = "--context=gke_p_us-east4_c"
POD = {"spec": {"containers": [{"name": "main", "command": ["python", "train.py"]}]}}
JOBS: dict[str, tuple[str, dict[str, Any], int]] = {
    "mpijobs.kubeflow.org": (
        "kubeflow.org/v2beta1 MPIJob",
        {"mpiReplicaSpecs": {"Launcher": {"template": POD}, "Worker": {"replicas": 2, "template": POD}}},
        3,
    ),
    "jobsets.jobset.x-k8s.io": (
        "jobset.x-k8s.io/v1alpha2 JobSet",
        {
            "replicatedJobs": [
                {"name": "w", "replicas": 2, "template": {"spec": {"completions": 2, "template": POD}}}
            ]
        },
        4,
    ),
    "trainjobs.trainer.kubeflow.org": (
        "trainer.kubeflow.org/v1alpha1 TrainJob",
        {"trainer": {"numNodes": 2, "command": ["python", "train.py"]}},
        2,
    ),
    "leaderworkersets.leaderworkerset.x-k8s.io": (
        "leaderworkerset.x-k8s.io/v1 LeaderWorkerSet",
        {"replicas": 2, "leaderWorkerTemplate": {"size": 3, "workerTemplate": POD}},
        6,
    ),
    "rayclusters.ray.io": (
        "ray.io/v1 RayCluster",
        {
            "headGroupSpec": {"template": POD},
            "workerGroupSpecs": [{"groupName": "w", "replicas": 2, "template": POD}],
        },
        3,
    ),
    "rayjobs.ray.io": ("ray.io/v1 RayJob", {"entrypoint": "python train.py", "submitterPodTemplate": POD}, 1),
    "jobs.batch": ("batch/v1 Job", {"completions": 2, "template": POD}, 2),
}
SERVING = ("leaderworkersets.leaderworkerset.x-k8s.io", "rayclusters.ray.io")
Asked = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cloud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cloud:
    made = Cloud(tmp_path / "cloud")
    monkeypatch.setenv(CLOUD_VARIABLE, str(made.folder))
    monkeypatch.delenv(runs.VARIABLE, raising=False)
    with made.open() as contents:
        cluster = contents.add(
            Record("google_container_cluster", HOME, {"name": "c", "location": "us-east4"})
        )
        contents.add(Record("kubernetes_namespace_v1", f"{HOME}/default", {}, owner=cluster.key))
        for group in {each.partition(".")[2] for each in JOBS}:
            contents.add(Record("API group", f"{HOME}/{group}", {"name": group}, owner=cluster.key))
        contents.add(
            Record("LocalQueue.kueue.x-k8s.io", f"{HOME}/default/q", {"name": "q"}, owner=cluster.key)
        )
    return made


@pytest.fixture
def ask(cloud: Cloud, capsys: pytest.CaptureFixture[str]) -> Asked:  # noqa: ARG001
    def asked(*words: str) -> tuple[int, str, str]:
        code = kubectl.main([CONTEXT, *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return asked


def write(folder: Path, kind: str, *, queue: str = "", **metadata: Any) -> str:
    """A file with one job of a kind."""
    api, name = JOBS[kind][0].split()
    labels = {"labels": {"kueue.x-k8s.io/queue-name": queue}} if queue else {}
    document = {"apiVersion": api, "kind": name, "metadata": {**labels, **metadata}, "spec": JOBS[kind][1]}
    (folder / "job.yaml").write_text(json.dumps(document))
    return f"--filename={folder / 'job.yaml'}"


def wait(cloud: Cloud, seconds: int) -> None:
    with cloud.open() as contents:
        contents.rest.clock += seconds


def read(ask: Asked, *words: str) -> Any:
    code, out, err = ask("get", *words, "--output=json")
    assert code == 0, err
    return json.loads(out)


@pytest.mark.parametrize("kind", JOBS)
def test_a_run_goes_through_its_states_by_the_clock(
    kind: str, ask: Asked, tmp_path: Path, cloud: Cloud
) -> None:
    assert ask("create", write(tmp_path, kind, generateName="run-", queue="q"), "--output=name")[0] == 0
    name = read(ask, kind)["items"][0]["metadata"]["name"]
    assert name.startswith("run-")
    seen = []
    for _ in range(7):
        pods = read(ask, "pods")["items"]
        phases = {each["status"]["phase"] for each in pods}
        seen.append((len(pods), *sorted(phases)))
        wait(cloud, 30)
    count = JOBS[kind][2]
    after = (1 if kind.startswith("mpi") else count, "Succeeded")
    running = (count, "Running")
    end = running if kind in SERVING else after
    assert seen == [(0,), (count, "Pending"), *[running] * 4, end]
    found = read(ask, kind, name)
    assert "simulated" in json.dumps(found["status"]) or kind in SERVING
    first = read(ask, "pods")["items"][0]["metadata"]["name"]
    container = "node" if kind.startswith("trainjobs") else "main"
    code, log, _ = ask("logs", first, f"--container={container}")
    assert code == 0
    assert "python train.py" in log
    assert all("simulated" in line for line in log.splitlines())


@pytest.mark.parametrize("outcome", runs.OUTCOMES)
def test_a_run_ends_as_requested(outcome: str, ask: Asked, tmp_path: Path, cloud: Cloud) -> None:
    kind = "jobsets.jobset.x-k8s.io"
    assert ask("create", write(tmp_path, kind, name="a", queue="q"))[0] == 0
    assert ask("annotate", kind, "a", f"{kubectl.OUTCOME}={outcome}")[0] == 0
    states = []
    for _ in range(11):
        conditions = read(ask, kind, "a")["status"]["conditions"]
        states.append(conditions[0]["type"] if conditions else "")
        wait(cloud, 30)
    codes = [
        each["status"]["containerStatuses"][0]["state"]["terminated"]["exitCode"]
        for each in read(ask, "pods")["items"]
    ]
    ended = {"succeeded": "Completed", "failed": "Failed", "preempted": "Completed"}[outcome]
    assert states[0] == "Suspended"
    assert states[-1] == ended
    assert ("Suspended" in states[1:]) == (outcome == "preempted")
    assert codes == ([1, 143, 143, 143] if outcome == "failed" else [0] * 4)
    code, _, err = ask("annotate", kind, "a", f"{kubectl.OUTCOME}=failed")
    assert (code, err) == (1, "error: a has ended already\n")


def test_the_same_folder_gives_the_same_answers(ask: Asked, tmp_path: Path, cloud: Cloud) -> None:
    kind = "rayjobs.ray.io"
    ask("create", write(tmp_path, kind, name="a"))
    with cloud.open() as contents:
        contents.rest.clock = 100
    assert read(ask, kind, "a") == read(ask, kind, "a")
    assert ask("logs", "job/a") == ask("logs", "job/a")


def test_a_run_without_its_queue_never_starts(ask: Asked, tmp_path: Path, cloud: Cloud) -> None:
    ask("create", write(tmp_path, "jobsets.jobset.x-k8s.io", name="a", queue="other"))
    with cloud.open() as contents:
        contents.rest.clock = 10_000
    [condition] = read(ask, "jobsets", "a")["status"]["conditions"]
    assert condition["message"] == "simulated: there is no LocalQueue other in namespace default"


def test_what_cannot_be_is_refused_in_the_words_of_kubectl(ask: Asked, tmp_path: Path) -> None:
    kind = "rayjobs.ray.io"
    file = write(tmp_path, kind, name="a")
    assert ask("create", file) == (0, "rayjob.ray.io/a created\n", "")
    for words, said in (
        (("create", file), 'Error from server (AlreadyExists): rayjobs.ray.io "a" already exists'),
        (("create", file, "--namespace=none"), 'Error from server (NotFound): namespaces "none" not found'),
        (
            ("create", "--filename=none.yaml"),
            'error: the path "none.yaml" cannot be read: No such file or directory',
        ),
        (("get", "widgets"), 'error: the server doesn\'t have a resource type "widgets"'),
        (("get", "pods", "none"), 'Error from server (NotFound): pods "none" not found'),
        (("logs", "none"), 'Error from server (NotFound): pods "none" not found'),
        (
            ("annotate", kind, "a", "x=y"),
            f"error: the simulated kubectl knows one annotation: {kubectl.OUTCOME}=OUTCOME",
        ),
        (("delete", kind, "b"), 'Error from server (NotFound): rayjobs.ray.io "b" not found'),
        (("drain", "node"), f"error: the simulated kubectl does not know: {CONTEXT} drain node"),
    ):
        assert ask(*words) == (1, "", f"{said}\n"), words
    assert ask("delete", f"{kind}/a")[0] == 0
    assert read(ask, kind)["items"] == []


def test_a_cluster_of_another_cloud_is_not_reached(cloud: Cloud, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: ARG001
    assert kubectl.main(["--context=gke_p_us-east4_other", "get", "nodes"]) == 1
    assert 'context "gke_p_us-east4_other" does not exist' in capsys.readouterr().err


def test_slurm_answers_in_its_login_pod_once_its_chart_is_there(ask: Asked, cloud: Cloud) -> None:
    pod = (CONTEXT, "--namespace=slurm", "exec", "deployment/slurm-login-main", "--")
    assert ask(*pod, "squeue")[0] == 1
    values = {
        "nodesets": {"cpu": {"podSpec": {"nodeSelector": {"cloud.google.com/gke-nodepool": "cpu"}}}},
        "partitions": {"batch": {"nodesets": ["cpu"]}},
    }
    with cloud.open() as contents:
        contents.add(
            Record("helm_release", f"{HOME}/slurm/slurm", {"name": "slurm", "values": [json.dumps(values)]})
        )
    assert ask(*pod, "sbatch", "--partition=batch", "--wrap", "hostname")[:2] == (
        0,
        "Submitted batch job 1\n",
    )
    assert ask(*pod, "env", "TZ=UTC", "sh", "-c", "sinfo")[1].startswith("partition|batch|0|idle\n")
    assert "|batch|" in ask(*pod, "squeue")[1]
    assert ask(*pod, "scancel", "1")[0] == 0
    assert ask(*pod, "scancel", "7")[0] == 1
    assert "this would run: bash" in ask(*pod, "bash")[1]


def test_machines_answer_and_run_nothing(cloud: Cloud, capsys: pytest.CaptureFixture[str]) -> None:
    node = "projects/p/zones/z/instances/n-0"
    head = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/head"
    with cloud.open() as contents:
        contents.add(Record("google_compute_instance", node, {"name": "n-0"}))
        contents.add(Record("azurerm_linux_virtual_machine", head, {"name": "head", "location": "eastus"}))
        contents.leases["public addresses"] = {"20.0.0.1": "an address"}
    where = ("n-0", "--project=p", "--zone=z")
    log = ("sudo", "tail", "-n", "2", "/var/log/clusterprint/setup.log")
    of_head = ["--query", "[?name == 'head']", "--subscription", "s", "--resource-group", "g"]
    for main, words, said in (
        (gcloud.main, ["compute", "ssh", *where, "--", "rm", "-rf", "/"], "on n-0, this would run: rm -rf /"),
        (gcloud.main, ["compute", "ssh", *where, "--", *log], "simulated: n-0 is ready"),
        (gcloud.main, ["compute", "instances", "get-serial-port-output", *where], "setup began"),
        (shells.ssh, ["-J", "u@20.0.0.1", "u@10.0.0.4", "id"], "on u@10.0.0.4, this would run: id"),
        (shells.az, ["vm", "list", *of_head], "VM running"),
        (shells.az, ["network", "bastion", "ssh", "--target-resource-id", head], "would open on head"),
        (shells.ray, ["job", "submit", "--", "python", "x.py"], "' succeeded"),
    ):
        assert main(words) == 0
        assert said in capsys.readouterr().out
    assert gcloud.main(["compute", "ssh", "n-1", "--project=p", "--zone=z"]) == 1
    assert shells.ssh(["u@20.0.0.9"]) == 255
    assert "Connection timed out" in capsys.readouterr().err


def test_a_run_of_machines_reports_to_its_bucket(cloud: Cloud, capsys: pytest.CaptureFixture[str]) -> None:
    text = "run=hpl-1\nbucket=b\nresults=c/runs/hpl-1\n"
    with cloud.open() as contents:
        contents.add(Record("google_storage_bucket", "b", {"name": "b"}))
        contents.add(Record("google_storage_bucket_object", "s-run", {"content": text}))
    status = ["storage", "cat", "gs://b/c/runs/hpl-1/status", "--project=p"]
    assert gcloud.main(status) == 1
    assert "not found: 404" in capsys.readouterr().err
    update = ["storage", "objects", "update", status[2], f"--custom-metadata={kubectl.OUTCOME}=failed"]
    assert gcloud.main(update) == 0
    clock.main(["60"])
    gcloud.main(status)
    assert "state=running" in capsys.readouterr().out
    clock.main(["120"])
    gcloud.main(status)
    assert "state=failed" in (said := capsys.readouterr().out)
    assert "exit_status=1" in said
    assert gcloud.main(update) == 1


def test_credentials_are_written_into_the_folder_of_the_cloud(
    cloud: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["container", "clusters", "get-credentials", "c", "--location=us-east4", "--project=p"]
    assert gcloud.main(words) == 0
    written = json.loads((cloud.folder.parent / "kubeconfig").read_text())
    assert written["current-context"] == "gke_p_us-east4_c"
    assert "your own kubeconfig is unchanged" in capsys.readouterr().out
    assert gcloud.main([*words[:3], "other", *words[4:]]) == 1


def test_runs_go_with_their_namespace(ask: Asked, tmp_path: Path, cloud: Cloud) -> None:
    ask("create", write(tmp_path, "jobs.batch", name="a"))
    with cloud.open() as contents:
        contents.remove(contents.records[key("kubernetes_namespace_v1", f"{HOME}/default")])
    assert read(ask, "jobs", "--all-namespaces")["items"] == []
