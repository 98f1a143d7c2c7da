"""Nothing that is printed repeats a secret."""

import json
from pathlib import Path

import pytest
from support import BLUEPRINTS, Run

from clusterprint import masking
from clusterprint.masking import Found, find, mask, masked, scan, search
from clusterprint.masking.trees import with_texts

AWS = "AKIA" + "ABCDEFGHIJKLMNOP"
PEM = (
    "-----BEGIN " + "OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\nAAAAB3Nza\n-----END OPENSSH PRIVATE KEY-----"
)


@pytest.mark.parametrize("text", [AWS, PEM, '{"private_key": "abc\\ndef", "x": 1}'])
def test_what_is_found_is_masked(text: str) -> None:
    assert find(text) is not None
    assert find(mask(text)) is None
    assert [len(line) for line in mask(text).split("\n")] == [len(line) for line in text.split("\n")]


def test_only_the_secret_is_masked() -> None:
    assert mask(f"before {AWS} after") == f"before {'*' * 20} after"
    assert mask(f"{PEM}\nafter").endswith("\nafter")
    assert "b3Blbn" not in mask(PEM)


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_no_report_repeats_a_secret(form: str, clusterprint: Run, tmp_path: Path) -> None:
    text = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")
    file = tmp_path / "secret.yaml"
    file.write_text(
        text
        + f"labels: {{key: {AWS}}}\nmetadata: {{token: {AWS}}}\n"
        + f"startup_script: {{inline: {json.dumps(PEM)}}}\n"
    )
    done = clusterprint("validate", file, "--format", form)
    assert done.returncode == 1
    assert "BP230" in done.stdout
    assert AWS not in done.stdout + done.stderr
    assert "b3BlbnNzaC1rZXk" not in done.stdout + done.stderr


def test_one_secret_among_many_texts_costs_no_search_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []

    def counted(text: str) -> list[Found]:
        searched.append(text)
        return search(text)

    key = ["-----BEGIN " + "PRIVATE KEY-----", "MIIE", "-----END PRIVATE KEY-----"]
    tree = [*(f"line {number}" for number in range(200)), AWS, {AWS: [AWS, "x"]}, *key]
    one_by_one = with_texts(tree, mask)
    monkeypatch.setattr(masking, "search", counted)
    monkeypatch.setattr(scan, "search", counted)
    assert masked(tree) == one_by_one
    assert one_by_one[200] == "*" * len(AWS)
    assert len(searched) < 10
