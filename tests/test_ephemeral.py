"""`up --ephemeral` in a simulated cloud: whatever comes, what was made is destroyed, or said to be left."""

import re
import signal
from collections import Counter
from pathlib import Path

import pytest
from lives import VM, Life, until
from support import Run

from clusterprint.exit_codes import Code
from clusterprint_simcloud import Fault

EPHEMERAL = ("up", VM, "--ephemeral", "--yes")


@pytest.mark.terraform
@pytest.mark.slow
def test_a_cluster_goes_when_its_time_is_up_and_when_it_could_not_be_made(life: Life) -> None:
    life.faults(Fault("create", "google_compute_router", error="something that nobody knows"))
    said = life.run(*EPHEMERAL, expect=Code.FAILED)
    assert "something that nobody knows" in said
    assert "everything that was created is destroyed" in said
    assert life.made() == []

    said = life.run(*EPHEMERAL, "--for", "1s")
    assert said.index("The cluster stays up until") < said.index("destroying everything that was created")
    assert life.made() == []
    assert not list((life.folder / "ephemeral").glob("*.tfstate*"))


@pytest.mark.terraform
@pytest.mark.slow
def test_the_first_signal_destroys_and_the_second_says_what_is_left(life: Life) -> None:
    life.faults(Fault("create", "google_compute_network", delay=4))
    process = life.start(*EPHEMERAL)
    until(lambda: "google_compute_network.primary: Creating" in life.said())
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=120)
    assert process.returncode == Code.TERMINATED, err
    assert "everything that was created is destroyed" in err
    assert life.made() == []

    # Long enough for all that does not wait for the network, on any machine; nobody waits for its end.
    life.faults(Fault("create", "google_compute_network", delay=60))
    process = life.start(*EPHEMERAL)
    until(lambda: underway(life) == {"google_compute_network.primary"})
    process.send_signal(signal.SIGTERM)
    until(lambda: "Stopping operation" in life.said())
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=120)
    assert process.returncode == Code.TERMINATED, err
    assert "working on google_compute_network.primary (first-net)" in err
    assert "google_project_service.services, google_service_account.account" in err
    again = f"clusterprint down --ephemeral --include-data {VM} --simulate {life.folder}"
    assert f"destroy what is left with: {again}" in err
    said = life.run("down", "--ephemeral", "--include-data", "--yes", VM)
    assert "the state is empty" in said
    named = re.findall(r"google_\w+", err[err.index("working on") : err.index("when it was stopped")])
    assert {one.type for one in life.made()} <= set(named)


def underway(life: Life) -> set[str]:
    """The resources that Terraform is creating now."""
    said = life.said()
    begun = Counter(re.findall(r'"@message":"(\S+): Creating\.\.\."', said))
    ended = Counter(re.findall(r'"@message":"(\S+): Creation (?:complete|errored) after', said))
    return set(begun - ended)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--for", "1h"), "--for and --remove-foreign need --ephemeral"),
        (("--remove-foreign",), "--for and --remove-foreign need --ephemeral"),
        (("--ephemeral", "--adopt"), "it excludes --adopt"),
        (("--ephemeral", "--plan-only"), "--plan-only and"),
        (("--ephemeral", "--for", "soon"), "'soon' is not a duration such as 90s"),
        (("--ephemeral", "--for", "0s"), "'0s' is not a duration"),
    ],
)
def test_what_says_nothing_together_is_wrong_usage(
    words: tuple[str, ...], said: str, clusterprint: Run, tmp_path: Path
) -> None:
    done = clusterprint("up", VM, *words, "--simulate", tmp_path)
    assert done.returncode == Code.WRONG_USAGE
    assert said in " ".join(done.stderr.split())
