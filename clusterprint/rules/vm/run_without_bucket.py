from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_bootstrap import Together
from clusterprint.derived import vm_runs
from clusterprint.diagnostic import Label, Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM108", severity=Severity.ERROR, source="clusterprint: results of runs", firm=True)
def run_without_bucket(run: Together, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The result of a program has no bucket to go to.

    The bucket keeps log and result, and it is where nodes see that a program has run already, so that it runs
    once. The nodes have to be allowed to write to it.

    Add a bucket to `storage.buckets`, without `access: read_only`, or name another one of these.
    """
    blueprint = context.blueprint
    if vm_runs.bucket_of(blueprint, run):
        return
    help_text = "add one to storage.buckets, such as {name: my-results, create: true}"
    if run.bucket is UNSET:
        yield Finding(
            "there is no bucket that nodes may write the result to", context.at(run), help=help_text
        )
        return
    listed = [each for each in blueprint.storage.buckets if each.name == run.bucket]
    also: tuple[Label, ...] = ()
    what = f"bucket {run.bucket} is none of storage.buckets"
    if listed:
        what = f"nodes may not write to bucket {run.bucket}, where the result would go"
        also = (context.at(listed[0], "access", text="read only"),)
        help_text = "remove access: read_only, or name another bucket"
    yield Finding(what, context.at(run, "bucket"), also=also, help=help_text)
