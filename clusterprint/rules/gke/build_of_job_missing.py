from clusterprint.rules.declared import declared


@declared("GKE381", source="clusterprint: images that are built")
def build_of_job_missing() -> None:
    """A job names an image that the blueprint does not build.

    `build` is the name of one of `image_builds`. The slice provisioner's own image is no image for jobs.

    Name an image of `image_builds`, or add it there.
    """
