"""Evidence that a workflow signed: by sigstore's own clients and checks, at an instance of the tests."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sigstore_instance import Instance
from support import Run
from test_evidence import Whole, judged, whole

from clusterprint.cli.evidence import evidence
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.proof import envelope, workflow_identity

__all__ = ["whole"]

WORKFLOW = "https://github.com/team/clusters/.github/workflows/clusterprint-prove.yaml@refs/heads/main"
OTHER = "https://github.com/team/clusters/.github/workflows/other.yaml@refs/heads/main"
TRUSTED = {WORKFLOW: workflow_identity.ISSUER}


@pytest.fixture
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Instance:
    made = Instance(tmp_path)
    monkeypatch.setattr(workflow_identity, "_verifier", made.verifier)
    monkeypatch.setattr(workflow_identity, "_context", lambda _: made.context())
    monkeypatch.setattr(
        workflow_identity, "_token", lambda: made.token(WORKFLOW.removeprefix("https://github.com/"))
    )
    return made


@pytest.fixture
def bundle(instance: Instance, whole: Whole) -> bytes:
    assert instance
    return envelope.sealed_by_workflow(whole.statement)


def test_a_workflow_signs_and_is_named(bundle: bytes, tmp_path: Path) -> None:
    verdict = judged(bundle, tmp_path, TRUSTED)
    assert (verdict.problems, verdict.signer) == ((), WORKFLOW)
    assert envelope.named(verdict.signer) == WORKFLOW


def test_one_of_several_is_enough(bundle: bytes, tmp_path: Path) -> None:
    assert judged(bundle, tmp_path, {OTHER: workflow_identity.ISSUER, **TRUSTED}).signer == WORKFLOW


@pytest.mark.parametrize("unsigned", [True, False])
@pytest.mark.parametrize(
    ("trusted", "said"),
    [
        ({}, "it is signed by a workflow, and none is trusted: write its identity into a file"),
        ({OTHER: workflow_identity.ISSUER}, "it does not verify: "),
        ({WORKFLOW: "https://elsewhere.example"}, "it does not verify: "),
    ],
    ids=["nobody", "another workflow", "another issuer"],
)
def test_others_are_not_trusted(
    trusted: dict[str, str], said: str, unsigned: bool, bundle: bytes, tmp_path: Path
) -> None:
    (problem,) = judged(bundle, tmp_path, trusted, unsigned=unsigned).problems
    assert problem.startswith(said)


def payload(document: Any) -> None:
    statement = json.loads(base64.b64decode(document["dsseEnvelope"]["payload"]))
    statement["predicate"]["result"] = "failed"
    document["dsseEnvelope"]["payload"] = base64.b64encode(json.dumps(statement).encode()).decode()


def signature(document: Any) -> None:
    document["dsseEnvelope"]["signatures"][0]["sig"] = base64.b64encode(b"0" * 70).decode()


def entries(document: Any) -> list[Any]:
    found: list[Any] = document["verificationMaterial"]["tlogEntries"]
    return found


TAMPERED: dict[str, Callable[[Any], object]] = {
    "payload": payload,
    "signature": signature,
    "no signature": lambda document: document["dsseEnvelope"].update(signatures=[]),
    "no log": lambda document: entries(document).clear(),
    "no promise of the log": lambda document: entries(document)[0].pop("inclusionPromise"),
    "other time": lambda document: entries(document)[0].update(integratedTime="1600000000"),
    "other log": lambda document: entries(document)[0]["logId"].update(
        keyId=base64.b64encode(b"0" * 32).decode()
    ),
    "no certificate": lambda document: document["verificationMaterial"].pop("certificate"),
    "no media type": lambda document: document.pop("mediaType"),
    "another version": lambda document: document.update(
        mediaType="application/vnd.dev.sigstore.bundle+json;version=9"
    ),
    "a key that it does not know": lambda document: document.update(more=1),
    "no material": lambda document: document.pop("verificationMaterial"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_changed_bundles_are_refused(name: str, bundle: bytes, tmp_path: Path) -> None:
    document = json.loads(bundle)
    TAMPERED[name](document)
    assert judged(json.dumps(document).encode(), tmp_path, TRUSTED, unsigned=True).problems


def test_a_bundle_of_another_instance_is_refused(
    bundle: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workflow_identity, "_verifier", Instance(tmp_path).verifier)
    assert judged(bundle, tmp_path, TRUSTED).problems


def test_the_public_instance_is_known_offline(
    bundle: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the roots that come with sigstore, and a folder of settings of its own."""
    monkeypatch.undo()
    monkeypatch.setenv("HOME", str(tmp_path))
    (problem,) = judged(bundle, tmp_path, TRUSTED).problems
    assert problem.startswith("it does not verify: ")


def test_identities_are_read_from_files(tmp_path: Path) -> None:
    file = tmp_path / "ours.identity"
    file.write_text(f"# who proves for us\n\n{WORKFLOW}\n{OTHER}\n", "utf-8")
    (tmp_path / "README").write_text("not looked at", "utf-8")
    assert envelope.trusted_in(tmp_path) == [file]
    assert envelope.trusted([file]) == {WORKFLOW: workflow_identity.ISSUER, OTHER: workflow_identity.ISSUER}


@pytest.mark.parametrize(
    "text",
    ["team/clusters", "https://github.com/team/clusters", f"{WORKFLOW} x", "\0", "someone@example.org"],
)
def test_what_is_no_identity_is_wrong_usage(text: str, tmp_path: Path) -> None:
    file = tmp_path / "ours.identity"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match="is no identity of a workflow: write https:"):
        envelope.trusted([file])


def test_verify_and_show_name_the_workflow(
    bundle: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evidence" / "keys").mkdir(parents=True)
    (tmp_path / "evidence" / f"one{envelope.ENDING}").write_bytes(bundle)
    trust = tmp_path / "evidence" / "keys" / "ours.identity"
    trust.write_text(WORKFLOW, "utf-8")

    def run(command: str) -> Result:
        return CliRunner().invoke(evidence, [command, "--no-checkout", "evidence"])

    verified = run("verify")
    assert (verified.exit_code, verified.output) == (
        0,
        f"evidence/one.dsse.json: valid, signed by {WORKFLOW}\n",
    )
    assert WORKFLOW in run("show").output
    trust.write_text(OTHER, "utf-8")
    assert run("verify").exit_code == 1


def test_oidc_is_refused_outside_of_a_workflow_before_anything_is_created(
    clusterprint: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    refused = clusterprint("prove", "--oidc", "--yes", "--simulate", str(tmp_path))
    assert refused.returncode == 2
    assert (
        "--oidc signs by the identity of a GitHub workflow, and this is none: give --key FILE"
        in refused.stderr
    )
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.delenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", raising=False)
    refused = clusterprint("prove", "--oidc", "--yes", "--simulate", str(tmp_path))
    assert refused.returncode == 2
    assert "the workflow needs `permissions: {id-token: write}`" in refused.stderr


def test_a_service_that_does_not_answer_is_told(whole: Whole, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_: object) -> Any:
        raise OSError("no way to the network")

    monkeypatch.setattr(workflow_identity, "_token", lambda: "")
    monkeypatch.setattr(workflow_identity, "_context", nothing)
    with pytest.raises(EnvironmentFailure, match="sigstore did not sign: no way to the network"):
        envelope.sealed_by_workflow(whole.statement)


def test_what_was_signed_is_what_is_read(
    bundle: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workflow_identity, "verified", lambda *_: (WORKFLOW, b"{}"))
    assert judged(bundle, tmp_path, TRUSTED).problems == ("its payload is not what was signed",)
