from clusterprint.rules.declared import declared


@declared("GKE099", source="The blueprint language: names in a list")
def bucket_of_workload_repeated() -> None:
    """A bucket is listed twice for one workload.

    A workload may write to a bucket, or only read it; two entries would contradict each other.

    Merge the two entries into one.
    """
