"""Runs the steps of a composite action, or of a job of a workflow, as GitHub's runner would."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from expressions import evaluate, insert
from ruamel.yaml import YAML

_COMMAND = re.compile(r"::([a-z-]+)(?: ([^:]*))?::(.*)")
# The older form counts anywhere in a line: TryParse in src/Runner.Common/ActionCommand.cs of the runner.
_OLDER = re.compile(r"##\[([a-z-]+)(?: ([^\]]*))?\](.*)")


class Step(NamedTuple):
    """A step that was run."""

    name: str
    code: int
    printed: str


class Ran(NamedTuple):
    """The result of a run: steps, actions of others with their inputs, and data that GitHub keeps."""

    steps: list[Step]
    used: dict[str, dict[str, str]]
    outputs: dict[str, str]
    summary: str
    annotations: list[tuple[str, str, str]]

    @property
    def code(self) -> int:
        """The exit code of the step that failed, or 0."""
        return next((step.code for step in self.steps if step.code), 0)

    @property
    def printed(self) -> str:
        """All that was printed."""
        return "\n".join(step.printed for step in self.steps)


#: What the actions of others put out, by their name.
Others = Mapping[str, Callable[[dict[str, str]], dict[str, str]]]
OTHERS: Others = {"actions/setup-python": lambda _: {"python-path": sys.executable}}


def _nothing(_: dict[str, str]) -> dict[str, str]:
    """The outputs of other actions: none."""
    return {}


@cache  # the same few workflows and actions run in many tests, and none changes what is read
def _read(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


class Runner:
    """A machine: a checkout, a folder for temporary files, an event, and what the forge tells every step."""

    def __init__(
        self,
        workspace: Path,
        temporary: Path,
        event: dict[str, Any],
        environment: dict[str, str],
        others: Others = MappingProxyType({}),
        **github: str,
    ) -> None:
        self._workspace = workspace
        self._temporary = temporary
        self._event = event
        self._environment = environment
        self._others = {**OTHERS, **others}
        self._github = {"event": event, **github}

    def action(self, file: Path, inputs: dict[str, str]) -> Ran:
        """Run a composite action."""
        described = _read(file.read_text("utf-8"))
        unknown = set(inputs) - set(described["inputs"])
        assert not unknown, f"no inputs of the action: {unknown}"
        contexts: dict[str, Any] = {"github": self._github}
        given = {name: insert(each.get("default"), contexts) for name, each in described["inputs"].items()}
        contexts["inputs"] = given | inputs
        ran, contexts = self._steps(described["runs"]["steps"], contexts, file.parent)
        outputs = {name: insert(each["value"], contexts) for name, each in described["outputs"].items()}
        return ran._replace(outputs=outputs)

    def job(self, text: str, variables: dict[str, str], name: str = "", **more: Any) -> Ran:
        """Run a job of a workflow, the only one if it has no name, or nothing if it does not apply.

        `more` are contexts: `needs`, with the outputs of jobs that ran before, and `matrix`.
        """
        jobs = _read(text)["jobs"]
        job = jobs[name] if name else next(iter(jobs.values()))
        assert name or len(jobs) == 1, "say which job"
        runner = {"temp": str(self._temporary)}
        contexts: dict[str, Any] = {"github": self._github, "vars": variables, "runner": runner, **more}
        steps = job["steps"] if evaluate(job.get("if", "always()"), contexts) else []
        ran, contexts = self._steps(steps, contexts, Path())
        return ran._replace(
            outputs={key: insert(each, contexts) for key, each in job.get("outputs", {}).items()}
        )

    def _steps(
        self, steps: list[dict[str, Any]], contexts: dict[str, Any], action: Path
    ) -> tuple[Ran, dict[str, Any]]:
        ran = Ran([], {}, {}, "", [])
        contexts |= {"steps": {}}
        silence: list[str] = []
        summary = self._temporary / "summary.md"
        summary.write_text("")
        for step in steps:
            if not evaluate(str(step.get("if", "success()")), contexts):
                continue
            if "uses" in step:
                name, given = step["uses"].partition("@")[0], step.get("with", {})
                ran.used[name] = {key: insert(value, contexts) for key, value in given.items()}
                outputs = self._others.get(name, _nothing)(ran.used[name])
            else:
                done, outputs = self._shell(step, contexts, action, summary)
                ran.steps.append(done)
                ran.annotations.extend(_annotations(done.printed, silence))
                if done.code and not step.get("continue-on-error"):
                    break
            if "id" in step:
                contexts["steps"][step["id"]] = {"outputs": outputs}
        assert not silence, "commands of the runner are still stopped"
        return ran._replace(summary=summary.read_text("utf-8")), contexts

    def _shell(
        self, step: dict[str, Any], contexts: dict[str, Any], action: Path, summary: Path
    ) -> tuple[Step, dict[str, str]]:
        assert "${{" not in step["run"], "a value is pasted into a script"
        assert step.get("shell", "bash") == "bash"
        script, outputs = self._temporary / "step.sh", self._temporary / "outputs"
        script.write_text(step["run"], "utf-8")
        outputs.write_text("")
        event = self._temporary / "event.json"
        event.write_text(json.dumps(self._event), "utf-8")
        files = {
            "GITHUB_OUTPUT": outputs,
            "GITHUB_STEP_SUMMARY": summary,
            "GITHUB_EVENT_PATH": event,
            "GITHUB_ACTION_PATH": action,
            "GITHUB_WORKSPACE": self._workspace,
            "RUNNER_TEMP": self._temporary,
        }
        own = {name: insert(value, contexts) for name, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script],
            cwd=self._workspace,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(self._temporary),
                "LANG": "C.UTF-8",
                **self._environment,
                **{name: str(path) for name, path in files.items()},
                **own,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=900,  # a step may install all that there is
        )
        told = dict(line.split("=", 1) for line in outputs.read_text("utf-8").splitlines())
        return Step(step.get("name", ""), done.returncode, done.stdout), told


def _annotations(printed: str, silence: list[str]) -> list[tuple[str, str, str]]:
    """The commands to the runner among what was printed, but for those while commands are stopped."""
    found = []
    for line in printed.splitlines():
        if silence:
            if line.strip() == f"::{silence[0]}::":
                silence.clear()
        elif match := _COMMAND.match(line.strip()) or _OLDER.search(line):
            if match[1] == "stop-commands":
                silence.append(match[3])
            else:
                found.append((match[1], match[2] or "", match[3]))
    return found
