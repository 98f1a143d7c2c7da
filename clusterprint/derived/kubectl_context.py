"""The name of a GKE cluster's kubectl context, as gcloud creates it."""


def context_of(project: str, location: str, cluster: str) -> str:
    """The name of the context, as `gcloud container clusters get-credentials` writes it."""
    return f"gke_{project}_{location}_{cluster}"
