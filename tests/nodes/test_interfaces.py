"""The script that sets up the RDMA interfaces of bare metal nodes of GKE, with fake tools."""

import subprocess
from pathlib import Path

import pytest

from clusterprint.nodes.gke import script

PROGRAM = "/usr/local/bin/run_asapd_lite.sh"
LINKS = "1: lo: <UP>\\n2: gpu0rdma0: <UP>\\n3: gpu1rdma0: <UP>\\n"


def run(folder: Path, *, failed: str = "") -> tuple[int, str]:
    """Run the script where the address of one interface was taken for a duplicate; what was asked of `ip`."""
    calls = folder / "calls"
    ip = f"""#!/bin/sh
echo "$*" >>{calls}
case "$*" in
  "-o link show") printf '{LINKS}' ;;
  "-6 addr show dev {failed}") echo "inet6 fd20::1/64 scope global dadfailed" ;;
esac
"""
    fakes = {"ip": ip, "sleep": "#!/bin/sh\n", "program": f"#!/bin/sh\necho program >>{calls}\n"}
    for name, text in fakes.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    text = script("nccl/interfaces-roce-metal").replace(PROGRAM, str(folder / "program"))
    path = {"PATH": f"{folder}:/usr/bin:/bin"}
    done = subprocess.run(["/bin/sh", "-c", text], env=path, capture_output=True, check=False, text=True)
    return done.returncode, calls.read_text()


def test_the_program_comes_first_and_interfaces_that_work_are_left_alone(tmp_path: Path) -> None:
    code, calls = run(tmp_path)
    assert (code, calls.splitlines()[:2]) == (0, ["program", "-o link show"])
    assert "link set" not in calls
    assert "dev lo" not in calls


@pytest.mark.parametrize("name", ["gpu0rdma0", "gpu1rdma0"])
def test_an_interface_without_its_address_goes_down_and_up(tmp_path: Path, name: str) -> None:
    code, calls = run(tmp_path, failed=name)
    assert code == 1, "the container starts again, and looks once more"
    changed = [each for each in calls.splitlines() if each.startswith("link set")]
    assert changed == [f"link set dev {name} down", f"link set dev {name} up"]


def test_what_watches_the_network_waits_until_the_interfaces_are_set_up(tmp_path: Path) -> None:
    """The program answers at the second time that it is asked."""
    fakes = {
        "curl": "#!/bin/sh\necho asked >>calls\n[ -e slept ]\n",
        "sleep": "#!/bin/sh\ntouch slept\n",
        "watcher": "#!/bin/sh\necho watching >>calls\n",
    }
    for name, text in fakes.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    text = script("nccl/beside-roce-metal").replace("/usr/local/bin/bpf_manager", "watcher")
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    subprocess.run(["/bin/sh", "-c", text], env=path, cwd=tmp_path, check=True)
    assert (tmp_path / "calls").read_text().splitlines() == ["asked", "asked", "watching"]
