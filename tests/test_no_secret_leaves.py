"""No command prints a secret, in any form: the whole corpus in every free text of each kind."""

import base64
import io
import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from secrets_corpus import Secret, secrets, seen
from support import BLUEPRINTS, GOLDENS, Run, cases, field

from clusterprint import cli
from clusterprint.blueprint import KINDS
from clusterprint.cli.output import say
from clusterprint.cli.report import FORMATS, print_report
from clusterprint.examine import Examined, examine
from clusterprint.load import load
from clusterprint.review.assemble import assemble
from clusterprint.review.terraform_plan import gather_plans

# The longest blueprint of each kind, and others with texts of their own.
FULL = {
    max((case for case in cases() if field(case, "kind") == kind), key=lambda case: case.stat().st_size)
    for kind in KINDS
} | {GOLDENS / f"{name}.yaml" for name in ("gke-workloads", "attached-gpus")}
ALL = secrets()
# What stands in one line fits into comments, keys and names of files.
SHORT = tuple(each for each in ALL if "\n" not in each.text)


def leaked(output: str, among: tuple[Secret, ...] = ALL) -> list[str]:
    """The names of the secrets of which a part can be seen."""
    return [each.name for each in among if seen(each, output)]


def filled(data: Any, texts: Iterator[Secret]) -> Any:
    """A blueprint with a secret in each text, after something harmless."""
    if isinstance(data, dict):
        return {key: filled(each, texts) for key, each in data.items()}
    if isinstance(data, list):
        return [filled(each, texts) for each in data]
    return f"{data} {next(texts).text}" if isinstance(data, str) and data not in {"v1", *KINDS} else data


def reports(examined: Examined) -> dict[str, str]:
    """The output about problems, in each form."""
    printed = {}
    for form in FORMATS:
        stream = io.StringIO()
        print_report(examined, form, stream)
        printed[form] = stream.getvalue()
    return printed


STARTS = range(0, len(ALL), 60)


@pytest.mark.slow
@pytest.mark.parametrize("blueprint", sorted(FULL), ids=lambda blueprint: blueprint.stem)
@pytest.mark.parametrize("start", STARTS)
def test_no_text_of_a_blueprint_leaks(blueprint: Path, start: int, tmp_path: Path) -> None:
    """Every text of a blueprint is a secret, each another one, so that every sort of message quotes some."""
    document = load(blueprint).document
    assert document is not None
    data = filled(document.data, islice(cycle(ALL), start, None))
    file = tmp_path / "all.yaml"
    file.write_text(json.dumps(data, indent=1), "utf-8")
    for form, report in reports(examine([file])).items():
        assert "BP230" in report
        assert leaked(report) == [], form


LINES = (
    "# {}", "{}: 1", "{}", "labels: {{{}: x}}", "nodes: {{count: {}}}", "nodes: [{}", "name: {}\nname: x",
    "nodes: *{}", "x: !{} y", "%{}", "kind: {}", "clusterprint: {}", "startup_script: {{inline: 'a {}",
    "metadata:\n  k: |\n    echo {}\n   bad",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(LINES)), ids=LINES)
def test_nothing_leaks_where_reading_fails(number: int, tmp_path: Path) -> None:
    """Each way to be wrong with some of the corpus, and all of the corpus in some way."""
    text = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")
    for secret in SHORT[number :: len(LINES)]:
        file = tmp_path / "x.yaml"
        file.write_text(f"{text}{LINES[number].format(secret.text)}\n", "utf-8")
        for form, report in reports(examine([file])).items():
            assert leaked(report, (secret,)) == [], form


def test_the_part_before_a_colon_does_not_leak(tmp_path: Path) -> None:
    """`0.ID.SECRET:KEY` is a token of Bitwarden; `0.ID.SECRET:` looks like nothing."""
    text, file = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8"), tmp_path / "x.yaml"
    for secret in (each for each in SHORT if re.match(r"[-.\w]+:\S", each.text)):
        file.write_text(f"{text}{secret.text}\n", "utf-8")
        report = reports(examine([file]))["text"]
        assert "there is no space after the colon" in report, secret.name
        assert leaked(report, (secret,)) == []


def test_names_of_files_do_not_leak(tmp_path: Path) -> None:
    text = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")
    named = [each for each in SHORT if "/" not in each.text and len(each.text) < 200]
    for each in named[::3]:
        (tmp_path / f"{each.text}.yaml").write_text(f"{text}x: 1\n", "utf-8")
    for form, report in reports(examine([tmp_path])).items():
        assert leaked(report) == [], form


def commands() -> list[list[str]]:
    """Every way to hand a text to a command that it will repeat."""
    return [
        ["validate", "{}"], ["synth", "{}"], ["synth", "x", "--out", "{}"],
        ["plan", "{}"], ["plan", "--simulate", "{}"], ["image", "{}"],
        ["results", "{}"], ["review", "--base", "{}"], ["review", "--plan", "{}"],
        ["review", "--base", ".", "--allow", "{}"], ["explain", "{}"], ["machines", "{}"], ["init", "{}"],
        ["validate", "--format", "{}"], ["validate", "--jobs", "{}"], ["{}"], ["--{}"], ["review", "--{}"],
    ]  # fmt: skip


