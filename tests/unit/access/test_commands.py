"""Which command leads where, of blueprints that we bring."""

import pytest
from support import BLUEPRINTS, plans_of

from clusterprint.access import inside, machines
from clusterprint.access.command import Command
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.plan.part import StackPlan
from clusterprint.plan.vm import VmPlan
from clusterprint.plan.vmss import VmssPlan

IAP = "--project=my-gpu-project --zone=us-central1-a --tunnel-through-iap"


def plans(name: str, *changes: tuple[str, str]) -> tuple[StackPlan, ...]:
    text = (BLUEPRINTS / f"{name}.yaml").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return plans_of(text)


def vm(*changes: tuple[str, str], name: str = "vm-smallest") -> VmPlan:
    (found,) = plans(name, *changes)
    assert isinstance(found, VmPlan)
    return found


TWO = ("a2-highgpu-1g", "a2-highgpu-1g, count: 2")


@pytest.mark.parametrize(("node", "leads_to"), [("", "first-0"), ("1", "first-1"), ("first-1", "first-1")])
def test_a_shell_is_opened_on_the_node_that_is_named_and_else_on_the_first(node: str, leads_to: str) -> None:
    assert machines.vm_shell(vm(TWO), node).text == f"gcloud compute ssh {leads_to} {IAP}"


def test_with_slurm_the_shell_is_on_its_controller_wherever_that_is() -> None:
    groups = """\
node_groups:
  - {name: work, machine_type: n2-standard-4, count: 2}
  - {name: login, machine_type: n2-standard-4}
bootstrap: {slurm: {controller: login}}
"""
    plan = vm(("nodes: {machine_type: a2-highgpu-1g}\n", groups))
    assert machines.vm_shell(plan, "", ("sinfo",)).text == f"gcloud compute ssh first-login-0 {IAP} -- sinfo"
    assert machines.vm_shell(plan, "work-1").words[3] == "first-work-1"
    (slurm,) = (each for each in plan.outputs.more if each.name == "slurm")
    assert slurm.commands["queue"] == f"gcloud compute ssh first-login-0 {IAP} -- squeue"


def test_a_command_is_run_there_as_it_is_given() -> None:
    remote = ("bash", "-c", "echo $HOME; nvidia-smi")
    assert machines.vm_shell(vm(), "", remote).words[-4:] == ("--", *remote)


def test_a_node_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match="there is no node 'second-0'; the nodes are first-0, first-1"):
        machines.vm_shell(vm(TWO), "second-0")


def test_where_the_firewall_lets_nobody_in_that_is_said() -> None:
    closed = ("nodes:", "network: {ssh_source_ranges: []}\nnodes:")
    with pytest.raises(UsageError, match=r"network\.ssh_source_ranges of the blueprint allows nobody"):
        machines.vm_shell(vm(closed), "")


def test_nodes_that_google_names_are_reached_by_those_names() -> None:
    plan = vm(name="vm-a3-ultra-flex")
    name = f"{plan.groups[0].group.base_instance_name}-x7k2"
    assert machines.vm_shell(plan, name).words[3] == name
    with pytest.raises(UsageError, match="Compute Engine names these nodes"):
        machines.vm_shell(plan, "")
    with pytest.raises(UsageError, match="there is no node 'elsewhere-x7k2'"):
        machines.vm_shell(plan, "elsewhere-x7k2")


def test_logs_of_a_node_are_those_of_its_setup_or_of_its_console() -> None:
    def log(*, follow: bool, serial: bool) -> str:
        return machines.vm_log(vm(), "0", lines=9, follow=follow, serial=serial).text

    where = "--project=my-gpu-project --zone=us-central1-a"
    setup = f"gcloud compute ssh first-0 {IAP} -- sudo tail -n 9"
    assert log(follow=False, serial=False) == f"{setup} /var/log/clusterprint/setup.log"
    assert log(follow=True, serial=False) == f"{setup} -f /var/log/clusterprint/setup.log"
    console = "gcloud compute instances get-serial-port-output"
    assert log(follow=False, serial=True) == f"{console} first-0 {where}"
    assert "tail-serial-port-output" in log(follow=True, serial=True)


def test_rays_dashboard_on_machines_is_reached_at_whoever_is_its_head() -> None:
    plan = vm(name="vm-ray")
    assert machines.vm_head(plan).text.endswith("--raw '--format=value(metadata.address)'")
    found = machines.vm_dashboard(plan, "10.0.0.7", 9000)
    assert found.words[-4:] == ("--", "-N", "-L", "9000:10.0.0.7:8265")
    assert found.url == "http://localhost:9000"


def test_machines_without_ray_have_no_dashboard_but_maybe_a_notebook() -> None:
    with pytest.raises(UsageError, match="these machines have no dashboard"):
        machines.vm_ray(vm())
    assert machines.vm_notebook(vm()) is None
    found = machines.vm_notebook(vm(name="vm-dev-box"))
    assert found
    assert "clusterprint-notebook" in found.words


def test_nodes_on_azure_are_reached_through_the_head() -> None:
    (plan,) = plans("vmss-nc-dev")
    assert isinstance(plan, VmssPlan)
    user = plan.admin.username
    ways = [f"ssh {user}@20.1.2.3", f"ssh -J {user}@20.1.2.3 {user}@NODE"]
    assert machines.vmss_shell(plan, "", ways, "").text == f"ssh {user}@20.1.2.3"
    assert (
        machines.vmss_shell(plan, "gpu1", ways, "", ("ls",)).text == f"ssh -J {user}@20.1.2.3 {user}@gpu1 ls"
    )
    bastion = ["az network bastion ssh --name b --ssh-key PRIVATE_KEY_FILE"]
    assert machines.vmss_shell(plan, "", bastion, "me.pem").words[-1] == "me.pem"
    with pytest.raises(UsageError, match="--key FILE"):
        machines.vmss_shell(plan, "", bastion, "")
    with pytest.raises(UsageError, match="only the head can be reached"):
        machines.vmss_shell(plan, "gpu1", bastion, "me.pem")


