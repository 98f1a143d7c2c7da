"""`kind: gke`, and every kind with a GKE cluster."""
