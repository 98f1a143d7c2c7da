from clusterprint.rules.declared import declared


@declared("GKE108", source="The blueprint language: names in a list")
def mpi_job_repeated() -> None:
    """Two MPI jobs have the same name.

    A job is identified by its name, in the cluster and in the Terraform state.

    Give one of them another name. To run the same job again, change its `run`.
    """
