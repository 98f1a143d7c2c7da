"""Waiting for a run and keeping its log, against a kubectl that plays each case."""

from pathlib import Path

import pytest
from fake_kubectl import (
    NO_CONTEXT,
    NO_PODS,
    NO_SUCH_KIND,
    NOTHING,
    UNREACHABLE,
    FakeKubectl,
    job,
    listed,
    pod,
)

from clusterprint.errors import EnvironmentFailure
from clusterprint.results import Collected, Kubectl, Poller, Run, collect

pytestmark = pytest.mark.slow

RUN = Run("hpl-1a2b3c4d", "mpi")


class Session:
    """A fake kubectl, a folder for results, and what was said meanwhile."""

    def __init__(self, folder: Path) -> None:
        self.kubectl = FakeKubectl(folder / "bin")
        self.file = folder / "results" / "first.txt"
        self.said: list[str] = []

    def collect(self, limit: float = 5.0) -> Collected:
        """Wait for the run, as the command does, but without its pauses."""
        kubectl = Kubectl(context="ctx", namespace="jobs", login="gcloud get-credentials")
        poller = Poller(limit=limit, log=self.said.append, pause=0.01)
        return collect(kubectl, RUN, file=self.file, poller=poller)

    @property
    def left(self) -> list[str]:
        """The content of the folder of results, hidden files too."""
        return sorted(file.name for file in self.file.parent.glob("*")) if self.file.parent.exists() else []


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    made = Session(tmp_path)
    monkeypatch.setenv("PATH", made.kubectl.path)
    return made


def test_a_run_that_has_long_finished_is_collected_at_once(session: Session) -> None:
    session.kubectl.play(jobs=[job("Created", "Running", "Succeeded")], logs=[{"out": "176 GFlops\n"}])
    assert session.collect() == Collected(succeeded=True, exit_code=0, message="")
    heading, _, log = session.file.read_text().partition("\n\n")
    assert heading.splitlines() == [
        "# run: hpl-1a2b3c4d",
        "# result: succeeded",
        "# exit code: 0 (Error)",
        "# started: 2026-11-21T10:00:00Z",
    ]
    assert log == "176 GFlops\n"
    assert session.left == ["first.txt"]


def test_a_run_that_is_not_there_yet_is_waited_for(session: Session) -> None:
    session.kubectl.play(
        jobs=[
            *(NO_SUCH_KIND, NOTHING, NOTHING),
            *(job("Created"), job("Created", "Suspended"), job("Running"), job("Succeeded")),
        ]
    )
    assert session.collect().succeeded
    assert session.said == [
        "hpl-1a2b3c4d does not exist yet",
        "hpl-1a2b3c4d waits for its workers",
        "hpl-1a2b3c4d waits in its queue",
        "hpl-1a2b3c4d runs",
        "hpl-1a2b3c4d has succeeded",
    ]


def test_a_failed_run_keeps_the_log_and_exit_code_of_the_last_attempt(session: Session) -> None:
    first = pod("run-launcher-z", "2026-11-21T10:00:01Z", 1)
    last = pod("run-launcher-a", "2026-11-21T10:05:00Z", 134)
    session.kubectl.play(
        jobs=[job("Running", "Failed", message="Job has reached\n the backoff limit")],
        pods=[listed(last, first)],
    )
    assert session.collect() == Collected(
        succeeded=False, exit_code=134, message="Job has reached\n the backoff limit"
    )
    assert "logs" in session.kubectl.calls[-1]
    assert "run-launcher-a" in session.kubectl.calls[-1]
    text = session.file.read_text()
    assert "# exit code: 134 (Error)\n# attempts: 2, of which" in text
    assert "# message: Job has reached the backoff limit\n" in text


def test_a_run_that_was_ended_by_its_time_limit_has_no_exit_code(session: Session) -> None:
    session.kubectl.play(jobs=[job("Failed")], pods=[listed(pod("p", "2026-11-21T10:00:01Z", None))])
    assert session.collect().exit_code is None
    assert "# exit code: none, it did not end by itself\n" in session.file.read_text()


