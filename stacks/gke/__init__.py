"""`kind: gke`, and every kind that stands on a GKE cluster."""
