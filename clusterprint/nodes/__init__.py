"""What runs on the machines: scripts as files of their own, and how they get there.

One folder for each kind of cluster, and `common` for what they share; `deploy` has what runs where Terraform
applies. The folders in `files/` are layers:
what a role gets, or what comes with something that is asked for. The path of a file below its layer is its
path on the machine, and a file that begins with `#!` is executable.
"""
