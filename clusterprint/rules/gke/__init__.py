"""Rules about `kind: gke`, and about every kind that stands on a GKE cluster."""
