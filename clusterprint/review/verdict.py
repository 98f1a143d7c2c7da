"""The line that a reviewer reads first, and the exit code."""

from collections.abc import Iterable, Sequence

from clusterprint.review.model import Cluster, Counts, Level, Policy, Problem, Risk, Verdict
from clusterprint.words import counted

# 2 and 3 are wrong usage and failures, as in all commands.
NO_CHANGE, PROBLEMS, FAILED, ALLOWED, FORBIDDEN = 0, 1, 3, 4, 5

_CODES: dict[Level, int] = {
    "nothing": NO_CHANGE,
    "problems": PROBLEMS,
    "allowed": ALLOWED,
    "forbidden": FORBIDDEN,
}

_WORDS = (
    ("added", "to add"), ("changed", "to change"), ("replaced", "to replace"), ("removed", "to remove"),
    ("moved", "to move"), ("forgotten", "to forget"), ("imported", "to import"),
)  # fmt: skip


def verdict(
    clusters: Sequence[Cluster],
    risks: Sequence[Risk],
    policy: Policy,
    problems: Sequence[Problem],
    *,
    crashed: bool,
) -> Verdict:
    """Blueprints with errors outweigh what policy says, and that outweighs what would change."""
    errors = sum(each.severity == "error" and each.side != "base" for each in problems)
    forbidden = [each for each in policy.findings if not each.allowed_by]
    level: Level = "allowed"
    if errors:
        level = "problems"
    elif forbidden:
        level = "forbidden"
    elif all(each.status == "unchanged" for each in clusters) and not risks:
        level = "nothing"
    counts = total(each.counts for each in clusters)
    parts = ["nothing changes" if level == "nothing" else summary(counts)]
    unknown = sum(not each.is_compared for each in clusters)
    if unknown:
        parts.append(f"{counted(unknown, 'cluster')} not compared")
    orphaned = sum(each.status == "orphaned" for each in clusters)
    if orphaned:
        parts.append(f"{counted(orphaned, 'cluster')} left without a blueprint")
    severe = [each for each in risks if each.severity in ("critical", "high")]
    if severe:
        parts.append(f"{counted(len(severe), 'serious risk')}")
    if errors:
        parts.append(f"{counted(errors, 'error')} in blueprints")
    if forbidden:
        parts.append(f"forbidden by policy: {', '.join(dict.fromkeys(each.rule for each in forbidden))}")
    return Verdict(
        level=level,
        line=", ".join(parts),
        exit_code=FAILED if crashed else _CODES[level],
        counts=counts,
    )


def total(parts: Iterable[Counts]) -> Counts:
    """Counts of several clusters together."""
    parts = list(parts)
    return Counts(**{name: sum(getattr(each, name) for each in parts) for name in Counts.__struct_fields__})


def happening(cluster: Cluster) -> str:
    """The status of a cluster, in words."""
    return summary(cluster.counts) if cluster.is_compared else "what would change is not known"


def summary(counts: Counts) -> str:
    """Counts in words: `2 to add, 1 to replace`."""
    told = [f"{number:,} {words}" for name, words in _WORDS if (number := getattr(counts, name))]
    return ", ".join(told) or "no resource changes"
