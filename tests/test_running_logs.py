"""Logs of a running cluster for bundles: which commands are asked, and what becomes of those that fail."""

import json
import os
import stat
from pathlib import Path

import pytest
from support import BLUEPRINTS

from clusterprint.cli.cluster_access import plans_of
from clusterprint.examine import examine
from clusterprint.plan.part import StackPlan
from clusterprint.proof.running import answers
from clusterprint.status.programs import Programs

PODS = [
    ("kueue-system", "kueue-0", "Running"),
    ("ml", "train-0", "Failed"),
    ("kube-system", "dns", "Running"),
]
MACHINES = [
    {"name": "first-0", "zone": "us-central1-a", "status": "RUNNING"},
    {"name": "first-1", "zone": "us-central1-a", "status": "TERMINATED"},
]


def programs(folder: Path, name: str, script: str) -> Programs:
    file = folder / name
    file.write_text(f"#!/usr/bin/env bash\n{script}\n", "utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return Programs({"PATH": f"{folder}:{os.environ['PATH']}"})


def plans(name: str) -> tuple[StackPlan, ...]:
    return plans_of(examine([BLUEPRINTS / name]))


def asked(found: list[tuple[str, str]]) -> list[str]:
    return [text.splitlines()[0] for name, text in found if name]


@pytest.fixture
def kubectl(tmp_path: Path) -> Programs:
    pods = [
        {"metadata": {"namespace": space, "name": name}, "status": {"phase": phase}}
        for space, name, phase in PODS
    ]
    (tmp_path / "pods.json").write_text(json.dumps({"items": pods}), "utf-8")
    script = f"""case "$*" in
    *' get pods '*) cat {tmp_path}/pods.json ;;
    *kueue-0*) echo 'not yet' >&2; exit 1 ;;
    *) echo "said by $*" ;; esac"""
    return programs(tmp_path, "kubectl", script)


def test_pods_that_are_not_well_come_first_and_those_of_google_not(kubectl: Programs) -> None:
    found = list(answers(plans("gke-smallest.yaml"), kubectl, ()))
    events, train = asked(found)
    assert " get events --all-namespaces " in events
    assert train.endswith(" --namespace=ml logs train-0 --all-containers --tail=500")
    assert [name for name, _ in found] == ["running/01.txt", "running/02.txt", ""]
    assert found[-1][1].endswith("kubectl: not yet")


def test_nodes_that_run_are_asked_for_the_log_of_their_setup(tmp_path: Path) -> None:
    (tmp_path / "machines.json").write_text(json.dumps(MACHINES), "utf-8")
    gcloud = programs(
        tmp_path, "gcloud", f'case "$*" in *list*) cat {tmp_path}/machines.json ;; *) echo log ;; esac'
    )
    (one,) = answers(plans("vm-smallest.yaml"), gcloud, ())
    assert one[0] == "running/01.txt"
    assert one[1].startswith("$ gcloud compute ssh first-0 ")
    assert one[1].endswith("\nlog\n")


def test_nodes_that_nobody_can_enter_are_asked_for_their_console(tmp_path: Path) -> None:
    (tmp_path / "machines.json").write_text(json.dumps(MACHINES), "utf-8")
    gcloud = programs(
        tmp_path, "gcloud", f'case "$*" in *list*) cat {tmp_path}/machines.json ;; *) echo log ;; esac'
    )
    shut = tmp_path / "shut.yaml"
    text = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")
    shut.write_text(f"{text}network: {{ssh_source_ranges: []}}\n", "utf-8")
    (command,) = asked(list(answers(plans_of(examine([shut])), gcloud, ())))
    where = "--project=my-gpu-project --zone=us-central1-a"
    assert command == f"$ gcloud compute instances get-serial-port-output first-0 {where}"


def test_a_cloud_that_does_not_answer_is_one_problem(tmp_path: Path) -> None:
    gcloud = programs(tmp_path, "gcloud", "echo 'no way' >&2; exit 1")
    assert list(answers(plans("vm-smallest.yaml"), gcloud, ())) == [
        ("", "the running cluster: gcloud: no way")
    ]
