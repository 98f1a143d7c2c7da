"""What runs on the machines: scripts as files of their own, and how they get there.

One folder for each kind of cluster. The folders in its `files/` are what a role gets, laid out as on the
machine: the path of a file below its role is its path on the machine, and a file that begins with `#!` is
executable.
"""
