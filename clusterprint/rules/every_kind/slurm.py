from clusterprint.blueprint.gke.slurm import ClusterSlurm
from clusterprint.blueprint.slurm import PlainQueue, Slurm
from clusterprint.derived import slurm_images
from clusterprint.derived.releases import is_too_old
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("BP290", severity=Severity.ERROR)
def slurm_of_other_release(slurm: Slurm, context: Context) -> Iterator[Finding]:
    machines = slurm_images.releases(context.blueprint)
    own = machines[0][2] if machines else None
    for part, field, found in machines:
        if found is None:
            continue
        problem = ""
        if is_too_old(found):
            problem = "is too old: its nodes cannot register themselves"
        elif own is not None and found != own:
            problem = f"is another version than the controller's, of {' '.join(own)}"
        if problem:
            yield Finding(
                f"Slurm of {' '.join(found)} {problem}",
                context.at_key(part, "image") if context.wrote(part, "image") else context.at(part, field),
                also=(context.at_key(slurm, text="asked for here"),),
                help="use images of Ubuntu 24.04 (on Azure microsoft-dsvm:ubuntu-hpc:2404:latest), or of "
                "Debian 12, for all machines",
            )


@rule("BP293", severity=Severity.ERROR, firm=True)
def slurm_defaults(slurm: Slurm | ClusterSlurm, context: Context) -> Iterator[Finding]:
    partitions: tuple[PlainQueue, ...] = slurm.partitions
    defaults = [each for each in partitions if each.default]
    for each in defaults[1:]:
        yield Finding(
            f"partitions {defaults[0].name} and {each.name} are both the default",
            context.at(each, "default"),
            also=(context.at(defaults[0], "default", text="the first one"),),
            help="remove one default: true",
        )


@rule("BP295", severity=Severity.ERROR, firm=True)
def slurm_qos_in_a_circle(slurm: Slurm, context: Context) -> Iterator[Finding]:
    names = {each.name: each.yields_to for each in slurm.qos}
    for each in slurm.qos:
        above, new = set[str](), [*each.yields_to]
        while new:
            name = new.pop()
            new += () if name in above else names.get(name, ())
            above.add(name)
        if each.name in above:
            yield Finding(
                f"jobs of {each.name} yield to jobs of {each.name}, directly or by way of others",
                context.at_key(each, "yields_to"),
                help="remove a QOS from yields_to",
            )
            return
