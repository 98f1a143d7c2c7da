"""Ports that are the same in every cluster, and who comes to them from outside."""

# Where the head of Ray listens: Ray's own defaults. The scripts in nodes/vm/files/ray have the first two.
RAY = {"gcs-server": 6379, "dashboard": 8265, "client": 10001, "serve": 8000, "metrics": 8080}

# Where nodes of either cloud answer whether they are healthy: the sockets in nodes/vm and nodes/vmss.
HEALTH = 9797

# Where Google's health checks come from.
HEALTH_PROBES = ("130.211.0.0/22", "35.191.0.0/16")
