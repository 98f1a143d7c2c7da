"""`clusterprint results` from outside, against a kubectl that plays each case."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fake_kubectl import FakeKubectl, job, listed, pod
from support import ROOT, Run

pytestmark = pytest.mark.slow

BLUEPRINT = """\
clusterprint: v1
kind: gke
name: bench
project: my-project
region: us-east4
backend: {gcs: {bucket: my-state}}
node_pools: [{name: workers, machine_type: n2-standard-4, count: 3}]
workloads:
  mpi:
    jobs:
      - {name: hpl, image: my/hpl:v1, workers: 3, slots_per_worker: 2, command: [xhpl]}
"""
SECOND = "      - {name: ring, image: my/ring:v1, workers: 2, command: [ring]}\n"
JOBSET = """\
  jobset: {}
  jobsets: [{name: train, image: my/trainer:v1, command: [train]}]
  trainer: {}
  train_jobs: [{name: llm, image: my/trainer:v1, command: [train]}]
"""


class Place:
    """A folder with a blueprint, and a fake kubectl on the PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kubectl = FakeKubectl(folder / "bin")
        self.environment = {"PATH": self.kubectl.path}
        self.write(BLUEPRINT)

    def write(self, text: str) -> None:
        """Write the blueprint."""
        (self.folder / "bench.yaml").write_text(text)

    @property
    def results(self) -> list[Path]:
        """The content of the folder of results, hidden files too."""
        return sorted((self.folder / "results").glob("*")) if (self.folder / "results").exists() else []


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_the_commands_are_printed_and_none_is_run(clusterprint: Run, place: Place) -> None:
    done = clusterprint("results", "bench.yaml", "--print", cwd=place.folder, env=place.environment)
    assert done.returncode == 0, done.stderr
    looked, logs = done.stdout.splitlines()
    assert re.fullmatch(r"kubectl --context=\S+ --namespace=default get mpijobs\S* hpl-[0-9a-f]+", looked), (
        looked
    )
    assert re.search(r" logs --selector=\S+ --container=\S+ --tail=-1$", logs), logs
    assert place.results == []


def test_a_run_that_succeeded(clusterprint: Run, place: Place) -> None:
    place.kubectl.play(jobs=[job("Succeeded")], logs=[{"out": "176 GFlops\n"}])
    done = clusterprint("results", "bench.yaml", cwd=place.folder, env=place.environment)
    assert done.returncode == 0, done.stderr
    (file,) = place.results
    assert done.stdout == f"results/{file.name}: {file.stem} has succeeded\n"
    assert file.name.startswith("hpl-")
    assert file.read_text().endswith("\n\n176 GFlops\n")
    assert place.kubectl.calls[0][0] == "--context=gke_my-project_us-east4_bench"


@pytest.mark.parametrize(
    ("name", "resource", "container", "over"),
    [
        ("train", "jobsets.jobset.x-k8s.io", "main", "Completed"),
        ("llm", "trainjobs.trainer.kubeflow.org", "node", "Complete"),
    ],
)
def test_a_job_of_pods_is_waited_for_and_its_pod_asked(  # noqa: PLR0913, PLR0917
    clusterprint: Run, place: Place, name: str, resource: str, container: str, over: str
) -> None:
    place.write(BLUEPRINT + JOBSET)
    ended = pod("train-workers-0-0-x", "2026-11-22T10:00:01Z", 0)
    ended["status"]["containerStatuses"][1]["name"] = container
    place.kubectl.play(jobs=[job(over)], pods=[listed(ended)], logs=[{"out": "loss 0.1\n"}])
    done = clusterprint("results", "bench.yaml", "--job", name, cwd=place.folder, env=place.environment)
    assert done.returncode == 0, done.stderr
    (file,) = place.results
    assert file.read_text().endswith("# exit code: 0 (Error)\n\nloss 0.1\n")
    asked, listing, logs = place.kubectl.calls
    assert asked[3:5] == [resource, file.stem]
    assert f"--selector=jobset.sigs.k8s.io/jobset-name={file.stem}" in listing
    assert logs[3:] == ["train-workers-0-0-x", f"--container={container}"]


def test_a_run_that_failed_with_a_name_of_its_own(clusterprint: Run, place: Place) -> None:
    place.kubectl.play(
        jobs=[job("Failed")], pods=[listed(pod("p", "2026-11-21T10:00:01Z", 3))], logs=[{"out": "no\n"}]
    )
    done = clusterprint("results", "bench.yaml", "--run", "first", cwd=place.folder, env=place.environment)
    assert done.returncode == 1
    assert done.stdout.startswith("results/first.txt: hpl-")
    assert "# exit code: 3 (Error)\n" in (place.folder / "results" / "first.txt").read_text()


