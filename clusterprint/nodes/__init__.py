"""The files that run on machines, and how they get there.

There is one folder for each kind of cluster, `common` for what they share, and `deploy` for scripts that run
where Terraform applies. The folders in `files/` are layers: the files of a role, or of an option. The path of
a file below its layer is its path on the machine, and a file that begins with `#!` is executable.

Python assembles no scripts. Whole files go to cloud-init (Azure), to the guest agent (Google) or to
containers (GKE), and the facts of the cluster as data, arguments and variables: so shellcheck and
`tests/nodes/`, which boot machines in scratch folders with fake tools, see exactly what runs.
"""
