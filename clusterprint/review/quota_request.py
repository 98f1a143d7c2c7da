"""Commands that request more of a quota."""

from shlex import join

from clusterprint.review.quota_parts import GLOBAL, Metric


def request(metric: Metric, amount: int) -> str:
    """The command that asks for so much of a quota."""
    if metric.cloud == "azure":
        scope = f"/subscriptions/{metric.owner}/providers/Microsoft.Compute/locations/{metric.region}"
        limit = f"value={amount}"
        return join(
            [
                *("az", "quota", "update", "--resource-name", metric.name, "--scope", scope),
                *("--limit-object", limit, "--resource-type", "dedicated"),
            ]
        )
    everywhere = metric.region == GLOBAL
    dimensions = ([] if everywhere else ["=".join(metric.place)]) + list(filter(None, [metric.dimension]))
    return join(
        [
            *("gcloud", "beta", "quotas", "preferences", "create", f"--service={metric.service}"),
            f"--project={metric.owner}",
            f"--quota-id={_quota_id(metric)}",
            f"--preferred-value={amount}",
            *([f"--dimensions={','.join(dimensions)}"] if dimensions else []),
        ]
    )


def _quota_id(metric: Metric) -> str:
    """Compute Engine makes ids of its metrics; of other services the id is the name itself."""
    _, is_other, own = metric.name.rpartition("/")
    if is_other:
        return own
    scope = "per-project" if metric.region == GLOBAL else "per-project-region"
    return f"{metric.name.replace('_', '-')}-{scope}"
