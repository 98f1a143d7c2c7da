"""How more of a quota is asked for."""

from shlex import join

from clusterprint.review.quota import GLOBAL, Metric


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
    scope = "per-project" if everywhere else "per-project-region"
    name = metric.name.replace("_", "-")
    dimensions = ([] if everywhere else [f"region={metric.region}"]) + list(filter(None, [metric.dimension]))
    return join(
        [
            *("gcloud", "beta", "quotas", "preferences", "create", "--service=compute.googleapis.com"),
            f"--project={metric.owner}",
            f"--quota-id={name}-{scope}",
            f"--preferred-value={amount}",
            *([f"--dimensions={','.join(dimensions)}"] if dimensions else []),
        ]
    )
