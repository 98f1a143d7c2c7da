from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_bootstrap import NcclBenchmark, Together
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_groups, node_settings, vm_runs, volumes
from clusterprint.derived.durations import seconds
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, listed, rule


@rule("VM107", severity=Severity.ERROR, source="The blueprint language: groups of nodes", firm=True)
def run_without_group(run: Together, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """It is not clear on which group of nodes a program runs.

    A program runs over all nodes of one group. With several groups it has to say which; a group that it names
    has to be there.

    Write the name of one of the groups.
    """
    names = [node_groups.group_name(each) for each in node_groups.groups(context.blueprint)]
    if run.group is UNSET and len(names) > 1:
        yield Finding(
            "the group of nodes that this runs on is not given",
            context.at(run, "group"),
            help=f"write group: {listed(names)}",
        )


@rule("VM108", severity=Severity.ERROR, source="clusterprint: results of runs", firm=True)
def run_without_bucket(run: Together, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The result of a program has no bucket to go to.

    The bucket keeps log and result, and it is where nodes see that a program has run already, so that it runs
    once. The nodes have to be allowed to write to it.

    Add a volume of kind bucket without `access: read_only`, or name another one.
    """
    blueprint = context.blueprint
    if vm_runs.bucket_of(blueprint, run):
        return
    help_text = "add one to storage.volumes, such as {name: results, kind: bucket}"
    if run.bucket is UNSET:
        yield Finding(
            "there is no bucket that nodes may write the result to", context.at(run), help=help_text
        )
        return
    also: tuple[Label, ...] = ()
    what = f"no volume of kind bucket is called {run.bucket}, or has the bucket {run.bucket}"
    listed = [each.part for each in vm_runs.stores(blueprint) if run.bucket in (each.part.name, each.bucket)]
    if listed:
        what = f"nodes may not write to bucket {run.bucket}, where the result would go"
        also = tuple(context.at(each, "access", text="read only") for each in listed)
        help_text = "remove access: read_only, or name another bucket"
    elif any(each.name == run.bucket for each in volumes.buckets(blueprint.storage)):
        what = f"the result cannot go to {run.bucket}: its bucket is in one zone, or has a random name"
        help_text = "name another volume of kind bucket, with a plain name"
    yield Finding(what, context.at(run, "bucket"), also=also, help=help_text)


@rule("VM110", severity=Severity.ERROR, source="NVIDIA: NCCL tests", firm=True)
def benchmark_without_gpus(benchmark: NcclBenchmark, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """NCCL's benchmark is set for fewer than two GPUs.

    It measures how fast GPUs exchange data: a single one has no other to exchange data with.

    Remove the benchmark, choose another group of nodes, or more nodes.
    """
    group = vm_runs.group_of(context.blueprint, benchmark)
    if group is None or catalog.machine(group.machine_type) is None:
        return
    gpus = node_settings.gpus(group) * group.count
    if gpus <= 1:
        has = f"{gpus} GPU" if gpus else "no GPUs"
        yield Finding(
            f"the benchmark measures how GPUs exchange data, and these nodes have {has}",
            context.at(benchmark),
            also=(context.at(group, "machine_type", text="the nodes"),),
            help="remove the benchmark, or choose other nodes",
        )


@rule("VM145", severity=Severity.WARNING, source="Google Cloud: limit the run time of VMs in a MIG")
def run_time_beyond_time_to_live(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The maximum run time of nodes is as long as the cluster lives, or longer.

    A machine's run time is counted from its own start, the time to live from the start of the cluster: the
    cluster ends first, so the run time is never reached.

    Remove `max_run_duration`, or make it shorter than `time_to_live`.
    """
    life, run = context.blueprint.time_to_live, nodes.capacity.max_run_duration
    # Of queued nodes another rule speaks.
    if not given(life) or not given(run) or nodes.capacity.model == "flex_start":
        return
    if seconds(run) >= seconds(life):
        yield Finding(
            f"these nodes end after {life}, before they have run for {run}",
            context.at(nodes.capacity, "max_run_duration"),
            also=(context.at(context.blueprint, "time_to_live", text="the time to live"),),
            help="remove it, or write a shorter one",
        )
