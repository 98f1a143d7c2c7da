"""The slice provisioner: node pools that come with the jobs that wait for them, and go with them."""

__version__ = "0.1.0"
