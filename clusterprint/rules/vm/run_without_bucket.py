from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_bootstrap import Together
from clusterprint.derived import vm_runs, volumes
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


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