def test_a_cluster_on_azure_that_does_not_stand_has_no_way_in() -> None:
    (plan,) = plans("vmss-nc-dev")
    assert isinstance(plan, VmssPlan)
    with pytest.raises(UsageError, match="does not exist"):
        machines.azure_ways({plan.name: {}}, plan)


EVIL = "ssh -oProxyCommand='touch X' azureuser@20.1.2.3"


def azure(*changes: tuple[str, str]) -> VmssPlan:
    (plan,) = plans("vmss-nc-dev", *changes)
    assert isinstance(plan, VmssPlan)
    return plan


def test_of_a_state_on_azure_only_addresses_are_taken() -> None:
    """Whoever writes to it must not choose what is run here."""
    plan = azure()
    addresses = dict.fromkeys(plan.outputs.addresses, "20.1.2.3")
    outputs = {plan.name: {"connect": {"value": [EVIL]}, "addresses": {"value": addresses}}}
    user, ways = plan.admin.username, machines.azure_ways(outputs, plan)
    assert ways[:2] == [f"ssh {user}@20.1.2.3", f"ssh -J {user}@20.1.2.3 {user}@NODE"]
    assert not any("Proxy" in each or "{" in each for each in ways)


@pytest.mark.parametrize(
    "value",
    [None, "", 5, 1e308, True, [], {}, ["20.1.2.3"], EVIL, "-oProxyCommand=x", "20.1.2.3 -oX=y", "20.1.2.3\n",
     "example.com", "fe80::1%;touch X", "${file(1)}", "x" * 1_000_000],
)  # fmt: skip
@pytest.mark.parametrize("leaf", ["head_public", "addresses", "value"])
def test_what_is_no_address_connects_to_nothing(value: object, leaf: str) -> None:
    plan = azure()
    addresses: object = {**dict.fromkeys(plan.outputs.addresses, "20.1.2.3"), "head_public": value}
    found: object = {"value": value if leaf == "value" else addresses}
    outputs = {
        plan.name: {"connect": {"value": [EVIL]}, "addresses": value if leaf == "addresses" else found}
    }
    with pytest.raises(
        EnvironmentFailure, match=r"head_public in the output addresses of .* clusterprint up"
    ):
        machines.azure_ways(outputs, plan)


def test_outputs_of_an_earlier_version_are_written_anew_and_not_used() -> None:
    plan = azure()
    with pytest.raises(EnvironmentFailure, match="clusterprint up writes the outputs anew"):
        machines.azure_ways({plan.name: {"connect": {"value": ["ssh azureuser@20.1.2.3"]}}}, plan)


# ---- inside of Kubernetes clusters


def test_jobs_of_kubernetes_have_the_logs_of_their_pods() -> None:
    of = inside.inside(plans("gke-mpi-hpl"))
    found = inside.logs(of, "", lines=50, follow=True).words
    assert found[:2] == ("kubectl", of.context)
    assert any(each.startswith("--selector=training.kubeflow.org/job-name=hpl-") for each in found)
    assert found[-2:] == ("--tail=50", "--follow")
    with pytest.raises(UsageError, match="there is no job 'hpcg'; the jobs are "):
        inside.logs(of, "hpcg", lines=1, follow=False)


def test_ray_is_reached_at_its_head() -> None:
    of = inside.inside(plans("ray-l4-dev"))
    head = f"service/{of.ray.ray}-head-svc"
    opened = inside.dashboard(of, 9000)
    assert opened.words[-3:] == ("port-forward", head, "9000:8265")
    assert opened.url == "http://localhost:9000"
    assert inside.shell(of, ()).words[-5:] == ("--stdin", "--tty", head, "--", "bash")
    assert inside.shell(of, ("ls",)).words[-4:] == ("exec", head, "--", "ls")
    assert head in inside.logs(of, "", lines=1, follow=False).words
    sent = inside.ray_submit(opened.url, "src", ("python", "train.py"))
    assert sent.text == (
        "ray job submit --address http://localhost:9000 --working-dir src -- python train.py"
    )


def test_kubectl_gets_to_know_the_cluster_as_its_output_says() -> None:
    of = inside.inside(plans("gke-smallest"))
    assert inside.kubeconfig(of).text == of.cluster.login
    assert inside.apply(of, "job.yaml") == Command(("kubectl", of.context, "create", "--filename=job.yaml"))


def test_where_there_are_no_nodes_there_is_nothing_to_connect_to() -> None:
    """Of a kind that makes buckets, say."""
    with pytest.raises(UsageError, match="nothing to connect to: this kind has neither nodes nor Kubernetes"):
        inside.inside([StackPlan(name="kept")])


def test_what_a_cluster_does_not_have_is_refused() -> None:
    with pytest.raises(UsageError, match="a cluster of machines, not a Kubernetes cluster"):
        inside.inside(plans("vm-smallest"))
    of = inside.inside(plans("gke-smallest"))
    with pytest.raises(UsageError, match="only kind ray does"):
        inside.dashboard(of, 0)
    with pytest.raises(UsageError, match="kubectl debug node/NODE"):
        inside.shell(of, ())
    with pytest.raises(UsageError, match="the blueprint has no jobs"):
        inside.logs(of, "", lines=1, follow=False)
