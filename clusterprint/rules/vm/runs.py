from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_bootstrap import NcclBenchmark, Together
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_groups, node_settings, vm_runs, volumes
from clusterprint.derived.durations import seconds
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, listed, rule


@rule("VM107", severity=Severity.ERROR, firm=True)
def run_without_group(run: Together, context: Context[VmBlueprint]) -> Iterator[Finding]:
    names = [node_groups.group_name(each) for each in node_groups.groups(context.blueprint)]
    if run.group is UNSET and len(names) > 1:
        yield Finding(
            "the group of nodes that this runs on is not given",
            context.at(run, "group"),
            help=f"write group: {listed(names)}",
        )


@rule("VM108", severity=Severity.ERROR, firm=True)
def run_without_bucket(run: Together, context: Context[VmBlueprint]) -> Iterator[Finding]:
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


@rule("VM110", severity=Severity.ERROR, firm=True)
def benchmark_without_gpus(benchmark: NcclBenchmark, context: Context[VmBlueprint]) -> Iterator[Finding]:
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


@rule("VM145", severity=Severity.WARNING)
def run_time_beyond_time_to_live(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
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
