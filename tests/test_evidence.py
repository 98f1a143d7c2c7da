"""Evidence: what is whole, signed and about this checkout is valid, and whatever was changed is refused."""

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, NamedTuple

import learn
import msgspec
import pytest
from every import every
from jsonschema import Draft7Validator
from msgspec import structs
from secrets_corpus import Secret, secrets, seen
from support import ROOT, Run

from clusterprint.access.runs import FetchedRun
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.examine import examine
from clusterprint.proof import answers, envelope, show
from clusterprint.proof.checksums import subjects
from clusterprint.proof.figures import figures, ran
from clusterprint.proof.judge import Asked, Verdict, judge
from clusterprint.proof.record import LABEL, stacks_of
from clusterprint.proof.redact import own_names, redacted
from clusterprint.proof.types import STEPS, Cost, Digest, Evidence, Statement, Step, Subject, Versions
from clusterprint.results import Collected, Poller
from clusterprint.status.programs import Programs
from clusterprint.validate.schemas import schema_of

NAMED = "blueprints/vm-smallest.yaml"
NOW = datetime.now(UTC).replace(microsecond=0)
SOON = f"{NOW:%Y-%m-%dT%H:%M:%SZ}"
OLD = {"began": "2020-01-01T00:00:00Z", "ended": "2020-01-02T00:00:00Z"}


class Whole(NamedTuple):
    """Valid evidence, the key that signs it, and that key's trusted half."""

    statement: Statement
    key: Any
    trusted: dict[str, Any]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    file = tmp_path_factory.mktemp("keys") / "proof.key"
    made = envelope.make_key(file)
    key = envelope.private_key(file)
    trusted = envelope.trusted([file.with_name("proof.key.pub")])
    assert [*trusted] == [made]
    assert file.stat().st_mode & 0o777 == 0o600
    found = subjects(examine([ROOT / NAMED]), NAMED)
    evidence = Evidence(
        version=1,
        trial="blueprint",
        kind="vm",
        world="real",
        began=NOW - timedelta(hours=2),
        ended=NOW - timedelta(hours=1),
        result="passed",
        versions=Versions(
            clusterprint="0.1.0",
            program="Terraform",
            program_version="1.11.4",
            providers={"hashicorp/google": "7.45.0"},
        ),
        applied={"main": "0" * 64},
        steps=tuple(
            Step(name=name, result="not_run" if name in ("conformance", "benchmark") else "passed")
            for name in STEPS
        ),
        cost=Cost(usd_at_most=1, usd_estimated=0.1),
    )
    subject = tuple(Subject(name=name, digest=Digest(sha256=each)) for name, each in found.items())
    return Whole(Statement(subject=subject, predicate=evidence), key, dict(trusted))


def judged(content: bytes, folder: Path, keys: dict[str, Any], **asked: Any) -> Verdict:
    file = folder / f"one{envelope.ENDING}"
    file.write_bytes(content)
    return judge(file, Asked(**{"keys": keys, "unsigned": False, "days": 30, "root": None, **asked}))


def test_whole_evidence_is_valid_and_about_this_checkout(whole: Whole, tmp_path: Path) -> None:
    content = envelope.sealed(whole.statement, whole.key)
    verdict = judged(content, tmp_path, whole.trusted, root=ROOT)
    assert verdict.problems == ()
    assert verdict.signer in whole.trusted
    Draft7Validator(schema_of("evidence")).validate(
        json.loads(msgspec.json.encode(whole.statement.predicate))
    )
    assert json.loads(content)["payloadType"] == "application/vnd.in-toto+json"
    assert envelope.pae(b"hello world") == b"DSSEv1 28 application/vnd.in-toto+json 11 hello world"


# ---- tampered evidence


def payload(change: Callable[[Any], object]) -> Callable[[Whole], bytes]:
    """Another statement, with the signature of the one that was signed."""

    def make(whole: Whole) -> bytes:
        document = json.loads(envelope.sealed(whole.statement, whole.key))
        statement = json.loads(base64.b64decode(document["payload"]))
        change(statement)
        document["payload"] = base64.b64encode(json.dumps(statement).encode()).decode()
        return json.dumps(document).encode()

    return make


