"""Constructs for what runs inside a cluster, whatever brought the cluster."""
