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
        (
            "--tpu-type=tpu7x-4x4x20 --num-slices=2",
            {"machine_type": "tpu7x-standard-4t", "tpu": {"topology": "4x4x20", "slices": 2}},
        ),
        (
            "--tpu-type=tpu7x-128",
            {"machine_type": "tpu7x-standard-4t", "tpu": {"topology": "4x4x4", "slices": 1}},
        ),
    ],
)
def test_devices_of_xpk_are_machine_types(device: str, pool: dict[str, Any]) -> None:
    text = f"xpk cluster create --cluster c --project my-project --zone us-east5-b {device}\n"
    translated = translate([Text("create.sh", text)], None, {})
    found = translated.data["node_pools"][0]
    assert {key: found.get(key) for key in pool} == pool


@pytest.mark.parametrize(
    ("device", "told"),
    [
        ("v4-768", ["v4-768 is 4x8x12, the most compact slice of that size; others are 4x4x24"]),
        ("v4-4x4x24", []),
        ("v5p-128", []),
    ],
)
def test_a_size_of_several_slices_is_told(device: str, told: list[str]) -> None:
    translated = translate([Text("a.sh", MADE.replace("v5litepod-16", device))], None, {})
    assert [each for each in translated.decisions if "slice of that size" in each] == told


@pytest.mark.parametrize("option", ["cluster-cpu-machine-type", "default-pool-cpu-machine-type"])
def test_either_name_of_the_machine_type_of_the_system_pool_is_read(option: str) -> None:
    translated = translate([Text("a.sh", MADE.replace("\n", f" --{option}=n1-standard-8\n"))], None, {})
    assert translated.findings == []
    assert translated.data["system_pool"]["machine_type"] == "n1-standard-8"


def test_what_a_shell_would_work_out_is_asked_for() -> None:
    text = (
        'xpk cluster create --cluster=a --project=p \\\n --zone="$ZONE" --device-type=x-1 --num-nodes=two\n'
    )
    findings = translate([Text("create.sh", text)], None, {}).findings
    messages = [each.message for each in findings if each.line == 2]
    assert any("--zone is $ZONE" in each for each in messages)
    assert any("--device-type x-1 is not a known accelerator" in each for each in messages)
    assert any("--num-nodes is not a whole number" in each for each in messages)


MADE = "xpk cluster create --cluster=c --project=my-project --zone=us-west4-a --tpu-type=v5litepod-16\n"
JOB = "xpk workload create --workload=%s --docker-image=i --command=c --tpu-type=v5litepod-16"


@pytest.mark.parametrize(
    ("lines", "options"),
    [
        ("CLUSTER=run\nexport PROJECT=p-1", "--cluster=$CLUSTER --project=${PROJECT}"),
        ('export CLUSTER="run" PROJECT=p-1', '--cluster="$CLUSTER" --project "$PROJECT"'),
        ("CLUSTER=run; PROJECT='p-1'", "--cluster ${CLUSTER} --project=$PROJECT"),
        ("P=p; CLUSTER=run\nPROJECT=$P-1", "--cluster=$CLUSTER --project=$PROJECT"),
        ("PROJECT=old\nPROJECT=p-1 # why\nARGS='--cluster=run --project=p-1'", "$ARGS"),
    ],
)
def test_variables_of_a_script_are_what_it_writes(lines: str, options: str) -> None:
    text = (
        f"{lines}\nxpk cluster create {options} --zone=us-west4-a \\\n  --tpu-type=v5litepod-16 # one slice\n"
    )
    translated = translate([Text("create.sh", text)], None, {})
    assert translated.findings == []
    assert (translated.data["name"], translated.data["project"]) == ("run", "p-1")


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        ("C=$(gcloud config get project)", "$C"),
        ("C=`hostname`", "$C"),
        ("C=$OTHER", "$C"),
        ("C=a\nif [ -n x ]; then C=b; fi", "$C"),
        ("C=a\nC+=b\nC=$(id)", "$C"),
        ("C=a", "${C:-b}"),
        ("C=a", "$(echo a)"),
    ],
)
def test_a_value_that_only_a_shell_knows_is_asked_for_and_can_be_given(lines: str, value: str) -> None:
    text = f"{lines}\n{MADE.replace('=c ', f'={value} ')}"
    asked = [each for each in translate([Text("a.sh", text)], None, {}).findings if each.severity == "error"]
    assert [each.message for each in asked] == [f"--cluster is {value}, which a shell would evaluate"]
    assert asked[0].help == "write its value, or give it with --var cluster=..."
    translated = translate([Text("a.sh", text)], None, {"cluster": "run"})
    assert [each for each in translated.findings if each.severity == "error"] == []
    assert translated.data["name"] == "run"