def resigned(change: Callable[[Any], object]) -> Callable[[Whole], bytes]:
    """Another statement, which the trusted key has signed."""

    def make(whole: Whole) -> bytes:
        document = json.loads(payload(change)(whole))
        content = base64.b64decode(document["payload"])
        document["signatures"][0]["sig"] = base64.b64encode(whole.key.sign(envelope.pae(content))).decode()
        return json.dumps(document).encode()

    return make


def around(change: Callable[[Any], object]) -> Callable[[Whole], bytes]:
    """The signed statement in another envelope."""

    def make(whole: Whole) -> bytes:
        document = json.loads(envelope.sealed(whole.statement, whole.key))
        change(document)
        return json.dumps(document).encode()

    return make


def text(change: Callable[[bytes], bytes]) -> Callable[[Whole], bytes]:
    return lambda whole: change(envelope.sealed(whole.statement, whole.key))


def step(name: str) -> Callable[[Any], Any]:
    return lambda it: next(each for each in it["predicate"]["steps"] if each["name"] == name)


def set_to(path: str, value: object) -> Callable[[Any], object]:
    *way, last = path.split(".")

    def change(document: Any) -> None:
        for each in way:
            document = document[int(each) if each.isdigit() else each]
        document[last] = value

    return change


TAMPERED: dict[str, tuple[Callable[[Whole], bytes], str]] = {
    "another result": (payload(set_to("predicate.result", "failed")), "does not fit"),
    "another checksum": (payload(set_to("subject.0.digest.sha256", "f" * 64)), "does not fit"),
    "another trial": (payload(set_to("predicate.trial", "gke-smallest")), "does not fit"),
    "another time": (payload(set_to("predicate.ended", "2026-11-01T00:00:00Z")), "does not fit"),
    "simulated as real": (payload(set_to("predicate.world", "simulated")), "does not fit"),
    "another signature": (around(set_to("signatures.0.sig", "A" * 86 + "==")), "does not fit"),
    "a short signature": (around(set_to("signatures.0.sig", "AAAA")), "does not fit"),
    "no base64": (around(set_to("signatures.0.sig", "?")), "not base64"),
    "an unknown key": (around(set_to("signatures.0.keyid", "0" * 64)), "not trusted"),
    "no signature": (around(set_to("signatures", [])), "not signed"),
    "many signatures": (around(lambda it: it.update(signatures=it["signatures"] * 11)), "more than 10"),
    "another type": (around(set_to("payloadType", "text/plain")), "the type of its payload"),
    "another field": (around(set_to("more", 1)), "no DSSE envelope"),
    "a field left out": (around(lambda it: it.pop("payloadType")), "no DSSE envelope"),
    "an empty payload": (around(set_to("payload", "")), "no evidence of this version"),
    "loose base64": (around(lambda it: it.update(payload=it["payload"] + "\n")), "not base64"),
    "doubled keys": (text(lambda it: it.replace(b'"payload":', b'"payload": "", "payload":', 1)), "twice"),
    "half of it": (text(lambda it: it[: len(it) // 2]), "no DSSE envelope"),
    "nothing": (lambda _: b"", "no DSSE envelope"),
    "zeros": (lambda _: bytes(1000), "no DSSE envelope"),
    "not UTF-8": (lambda _: b'{"payload": "\xff"}', "no DSSE envelope"),
    "nested deeply": (lambda _: b"[" * 100_000, "nested too deeply"),
    "too large": (text(lambda it: it + b" " * (1 << 20)), "larger than"),
    "another statement type": (resigned(set_to("_type", "https://in-toto.io/Statement/v0.1")), "no evidence"),
    "another predicate": (resigned(set_to("predicateType", "https://slsa.dev/provenance/v1")), "no evidence"),
    "another version": (resigned(set_to("predicate.version", 2)), "no evidence"),
    "a number that is none": (resigned(set_to("predicate.cost.usd_at_most", float("nan"))), "no evidence"),
    "a result that the steps deny": (resigned(set_to("predicate.steps.1.result", "failed")), "steps say"),
    "a needed step not run": (resigned(set_to("predicate.steps.6.result", "not_run")), "steps say"),
    "a failure of nothing": (resigned(set_to("predicate.result", "failed")), "steps say"),
    "something left": (resigned(set_to("predicate.left", ["google_compute_network"])), "steps say"),
    "steps out of order": (resigned(lambda it: it["predicate"]["steps"].reverse()), "not in their order"),
    "a step twice": (resigned(set_to("predicate.steps.2.name", "up")), "not in their order"),
    "errors of a good step": (resigned(set_to("predicate.steps.0.errors", ["it broke"])), "has errors"),
    "an end before its beginning": (resigned(set_to("predicate.began", SOON)), "before it began"),
    "an end in the future": (resigned(set_to("predicate.ended", "2999-01-01T00:00:00Z")), "in the future"),
    "an old end": (
        resigned(lambda it: it["predicate"].update(OLD)),
        "older than 30 days",
    ),
    "a time without zone": (resigned(set_to("predicate.ended", "2026-11-01T00:00:00")), "no evidence"),
    "a stack twice": (resigned(set_to("subject.0.name", "stack:main")), "its subjects are not"),
    "no stack": (resigned(lambda it: it["subject"].pop()), "no evidence"),
    "another stack": (resigned(set_to("subject.1.name", "stack:cluster")), "not those it is about"),
    "a checksum that is none": (resigned(set_to("subject.1.digest.sha256", "F" * 64)), "no evidence"),
}  # fmt: skip


@pytest.mark.parametrize("name", TAMPERED)
def test_changed_evidence_is_refused(name: str, whole: Whole, tmp_path: Path) -> None:
    make, said = TAMPERED[name]
    verdict = judged(make(whole), tmp_path, whole.trusted)
    assert verdict.problems
    assert said in "; ".join(verdict.problems)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (set_to("subject.1.digest.sha256", "f" * 64), "stack:main differs in this checkout"),
        (set_to("subject.0.name", "blueprint:../outside.yaml"), "is not in this folder"),
        (set_to("subject.0.name", "blueprint:/etc/passwd"), "is not in this folder"),
        (set_to("subject.0.name", "blueprint:blueprints/cluster.pub"), "blueprints/cluster.pub"),
        (set_to("predicate.trial", "no-such-trial"), "no trial 'no-such-trial'"),
    ],
)
def test_evidence_of_something_else_is_refused(
    change: Callable[[Any], object], said: str, whole: Whole, tmp_path: Path
) -> None:
    verdict = judged(resigned(change)(whole), tmp_path, whole.trusted, root=ROOT)
    assert said in "; ".join(verdict.problems)


def test_links_and_devices_are_not_read(whole: Whole, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(envelope.sealed(whole.statement, whole.key))
    (tmp_path / "link").symlink_to(target)
    for file in (tmp_path / "link", Path("/dev/zero"), tmp_path, tmp_path / "none"):
        with pytest.raises(envelope.Invalid):
            envelope.read(file)


# ---- commands


def test_the_commands_verify_and_show(whole: Whole, clusterprint: Run, tmp_path: Path) -> None:
    made = clusterprint("evidence", "key", "--out", "my.key", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    assert clusterprint("evidence", "key", "--out", "my.key", cwd=tmp_path).returncode == 2
    key = envelope.private_key(tmp_path / "my.key")
    (tmp_path / "evidence").mkdir()
    file = tmp_path / "evidence" / f"first{envelope.ENDING}"
    file.write_bytes(envelope.sealed(whole.statement, key))

    def run(*words: str) -> tuple[int, str]:
        done = clusterprint("evidence", *words, cwd=tmp_path)
        return done.returncode, done.stdout + done.stderr

    assert run("verify", "evidence", "--no-checkout")[0] == 1
    code, said = run("verify", "evidence", "--no-checkout", "--trust", "my.key.pub")
    assert (code, "valid, signed by key" in said) == (0, True)
    (tmp_path / "evidence/keys").mkdir()
    (tmp_path / "evidence/keys/me.pub").write_bytes((tmp_path / "my.key.pub").read_bytes())
    assert run("verify", "evidence", "--no-checkout")[0] == 0
    assert "is not in this folder" in run("verify", "evidence")[1]  # of blueprints
    assert run("verify", "evidence/keys")[0] == 2
    assert run("verify", "evidence", "--no-checkout", "--trust", "my.key")[0] == 2
    for form, words in (
        ("text", "result: passed"),
        ("markdown", "| Trial |"),
        ("html", "<table>"),
        ("json", '"valid": true'),
    ):
        code, said = run("show", "evidence", "--no-checkout", "--format", form)
        assert (code, words in said) == (0, True)


def test_a_table_shows_hostile_texts_as_texts(whole: Whole, tmp_path: Path) -> None:
    trial = "<img src=x>|\x1b[31m`[a](b)"
    verdict = judged(resigned(set_to("predicate.trial", trial))(whole), tmp_path, whole.trusted)
    assert "<img" not in show.page([verdict])
    table = show.markdown([verdict])
    assert "<img" not in table
    assert "\\|" in table
    assert "\x1b" not in show.text([verdict]) + table


# ---- redaction


def test_what_identifies_is_taken_out_and_told() -> None:
    names = own_names({"project": "acme-gpu", "name": "train", "backend": {"gcs": {"bucket": "acme-state"}}})
    taken: set[str] = set()
    said = redacted(
        "projects/acme-gpu/zones/z/instances/train-0: 10.1.2.3 and 2001:db8::1 of ann@example.com in "
        "gs://acme-state/x, /home/ann/.ssh, 123456789012, 00000000-1111-2222-3333-444444444444, "
        "projects/other-project/global",
        names,
        taken,
    )
    for word in ("acme", "train", "10.1.2.3", "2001:db8", "ann", "123456789012", "4444", "other-project"):
        assert word not in said
    assert {"project", "name", "IP address", "e-mail address", "bucket", "UUID"} <= taken
    assert redacted("quota N2_CPUS exceeded: 24.0 in us-central1", names, set()).startswith("quota N2_CPUS")


@every(secrets(), lambda secret: secret.name)
def test_no_secret_is_in_a_text(secret: Secret) -> None:
    said = redacted(f"error of a step:\n{secret.text}\nend", {}, set())
    assert seen(secret, said) == []


# ---- records


def test_a_record_that_no_proof_wrote_destroys_nothing(tmp_path: Path) -> None:
    record = {"version": 1, "cluster": "a", "stacks": [{"name": "a", "state": "/x/a.tfstate", "needs": []}]}
    (tmp_path / "record.json").write_text(json.dumps(record))
    (stack,) = stacks_of(tmp_path)
    assert stack.state.address == str(tmp_path / "a.tfstate")
    resource = {
        "type": "google_compute_instance",
        "name": "theirs",
        "mode": "managed",
        "instances": [{"attributes": {"labels": {"team": "ml"}}}],
    }
    (tmp_path / "a.tfstate").write_text(json.dumps({"version": 4, "resources": [resource]}))
    with pytest.raises(EnvironmentFailure, match=LABEL):
        stacks_of(tmp_path)
    for broken in ("", "[]", "{}", '{"version": 2, "stacks": []}', '{"version": 1, "stacks": [1]}'):
        (tmp_path / "record.json").write_text(broken)
        with pytest.raises(EnvironmentFailure, match="no record"):
            stacks_of(tmp_path)


def test_a_key_that_is_none_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "no.key").write_text("-----BEGIN PRIVATE KEY-----\n")
    for read in (envelope.private_key, lambda file: envelope.trusted([file])):
        with pytest.raises(UsageError):
            read(tmp_path / "no.key")
        with pytest.raises(UsageError):
            read(tmp_path / "none.key")


# ---- what clouds answered


def test_answers_have_sorts_of_values_and_nothing_that_identifies() -> None:
    disk = {
        "name": "SECRET", "id": "projects/my-project/disks/d", "size": 10, "iops": 0, "multi": False,
        "mode": "READ_WRITE", "image": "", "guest": None, "zones": ["us-central1-a"],
        "access_id": "HUNTER", "admin_password": "HUNTER", "hmac": "GOOG1EXAMPLEEXAMPLEEXAMPLE",
        "labels": {"team": "BLUE"}, "hidden": "HUNTER", "tokens": ["HUNTER"],
        "scratch": [{"interface": "NVME", "env": {"HOME": "ROOT"}}],
    }  # fmt: skip
    sensitive = [[{"type": "get_attr", "value": "hidden"}]]
    instances = [{"attributes": disk, "sensitive_attributes": sensitive}]
    managed = {"mode": "managed", "type": "google_compute_disk", "instances": instances}
    data = {"mode": "data", "type": "google_project", "instances": [{"attributes": {"number": "1"}}]}
    assert answers.shapes([{"resources": [managed, data]}, {}]) == {
        "google_compute_disk": {
            "name": ("text",), "id": ("text",), "size": ("number",), "iops": ("0",), "multi": ("false",),
            "mode": ("READ_WRITE",), "image": ("empty",), "zones[]": ("text",), "labels.*": ("text",),
            "access_id": ("text",), "admin_password": ("text",), "hmac": ("text",), "tokens[]": ("text",),
            "scratch[].interface": ("NVME",), "scratch[].env.*": ("text",),
        }
    }  # fmt: skip


def test_figures_of_benchmarks_are_read_from_logs() -> None:
    nccl = (
        "#  bytes (B)  ... busbw\n  8589934592  2147483648  float  sum  -1  44985  190.95  358.03  0\n"
        "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 352.118 \n#\n"
    )
    assert figures(nccl) == {"average bus bandwidth in GB/s": 352.118}
    assert figures("# Avg bus bandwidth : 1\n# Avg bus bandwidth : 2.5\nHPL_Tflops=0.25\n") == {
        "average bus bandwidth in GB/s": 2.5,
        "HPL in Tflop/s": 0.25,
    }
    assert figures("Avg bus bandwidth : none\nsay HPL_Tflops=1\n") == {}


def test_each_run_of_a_trial_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(name: str, log: str, *, succeeded: bool) -> FetchedRun:
        def collect(file: Path, _: Poller) -> Collected:
            file.write_text(log)
            return Collected(succeeded, 0 if succeeded else 1, "" if succeeded else "exit code 1")

        return FetchedRun(name, collect, (), "")

    hpl = run("hpl-1", "HPL_Tflops=0.5\n", succeeded=True)
    jobs = {"hpl": hpl, "train": run("train-2", "", succeeded=False)}
    monkeypatch.setattr("clusterprint.proof.figures.runs_of", lambda *_: jobs)
    found = ran([], Programs({}), tmp_path, seconds=1)
    assert found == (2, ("the run train-2 failed: exit code 1",), {"hpl: HPL in Tflop/s": 0.5})


def test_differences_between_clouds_are_told(
    whole: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def written(world: Literal["real", "simulated"], **disk: tuple[str, ...]) -> str:
        found = {"google_compute_disk": disk, world: {}}
        predicate = structs.replace(whole.statement.predicate, world=world, answers=found)
        statement = structs.replace(whole.statement, predicate=predicate)
        file = tmp_path / f"{world}.json"
        file.write_bytes(envelope.sealed(statement, None))
        return str(file)

    real = written("real", mode=("READ_WRITE",), size=("number",), zone=("text",))
    simulated = written("simulated", mode=("READ_ONLY",), size=("number",), iops=("0",))
    monkeypatch.setattr("sys.argv", ["learn.py", real, "--simulated", simulated])
    assert learn.main() == 1
    assert capsys.readouterr().out.splitlines() == [
        "google_compute_disk.iops: nothing, simulated 0",
        "google_compute_disk.mode: READ_WRITE, simulated READ_ONLY",
        "google_compute_disk.zone: text, simulated nothing",
        "real: only in the real cloud",
        "simulated: only in the simulated cloud",
        "5 differences in 2 types of resources",
    ]
    monkeypatch.setattr("sys.argv", ["learn.py", real])
    with pytest.raises(SystemExit, match="give --simulated"):
        learn.main()