def test_a_run_whose_launcher_is_gone_still_has_its_result(session: Session) -> None:
    session.kubectl.play(jobs=[job("Succeeded")], pods=[NO_PODS])
    assert session.collect() == Collected(succeeded=True, exit_code=None, message="")
    assert "# log: the launcher's pod is gone, and its log with it\n" in session.file.read_text()


def test_a_run_that_does_not_end_in_time_leaves_nothing(session: Session) -> None:
    session.kubectl.play(jobs=[job("Running")])
    with pytest.raises(EnvironmentFailure, match="hpl-1a2b3c4d runs, and the time is up; it goes on"):
        session.collect(limit=0.2)
    assert session.left == []


def test_a_run_that_never_comes_is_told_apart(session: Session) -> None:
    session.kubectl.play(jobs=[NOTHING])
    with pytest.raises(
        EnvironmentFailure, match="does not exist yet, and the time is up; has it been deployed"
    ):
        session.collect(limit=0.2)


def test_an_outage_is_waited_out(session: Session) -> None:
    session.kubectl.play(
        jobs=[UNREACHABLE, job("Running"), UNREACHABLE, job("Succeeded")],
        pods=[UNREACHABLE, listed()],
        logs=[{"out": "half a li", "code": 1, "err": "connection reset"}, {"out": "whole\n"}],
    )
    assert session.collect().succeeded
    assert session.file.read_text().endswith("\n\nwhole\n")
    assert any("does not answer, asking again: Unable to connect" in each for each in session.said)


def test_a_cluster_that_stays_away_is_a_failure(session: Session) -> None:
    session.kubectl.play(jobs=[UNREACHABLE])
    with pytest.raises(EnvironmentFailure, match="the cluster does not answer: Unable to connect"):
        session.collect(limit=0.2)
    assert session.left == []


def test_a_log_that_cannot_be_read_leaves_nothing(session: Session) -> None:
    session.kubectl.play(jobs=[job("Succeeded")], logs=[{"out": "half", "code": 1, "err": "not found"}])
    with pytest.raises(EnvironmentFailure, match="does not answer: not found"):
        session.collect(limit=0.2)
    assert session.left == []


def test_what_no_second_try_can_mend_is_said_at_once(session: Session) -> None:
    session.kubectl.play(jobs=[NO_CONTEXT])
    with pytest.raises(
        EnvironmentFailure, match=r"does not exist\nto get its credentials, run: gcloud get-cred"
    ):
        session.collect()
    assert len(session.kubectl.calls) == 1


def test_an_answer_that_is_no_json_is_asked_for_again(session: Session) -> None:
    session.kubectl.play(jobs=[{"out": "{"}, job("Succeeded")])
    assert session.collect().succeeded


def test_without_kubectl(session: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentFailure, match="kubectl is not installed"):
        session.collect()


def test_every_question_goes_to_the_one_cluster(session: Session) -> None:
    session.kubectl.play(jobs=[job("Succeeded")])
    session.collect()
    assert {tuple(call[:2]) for call in session.kubectl.calls} == {("--context=ctx", "--namespace=jobs")}


def test_a_result_that_cannot_be_written(session: Session) -> None:
    session.file.parent.write_text("a file where the folder should be")
    session.kubectl.play(jobs=[job("Succeeded")])
    with pytest.raises(EnvironmentFailure, match=r"cannot write .*first\.txt"):
        session.collect()


def test_another_result_replaces_the_last_one_whole(session: Session) -> None:
    session.kubectl.play(jobs=[job("Succeeded")], logs=[{"out": "a long first result\n"}])
    session.collect()
    session.kubectl.play(jobs=[job("Succeeded")], logs=[{"out": "short\n"}])
    session.collect()
    assert session.file.read_text().endswith("\n\nshort\n")
    assert session.left == ["first.txt"]