def test_quotes_protect_what_they_protect() -> None:
    text = f'X=1\n{MADE}{JOB % "w"} --env A="$X" --env B=\'$X\' --env C=\\$X --env D="\\$X"\n'
    (job,) = translate([Text("a.sh", text)], None, {}).data["workloads"]["jobsets"]
    assert job["env"] == {"A": "1", "B": "$X", "C": "$X", "D": "$X"}


@pytest.mark.parametrize(
    ("loop", "names"),
    [
        (f"for n in 1 2 3; do {JOB % 'w-$n'}; done", ["w-1", "w-2", "w-3"]),
        (f"N='a b'\nfor n in $N c\ndo\n  {JOB % '${n}'}\ndone", ["a", "b", "c"]),
        (f"for a in x y; do for b in 1 2; do {JOB % '$a$b'}; done; done", ["x1", "x2", "y1", "y2"]),
    ],
)
def test_a_loop_over_words_is_as_many_jobs(loop: str, names: list[str]) -> None:
    translated = translate([Text("a.sh", f"{MADE}{loop}\n")], None, {})
    assert translated.findings == []
    assert [each["name"] for each in translated.data["workloads"]["jobsets"]] == names


@pytest.mark.parametrize(
    "head", ["for n in $(seq 3)", "for n in {1..3}", "for n in *.py", "for n in $NAMES", "while true"]
)
def test_a_loop_that_only_a_shell_can_count_is_a_loss(head: str) -> None:
    text = f"{MADE}{head}; do\n{JOB % 'w'}\ndone\n{JOB % 'after'}\n"
    translated = translate([Text("a.sh", text)], None, {})
    (told,) = translated.findings
    assert (told.line, told.severity) == (2, "loss")
    assert told.message.startswith(f"what {head.split(maxsplit=1)[0]!r} repeats here is left out")
    assert [each["name"] for each in translated.data["workloads"]["jobsets"]] == ["after"]


def test_loops_in_loops_are_bounded() -> None:
    heads = "".join(f"for {name} in {' '.join('0123456789')}; do " for name in "abcdef")
    text = f"{MADE}{heads}{JOB % 'w'}{'; done' * 6}\n"
    told = {each.message for each in translate([Text("a.sh", text)], None, {}).findings}
    assert "more than 1,000 commands: the others are left out" in told


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "for a in b; do " * 20_000,
        "#\n" * 200_000,
        "$(" * 100_000,
        "echo $(" + "()" * 100_000,
        "if a; then " * 20_000,
        "A=" + "$A" * 10_000 + "\n",
        "for a in " + "b " * 50_000 + "; do for c in " + "d " * 50_000 + "; do e=f; done; done",
        "A=aaaaaaaaaa\n" + "A=$A$A$A$A$A$A$A$A\n" * 40,
    ],
    ids=["loops", "comments", "open", "closed", "conditions", "itself", "words", "growth"],
)
def test_a_script_that_was_made_to_be_slow_is_read_all_the_same(text: str) -> None:
    translate([Text("a.sh", MADE + text)], None, {})


def test_what_a_condition_decides_about_is_read_and_told() -> None:
    text = f"if ! xpk cluster describe; then\n{MADE}fi\n"
    translated = translate([Text("a.sh", text)], None, {})
    assert translated.data["name"] == "c"
    assert [(each.line, each.severity) for each in translated.findings] == [(1, "loss")]


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