@pytest.mark.parametrize("arguments", commands(), ids=" ".join)
def test_no_command_repeats_a_secret_that_it_is_handed(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    # It ends the process at once, and that is ours here.
    monkeypatch.setattr("clusterprint.cli.process_end.leave", sys.exit)
    # As the name of a file `1//0...` is `1/0...`, which has no known shape.
    handed = [each for each in SHORT if "//" not in each.text]
    for secret in handed[:: 1 if arguments == ["validate", "{}"] else 20]:
        monkeypatch.setattr(sys, "argv", ["clusterprint", *(each.format(secret.text) for each in arguments)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        printed = capsys.readouterr()
        assert end.value.code
        assert leaked(printed.out + printed.err, (secret,)) == []


def terraform_plan() -> dict[str, Any]:
    """A plan with the corpus wherever it has a text, and nothing marked as sensitive."""
    texts = [each.text for each in ALL]
    values = {
        "metadata": {f"k{number}": text for number, text in enumerate(texts)},
        "list": [{"value": text} for text in texts],
        "startup-script": "\n".join(f"run {text}" for text in texts),
        "user_data": base64.b64encode("\n".join(f"run {text}" for text in texts).encode()).decode(),
        "as_json": json.dumps({"deep": texts}),
        "long": f"{'x ' * 120}{texts[0]}",
        **dict.fromkeys(texts, "x"),
    }
    changes = [
        _entry(f"google_compute_instance.i[{json.dumps(text)}]", ["create"], None, {"name": text})
        for text in texts
    ]
    return {
        "format_version": "1.2",
        "terraform_version": "1.11.4",
        "planned_values": {},
        "resource_changes": [
            _entry("google_compute_instance.all", ["create"], None, values),
            _entry(
                "google_compute_instance.changed", ["update"], {"metadata": {}, "labels": {"a": "b"}}, values
            ),
            _entry("google_compute_instance.removed", ["delete"], values, None),
            *changes,
        ],
        "resource_drift": [_entry("google_compute_instance.all", ["update"], {"metadata": {}}, values)],
        "output_changes": {
            f"o{number}": {"actions": ["create"], "before": None, "after": {"x": [text]}}
            for number, text in enumerate(texts)
        },
        "checks": [
            {
                "address": {"to_display": f"check.{text}"},
                "status": "fail",
                "instances": [{"problems": [{"message": f"it is {text}"}]}],
            }
            for text in texts
        ],
    }


def _entry(address: str, actions: list[str], before: Any, after: Any) -> dict[str, Any]:
    change = {"actions": actions, "before": before, "after": after}
    return {"address": address, "mode": "managed", "type": "google_compute_instance", "change": change}


@pytest.mark.long
@pytest.mark.slow
def test_no_review_of_a_plan_leaks(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(terraform_plan()), "utf-8")
    report = assemble(gather_plans([file]))
    for form in ("text", "markdown", "html", "json"):
        assert leaked(import_module(f"clusterprint.review.render.{form}").render(report)) == [], form


def with_the_corpus(name: str, more: str) -> str:
    """A blueprint that is clean but for BP230, which a comment waves through, and holds the corpus."""
    document = load(BLUEPRINTS / name).document
    assert document is not None
    return f"{document.text}{more}\n"


IGNORED = "  # clusterprint: ignore[BP230] a test"
SCRIPT = json.dumps("#!/bin/sh\n" + "\n".join(f"echo '{each.text}'" for each in SHORT))
BLUEPRINTS_WITH_ALL = {
    "vm-smallest.yaml": f"startup_script:\n  inline: {SCRIPT}{IGNORED}\nmetadata:\n"
    + "\n".join(f"  k{number}: {json.dumps(each.text)}{IGNORED}" for number, each in enumerate(ALL)),
}


@pytest.mark.slow
def test_no_review_of_blueprints_leaks(clusterprint: Run, tmp_path: Path) -> None:
    """Compared are a version without the corpus, and one with it that somebody let through."""
    for side in ("old", "new"):
        for name, more in BLUEPRINTS_WITH_ALL.items():
            file = tmp_path / side / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(with_the_corpus(name, more if side == "new" else ""), "utf-8")
    outs = [tmp_path / f"report{suffix}" for suffix in (".txt", ".md", ".html", ".json")]
    options = [option for out in outs for option in ("--out", out)]
    done = clusterprint("review", "--base", "./old", "--head", "./new", *options, cwd=tmp_path)
    assert done.returncode == 4, done.stdout + done.stderr
    for out in outs:
        assert leaked(out.read_text("utf-8")) == [], out.suffix
    assert "startup-script" in outs[0].read_text("utf-8")
    shown = clusterprint("synth", tmp_path / "new", "--out", tmp_path / "out")
    assert leaked(shown.stdout + shown.stderr) == []


def test_what_a_command_says_is_masked(capsys: pytest.CaptureFixture[str]) -> None:
    """Plans of Terraform, logs and jobs pass only here."""
    for secret in ALL:
        say(f"+ script = {json.dumps(secret.text)}")
        say(f"      {secret.text}\n", err=True)
    printed = capsys.readouterr()
    assert leaked(printed.out + printed.err) == []
