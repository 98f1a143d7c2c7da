"""`clusterprint import` of a script that calls XPK: devices, workloads, and what is left out."""

from typing import Any

import pytest

from clusterprint.importing.formats import Text, translate


@pytest.mark.parametrize(
    ("device", "pool"),
    [
        ("--device-type=h200-141gb-8 --num-nodes=4", {"machine_type": "a3-ultragpu-8g", "count": 4}),
        ("--device-type h100-mega-80gb-8", {"machine_type": "a3-megagpu-8g", "count": 2}),  # XPK's default
        ("--tpu-type=v5p-8", {"machine_type": "ct5p-hightpu-4t", "tpu": {"topology": "2x2x1", "slices": 1}}),
        (
            "--tpu-type=v5litepod-16",
            {"machine_type": "ct5lp-hightpu-4t", "tpu": {"topology": "4x4", "slices": 1}},
        ),
    ],
)
def test_devices_of_xpk_are_machine_types(device: str, pool: dict[str, Any]) -> None:
    text = f"xpk cluster create --cluster c --project my-project --zone us-east5-b {device}\n"
    translated = translate([Text("create.sh", text)], None, {})
    found = translated.data["node_pools"][0]
    assert {key: found.get(key) for key in pool} == pool


def test_what_a_shell_would_work_out_is_asked_for() -> None:
    text = (
        'xpk cluster create --cluster=a --project=p \\\n --zone="$ZONE" --device-type=x-1 --num-nodes=two\n'
    )
    findings = translate([Text("create.sh", text)], None, {}).findings
    messages = [each.message for each in findings if each.line == 2]
    assert any("--zone is $ZONE" in each for each in messages)
    assert any("--device-type x-1 is not a known accelerator" in each for each in messages)
    assert any("--num-nodes is not a whole number" in each for each in messages)


WORKLOADS = """\
#!/bin/bash
set -e
pip install xpk
xpk cluster create --cluster=c --project=my-project --zone=us-west4-a --tpu-type=v5litepod-16 --num-slices=4
python3 xpk.py workload create --cluster c --workload train \\
  --docker-image="$IMAGE" --tpu-type=v5litepod-16 --num-slices=2 --priority=high --max-restarts=3 \\
  --env LEVEL=info --env=STEPS=7 --ttl-seconds-after-finished=60 \\
  --command='for i in 1 2
do echo "$JOB_COMPLETION_INDEX"; done'
xpk storage attach data --cluster=c
"""


def test_workloads_of_xpk_are_jobsets() -> None:
    translated = translate([Text("all.sh", WORKLOADS)], None, {"docker-image": "my/trainer:v1"})
    assert translated.data["workloads"] == {
        "jobset": {},
        "kueue": {"priorities": [{"name": "high", "value": 250}]},
        "jobsets": [
            {
                "name": "train",
                "image": "my/trainer:v1",
                "command": ["/bin/bash", "-c", 'for i in 1 2\ndo echo "$JOB_COMPLETION_INDEX"; done'],
                "replicas": 2,
                "retries": 3,
                "env": {"LEVEL": "info", "STEPS": "7"},
                "queue": "default",
                "priority": "high",
            }
        ],
    }
    assert [(each.line, each.severity) for each in translated.findings] == [
        (3, "loss"),
        (7, "loss"),
        (10, "loss"),
        (10, "loss"),
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--docker-image=i --command=c --tpu-type=v6e-16", "the cluster has no pool of --tpu-type v6e-16"),
        ("--command=c --tpu-type=v5litepod-16", "the workload names no image"),
        ("--docker-image=i --tpu-type=v5litepod-16", "--command is missing"),
        ("--docker-image=i --command=c --cluster=other", "the workload is for cluster other, not for c"),
        ("--docker-image=i --command=c --env HOME", "--env 'HOME' takes its value from the calling shell"),
        ('--docker-image=i --command="echo $X"', "--command is echo $X, which a shell would evaluate"),
        ("--docker-image=i --command=c --priority=top", "--priority top is not one of very-low"),
        ("--docker-image=i --command='c", "this is not a command line: No closing quotation"),
    ],
)
def test_what_a_workload_of_xpk_lacks_is_told(options: str, message: str) -> None:
    made = "xpk cluster create --cluster=c --project=p --zone=us-west4-a --tpu-type=v5litepod-16\n"
    text = f"{made}xpk workload create --workload=w {options}\n"
    findings = translate([Text("all.sh", text)], None, {}).findings
    assert any(
        each.line == 2 and each.severity == "error" and message in each.message for each in findings
    ), findings


EXTRAS = """\
xpk cluster create-pathways --cluster=c --project=my-project --zone=us-east5-b --tpu-type=v6e-16 \\
  --enable-mtc --mtc-ramdisk-size=64G --mtc-gcs-bucket=gs://my-ckpt/runs --managed-mldiagnostics
xpk workload create --workload=train --docker-image=i --tpu-type=v6e-16 --command=c \\
  --mtc-enabled --ramdisk-directory=/local
"""


def test_what_xpk_makes_besides_has_fields() -> None:
    translated = translate([Text("all.sh", EXTRAS)], None, {})
    assert translated.data["workloads"]["checkpoints"] == {"volume": "checkpoints", "memory_gb": 60}
    assert translated.data["workloads"]["jobsets"][0]["checkpoints"] == "/local"
    assert translated.data["workloads"].keys() >= {"ml_diagnostics", "cert_manager"}
    volume = {"name": "checkpoints", "kind": "bucket", "create": False, "bucket": "my-ckpt"}
    assert translated.data["storage"] == {"volumes": [volume]}
    heads = {"name": "cpu-np", "machine_type": "n2-standard-64", "autoscaling": {"min": 1, "max": 20}}
    assert translated.data["node_pools"][1] == heads
    (lost,) = translated.findings
    assert lost.severity == "loss"
    assert "PathwaysJob" in lost.message


def test_checkpoints_without_a_size_that_is_known_are_told() -> None:
    for option, missing in (("", "mtc-ramdisk-size"), ("--mtc-ramdisk-size=1Gi", "mtc-gcs-bucket")):
        text = EXTRAS.replace("--mtc-ramdisk-size=64G --mtc-gcs-bucket=gs://my-ckpt/runs", option)
        findings = translate([Text("all.sh", text)], None, {}).findings
        assert any(each.severity == "error" and missing in each.message for each in findings)