def test_a_run_that_goes_on_is_no_result(clusterprint: Run, place: Place) -> None:
    place.kubectl.play(jobs=[job("Running")])
    done = clusterprint("results", "bench.yaml", "--timeout", "1s", cwd=place.folder, env=place.environment)
    assert done.returncode == 3
    assert "runs, and the time is up; it goes on: ask again, or wait longer" in done.stderr
    assert place.results == []


GIVEN_UP = {
    "kind": "Workload",
    "metadata": {"name": "mpijob-hpl-x", "namespace": "default", "ownerReferences": [{"uid": "7"}]},
    "spec": {"active": False},
    "status": {
        "conditions": [
            {
                "type": "Evicted",
                "status": "True",
                "reason": "DeactivatedDueToRequeuingLimitExceeded",
                "message": "The workload is deactivated due to exceeding the maximum number of retries",
            }
        ]
    },
}


def test_nobody_waits_for_a_job_that_kueue_has_given_up(clusterprint: Run, place: Place) -> None:
    place.kubectl.play(jobs=[job("Suspended")], workloads=[GIVEN_UP])
    done = clusterprint("results", "bench.yaml", cwd=place.folder, env=place.environment)
    assert done.returncode == 3
    assert "was deactivated in its queue: Kueue does not start it any more: The workload is" in done.stderr
    assert "kubectl patch workloads.kueue.x-k8s.io mpijob-hpl-x --namespace=default" in done.stderr
    assert "--selector=kueue.x-k8s.io/job-uid=7" in place.kubectl.calls[-1]
    assert place.results == []


def test_a_job_whose_turn_comes_is_waited_for(clusterprint: Run, place: Place) -> None:
    waits = {**GIVEN_UP, "spec": {"active": True}}
    place.kubectl.play(jobs=[job("Suspended"), job("Succeeded")], workloads=[waits])
    done = clusterprint("results", "bench.yaml", cwd=place.folder, env=place.environment)
    assert done.returncode == 0, done.stderr


def test_another_file_or_argument_is_another_run(clusterprint: Run, place: Place) -> None:
    names = set()
    for text in (
        BLUEPRINT,
        BLUEPRINT.replace("[xhpl]", "[xhpl, -v]"),
        BLUEPRINT.replace("command", "run: second, command"),
        BLUEPRINT.replace("slots_per_worker: 2, ", ""),
        BLUEPRINT.replace("name: bench", "name: bench\nlabels: {team: ml}"),
    ):
        place.write(text)
        place.kubectl.play(jobs=[job("Succeeded")])
        done = clusterprint("results", "bench.yaml", cwd=place.folder, env=place.environment)
        assert done.returncode == 0, done.stderr
        names.add(done.stdout.split()[1])
    assert len(names) == 4, "labels of the cluster are no part of a job"


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (BLUEPRINT + SECOND, [], "there are several jobs: say which one with --job (hpl, ring)"),
        (BLUEPRINT, ["--job", "ring"], "there is no job 'ring'; the jobs are hpl"),
        (BLUEPRINT.partition("workloads")[0], [], "bench.yaml has no MPI jobs"),
        (BLUEPRINT, ["--run", "../first"], "it names a file"),
        (BLUEPRINT, ["--timeout", "soon"], "a duration is a whole number"),
    ],
)
def test_wrong_usage(clusterprint: Run, place: Place, text: str, arguments: list[str], message: str) -> None:
    place.write(text)
    done = clusterprint("results", "bench.yaml", *arguments, cwd=place.folder, env=place.environment)
    assert done.returncode == 2
    assert message in done.stderr


def test_one_of_several_jobs(clusterprint: Run, place: Place) -> None:
    place.write(BLUEPRINT + SECOND)
    place.kubectl.play(jobs=[job("Succeeded")])
    done = clusterprint("results", "bench.yaml", "--job", "ring", cwd=place.folder, env=place.environment)
    assert done.stdout.startswith("results/ring-")


def test_a_blueprint_with_mistakes_has_no_results(clusterprint: Run, place: Place) -> None:
    place.write(BLUEPRINT.replace("workers: 3", "workers: many"))
    done = clusterprint("results", "bench.yaml", cwd=place.folder, env=place.environment)
    assert done.returncode == 1
    assert "workers" in done.stderr


def test_killed_in_the_middle_it_leaves_no_result(place: Place) -> None:
    place.kubectl.play(jobs=[job("Succeeded")], logs=[{"out": "half", "sleep": 60}, {"out": "whole\n"}])
    command = [sys.executable, "-m", "clusterprint", "results", "bench.yaml", "--run", "first"]
    environment = {**os.environ, **place.environment, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=place.folder, env=environment, start_new_session=True)
    try:
        while not (place.kubectl.folder / "logs").exists() and process.poll() is None:
            time.sleep(0.02)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert not (place.folder / "results" / "first.txt").exists()
    again = subprocess.run(command, cwd=place.folder, env=environment, capture_output=True, check=True)
    assert again.stdout.startswith(b"results/first.txt")
    assert (place.folder / "results" / "first.txt").read_text().endswith("\n\nwhole\n")
