"""`clusterprint results` for kind vm from outside, against a gcloud that plays each case."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from support import Run

pytestmark = pytest.mark.slow

BLUEPRINT = """\
clusterprint: v1
kind: vm
name: bench
project: my-project
region: us-east4
zone: us-east4-a
backend: {gcs: {bucket: my-state}}
nodes: {machine_type: n2-standard-4, count: 3}
storage: {volumes: [{name: results, kind: bucket, bucket: my-results, create: false}]}
files: [{source: ./tool.sh, destination: /opt/tool.sh}]
bootstrap:
  mpi:
    run:
      name: hpl
      command: [xhpl]
      files: [{source: ./HPL.dat, destination: /opt/HPL.dat}]
"""
NCCL = BLUEPRINT.replace("n2-standard-4", "a2-highgpu-1g") + "benchmark: {nccl: {}}\n"

# It plays one answer after the other for the status, the last one again and again; its log stays the same.
GCLOUD = """\
import json, pathlib, sys
here = pathlib.Path(__file__).parent
play = json.loads((here / "play.json").read_text())
with (here / "calls").open("a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
asked = sys.argv[3].rpartition("/")[2]
said = play["log"]
if asked == "status":
    said = play["status"][0]
    play["status"] = play["status"][1:] or play["status"]
    (here / "play.json").write_text(json.dumps(play))
if said is None:
    sys.exit("ERROR: (gcloud.storage.cat) The following URLs matched no objects or files:\\n-" + sys.argv[3])
if said.startswith("ERROR"):
    sys.exit(said)
print(said, end="")
"""


def status(state: str, **more: str) -> str:
    """A status as nodes write it."""
    facts = {"run": "x", "state": state, "node": "bench-0", "exit_status": "", "message": "", **more}
    return "".join(f"{key}={value}\n" for key, value in facts.items())


SUCCEEDED = status("succeeded", exit_status="0", started="2026-11-22T10:00:00Z", ended="2026-11-22T10:20:00Z")


class Place:
    """A folder with a blueprint, and a fake gcloud on the PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        (self.bin / "fake.py").write_text(GCLOUD)
        tool = self.bin / "gcloud"
        tool.write_text(f'#!/bin/sh\nexec {sys.executable} -S -E {self.bin}/fake.py "$@"\n')
        tool.chmod(0o755)
        self.environment = {"PATH": f"{self.bin}:/usr/bin:/bin"}
        for name in ("HPL.dat", "tool.sh"):
            (folder / name).write_text(name)
        self.write(BLUEPRINT)

    def write(self, text: str) -> None:
        """Write the blueprint."""
        (self.folder / "bench.yaml").write_text(text)

    def play(self, *statuses: str | None, log: str | None = "176 GFlops\n") -> None:
        """The answer of gcloud."""
        (self.bin / "play.json").write_text(json.dumps({"status": statuses, "log": log}))

    @property
    def calls(self) -> list[list[str]]:
        """How gcloud was called."""
        return [json.loads(line) for line in (self.bin / "calls").read_text().splitlines()]

    @property
    def results(self) -> list[Path]:
        """The content of the folder of results, hidden files too."""
        return sorted((self.folder / "results").glob("*")) if (self.folder / "results").exists() else []


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def results(clusterprint: Run, place: Place, *arguments: str) -> Any:
    return clusterprint("results", "bench.yaml", *arguments, cwd=place.folder, env=place.environment)


def test_a_run_that_succeeded(clusterprint: Run, place: Place) -> None:
    place.play(SUCCEEDED)
    done = results(clusterprint, place)
    assert done.returncode == 0, done.stderr
    (file,) = place.results
    assert done.stdout == f"results/{file.name}: {file.stem} has succeeded\n"
    text = file.read_text()
    assert text.startswith(
        f"# run: {file.stem}\n# result: succeeded\n# exit code: 0\n# started on: bench-0\n"
    )
    assert text.endswith("\n\n176 GFlops\n")
    folder = f"gs://my-results/bench/runs/{file.stem}"
    option = "--project=my-project"
    assert place.calls == [["storage", "cat", f"{folder}/{name}", option] for name in ("status", "log")]


def test_the_commands_are_printed_and_none_is_run(clusterprint: Run, place: Place) -> None:
    done = results(clusterprint, place, "--print")
    assert done.returncode == 0, done.stderr
    for line, name in zip(done.stdout.splitlines(), ("status", "log"), strict=True):
        assert line.startswith("gcloud storage cat gs://my-results/bench/runs/hpl-")
        assert line.endswith(f"/{name} --project=my-project")
    assert not (place.bin / "calls").exists()


@pytest.mark.long
def test_it_waits_for_what_goes_on_and_asks_again_when_nobody_answers(
    clusterprint: Run, place: Place
) -> None:
    place.play(None, "ERROR: connection reset", SUCCEEDED)
    done = results(clusterprint, place, "--run", "first", "--timeout", "60s")
    assert done.returncode == 0, done.stderr
    assert "has not started" in done.stderr
    assert "asking again: ERROR: connection reset" in done.stderr
    assert [file.name for file in place.results] == ["first.txt"]


def test_a_run_that_failed(clusterprint: Run, place: Place) -> None:
    place.play(status("failed", message="the node that started it went down while it was running"), log=None)
    done = results(clusterprint, place)
    assert done.returncode == 1
    text = place.results[0].read_text()
    assert "# message: the node that started it went down while it was running\n" in text
    assert "# log: there is none, it did not get that far\n" in text


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (None, "has not started, and the time is up; has it been deployed, and are all nodes ready?"),
        (status("running"), "runs, and the time is up; it goes on: ask again, or wait longer"),
        ("ERROR: me@x.org does not have storage.objects.get access", "to log in, run: gcloud auth login"),
    ],
)
def test_what_is_no_result(clusterprint: Run, place: Place, said: str | None, words: str) -> None:
    place.play(said)
    done = results(clusterprint, place, "--timeout", "1s")
    assert done.returncode == 3
    assert words in done.stderr
    assert place.results == []


def test_another_file_or_word_is_another_run_and_nothing_else(clusterprint: Run, place: Place) -> None:
    names = []
    for text, data in (
        (BLUEPRINT, "one"),
        (BLUEPRINT, "two"),
        (BLUEPRINT.replace("[xhpl]", "[xhpl, -v]"), "one"),
        (f"{BLUEPRINT}      run: second\n", "one"),
        (f"{BLUEPRINT}      mpirun_options: []\nlabels: {{team: ml}}\n", "one"),
    ):
        place.write(text)
        (place.folder / "HPL.dat").write_text(data)
        place.play(SUCCEEDED)
        names.append(results(clusterprint, place).stdout.split()[1])
    assert len(set(names)) == 4
    assert names[0] == names[-1], "a default that is written down, and labels, are no part of a program"


def test_the_benchmark_is_one_of_two(clusterprint: Run, place: Place) -> None:
    place.write(NCCL)
    place.play(SUCCEEDED)
    done = results(clusterprint, place)
    assert done.returncode == 2
    assert "say which one with --job (nccl, hpl)" in done.stderr
    assert results(clusterprint, place, "--job", "nccl").returncode == 0
    assert place.results[0].name.startswith("nccl-")


def test_without_gcloud_it_says_so(clusterprint: Run, place: Place) -> None:
    (place.bin / "gcloud").unlink()
    place.environment = {"PATH": str(place.bin)}
    done = results(clusterprint, place)
    assert done.returncode == 3
    assert "gcloud is not installed" in done.stderr
